import { nearlyEqual } from '../../contract/decimal.ts';
import { dailyPrices, type PriceSource } from '../../figures/prices/price-observations.ts';
import { pushTo } from '../../platform/collections.ts';
import type { Check } from '../../store/manifest.ts';
import type { PriceRow } from '../../store/schema/prices.ts';

/** Counts of some companies' prices. */
export interface PriceCounts {
  readonly sources: readonly PriceSource[];
  readonly rows: number;
  readonly days: number;
  /** Number of days with prices of two sources. */
  readonly compared: number;
  readonly apart: number;
  /** Two prices that differ, as an example; empty if none do. */
  readonly example: string;
  readonly conflicts: number;
  /** The first conflict; empty if there is none. */
  readonly conflict: string;
}

/** Minimum share of common days on which two sources must agree: funds and managers value by the closing price. */
const AGREEMENT_SHARE = 0.95;
const AGREEMENT = '0.02';

/** Counts prices by source, and the days on which sources agree. */
export class PriceCount {
  readonly sources = new Set<PriceSource>();
  #rows = 0;
  #days = 0;
  #compared = 0;
  #apart = 0;
  #example = '';
  #conflicts = 0;
  #conflict = '';

  addConflict(conflict: string): void {
    this.#conflicts += 1;
    this.#conflict ||= conflict;
  }

  /** Adds the counts of another task. */
  addAll({ sources, rows, days, compared, apart, example, conflicts, conflict }: PriceCounts): void {
    for (const source of sources) this.sources.add(source);
    this.#rows += rows;
    this.#days += days;
    this.#compared += compared;
    this.#apart += apart;
    this.#example ||= example;
    this.#conflicts += conflicts;
    this.#conflict ||= conflict;
  }

  counts(): PriceCounts {
    return {
      ...{ sources: [...this.sources], rows: this.#rows, days: this.#days },
      ...{ compared: this.#compared, apart: this.#apart, example: this.#example },
      ...{ conflicts: this.#conflicts, conflict: this.#conflict },
    };
  }

  add(rows: readonly PriceRow[]): void {
    const byTicker = new Map<string, PriceRow[]>();
    for (const row of rows) {
      this.sources.add(row.source);
      pushTo(byTicker, row.tickerNormalized, row);
    }
    this.#rows += rows.length;
    for (const [ticker, own] of byTicker) {
      const daily = dailyPrices(own);
      this.#days += daily.length;
      const best = new Map(daily.map((price) => [price.day, price]));
      for (const row of own) {
        const other = best.get(row.day);
        if (other === undefined || other.source === row.source) continue;
        this.#compared += 1;
        if (nearlyEqual(row.price, other.price, AGREEMENT)) continue;
        this.#apart += 1;
        this.#example ||= `, such as ${ticker} on ${row.day}: ${row.price} and ${other.price}`;
      }
    }
  }

  check(): Check {
    return {
      name: 'prices',
      passed: this.#apart <= this.#compared * (1 - AGREEMENT_SHARE),
      detail: `${this.#rows} prices on ${this.#days} days; of ${this.#compared} prices that two sources have, ${this.#apart} differ by more than two percent${this.#example}${this.#conflictText()}`,
    };
  }

  #conflictText(): string {
    if (this.#conflicts === 0) return '';
    return `; ${this.#conflicts} prices that one source gives twice with different values, such as ${this.#conflict}: of two venues the first is used, of fails neither`;
  }
}
