/**
 * `/v1/securities/{ticker}/insider-activity` and `/v1/insider-activity`: insiders' purchases and sales, latest filing
 * first.
 */
import { compareNullsFirst } from '../../../contract/compare-text.ts';
import { sum } from '../../../contract/decimal.ts';
import type { Decimal } from '../../../contract/decimal-text.ts';
import { makeFilingIndexUrl } from '../../../contract/identifiers.ts';
import type { ParametersOf } from '../../../contract/operations.ts';
import type { InsiderActivityPage, InsiderFiling, InsiderTransaction } from '../../../contract/resources/insiders.ts';
import { type InsiderTotals, sumTrades } from '../../../ownership/insiders/judge.ts';
import { groupBy } from '../../../platform/collections.ts';
import { toDayNumber } from '../../../platform/dates.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { makeContradictionFailure } from '../../../store/releases/manifest.ts';
import {
  INSIDER_DAY_FILINGS,
  INSIDER_DAYS,
  INSIDER_FILINGS,
  INSIDER_FOOTNOTES,
  INSIDER_OWNERS,
  INSIDER_TOTALS,
  INSIDER_TRADES,
  type InsiderDayFiling,
  type InsiderFilingRow,
  type InsiderTradeRow,
  RECENT_FILINGS,
  RECENT_FOOTNOTES,
  RECENT_OWNERS,
  RECENT_TRADES,
} from '../../../store/schema/insiders.ts';
import { type CellCondition, makeCondition, type PageRequest } from '../../../store/table-reader.ts';
import type { Handler, HandlerResult } from '../../request/handler.ts';
import { findSecurity, toCompanyName } from '../coverage/covered-security.ts';
import { type CompanyName, readNameFinder } from '../coverage/find-listings.ts';
import { requireTable } from '../coverage/included-tables.ts';

/** The day number that replaces a missing filing date. Filings without a date are sorted by their latest trade. */
const UNDATED_DAY = 0;

/** Identifies one filing about one company, with its filing date if known. */
type FilingKey = Pick<InsiderDayFiling, 'cik' | 'accession'> & Partial<Pick<InsiderDayFiling, 'day'>>;

export const handleInsiders: Handler<'insiders'> = async ({ release, parameters }) => {
  const security = await findSecurity(release, parameters.ticker);
  const { cik } = security.company;
  requireTable(release, INSIDER_FILINGS, 'Insider trades');
  const source = openSource(release, BY_CIK, cik);
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
    const ciks = new Set(securities.map(({ company }) => company.cik));
    return readActivityOfCompanies(release, ciks, filter, parameters);
  }
  const keys = await readLatestFilingKeys(release, filter, parameters);
  const filings = await readFilings(release, keys, filter);
  return { data: toActivityPage(await readTotals(release, filter), filings) };
};

/** Reads all matching filings of the companies, and returns one page of these filings. */
async function readActivityOfCompanies(
  release: ReleaseReader,
  ciks: Iterable<number>,
  filter: InsiderFilter,
  page: PageRequest,
): Promise<HandlerResult<'insider-activity'>> {
  const matching: MatchingFiling[] = [];
  for (const cik of ciks) matching.push(...(await readMatchingFilings(openSource(release, BY_CIK, cik), filter)));
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
  const purchases: Decimal[] = [];
  const sales: Decimal[] = [];
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
    const source = openSource(release, BY_DAY, day, makeFilingsCondition(dayFilingKeys));
    if ((await source.filings()).length > 0) await addFilingsOf(source);
    else keysNotReadByDay.push(...dayFilingKeys);
  }
  const sorted = keysNotReadByDay.toSorted((a, b) => a.cik - b.cik);
  for (const [cik, keys] of groupBy(sorted, (key) => key.cik))
    await addFilingsOf(openSource(release, BY_CIK, cik, makeFilingsCondition(keys)));
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
const compareLatestFirst = (a: string | null, b: string | null): number => compareNullsFirst(b, a);

interface InsiderFilter {
  /** Selects trades on or after this day. */
  readonly since: string | undefined;
  readonly code: 'P' | 'S' | null;
}

/** A filing with its matching trades; `trades` is not empty. */
interface MatchingFiling {
  readonly filing: InsiderFilingRow;
  readonly trades: readonly InsiderTradeRow[];
}

/** Whether a trade passes the filter. A trade without a date fails every filter with `since`. */
const matchesFilter = (trade: Pick<InsiderTradeRow, 'day' | 'code'>, { since, code }: InsiderFilter): boolean =>
  (code === null || trade.code === code) && (since === undefined || (trade.day !== null && trade.day >= since));

/** A source of rows of insider filings: one company, or one day for all companies. */
type InsiderSource = ReturnType<typeof openSource>;

/** Returns a condition that selects the rows of these filings, for any table of insider trades. */
const makeFilingsCondition = (filings: readonly { readonly accession: string }[]): CellCondition =>
  makeCondition(
    'accession_number',
    filings.map(({ accession }) => accession),
  );

const BY_CIK = { filings: INSIDER_FILINGS, trades: INSIDER_TRADES, owners: INSIDER_OWNERS, notes: INSIDER_FOOTNOTES };
/** Tables with the rows of `BY_CIK`, by filing date. Only the latest days of a release have rows. */
const BY_DAY: typeof BY_CIK = {
  filings: RECENT_FILINGS,
  trades: RECENT_TRADES,
  owners: RECENT_OWNERS,
  notes: RECENT_FOOTNOTES,
};

/** @param key a CIK, or the number of a day */
const openSource = (release: ReleaseReader, tables: typeof BY_CIK, key: number, ...tests: CellCondition[]) => ({
  filings: () => release.rowsOf(tables.filings, key, ...tests),
  trades: () => release.rowsOf(tables.trades, key, ...tests),
  owners: () => release.rowsOf(tables.owners, key, ...tests),
  footnotes: () => release.rowsOf(tables.notes, key, ...tests),
});

/**
 * Returns filings with trades that pass the filter, in the order of the source; a company's latest filing comes first.
 */
async function readMatchingFilings(source: InsiderSource, filter: InsiderFilter): Promise<MatchingFiling[]> {
  const byFiling = groupByFiling((await source.trades()).filter((trade) => matchesFilter(trade, filter)));
  return (await source.filings()).flatMap((filing) => {
    const trades = byFiling.get(filing.accession);
    return trades === undefined ? [] : [{ filing, trades }];
  });
}

/** Converts filings to resources; reads the owners and footnotes of the source. */
async function readFilingResources(
  source: InsiderSource,
  nameOf: (cik: number) => CompanyName,
  filings: readonly MatchingFiling[],
): Promise<InsiderFiling[]> {
  if (filings.length === 0) return [];
  const owners = groupByFiling(await source.owners());
  const footnotes = groupByFiling(await source.footnotes());
  return filings.map(({ filing: { cik, accession, form, filed, periodOfReport, aff10b5One }, trades }) => ({
    accession_number: accession,
    cik,
    entity_name: nameOf(cik).entityName,
    form: form as InsiderFiling['form'],
    is_amendment: form.endsWith('/A'),
    source_url: makeFilingIndexUrl(cik, accession),
    owners: (owners.get(accession) ?? []).map((owner) => ({
      cik: owner.ownerCik,
      name: owner.name,
      is_director: owner.isDirector,
      is_officer: owner.isOfficer,
      is_ten_percent_owner: owner.isTenPercentOwner,
      is_other: owner.isOther,
      officer_title: owner.officerTitle,
      other_text: owner.otherText,
    })),
    transactions: trades.map(toTransaction),
    footnotes: (footnotes.get(accession) ?? []).map(({ id, text }) => ({ id, text })),
    aff10b5_one: aff10b5One,
    filed_at: filed,
    period_of_report: periodOfReport,
    ticker: nameOf(cik).ticker,
  }));
}

const toTransaction = (trade: InsiderTradeRow): InsiderTransaction => ({
  ordinal: trade.ordinal,
  security_title: trade.securityTitle,
  transaction_code: trade.code,
  footnote_ids: trade.footnoteIds === '' ? [] : trade.footnoteIds.split(','),
  value_status: trade.status,
  acquired_disposed_code: trade.acquiredDisposed,
  direct_indirect_ownership: trade.directIndirect,
  nature_of_ownership: trade.natureOfOwnership,
  price_per_share: trade.price,
  shares: trade.shares,
  shares_owned_following: trade.ownedFollowing,
  transaction_value: trade.value,
  transaction_date: trade.day,
  ...(trade.repeated ? { repeated: true } : {}),
});

const groupByFiling = <Row extends { readonly accession: string }>(rows: readonly Row[]) =>
  groupBy(rows, ({ accession }) => accession);
