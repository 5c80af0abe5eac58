/**
 * The prices that files state for a security on a day, on disk by shard of companies until every file has been read.
 */

import { compareText } from '../../contract/compare-text.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { isQuarterEnd } from '../../figures/holders/quarters.ts';
import type { MappedSecurity } from '../../figures/issuers/cusip-map.ts';
import { findAgreedPrice, medianPrice } from '../../figures/prices/implied-price.ts';
import type { PriceSource } from '../../figures/prices/price-observations.ts';
import { pushTo } from '../../platform/collections.ts';
import { addDays } from '../../platform/dates.ts';
import { lastTradingDay } from '../../platform/trading-calendar.ts';
import type { PriceRow } from '../../store/schema/prices.ts';
import { type Codec, groupLines, joinCells, splitCells } from '../../store/spill.ts';
import { type ShardEnds, shardOf } from '../tasks/company-shards.ts';
import { readSlices, type Slice, type SliceWriter } from '../tasks/slices.ts';

/** A price of one security on one day, as one file states it. */
interface Observation {
  readonly ticker: string;
  readonly source: ObservedSource;
  readonly day: string;
  readonly price: Decimal;
  readonly soldAt: string | null;
  /** The attribution that a venue requires; null for other sources. */
  readonly attribution: string | null;
}

/** Fields that a venue's file states in addition to a price. */
export interface VenueDetails {
  readonly soldAt: string | null;
  readonly attribution: string | null;
}

const NO_VENUE: VenueDetails = { soldAt: null, attribution: null };

/** Receives a sentence on two different prices of one source and day. */
type OnConflict = (conflict: string) => void;

/** `mixed`: the price is implied by a holding that may not be a share. */
type ObservedSource = PriceSource | 'mixed';

const OBSERVED_SOURCES: readonly ObservedSource[] = [
  'fails',
  'nport',
  'mixed',
  'thirteen_f',
  'venue',
  'venue_official',
];
const OBSERVATION_CELLS = ['ticker', 'source', 'day', 'price', 'soldAt', 'attribution'] as const;
const OBSERVATION_CODEC: Codec<Observation> = {
  write: ({ ticker, source, day, price, soldAt, attribution }) =>
    joinCells([ticker, source, day, price, soldAt ?? '', attribution ?? '']),
  read: (line) => {
    const [ticker, name, day, price, soldAt, sampleText] = splitCells(line, OBSERVATION_CELLS);
    const source = OBSERVED_SOURCES.find((sourceName) => sourceName === name);
    if (source === undefined) throw new Error(`a price in a temporary file has the unknown source ${name}`);
    const nullIfEmpty = (cell: string) => (cell === '' ? null : cell);
    return { ticker, source, day, price, soldAt: nullIfEmpty(soldAt), attribution: nullIfEmpty(sampleText) };
  },
};
/** Maximum length of a holiday weekend, in days. */
const MAX_WEEKEND_DAYS = 4;

/** The price of a ticker on the last trading day of a quarter; the key is ticker and quarter. */
export type QuarterEndPrice = readonly [tickerAndPeriod: string, price: Decimal, day: string];

export const quarterEndKey = (ticker: string, period: string): string => `${ticker} ${period}`;

/** Name of the group of slices with the prices of a shard of companies. */
export const pricesGroup = (shard: string): string => `prices ${shard}`;

/** Writes the prices that a task finds. */
export class ObservationWriter {
  readonly #sliceWriter: SliceWriter;
  readonly #shardEnds: ShardEnds;
  readonly #quarterEnds = new Map<string, QuarterEndPrice>();
  /** The quarter whose last trading day a day is, by day. */
  readonly #periodByDay = new Map<string, string | null>();
  lastDay: string | null = null;

  constructor(sliceWriter: SliceWriter, shardEnds: ShardEnds) {
    this.#sliceWriter = sliceWriter;
    this.#shardEnds = shardEnds;
  }

  /** Prices at quarter ends from the sources that do not depend on 13F tables. */
  get quarterEnds(): readonly QuarterEndPrice[] {
    return [...this.#quarterEnds.values()];
  }

  add(
    { cik, tickerNormalized: ticker }: MappedSecurity,
    source: ObservedSource,
    day: string,
    price: Decimal,
    { soldAt, attribution }: VenueDetails = NO_VENUE,
  ): void {
    const line = OBSERVATION_CODEC.write({ ticker, source, day, price, soldAt, attribution });
    this.#sliceWriter.add(pricesGroup(shardOf(cik, this.#shardEnds)), `${cik}\t${line}\n`);
    if (this.lastDay === null || day > this.lastDay) this.lastDay = day;
    if (source === 'mixed' || source === 'thirteen_f') return;
    const period = this.#periodOf(day);
    if (period !== null) {
      const key = quarterEndKey(ticker, period);
      this.#quarterEnds.set(key, [key, price, day]);
    }
  }

  #periodOf(day: string): string | null {
    const cached = this.#periodByDay.get(day);
    if (cached !== undefined) return cached;
    const period = quarterEndOf(day);
    this.#periodByDay.set(day, period);
    return period;
  }
}

/** The quarter whose last trading day this is; null for any other day. */
function quarterEndOf(day: string): string | null {
  for (let daysAhead = 0; daysAhead <= MAX_WEEKEND_DAYS; daysAhead++) {
    const candidate = addDays(day, daysAhead);
    if (isQuarterEnd(candidate)) return lastTradingDay(candidate) === day ? candidate : null;
  }
  return null;
}

/** The prices of a shard's companies, as earlier tasks wrote them. */
export interface ObservedPrices {
  readonly slices: readonly Slice[];
  /** Later prices are ignored; null includes all. */
  readonly lastDay: string | null;
}

/**
 * Yields each company's prices in the order of the table, CIKs ascending.
 * @param firstDay the earliest day; every day by default
 */
export function* pricesOf(
  { slices, lastDay }: ObservedPrices,
  { firstDay = '', onConflict = () => {} }: { readonly firstDay?: string; readonly onConflict?: OnConflict },
): Generator<readonly [cik: number, rows: readonly PriceRow[]]> {
  for (const [cik, observations] of groupLines(readSlices(slices), OBSERVATION_CODEC)) {
    const observationsInRange = observations.filter(
      ({ day }) => day >= firstDay && (lastDay === null || day <= lastDay),
    );
    yield [cik, priceRows(observationsInRange, onConflict)];
  }
}
/**
 * The price of record, or the mark that many reports agree on. Of two venues' prices of a day the first is kept; two
 * prices of a day in fails-to-deliver data are of two securities with one symbol, so neither is.
 */
function priceRows(observations: readonly Observation[], onConflict: OnConflict): PriceRow[] {
  const groups = new Map<string, Observation[]>();
  for (const observation of observations)
    pushTo(groups, `${observation.ticker} ${observation.day} ${observation.source}`, observation);
  const rows: PriceRow[] = [];
  for (const group of groups.values()) {
    const conflict = conflictIn(group);
    const row = conflict === null || group[0]?.source !== 'fails' ? rowOf(group, groups) : null;
    if (conflict !== null) onConflict(conflict);
    if (row !== null) rows.push(row);
  }
  return rows.sort(
    (a, b) =>
      compareText(a.tickerNormalized, b.tickerNormalized) ||
      compareText(a.day, b.day) ||
      compareText(a.source, b.source),
  );
}

/**
 * Two different prices of record of one source and day, as text; null if there is only one, or marks of many reports.
 */
function conflictIn([firstObservation, ...otherObservations]: readonly Observation[]): string | null {
  if (firstObservation === undefined || !hasOnePricePerDay(firstObservation.source)) return null;
  const differentObservation = otherObservations.find(
    ({ price }) => compareDecimals(price, firstObservation.price) !== 0,
  );
  return differentObservation === undefined
    ? null
    : `${firstObservation.ticker} on ${firstObservation.day}: ${firstObservation.price} and ${differentObservation.price}`;
}

const hasOnePricePerDay = (source: ObservedSource): boolean =>
  source === 'fails' || source === 'venue' || source === 'venue_official';

/** @param group the prices of one source for one security and day */
function rowOf(group: readonly Observation[], groups: ReadonlyMap<string, unknown>): PriceRow | null {
  const [firstObservation] = group;
  if (firstObservation === undefined) return null;
  const { ticker, day, source, soldAt, attribution } = firstObservation;
  // Written out because hundreds of thousands of these are in memory, and objects made by spreading are larger.
  const priceRow = (
    priceSource: PriceSource,
    { price, sample, agreement }: Pick<PriceRow, 'price' | 'sample' | 'agreement'>,
  ) => ({
    tickerNormalized: ticker,
    day,
    price,
    source: priceSource,
    sample,
    agreement,
    soldAt,
    attribution,
  });
  const prices = group.map(({ price }) => price);
  if (source === 'mixed') {
    const mark = groups.has(`${ticker} ${day} nport`) ? null : findAgreedPrice(prices);
    return mark === null ? null : priceRow('nport', mark);
  }
  if (source !== 'nport' && source !== 'thirteen_f')
    return priceRow(source, { price: firstObservation.price, sample: 1, agreement: null });
  const mark = medianPrice(prices);
  return mark === null ? null : priceRow(source, mark);
}
