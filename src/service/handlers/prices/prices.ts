/** `/v1/securities/{ticker}/prices`: prices by day, marks (prices that reported holdings imply) and splits. */
import type { PriceAction, PriceMark, Prices } from '../../../contract/resources/prices.ts';
import { adjustPrice, computeMarketCap } from '../../../figures/prices/market-price.ts';
import { type DatedSplit, isImpliedPrice, type PriceObservation } from '../../../figures/prices/price-observations.ts';
import { addMonths } from '../../../platform/dates.ts';
import { PRICES } from '../../../store/schema/prices.ts';
import { type Handler, ProblemError } from '../../request/handler.ts';
import { findSecurity } from '../coverage/covered-security.ts';
import { requireTable } from '../coverage/included-tables.ts';
import type { SecurityPrices } from './security-prices.ts';
import { findLatestPrice, listPricesOfLatest, readAttribution, readSecurityPrices } from './security-prices.ts';

export const handlePrices: Handler<'prices'> = async ({ release, parameters }) => {
  const { security, company } = await findSecurity(release, parameters.ticker);
  const { date, publishedAt } = release.manifest;
  requireTable(release, PRICES, 'Prices');
  const all = await readSecurityPrices(release, security);
  const { range: name = null, from = null, to = null } = parameters;
  // Without `from` and `to`, a range ends on the day of the last price; with `from` alone, on the date of the release.
  const end = from === null ? (all.daily.at(-1)?.day ?? date) : date;
  const range = resolveDayRange({ range: name, from, to }, end, all.daily[0]?.day ?? null);
  if (range.from > range.to) {
    const end =
      to === null ? `the date of the release (${range.to})` : `"to" (${range.to}); the earlier day must come first`;
    throw new ProblemError('bad_request', `"from" (${range.from}) is after ${end}.`);
  }
  const prices = all.daily.filter(({ day }) => isWithin(day, range));
  const implied = all.all.filter((price) => isImpliedPrice(price) && isWithin(price.day, range));
  const latest = findLatestPrice(all, security.ticker, publishedAt);
  const data: Prices = {
    cik: company.cik,
    ticker: security.ticker,
    entity_name: company.entityName,
    from: range.from,
    to: range.to,
    ...toPriceColumns(prices, all),
    marks: implied.map(toMark),
    actions: all.splits.flatMap(toSplitActions),
    latest,
    undated_splits: all.splits.flatMap((split) => toUndatedSplits(split, prices)),
  };
  const usedPrices = [...prices, ...implied, ...listPricesOfLatest(all)];
  const credit = usedPrices.length === 0 ? {} : await readAttribution(release, usedPrices);
  return { data, meta: { ticker: security.ticker, ...credit } };
};

const isWithin = (day: string, { from, to }: DayRange): boolean => from <= day && day <= to;

/** Returns the parallel arrays of the response, without days that have no price. */
const toPriceColumns = (daily: readonly PriceObservation[], { splits, findShareCount }: SecurityPrices) => ({
  days: daily.map(({ day }) => day),
  price: daily.map(({ price }) => price),
  adj_price: daily.map(({ price, day }) => adjustPrice(price, day, splits)),
  source: daily.map(({ source }) => source),
  market_cap: daily.map((price) => computeMarketCap(price, findShareCount)),
});

const toMark = ({ day, price, source, sample, agreement }: PriceObservation): PriceMark => ({
  ...{ day, close: price, source, sample, agreement },
});

/** Returns a list with the split as an action; an empty list if prices do not show the split's date. */
function toSplitActions({ until, ratio, accession, provenBy }: DatedSplit): PriceAction[] {
  if (provenBy === null) return [];
  return [{ ex_date: until, kind: 'split', source: provenBy, evidence: accession, ratio }];
}

/**
 * Returns a list with the split if prices do not show its date and some of the days may precede it; otherwise an empty
 * list.
 */
function toUndatedSplits({ after, until, ratio, accession, provenBy }: DatedSplit, days: readonly PriceObservation[]) {
  if (provenBy !== null || !days.some(({ day }) => day < until)) return [];
  return [{ after, until, ratio, evidence: accession }];
}

type DayRange = Pick<Prices, 'from' | 'to'>;

/** `range` is one of 1m, 3m, 6m, 1y, 2y, 5y, max; it must not be combined with `from` or `to`. */
type RangeRequest = Readonly<Record<'range' | 'from' | 'to', string | null>>;

const MONTHS_BY_RANGE: Readonly<Record<string, number>> = { '1m': 1, '3m': 3, '6m': 6, '1y': 12, '2y': 24, '5y': 60 };
const DEFAULT_MONTHS = 12;

/**
 * Returns the first and last day of a requested range: one year by default. The last day is `to`, or `end`. The
 * range `max` begins with the first price.
 */
export function resolveDayRange({ range, from, to }: RangeRequest, end: string, first: string | null): DayRange {
  const endDay = to ?? end;
  if (range === 'max') return { from: first ?? endDay, to: endDay };
  return { from: from ?? addMonths(endDay, -(MONTHS_BY_RANGE[range ?? ''] ?? DEFAULT_MONTHS)), to: endDay };
}
