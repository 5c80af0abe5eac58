/** Prices as files tell them, on disk, until every source has spoken. */
import type { Decimal } from '../../../contract/decimal-text.ts';
import { isQuarterEnd } from '../../../figures/holders/quarters.ts';
import type { MappedSecurity } from '../../../figures/issuers/cusip-map.ts';
import { addDays } from '../../../platform/dates.ts';
import { lastTradingDay } from '../../../platform/trading-calendar.ts';
import type { PriceRow } from '../../schema/prices.ts';
import { CELLS, Spill } from '../../store/spill.ts';
import { type PriceObservation, priceRows } from './price-notes.ts';

export class PriceCollector {
  readonly #notes: Spill<readonly string[]>;
  readonly #date: string;
  readonly #quarterEnds = new Map<string, Decimal>();
  /** Of each day that was met, the quarter it ends. */
  readonly #periods = new Map<string, string | null>();

  /** @param date no price of a later day is taken */
  constructor(directory: string, date: string) {
    this.#notes = new Spill(directory, undefined, CELLS);
    this.#date = date;
  }

  add(
    { cik, tickerNormalized: ticker }: MappedSecurity,
    source: PriceObservation['source'],
    day: string,
    price: Decimal,
    soldAt: string | null = null,
  ): void {
    if (day > this.#date) return;
    this.#notes.add(cik, soldAt === null ? [ticker, source, day, price] : [ticker, source, day, price, soldAt]);
    if (source === 'mixed' || source === 'thirteen_f') return;
    const period = this.#periodOf(day);
    if (period !== null) this.#quarterEnds.set(`${ticker} ${period}`, price);
  }

  #periodOf(day: string): string | null {
    const known = this.#periods.get(day);
    if (known !== undefined) return known;
    const period = quarterEndOf(day);
    this.#periods.set(day, period);
    return period;
  }

  /** What a ticker cost at the end of a quarter, by the sources that do not depend on holders' tables. */
  atQuarterEnd(ticker: string, period: string): Decimal | null {
    return this.#quarterEnds.get(`${ticker} ${period}`) ?? null;
  }

  /**
   * Every company's prices in the order of the table, companies ascending. Can be gone through again.
   * @param from the earliest day; every day where it is not given
   */
  *prices(from = ''): Generator<readonly [cik: number, rows: readonly PriceRow[]]> {
    for (const [cik, notes] of this.#notes.groups()) {
      yield [cik, priceRows(notes.map(noteOf).filter(({ day }) => day >= from))];
    }
  }
}

function noteOf([ticker = '', source = '', day = '', price = '0', soldAt]: readonly string[]): PriceObservation {
  return { ticker, source: source as PriceObservation['source'], day, price, soldAt: soldAt ?? null };
}

/** The quarter whose last trading day this is; null for any other day. A holiday weekend lasts four days at most. */
function quarterEndOf(day: string): string | null {
  for (let ahead = 0; ahead <= 4; ahead++) {
    const candidate = addDays(day, ahead);
    if (isQuarterEnd(candidate)) return lastTradingDay(candidate) === day ? candidate : null;
  }
  return null;
}
