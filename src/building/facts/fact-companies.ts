/** Determines the companies for which a release includes all tagged facts. */
import { normalizeTicker, parseCik } from '../../contract/identifiers.ts';
import type { TickerRow } from '../../edgar/filings/tickers.ts';

/** Tickers and CIKs, or all companies. */
export type FactChoice = readonly string[] | 'all';

export interface FactCompanies {
  readonly ciks: ReadonlySet<number>;
  /** Entered tickers and CIKs that match no company of the sources. */
  readonly unknownNames: readonly string[];
}

export function factCompaniesOf(
  choice: FactChoice,
  ciks: readonly number[],
  tickers: readonly TickerRow[],
): FactCompanies {
  if (choice === 'all') return { ciks: new Set(ciks), unknownNames: [] };
  const existing = new Set(ciks);
  const cikOf = new Map(tickers.map(({ ticker, cik }) => [normalizeTicker(ticker), cik]));
  const named = choice.map((name) => ({ name, cik: cikOf.get(normalizeTicker(name)) ?? parseCik(name) }));
  const chosen = named.flatMap(({ cik }) => (cik !== null && existing.has(cik) ? [cik] : []));
  const unknownNames = named.filter(({ cik }) => cik === null || !existing.has(cik)).map(({ name }) => name);
  return { ciks: new Set(chosen), unknownNames };
}
