/** The tables of prices: what every source says of every covered security, and the attribution it requires. */

import { nearlyEqual } from '../../../contract/decimal.ts';
import { groupBy, pushTo } from '../../../figures/groups.ts';
import type { PriceSource } from '../../../figures/prices/tape.ts';
import { tapeOf } from '../../../figures/prices/tape.ts';
import { FAMILY_TABLES } from '../../schema/families.ts';
import { FORMER_TICKERS } from '../../schema/former-names.ts';
import type { PriceRow, PriceSourceRow } from '../../schema/prices.ts';
import { PRICE_LINES, PRICE_SOURCES, PRICES } from '../../schema/prices.ts';
import type { Check } from '../../store/manifest.ts';
import type { Family } from '../family.ts';
import type { Market } from './market.ts';

export const PRICES_FAMILY: Family = {
  name: 'prices',
  tables: FAMILY_TABLES.prices,
  async build({ companies, securities, market, sink, omit }) {
    if (market.files.length === 0) omit(PRICES_FAMILY.tables);
    const covered = new Set(companies.map(({ cik }) => cik));
    const settled = new Set(securities.map(({ cik, tickerNormalized }) => `${cik} ${tickerNormalized}`));
    const counted = new PriceCount();
    for (const [cik, prices] of market.prices((conflict) => counted.addConflict(conflict))) {
      if (!covered.has(cik)) continue;
      const rows = prices.filter(({ tickerNormalized }) => settled.has(`${cik} ${tickerNormalized}`));
      const lines = [...new Set(rows.map(({ tickerNormalized }) => tickerNormalized))];
      sink(PRICES).add(
        cik,
        rows.map((row) => ({ cik, ...row })),
      );
      sink(PRICE_LINES).add(
        cik,
        lines.map((tickerNormalized) => ({
          cik,
          tickerNormalized,
          isShare: market.securities.isShare(tickerNormalized),
          countApplies: market.securities.countApplies(cik, tickerNormalized),
        })),
      );
      counted.add(rows);
    }
    for (const [cik, former] of groupBy(market.securities.formerTickers, (one) => one.cik)) {
      const own = former.filter(({ tickerNormalized }) => settled.has(`${cik} ${tickerNormalized}`));
      if (own.length > 0) sink(FORMER_TICKERS).add(cik, own);
    }
    sink(PRICE_SOURCES).add(0, sourceRows(counted.sources, market));
    return [counted.check()];
  },
};

/** Sources with prices, one row for each attribution that a venue requires. */
function sourceRows(sources: ReadonlySet<PriceSource>, { venues }: Market): PriceSourceRow[] {
  return [...sources].sort().flatMap((source): PriceSourceRow[] => {
    if (source !== 'venue' && source !== 'venue_official') return [{ source, text: null, url: null }];
    const distinct = new Map(venues.map((venue) => [venue.text, venue]));
    return [...distinct.values()].map(({ text, url }) => ({ source, text, url }));
  });
}

/** On so many of the days that two sources have they must agree: funds and managers value by the close. */
const AGREEMENT_SHARE = 0.95;
const AGREEMENT = '0.02';

/** Counts prices by source, and on how many days sources agree. */
class PriceCount {
  readonly sources = new Set<PriceSource>();
  #rows = 0;
  #days = 0;
  #compared = 0;
  #apart = 0;
  #example = '';
  readonly #conflicts: string[] = [];

  addConflict(conflict: string): void {
    this.#conflicts.push(conflict);
  }

  add(rows: readonly PriceRow[]): void {
    const byTicker = new Map<string, PriceRow[]>();
    for (const row of rows) {
      this.sources.add(row.source);
      pushTo(byTicker, row.tickerNormalized, row);
    }
    this.#rows += rows.length;
    for (const [ticker, own] of byTicker) {
      const tape = tapeOf(own);
      this.#days += tape.length;
      const best = new Map(tape.map((price) => [price.day, price]));
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
      detail: `${this.#rows} prices of ${this.#days} days; where two sources have the day, ${this.#apart} of ${this.#compared} are more than two percent apart${this.#example}${this.#conflictText()}`,
    };
  }

  #conflictText(): string {
    const [example] = this.#conflicts;
    if (example === undefined) return '';
    return `; ${this.#conflicts.length} prices that one source gives twice and differently, the first of which is kept, such as ${example}`;
  }
}
