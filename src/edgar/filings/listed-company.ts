/** A company's name and securities, from submissions, ticker lists and company facts. */
import { normalizeTicker } from '../../contract/identifiers.ts';
import type { Filer, FormerName } from './submissions.ts';
import type { TickerRow } from './tickers.ts';

export interface CompanySecurity {
  readonly ticker: string;
  /** A ticker as `normalizeTicker` returns it. */
  readonly tickerNormalized: string;
  readonly exchange: string | null;
  readonly isPrimary: boolean;
}

export interface ListedCompany {
  readonly cik: number;
  readonly entityName: string;
  readonly sic: string | null;
  readonly industry: string | null;
  readonly securities: readonly CompanySecurity[];
}

/**
 * The name comes from the submissions, or from a ticker list, or from facts, which may name a subsidiary. Securities
 * are those of the ticker lists, then others of the submissions; the submissions' order determines the primary one.
 */
export function describeCompany(
  cik: number,
  filer: Filer | null,
  tickerRows: readonly TickerRow[],
  factsName: string | null,
): ListedCompany {
  const companyRows = tickerRows.filter((row) => row.cik === cik);
  const securities = new Map<string, { ticker: string; exchange: string | null }>();
  for (const { ticker, exchange } of [...companyRows, ...(filer?.tickers ?? [])]) {
    const key = normalizeTicker(ticker);
    const existing = securities.get(key);
    securities.set(key, { ticker: existing?.ticker ?? ticker, exchange: existing?.exchange ?? exchange });
  }
  const firstTicker = filer?.tickers[0]?.ticker ?? companyRows[0]?.ticker;
  const primaryTicker = firstTicker === undefined ? null : normalizeTicker(firstTicker);
  const title = companyRows.find((row) => row.title !== null)?.title ?? null;
  return {
    cik,
    entityName: collapseSpaces(filer?.name) ?? collapseSpaces(title) ?? collapseSpaces(factsName) ?? `CIK ${cik}`,
    sic: filer?.sic ?? null,
    industry: collapseSpaces(filer?.sicDescription),
    securities: [...securities].map(([tickerNormalized, entry]) => ({
      ...entry,
      tickerNormalized,
      isPrimary: tickerNormalized === primaryTicker,
    })),
  };
}

/** Returns the company's former names that differ from its current name and from each other when normalized. */
export function formerNamesOf({ formerNames }: Filer, entityName: string): readonly FormerName[] {
  const seenNames = new Set([comparableName(entityName)]);
  return formerNames.flatMap((former) => {
    const name = collapseSpaces(former.name);
    if (name === null || seenNames.has(comparableName(name))) return [];
    seenNames.add(comparableName(name));
    return [{ ...former, name }];
  });
}

/** "APPLE INC" and "Apple Inc." are equal. */
const comparableName = (name: string): string => name.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Returns the text on one line; null if it is empty. */
function collapseSpaces(name: string | null | undefined): string | null {
  const collapsed = name?.replace(/\s+/g, ' ').trim() ?? '';
  return collapsed === '' ? null : collapsed;
}
