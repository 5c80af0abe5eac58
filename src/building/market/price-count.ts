import { isNearlyEqual } from '../../contract/decimal.ts';
import { formatCount } from '../../contract/text/wording.ts';
import { type PriceSource, selectDailyPrices } from '../../figures/prices/price-observations.ts';
import { pushTo } from '../../platform/collections.ts';
import type { Check } from '../../store/releases/manifest.ts';
import type { PriceRow } from '../../store/schema/prices.ts';

export interface PriceCounts {
  readonly sources: readonly PriceSource[];
  readonly rowCount: number;
  readonly dayCount: number;
  /** Number of prices that were compared with the price from the best source of the same day. */
  readonly comparedPrices: number;
  readonly differentPrices: number;
  /** Two different prices of one day, as an example; empty if all prices agree. */
  readonly example: string;
  readonly conflictCount: number;
  /** The first conflict between prices of one source, as text; empty if no prices conflict. */
  readonly conflictExample: string;
  /** Number of prices in the files for days after the release's date, which are not in the release. */
  readonly laterPriceCount: number;
}

/**
 * Minimum share of compared prices that must agree. Sources agree on most days, because funds and managers value
 * holdings at closing prices.
 */
const MIN_AGREEING_FRACTION = 0.95;
const AGREEMENT_TOLERANCE = '0.02';

/** Counts prices, and prices that differ between the sources of one day. */
export class PriceCounter {
  readonly sources = new Set<PriceSource>();
  #rowCount = 0;
  #dayCount = 0;
  #comparedPriceCount = 0;
  #differentPriceCount = 0;
  #example = '';
  #conflictCount = 0;
  #conflictExample = '';
  #laterPriceCount = 0;

  addConflict(conflict: string): void {
    this.#conflictCount += 1;
    this.#conflictExample ||= conflict;
  }

  addLaterPrices(count: number): void {
    this.#laterPriceCount += count;
  }

  /** Adds the counts of another task. */
  addAll({
    sources,
    rowCount,
    dayCount,
    comparedPrices,
    differentPrices,
    example,
    conflictCount,
    conflictExample,
    laterPriceCount,
  }: PriceCounts): void {
    for (const source of sources) this.sources.add(source);
    this.#rowCount += rowCount;
    this.#dayCount += dayCount;
    this.#comparedPriceCount += comparedPrices;
    this.#differentPriceCount += differentPrices;
    this.#example ||= example;
    this.#conflictCount += conflictCount;
    this.#conflictExample ||= conflictExample;
    this.#laterPriceCount += laterPriceCount;
  }

  getCounts(): PriceCounts {
    return {
      ...{ sources: [...this.sources], rowCount: this.#rowCount, dayCount: this.#dayCount },
      ...{
        comparedPrices: this.#comparedPriceCount,
        differentPrices: this.#differentPriceCount,
        example: this.#example,
      },
      ...{ conflictCount: this.#conflictCount, conflictExample: this.#conflictExample },
      laterPriceCount: this.#laterPriceCount,
    };
  }

  add(rows: readonly PriceRow[]): void {
    const byTicker = new Map<string, PriceRow[]>();
    for (const row of rows) {
      this.sources.add(row.source);
      pushTo(byTicker, row.tickerNormalized, row);
    }
    this.#rowCount += rows.length;
    for (const [ticker, rows] of byTicker) {
      const daily = selectDailyPrices(rows);
      this.#dayCount += daily.length;
      const prices = new Map(daily.map((price) => [price.day, price]));
      for (const row of rows) {
        const price = prices.get(row.day);
        if (price === undefined || price.source === row.source) continue;
        this.#comparedPriceCount += 1;
        if (isNearlyEqual(row.price, price.price, AGREEMENT_TOLERANCE)) continue;
        this.#differentPriceCount += 1;
        this.#example ||= `, such as ${ticker} on ${row.day}: ${row.price} and ${price.price}`;
      }
    }
  }

  check(): Check {
    return {
      name: 'prices',
      passed: this.#differentPriceCount <= this.#comparedPriceCount * (1 - MIN_AGREEING_FRACTION),
      detail: `${formatCount(this.#rowCount, 'price')} on ${formatCount(this.#dayCount, 'day')}; ${this.#differentPriceCount} of ${this.#comparedPriceCount} prices differ by more than two percent from another source${this.#example}${this.#formatConflicts()}`,
    };
  }

  #formatConflicts(): string {
    if (this.#conflictCount === 0) return '';
    return `; ${formatCount(this.#conflictCount, 'price has', 'prices have')} two different values in one source, such as ${this.#conflictExample} (for exchanges, the first value is used; for lists of fails, neither value)`;
  }
}
