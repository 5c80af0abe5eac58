/** `/v1/securities/{ticker}/insider-activity` and `/v1/insider-activity`: who bought and sold, latest filing first. */

import { add } from '../../../contract/decimal.ts';
import type { ParametersOf } from '../../../contract/operations.ts';
import type { InsiderActivityPage, InsiderFiling } from '../../../contract/resources/insiders.ts';
import { type InsiderTotals, totalsOf } from '../../../figures/insiders/totals.ts';
import { dayNumber } from '../../../platform/dates.ts';
import {
  INSIDER_DAY_FILINGS,
  INSIDER_DAYS,
  INSIDER_FILINGS,
  INSIDER_TOTALS,
  type InsiderDayFiling,
} from '../../../release/schema/insiders.ts';
import type { ReleaseReader } from '../../../release/store/reader.ts';
import type { Handler, HandlerResult } from '../../handler.ts';
import { type CompanyNames, companyNames } from '../company-names.ts';
import { coveredSecurity } from '../covered-security.ts';
import { requireTable } from '../included-tables.ts';
import {
  filingResources,
  type InsiderFilter,
  type MatchingFiling,
  matchesFilter,
  matchingFilings,
} from './insider-filings.ts';

const WHAT = 'Insider trades';

/** The day that stands for the day of filing where that is not known; of such the latest trade comes first. */
const UNDATED = 0;

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** One filing on one company. */
type Place = Pick<InsiderDayFiling, 'cik' | 'accession'>;

export const insiders: Handler<'insiders'> = async ({ release, parameters }) => {
  const { security, company } = await coveredSecurity(release, parameters.ticker);
  requireTable(release, INSIDER_FILINGS, WHAT);
  const issuer = { entityName: company.entityName, ticker: security.ticker, exchange: security.exchange };
  const asked = await matchingFilings(release, company.cik, filterOf(parameters));
  const shown = pageOf(asked, parameters);
  const data = answer(
    totalsOf(asked.flatMap(({ trades }) => trades)),
    await filingResources(release, company.cik, issuer, shown),
  );
  return { data, meta: { ticker: security.ticker, total: asked.length } };
};

export const insiderActivity: Handler<'insider-activity'> = async ({ release, parameters }) => {
  requireTable(release, INSIDER_FILINGS, WHAT);
  const question = filterOf(parameters);
  const issuers = await companyNames(release);
  const tickers = parameters.tickers;
  if (tickers !== undefined) {
    const securities = await Promise.all(tickers.map((ticker) => coveredSecurity(release, ticker)));
    const ciks = [...new Set(securities.map(({ company }) => company.cik))];
    return ofCompanies(release, issuers, ciks, question, parameters);
  }
  const places = await latestPlaces(release, question, parameters);
  const filings = await showPlaces(release, issuers, places, question);
  return { data: answer(await totalsOfAll(release, question), filings) };
};

/** Of some companies: each is read, and the page is cut from all together. */
async function ofCompanies(
  release: ReleaseReader,
  issuers: CompanyNames,
  ciks: readonly number[],
  question: InsiderFilter,
  page: Page,
): Promise<HandlerResult<'insider-activity'>> {
  const asked: MatchingFiling[] = [];
  for (const cik of ciks) asked.push(...(await matchingFilings(release, cik, question)));
  asked.sort(
    (a, b) =>
      later(a.filing.filed ?? '', b.filing.filed ?? '') ||
      later(undatedTrade(a), undatedTrade(b)) ||
      later(a.filing.accession, b.filing.accession),
  );
  const places = pageOf(asked, page).map(({ filing }) => filing);
  const filings = await showPlaces(release, issuers, places, question);
  return { data: answer(totalsOf(asked.flatMap(({ trades }) => trades)), filings), meta: { total: asked.length } };
}

/** Walks back from the latest day until the page is full; days without a trade that is late enough are not read. */
async function latestPlaces(
  release: ReleaseReader,
  question: InsiderFilter,
  { limit, offset }: Page,
): Promise<readonly Place[]> {
  const { since } = question;
  const days = (await release.allOf(INSIDER_DAYS)).filter(
    ({ lastTrade }) => since === undefined || (lastTrade !== null && lastTrade >= since),
  );
  const numbers = [...days.map(({ date }) => dayNumber(date)).reverse(), UNDATED];
  const places: Place[] = [];
  for (const number of numbers) {
    if (places.length >= offset + limit) break;
    const filings = [...(await release.rowsOf(INSIDER_DAY_FILINGS, number))].reverse();
    if (number === UNDATED) filings.sort((a, b) => later(latestOf(a), latestOf(b)));
    places.push(...filings.filter((filing) => fits(filing, question)));
  }
  return places.slice(offset, offset + limit);
}

function fits({ purchases, sales, lastPurchase, lastSale }: InsiderDayFiling, question: InsiderFilter): boolean {
  if (question.since === undefined) {
    return question.code === null || (question.code === 'P' ? purchases : sales) > 0;
  }
  return (
    matchesFilter({ code: 'P', day: lastPurchase }, question) || matchesFilter({ code: 'S', day: lastSale }, question)
  );
}

async function totalsOfAll(release: ReleaseReader, question: InsiderFilter): Promise<InsiderTotals> {
  const sums = { purchases: 0, sales: 0, uncounted: 0, purchaseValue: '0', saleValue: '0' };
  for (const { date, code, transactions, uncounted, value } of await release.allOf(INSIDER_TOTALS)) {
    if (!matchesFilter({ code, day: date }, question)) continue;
    sums.uncounted += uncounted;
    if (code === 'P') sums.purchases += transactions;
    else sums.sales += transactions;
    if (code === 'P') sums.purchaseValue = add(sums.purchaseValue, value);
    else sums.saleValue = add(sums.saleValue, value);
  }
  return { transactions: sums.purchases + sums.sales, ...sums };
}

/** The filings at the places, in their order, each company read once. */
async function showPlaces(
  release: ReleaseReader,
  issuers: CompanyNames,
  places: readonly Place[],
  question: InsiderFilter,
): Promise<InsiderFiling[]> {
  const shown = new Map<string, InsiderFiling>();
  for (const cik of new Set(places.map((place) => place.cik))) {
    const wanted = new Set(places.flatMap((place) => (place.cik === cik ? [place.accession] : [])));
    const asked = (await matchingFilings(release, cik, question)).filter(({ filing }) => wanted.has(filing.accession));
    for (const filing of await filingResources(release, cik, issuers(cik), asked))
      shown.set(filing.accession_number, filing);
  }
  return places.flatMap(({ accession }) => shown.get(accession) ?? []);
}

function filterOf({ kind, since }: Pick<ParametersOf<'insiders'>, 'kind' | 'since'>): InsiderFilter {
  return {
    since,
    code: kind === 'purchase' ? 'P' : kind === 'sale' ? 'S' : null,
  };
}

function pageOf<Row>(rows: readonly Row[], { limit, offset }: Page): readonly Row[] {
  return rows.slice(offset, offset + limit);
}

function answer(totals: InsiderTotals, filings: InsiderFiling[]): InsiderActivityPage {
  return {
    total_transactions: totals.transactions,
    purchase_transactions: totals.purchases,
    sale_transactions: totals.sales,
    uncounted_transactions: totals.uncounted,
    reported_purchase_value: totals.purchaseValue,
    reported_sale_value: totals.saleValue,
    filings,
  };
}

const latestOf = ({ lastPurchase, lastSale }: InsiderDayFiling): string =>
  [lastPurchase ?? '', lastSale ?? ''].sort().at(-1) ?? '';

/** What orders filings of which the day is not known; others need nothing beside their day. */
const undatedTrade = ({ filing, trades }: MatchingFiling): string =>
  filing.filed === null
    ? (trades
        .map(({ day }) => day ?? '')
        .sort()
        .at(-1) ?? '')
    : '';

const later = (a: string, b: string): number => (a < b ? 1 : a > b ? -1 : 0);
