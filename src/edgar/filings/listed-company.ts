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
  const own = tickerRows.filter((row) => row.cik === cik);
  const securities = new Map<string, { ticker: string; exchange: string | null }>();
  for (const { ticker, exchange } of [...own, ...(filer?.tickers ?? [])]) {
    const key = normalizeTicker(ticker);
    const known = securities.get(key);
    securities.set(key, { ticker: known?.ticker ?? ticker, exchange: known?.exchange ?? exchange });
  }
  const first = filer?.tickers[0]?.ticker ?? own[0]?.ticker;
  const primary = first === undefined ? null : normalizeTicker(first);
  const title = own.find((row) => row.title !== null)?.title ?? null;
  return {
    cik,
    entityName: tidy(filer?.name) ?? tidy(title) ?? tidy(factsName) ?? `CIK ${cik}`,
    sic: filer?.sic ?? null,
    industry: tidy(filer?.sicDescription),
    securities: [...securities].map(([tickerNormalized, entry]) => ({
      ...entry,
      tickerNormalized,
      isPrimary: tickerNormalized === primary,
    })),
  };
}

/** Returns the company's former names that differ from its current name and from each other when normalized. */
export function formerNamesOf({ formerNames }: Filer, entityName: string): readonly FormerName[] {
  const seen = new Set([spelled(entityName)]);
  return formerNames.flatMap((former) => {
    const name = tidy(former.name);
    if (name === null || seen.has(spelled(name))) return [];
    seen.add(spelled(name));
    return [{ ...former, name }];
  });
}

/** "APPLE INC" and "Apple Inc." are equal. */
const spelled = (name: string): string => name.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Returns the text on one line; null if it is empty. */
function tidy(name: string | null | undefined): string | null {
  const plain = name?.replace(/\s+/g, ' ').trim() ?? '';
  return plain === '' ? null : plain;
}
