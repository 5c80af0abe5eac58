/** Combines a company's name and securities from submissions, ticker lists and company facts. */

import { normalizeTicker } from '../../contract/identifiers.ts';
import { pickLaterDay } from '../../platform/dates.ts';
import { collapseSpaces } from '../files/fields.ts';
import type { Filer, FormerName } from './submissions.ts';
import type { TickerRow } from './tickers.ts';

/**
 * Returns the company's description. The name comes from the submissions, otherwise from a ticker list, otherwise from
 * `fallback`, which has values from the company's facts or reports. The industry code comes from the submissions,
 * otherwise from `fallback`. Securities of the ticker lists come before securities that are only in the submissions.
 * The primary security is the first in the submissions, otherwise the first in the ticker lists.
 */
export function describeCompany(
  cik: number,
  filer: Filer | null,
  tickerRows: readonly TickerRow[],
  fallback: { readonly name: string | null; readonly sic: string | null },
) {
  const rows = tickerRows.filter((row) => row.cik === cik);
  const byTicker = new Map<string, { ticker: string; exchange: string | null }>();
  for (const { ticker, exchange } of [...rows, ...(filer?.tickers ?? [])]) {
    const key = normalizeTicker(ticker);
    const security = byTicker.get(key);
    byTicker.set(key, { ticker: security?.ticker ?? ticker, exchange: security?.exchange ?? exchange });
  }
  const firstTicker = filer?.tickers[0]?.ticker ?? rows[0]?.ticker;
  const primary = firstTicker === undefined ? null : normalizeTicker(firstTicker);
  const title = rows.find((row) => row.title !== null)?.title ?? null;
  return {
    cik,
    entityName: cleanName(filer?.name) ?? cleanName(title) ?? cleanName(fallback.name) ?? `CIK ${cik}`,
    sic: filer?.sic ?? fallback.sic,
    industry: cleanName(filer?.sicDescription),
    securities: [...byTicker].map(([key, entry]) => ({ ...entry, tickerNormalized: key, isPrimary: key === primary })),
  };
}

/**
 * Returns the former names, without spellings of the current name. Consecutive spellings of one former name become one
 * entry, with the days of all these spellings. Spellings differ only in case and punctuation.
 */
export function selectFormerNames({ formerNames }: Filer, entityName: string): readonly FormerName[] {
  const names: FormerName[] = [];
  for (const { name: listedName, from, to } of formerNames) {
    const name = cleanName(listedName);
    if (name === null || toComparableName(name) === toComparableName(entityName)) continue;
    const last = names.at(-1);
    if (last === undefined || toComparableName(last.name) !== toComparableName(name)) names.push({ name, from, to });
    else names.splice(-1, 1, widenNamePeriod(last, { from, to }));
  }
  return names;
}

/** Returns the former name with its days extended to include `from` and `to`. */
function widenNamePeriod(former: FormerName, { from, to }: Omit<FormerName, 'name'>): FormerName {
  const isEarlier = from !== null && (former.from === null || from < former.from);
  return { ...former, from: isEarlier ? from : former.from, to: pickLaterDay(former.to, to) };
}

/** Removes case and punctuation: "APPLE INC" and "Apple Inc." have the same result. */
const toComparableName = (name: string): string => name.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Returns the name on one line; null if it is empty. */
const cleanName = (name: string | null | undefined): string | null => collapseSpaces(name ?? '') || null;
