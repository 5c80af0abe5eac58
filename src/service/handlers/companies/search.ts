/** `/v1/securities`: active securities by ticker prefix or entity name, by CIK, and by what they went by before. */
import { nameWords, normalizeTicker, parseCik } from '../../../contract/identifiers.ts';
import type { SecuritySearchHit } from '../../../contract/resources/securities.ts';
import type { Company, Security } from '../../../release/schema/companies.ts';
import type { ReleaseReader } from '../../../release/store/reader.ts';
import type { Handler } from '../../handler.ts';
import { formerMatch } from './former-names.ts';

interface Hit {
  readonly rank: number;
  readonly hit: SecuritySearchHit;
}

export const search: Handler<'search'> = async ({ release, parameters }) => {
  const query = parameters.query;
  const ticker = normalizeTicker(query);
  const words = nameWords(query);
  const cik = parseCik(query.trim().replace(/^CIK/i, ''));
  const companies = new Map((await release.companies()).map((company) => [company.cik, company]));
  const hits: Hit[] = (await release.securities()).flatMap((security) => {
    const company = companies.get(security.cik);
    if (company === undefined || !security.isActive) return [];
    const rank = security.cik === cik ? 0 : rankOf(security, company, ticker, words);
    return rank === null ? [] : [{ rank, hit: hitOf(security, company) }];
  });
  if (hits.length < parameters.limit) hits.push(...(await formerHits(release, companies, hits, { ticker, words })));
  // Sorting is stable, and securities come by ticker: so do hits of one rank.
  hits.sort((a, b) => a.rank - b.rank);
  return { data: hits.slice(0, parameters.limit).map(({ hit }) => hit) };
};

/** Those found by a former ticker or name alone, after all others. */
async function formerHits(
  release: ReleaseReader,
  companies: ReadonlyMap<number, Company>,
  found: readonly Hit[],
  { ticker, words }: { readonly ticker: string; readonly words: readonly string[] },
): Promise<Hit[]> {
  const known = new Set(found.map(({ hit }) => hit.ticker_normalized));
  const matches = await formerMatch(release, ticker, words);
  return (await release.securities()).flatMap((security) => {
    const company = companies.get(security.cik);
    if (company === undefined || !security.isActive || known.has(security.tickerNormalized)) return [];
    return matches(security) ? [{ rank: 3, hit: hitOf(security, company) }] : [];
  });
}

/** The exact ticker first, then tickers that begin with the query, then names in which each of its words begins a word. */
function rankOf(security: Security, company: Company, ticker: string, words: readonly string[]): number | null {
  if (ticker !== '') {
    if (security.tickerNormalized === ticker) return 0;
    if (security.tickerNormalized.startsWith(ticker)) return 1;
  }
  if (words.length === 0) return null;
  const names = namesOf(company);
  return words.every((word) => names.some((name) => name.startsWith(word))) ? 2 : null;
}

/** Of each company of a release, which are read once: their names are split into words once. */
const wordsOfNames = new WeakMap<Company, readonly string[]>();

function namesOf(company: Company): readonly string[] {
  const known = wordsOfNames.get(company) ?? nameWords(company.entityName);
  wordsOfNames.set(company, known);
  return known;
}

function hitOf(security: Security, company: Company): SecuritySearchHit {
  return {
    ticker: security.ticker,
    ticker_normalized: security.tickerNormalized,
    exchange: security.exchange,
    cik: security.cik,
    entity_name: company.entityName,
    security_coverage_state: security.coverageState,
    company_coverage_state: company.coverageState,
  };
}
