/**
 * `/v1/securities/{ticker}/insider-activity` and `/v1/insider-activity`: insiders' purchases and sales, latest filing
 * first.
 */
import { compareText } from '../../../contract/compare-text.ts';
import { sum } from '../../../contract/decimal.ts';
import type { Decimal } from '../../../contract/decimal-text.ts';
import type { ParametersOf } from '../../../contract/operations.ts';
import type { InsiderActivityPage, InsiderFiling } from '../../../contract/resources/insiders.ts';
import { type InsiderTotals, sumTrades } from '../../../ownership/insiders/judge.ts';
import { groupBy } from '../../../platform/collections.ts';
import { toDayNumber } from '../../../platform/dates.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { makeContradictionFailure } from '../../../store/releases/manifest.ts';
import type { InsiderDayFiling } from '../../../store/schema/insiders.ts';
import { INSIDER_DAY_FILINGS, INSIDER_DAYS, INSIDER_FILINGS, INSIDER_TOTALS } from '../../../store/schema/insiders.ts';
import type { Handler, HandlerResult } from '../../request/handler.ts';
import { readNameFinder } from '../coverage/company-names.ts';
import { findSecurity, toCompanyName } from '../coverage/covered-security.ts';
import { requireTable } from '../coverage/included-tables.ts';
import type { InsiderFilter, InsiderSource, MatchingFiling } from './insider-filings.ts';
import {
  makeFilingsCondition,
  matchesFilter,
  openCompanySource,
  openDaySource,
  readFilingResources,
  readMatchingFilings,
} from './insider-filings.ts';

/** The day number that replaces a missing filing date. Filings without a date are sorted by their latest trade. */
const UNDATED_DAY = 0;

interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** Identifies one filing about one company, with its filing date if known. */
type FilingKey = Pick<InsiderDayFiling, 'cik' | 'accession'> & Partial<Pick<InsiderDayFiling, 'day'>>;

export const handleInsiders: Handler<'insiders'> = async ({ release, parameters }) => {
  const security = await findSecurity(release, parameters.ticker);
  const { cik } = security.company;
  requireTable(release, INSIDER_FILINGS, 'Insider trades');
  const source = openCompanySource(release, cik);
  const rows = await readMatchingFilings(source, toFilter(parameters));
  const filings = await readFilingResources(source, () => toCompanyName(security), slicePage(rows, parameters));
  const data = toActivityPage(sumTrades(rows.flatMap(({ trades }) => trades)), filings);
  return { data, meta: { ticker: security.security.ticker, total: rows.length } };
};

export const handleInsiderActivity: Handler<'insider-activity'> = async ({ release, parameters }) => {
  requireTable(release, INSIDER_FILINGS, 'Insider trades');
  const filter = toFilter(parameters);
  const tickers = parameters.tickers;
  if (tickers !== undefined) {
    const securities = await Promise.all(tickers.map((ticker) => findSecurity(release, ticker)));
    const ciks = [...new Set(securities.map(({ company }) => company.cik))];
    return readActivityOfCompanies(release, ciks, filter, parameters);
  }
  const keys = await readLatestFilingKeys(release, filter, parameters);
  const filings = await readFilings(release, keys, filter);
  return { data: toActivityPage(await readTotals(release, filter), filings) };
};

/** Reads all matching filings of the companies, and returns one page of these filings. */
async function readActivityOfCompanies(
  release: ReleaseReader,
  ciks: readonly number[],
  filter: InsiderFilter,
  page: PageRequest,
): Promise<HandlerResult<'insider-activity'>> {
  const matching: MatchingFiling[] = [];
  for (const cik of ciks) matching.push(...(await readMatchingFilings(openCompanySource(release, cik), filter)));
  matching.sort(
    (a, b) =>
      compareLatestFirst(a.filing.filed, b.filing.filed) ||
      compareLatestFirst(findLastTradeDayIfUndated(a), findLastTradeDayIfUndated(b)) ||
      compareLatestFirst(a.filing.accession, b.filing.accession),
  );
  const keys = slicePage(matching, page).map(({ filing }) => filing);
  const filings = await readFilings(release, keys, filter);
  const totals = sumTrades(matching.flatMap(({ trades }) => trades));
  return { data: toActivityPage(totals, filings), meta: { total: matching.length } };
}

/**
 * Returns the keys of the filings on the page, latest filing first. Skips days without a trade on or after `since`.
 */
async function readLatestFilingKeys(release: ReleaseReader, filter: InsiderFilter, { limit, offset }: PageRequest) {
  const { since } = filter;
  const days = (await release.allOf(INSIDER_DAYS)).filter(
    ({ lastTrade: last }) => since === undefined || (last !== null && last >= since),
  );
  const dayNumbers = [...days.map(({ date }) => toDayNumber(date)).reverse(), UNDATED_DAY];
  const keys: FilingKey[] = [];
  for (const dayKey of dayNumbers) {
    if (keys.length >= offset + limit) break;
    const filings = (await release.rowsOf(INSIDER_DAY_FILINGS, dayKey)).toReversed();
    if (dayKey === UNDATED_DAY) filings.sort((a, b) => compareLatestFirst(findLastDay(a), findLastDay(b)));
    for (const filing of filings) {
      if (keys.length === offset + limit) break;
      if (hasMatchingTrade(filing, filter)) keys.push(filing);
    }
  }
  return keys.slice(offset);
}

/**
 * Whether a trade of the filing passes the filter. Reads only the needed fields, so that no other column is decoded.
 */
function hasMatchingTrade(row: InsiderDayFiling, filter: InsiderFilter): boolean {
  const { since, code } = filter;
  if (since === undefined) return code === null || (code === 'P' ? row.purchases : row.sales) > 0;
  const matches = (code: 'P' | 'S', day: string | null) => matchesFilter({ code, day }, filter);
  return matches('P', row.lastPurchase) || matches('S', row.lastSale);
}

async function readTotals(release: ReleaseReader, filter: InsiderFilter): Promise<InsiderTotals> {
  const counts = { purchases: 0, sales: 0, uncountedTransactions: 0 };
  const [purchases, sales]: [Decimal[], Decimal[]] = [[], []];
  for (const { date, code, transactions, uncounted, value } of await release.allOf(INSIDER_TOTALS)) {
    if (!matchesFilter({ code, day: date }, filter)) continue;
    counts.uncountedTransactions += uncounted;
    if (code === 'P') counts.purchases += transactions;
    else counts.sales += transactions;
    (code === 'P' ? purchases : sales).push(value);
  }
  const count = counts.purchases + counts.sales;
  return { transactions: count, ...counts, purchaseValue: sum(purchases), saleValue: sum(sales) };
}

/**
 * Returns the filings with these keys, in the order of the keys. Filings of the latest days are read by day, and all
 * other filings by company, so that each day and each company is read once.
 */
async function readFilings(release: ReleaseReader, keys: readonly FilingKey[], filter: InsiderFilter) {
  const nameOf = await readNameFinder(release, keys);
  const filingByAccession = new Map<string, InsiderFiling>();
  const addFilingsOf = async (source: InsiderSource) => {
    const filings = await readMatchingFilings(source, filter);
    for (const filing of await readFilingResources(source, nameOf, filings))
      filingByAccession.set(filing.accession_number, filing);
  };
  const keysNotReadByDay: FilingKey[] = [];
  for (const [day, dayFilingKeys] of groupBy(keys, (key) => key.day ?? UNDATED_DAY)) {
    const source = openDaySource(release, day, makeFilingsCondition(dayFilingKeys));
    if ((await source.filings()).length > 0) await addFilingsOf(source);
    else keysNotReadByDay.push(...dayFilingKeys);
  }
  const sorted = keysNotReadByDay.toSorted((a, b) => a.cik - b.cik);
  for (const [cik, keys] of groupBy(sorted, (key) => key.cik))
    await addFilingsOf(openCompanySource(release, cik, makeFilingsCondition(keys)));
  return keys.map(({ accession }) => {
    const filing = filingByAccession.get(accession);
    if (filing !== undefined) return filing;
    throw makeContradictionFailure(
      release.manifest.stamp,
      `the filing ${accession} has no matching trade, although the index of insider filings by day counts one`,
    );
  });
}

const toFilter = ({ kind, since }: Pick<ParametersOf<'insiders'>, 'kind' | 'since'>): InsiderFilter => ({
  since,
  code: kind === 'purchase' ? 'P' : kind === 'sale' ? 'S' : null,
});

const slicePage = <Row>(rows: readonly Row[], { limit, offset }: PageRequest) => rows.slice(offset, offset + limit);

const toActivityPage = (totals: InsiderTotals, filings: InsiderFiling[]): InsiderActivityPage => ({
  total_transactions: totals.transactions,
  purchase_transactions: totals.purchases,
  sale_transactions: totals.sales,
  uncounted_transactions: totals.uncountedTransactions,
  reported_purchase_value: totals.purchaseValue,
  reported_sale_value: totals.saleValue,
  filings,
});

const findLastDay = ({ lastPurchase, lastSale }: InsiderDayFiling) => findLatestDay([lastPurchase, lastSale]);

/** Returns the latest trade date, by which filings without a filing date are sorted; null for a filing with a date. */
const findLastTradeDayIfUndated = ({ filing, trades }: MatchingFiling): string | null =>
  filing.filed === null ? findLatestDay(trades.map(({ day }) => day)) : null;

const findLatestDay = (days: readonly (string | null)[]): string | null =>
  days.reduce((latest, day) => (compareLatestFirst(latest, day) > 0 ? day : latest), null);

/** Sorts the latest day first, and null last. */
function compareLatestFirst(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return compareText(b, a);
}
