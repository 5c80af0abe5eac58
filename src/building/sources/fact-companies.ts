/** Determines the companies for which a release includes all tagged facts. */
import { normalizeTicker, parseCik, parseCikTicker } from '../../contract/identifiers.ts';
import type { TickerRow } from '../../edgar/filings/tickers.ts';

/** Tickers and CIKs of the companies, or `all` companies. */
export type FactCompanyChoice = readonly string[] | 'all';

interface FactCompanies {
  readonly ciks: ReadonlySet<number>;
  /** Entered tickers and CIKs that match no company of the sources. */
  readonly unknownNames: readonly string[];
}

export function resolveFactCompanies(
  choice: FactCompanyChoice,
  ciks: readonly number[],
  tickers: readonly TickerRow[],
): FactCompanies {
  if (choice === 'all') return { ciks: new Set(ciks), unknownNames: [] };
  const candidates = new Set(ciks);
  const cikByTicker = new Map(tickers.map(({ ticker, cik }) => [normalizeTicker(ticker), cik]));
  const findCik = (name: string) => cikByTicker.get(normalizeTicker(name)) ?? parseCik(name) ?? parseCikTicker(name);
  const resolved = choice.map((name) => ({ name, cik: findCik(name) }));
  const chosenCiks = resolved.flatMap(({ cik }) => (cik !== null && candidates.has(cik) ? [cik] : []));
  const unknown = resolved.filter(({ cik }) => cik === null || !candidates.has(cik)).map(({ name }) => name);
  return { ciks: new Set(chosenCiks), unknownNames: unknown };
}
