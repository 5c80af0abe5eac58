/** Who a company is and what of it trades, put together from the files that each say a part of it. */
import type { Filer } from './submissions.ts';
import type { TickerRow } from './tickers.ts';

export interface CompanySecurity {
  readonly ticker: string;
  /** Upper case, classes after a dash: the form in which a ticker is looked up. */
  readonly tickerNormalized: string;
  readonly exchange: string | null;
  readonly isPrimary: boolean;
}

export interface ListedCompany {
  readonly cik: number;
  readonly entityName: string;
  readonly securities: readonly CompanySecurity[];
}

/** BRK.B, BRK/B and "brk b" are all BRK-B. */
export function normalizeTicker(ticker: string): string {
  return ticker
    .trim()
    .toUpperCase()
    .replace(/[./\s]+/g, '-');
}

/**
 * Names: the filer's own in the submissions, else a ticker list's title, else the facts' (which may be a
 * subsidiary's). Securities: the ticker lists, then those the submissions alone name; the first is primary.
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
    securities: [...securities].map(([tickerNormalized, entry]) => ({
      ...entry,
      tickerNormalized,
      isPrimary: tickerNormalized === primary,
    })),
  };
}

/** Names come with hard spaces and line ends. */
function tidy(name: string | null | undefined): string | null {
  const plain = name?.replace(/\s+/g, ' ').trim() ?? '';
  return plain === '' ? null : plain;
}
