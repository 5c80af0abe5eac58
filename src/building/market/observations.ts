/**
 * Writes prices observed in source files to temporary files by shard of companies, and combines the prices after all
 * files were read.
 */

import { compareText } from '../../contract/compare-text.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { findMajorityPrice, findMedianWithAgreement } from '../../figures/prices/implied-price.ts';
import type { PriceSource } from '../../figures/prices/price-observations.ts';
import { isQuarterEnd } from '../../ownership/holders/quarters.ts';
import type { MappedSecurity } from '../../ownership/issuers/cusip-map.ts';
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';
import { findTradingDay } from '../../platform/trading-calendar.ts';
import { groupLines, joinCells, type LineCodec, splitCells } from '../../store/keyed-lines.ts';
import type { PriceRow } from '../../store/schema/prices.ts';
import { findShardName, type ShardEnds } from '../tasks/company-shards.ts';
import { readSlices, type Slice, type SliceWriter } from '../tasks/slices.ts';

/** The price of one security on one day, as stated in one file. */
interface PriceObservation {
  readonly ticker: string;
  readonly source: ObservedSource;
  readonly day: string;
  readonly price: Decimal;
  readonly soldAt: string | null;
  /** The attribution that must be shown with a venue's price; null for other sources. */
  readonly attribution: string | null;
}

/** Fields that only a venue's file has. */
type VenueDetails = Pick<PriceObservation, 'soldAt' | 'attribution'>;

const NO_VENUE_DETAILS: VenueDetails = { soldAt: null, attribution: null };

interface PriceRowsHandler {
  /** Called with a text about two different prices of one source on one day. */
  readonly onConflict?: (conflict: string) => void;
  /** Called with the number of a company's prices that are later than the last day to read. */
  readonly onLaterPrices?: (count: number) => void;
}

/** `mixed`: the price is implied by a fund's holding, which may be a security other than the company's share. */
type ObservedSource = PriceSource | 'mixed';

const SOURCES: readonly ObservedSource[] = ['fails', 'nport', 'mixed', 'thirteen_f', 'venue', 'venue_official'];
const OBSERVATION_FIELDS = ['ticker', 'source', 'day', 'price', 'soldAt', 'attribution'] as const;
const OBSERVATION_CODEC: LineCodec<PriceObservation> = {
  write: ({ ticker, source, day, price, soldAt, attribution }) =>
    joinCells([ticker, source, day, price, soldAt ?? '', attribution ?? '']),
  read: (line) => {
    const [ticker, sourceCell, day, price, soldAt, attribution] = splitCells(line, OBSERVATION_FIELDS);
    const source = SOURCES.find((source) => source === sourceCell);
    if (source === undefined) throw new Error(`a price in a temporary file has the unknown source ${sourceCell}`);
    const orNull = (cell: string) => (cell === '' ? null : cell);
    return { ticker, source, day, price, soldAt: orNull(soldAt), attribution: orNull(attribution) };
  },
};
/** Maximum number of days between the last trading day and the end of a quarter. */
const MAX_DAYS_TO_QUARTER_END = 4;

/** The price of a ticker on the last trading day of a quarter; `tickerAndPeriod` is made by `makeQuarterEndKey`. */
export type QuarterEndPrice = readonly [tickerAndPeriod: string, price: Decimal, day: string];

export const makeQuarterEndKey = (ticker: string, period: string): string => `${ticker} ${period}`;

/** Returns the name of the group of slices with the prices of a shard of companies. */
export const makePricesGroup = (shard: string): string => `prices ${shard}`;

/** Writes the prices found by a task. */
export class ObservationWriter {
  readonly #quarterEndPriceByKey = new Map<string, QuarterEndPrice>();
  /** Cached results of `findQuarterEndIfLastDay`, by day. */
  readonly #periodByDay = new Map<string, string | null>();
  lastDay: string | null = null;

  constructor(
    private readonly sliceWriter: SliceWriter,
    private readonly shardEnds: ShardEnds,
  ) {}

  /** Prices at quarter ends from sources that do not depend on 13F tables. */
  get quarterEndPrices(): readonly QuarterEndPrice[] {
    return [...this.#quarterEndPriceByKey.values()];
  }

  add(
    { cik, tickerNormalized: ticker }: MappedSecurity,
    source: ObservedSource,
    day: string,
    price: Decimal,
    { soldAt, attribution }: VenueDetails = NO_VENUE_DETAILS,
  ): void {
    const line = OBSERVATION_CODEC.write({ ticker, source, day, price, soldAt, attribution });
    this.sliceWriter.add(makePricesGroup(findShardName(cik, this.shardEnds)), `${cik}\t${line}\n`);
    if (this.lastDay === null || day > this.lastDay) this.lastDay = day;
    if (source === 'mixed' || source === 'thirteen_f') return;
    const period = getOrInsert(this.#periodByDay, day, () => findQuarterEndIfLastDay(day));
    if (period !== null) {
      const key = makeQuarterEndKey(ticker, period);
      this.#quarterEndPriceByKey.set(key, [key, price, day]);
    }
  }
}

/** If `day` is the last trading day of a quarter, returns the last day of the quarter; otherwise null. */
function findQuarterEndIfLastDay(day: string): string | null {
  for (let daysAhead = 0; daysAhead <= MAX_DAYS_TO_QUARTER_END; daysAhead++) {
    const candidate = addDays(day, daysAhead);
    if (isQuarterEnd(candidate)) return findTradingDay(candidate) === day ? candidate : null;
  }
  return null;
}

/** Prices of a shard of companies, written by earlier tasks. */
export interface ObservedPrices {
  readonly slices: readonly Slice[];
  /** Last day of the prices to read; null includes all prices. */
  readonly lastDay: string | null;
}

/** Yields each company's price rows, sorted as in the table, by ascending CIK. */
export function* readPriceRows(
  { slices, lastDay }: ObservedPrices,
  { onConflict = () => {}, onLaterPrices = () => {} }: PriceRowsHandler = {},
): Generator<readonly [cik: number, rows: readonly PriceRow[]]> {
  for (const [cik, prices] of groupLines(readSlices(slices), OBSERVATION_CODEC)) {
    const inRange = prices.filter(({ day }) => lastDay === null || day <= lastDay);
    if (inRange.length < prices.length) onLaterPrices(prices.length - inRange.length);
    yield [cik, makePriceRows(inRange, onConflict)];
  }
}

/**
 * Returns at most one price per ticker, day and source: a stated price, or the price that reports of holdings imply. If
 * two venue files differ, the first is used. If fails-to-deliver prices differ, all are ignored, because two securities
 * share the symbol.
 */
function makePriceRows(prices: readonly PriceObservation[], onConflict: (conflict: string) => void): PriceRow[] {
  const byKey = groupBy(prices, ({ ticker, day, source }) => `${ticker} ${day} ${source}`);
  const rows: PriceRow[] = [];
  for (const group of byKey.values()) {
    const conflict = findConflict(group);
    const row = conflict === null || group[0].source !== 'fails' ? toPriceRow(group, byKey) : null;
    if (conflict !== null) onConflict(conflict);
    if (row !== null) rows.push(row);
  }
  return removePlaceholders(
    rows.sort(
      (a, b) =>
        compareText(a.tickerNormalized, b.tickerNormalized) ||
        compareText(a.day, b.day) ||
        compareText(a.source, b.source),
    ),
  );
}

/** The price in fails-to-deliver files of a security that has not traded yet. */
const PLACEHOLDER_PRICE = '0.01';
/** A price of one cent is a placeholder if the next price is at least this price. */
const MIN_PRICE_AFTER_PLACEHOLDER = '0.1';
/** Maximum number of days from a placeholder to the next price. */
const MAX_PLACEHOLDER_DAYS = 31;

/** Returns the rows without placeholders. A cent remains if it may be the price of a penny stock. */
function removePlaceholders(rows: readonly PriceRow[]): PriceRow[] {
  const nextByTicker = new Map<string, PriceRow>();
  const isPlaceholder = ({ source, price, tickerNormalized, day }: PriceRow) => {
    const nextRow = nextByTicker.get(tickerNormalized);
    return (
      source === 'fails' &&
      compareDecimals(price, PLACEHOLDER_PRICE) === 0 &&
      nextRow !== undefined &&
      compareDecimals(nextRow.price, MIN_PRICE_AFTER_PLACEHOLDER) >= 0 &&
      countDaysBetween(day, nextRow.day) <= MAX_PLACEHOLDER_DAYS
    );
  };
  // Latest first, so that the next price of each security is known.
  const realRowsLatestFirst = rows.toReversed().filter((row) => {
    if (isPlaceholder(row)) return false;
    nextByTicker.set(row.tickerNormalized, row);
    return true;
  });
  return realRowsLatestFirst.reverse();
}

type PriceGroup = readonly [PriceObservation, ...PriceObservation[]];

/**
 * If a source that should state one price per day states different prices, returns two of them as text; otherwise null.
 */
function findConflict([first, ...others]: PriceGroup): string | null {
  if (!hasOnePricePerDay(first.source)) return null;
  const different = others.find(({ price }) => compareDecimals(price, first.price) !== 0);
  return different === undefined ? null : `${first.ticker} on ${first.day}: ${first.price} and ${different.price}`;
}

const hasOnePricePerDay = (source: ObservedSource): boolean =>
  source === 'fails' || source === 'venue' || source === 'venue_official';

/**
 * Returns the price row of a group. A `mixed` group gives a row only if its prices agree and there are no `nport`
 * prices; otherwise null.
 * @param group the prices from one source for one security and day
 * @param groups all groups, by ticker, day and source
 */
function toPriceRow(group: PriceGroup, groups: ReadonlyMap<string, unknown>): PriceRow | null {
  const [first] = group;
  const { ticker, day, source, soldAt, attribution } = first;
  // Lists all fields, because spreading would make larger objects, and memory holds hundreds of thousands of rows.
  const create = (
    source: PriceSource,
    { price, sample, agreement }: Pick<PriceRow, 'price' | 'sample' | 'agreement'>,
  ) => {
    return { tickerNormalized: ticker, day, source, price, sample, agreement, soldAt, attribution };
  };
  const prices = group.map(({ price }) => price);
  if (source === 'mixed') {
    const price = groups.has(`${ticker} ${day} nport`) ? null : findMajorityPrice(prices);
    return price === null ? null : create('nport', price);
  }
  if (source !== 'nport' && source !== 'thirteen_f')
    return create(source, { price: first.price, sample: 1, agreement: null });
  const median = findMedianWithAgreement(prices);
  return median === null ? null : create(source, median);
}
