/**
 * Information about companies that their files lack, from the caller of a build. Only programs can pass notes to a
 * build; the command line has no option for notes.
 */

import { normalizeTicker, parseCik, parseCikTicker } from '../../contract/identifiers.ts';
import type { TickerRow } from '../../edgar/filings/tickers.ts';

export interface CompanyNote {
  /** The company's industry by a third party. Used only if the company's list of filings has no SIC code. */
  readonly industry?: { readonly sic: string; readonly description: string | null };
  /** Whether the files have only some of the company's facts. If so, the screener leaves the company out. */
  readonly hasPartialFacts?: boolean;
  /** Whether the release leaves out the company. */
  readonly isLeftOut?: boolean;
}

/** Notes by CIK. */
export type CompanyNotes = ReadonlyMap<number, CompanyNote>;

export const NO_COMPANY_NOTES: CompanyNotes = new Map();

export const listLeftOutCiks = (notes: CompanyNotes): ReadonlySet<number> =>
  new Set([...notes].filter(([, { isLeftOut }]) => isLeftOut === true).map(([cik]) => cik));

type Industry = Readonly<Record<'sic' | 'industry' | 'industrySource', string | null>>;

/** Returns the industry of the company's list of filings, or else the industry by a third party. */
export const selectIndustry = ({ sic, industry }: Pick<Industry, 'sic' | 'industry'>, note: CompanyNote | null) =>
  sic !== null || note?.industry === undefined
    ? { sic, industry, industrySource: null }
    : { sic: note.industry.sic, industry: note.industry.description, industrySource: 'third_party' };

/** Tickers and CIKs of the companies, or `all` companies. */
export type FactCompanyChoice = readonly string[] | 'all';

/** Returns the CIKs of the companies, and the entered tickers and CIKs that match no company of the sources. */
export function resolveFactCompanies(choice: FactCompanyChoice, ciks: readonly number[], rows: readonly TickerRow[]) {
  if (choice === 'all') return { ciks: new Set(ciks), unknownNames: [] };
  const candidates = new Set(ciks);
  const cikByTicker = new Map(rows.map(({ ticker, cik }) => [normalizeTicker(ticker), cik]));
  const findCik = (name: string) => cikByTicker.get(normalizeTicker(name)) ?? parseCik(name) ?? parseCikTicker(name);
  const resolved = choice.map((name) => ({ name, cik: findCik(name) }));
  const chosenCiks = resolved.flatMap(({ cik }) => (cik !== null && candidates.has(cik) ? [cik] : []));
  const unknown = resolved.filter(({ cik }) => cik === null || !candidates.has(cik)).map(({ name }) => name);
  return { ciks: new Set(chosenCiks), unknownNames: unknown };
}
