/** Gathers the insider trades of all companies by the day they were filed on, and writes the tables of days and totals. */

import { add } from '../../../contract/decimal.ts';
import type { Decimal } from '../../../contract/decimal-text.ts';
import { compareDecimals, isZero } from '../../../contract/decimal-text.ts';
import type { JudgedFiling, JudgedTrade } from '../../../figures/insiders/judge.ts';
import { countedValue } from '../../../figures/insiders/totals.ts';
import { dayNumber } from '../../../platform/dates.ts';
import {
  INSIDER_DAY_FILINGS,
  INSIDER_DAYS,
  INSIDER_LARGEST,
  INSIDER_TOTALS,
  type InsiderDay,
  type InsiderDayFiling,
  type InsiderTotalsRow,
  type LargestTrade,
} from '../../schema/insiders.ts';
import { compare } from '../../schema/row-order.ts';
import { Spill } from '../../store/spill.ts';
import type { FamilyContext } from '../family.ts';
import { yearKey } from './filing-day-index.ts';

/** So many of a day's trades stand on its page. */
const LARGEST = 10;
/** Where filings stand whose day is not known: before all others. */
const UNDATED = '1970-01-01';

interface Digest {
  readonly filed: string | null;
  readonly filing: InsiderDayFiling;
  /** One for each side that has value. */
  readonly sides: readonly LargestTrade[];
}

type Totals = { -readonly [Field in keyof InsiderTotalsRow]: InsiderTotalsRow[Field] };

export class InsiderDayIndex {
  readonly #years: Spill<Digest>;
  readonly #totals = new Map<string, Totals>();

  constructor(scratch: string) {
    this.#years = new Spill(scratch);
  }

  add(cik: number, filings: readonly JudgedFiling[]): void {
    for (const filing of filings) {
      this.#years.add(yearKey(filing.filed ?? UNDATED), digestOf(cik, filing));
      for (const trade of filing.trades) this.#count(trade);
    }
  }

  write(sink: FamilyContext['sink']): void {
    for (const [year, digests] of this.#years.groups()) {
      const days: InsiderDay[] = [];
      for (const [day, list] of byDay(digests)) {
        sink(INSIDER_DAY_FILINGS).add(
          day,
          list.map(({ filing }) => filing).sort((a, b) => compare(a.accession, b.accession)),
        );
        const sides = list.flatMap((digest) => digest.sides);
        sink(INSIDER_LARGEST).add(day, [...sides].sort(largestFirst).slice(0, LARGEST));
        const date = list[0]?.filed;
        if (date != null) days.push(dayOf(date, list));
      }
      sink(INSIDER_DAYS).add(year, days);
    }
    const totals = [...this.#totals].sort(([a], [b]) => compare(a, b)).map(([, row]) => row);
    sink(INSIDER_TOTALS).add(0, totals);
  }

  #count(trade: JudgedTrade): void {
    const { day: date, code } = trade;
    const key = `${date ?? ''} ${code}`;
    const known = this.#totals.get(key) ?? { date, code, transactions: 0, uncounted: 0, value: '0' };
    known.transactions += 1;
    if (trade.status !== 'counted') known.uncounted += 1;
    known.value = add(known.value, countedValue(trade));
    this.#totals.set(key, known);
  }
}

function digestOf(cik: number, { accession, filed, owners, trades }: JudgedFiling): Digest {
  const day = filed === null ? 0 : dayNumber(filed);
  const of = (code: 'P' | 'S') => trades.filter((trade) => trade.code === code);
  const last = (code: 'P' | 'S') =>
    of(code).reduce<string | null>(
      (latest, one) => (one.day !== null && one.day > (latest ?? '') ? one.day : latest),
      null,
    );
  const [owner] = owners;
  return {
    filed,
    filing: {
      day,
      cik,
      accession,
      purchases: of('P').length,
      sales: of('S').length,
      lastPurchase: last('P'),
      lastSale: last('S'),
    },
    sides: (['P', 'S'] as const).flatMap((code) => {
      const counted = of(code).filter((trade) => !isZero(countedValue(trade)));
      if (counted.length === 0 || owner === undefined) return [];
      const { isDirector, isOfficer, isTenPercentOwner, officerTitle, name: ownerName } = owner;
      return [
        {
          ...{ day, cik, accession, code, ownerName, officerTitle, isDirector, isOfficer, isTenPercentOwner },
          shares: counted.reduce<Decimal>((sum, { shares }) => add(sum, shares ?? '0'), '0'),
          value: counted.reduce<Decimal>((sum, trade) => add(sum, countedValue(trade)), '0'),
        },
      ];
    }),
  };
}

function byDay(digests: readonly Digest[]): [number, Digest[]][] {
  const days = new Map<number, Digest[]>();
  for (const digest of digests) {
    const list = days.get(digest.filing.day) ?? [];
    if (list.length === 0) days.set(digest.filing.day, list);
    list.push(digest);
  }
  return [...days].sort(([a], [b]) => a - b);
}

function dayOf(date: string, digests: readonly Digest[]): InsiderDay {
  const value = (code: 'P' | 'S') =>
    digests
      .flatMap(({ sides }) => sides.filter((side) => side.code === code))
      .reduce<Decimal>((sum, side) => add(sum, side.value), '0');
  return {
    date,
    purchases: digests.filter(({ filing }) => filing.purchases > 0).length,
    sales: digests.filter(({ filing }) => filing.sales > 0).length,
    purchaseValue: value('P'),
    saleValue: value('S'),
    lastTrade: digests.reduce(
      (last: string | null, { filing }) => max(max(last, filing.lastPurchase), filing.lastSale),
      null,
    ),
  };
}

function max(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

function largestFirst(a: LargestTrade, b: LargestTrade): number {
  return compareDecimals(b.value, a.value) || compare(a.accession, b.accession);
}
