import { compareText } from '../../contract/compare-text.ts';
import { add } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import { countedValue, type JudgedFiling, type JudgedTrade } from '../../figures/insiders/judge.ts';
import { pushTo } from '../../platform/collections.ts';
import { dayNumber } from '../../platform/dates.ts';
import {
  INSIDER_DAY_FILINGS,
  INSIDER_DAYS,
  INSIDER_LARGEST,
  INSIDER_TOTALS,
  type InsiderDay,
  type InsiderDayFiling,
  type InsiderTotalsRow,
  type LargestTrade,
} from '../../store/schema/insiders.ts';
import { Spill } from '../../store/spill.ts';
import type { SinkOf } from '../../store/table-writer.ts';
import { yearKey } from './filing-days.ts';

/** Number of a day's trades in the table of the largest trades. */
const MAX_TRADES = 10;
/** The day that filings of unknown day are stored under; it sorts before all others. */
const UNDATED = '1970-01-01';

/** The fields of a filing that the tables of days need. */
interface FilingSummary {
  readonly filed: string | null;
  readonly filing: InsiderDayFiling;
  /** Purchases and sales that have a value and are counted. */
  readonly sides: readonly LargestTrade[];
}

type Totals = { -readonly [Field in keyof InsiderTotalsRow]: InsiderTotalsRow[Field] };

/** Collects the insider trades of all companies by filing day, and writes the tables of days and totals. */
export class InsiderDayIndex {
  readonly #years: Spill<FilingSummary>;
  readonly #totals = new Map<string, Totals>();

  constructor(scratch: string) {
    this.#years = new Spill(scratch);
  }

  add({ summaries, trades }: CountedInsiders): void {
    for (const summary of summaries) this.#years.add(yearKey(summary.filed ?? UNDATED), summary);
    for (const trade of trades) this.#count(trade);
  }

  write(sink: SinkOf): void {
    for (const [year, filings] of this.#years.groups()) {
      const days: InsiderDay[] = [];
      for (const [day, list] of byDay(filings)) {
        sink(INSIDER_DAY_FILINGS).add(
          day,
          list.map(({ filing }) => filing).sort((a, b) => compareText(a.accession, b.accession)),
        );
        const sides = list.flatMap((summary) => summary.sides);
        sink(INSIDER_LARGEST).add(day, [...sides].sort(largestFirst).slice(0, MAX_TRADES));
        const date = list[0]?.filed ?? null;
        if (date !== null) days.push(dayOf(date, list));
      }
      sink(INSIDER_DAYS).add(year, days);
    }
    const totals = [...this.#totals].sort(([a], [b]) => compareText(a, b)).map(([, row]) => row);
    sink(INSIDER_TOTALS).add(0, totals);
  }

  #count({ date, code, transactions, uncounted, value }: InsiderTotalsRow): void {
    const key = `${date ?? ''} ${code}`;
    const known = this.#totals.get(key) ?? { date, code, transactions: 0, uncounted: 0, value: '0' };
    known.transactions += transactions;
    known.uncounted += uncounted;
    known.value = add(known.value, value);
    this.#totals.set(key, known);
  }
}

/** One company's part of the tables of days and totals. */
export interface CountedInsiders {
  readonly summaries: readonly FilingSummary[];
  /** One for each trade. */
  readonly trades: readonly InsiderTotalsRow[];
}

export function countInsiders(cik: number, filings: readonly JudgedFiling[]): CountedInsiders {
  return {
    summaries: filings.map((filing) => summaryOf(cik, filing)),
    trades: filings.flatMap(({ trades }) =>
      trades.map((trade) => ({
        date: trade.day,
        code: trade.code,
        transactions: 1,
        uncounted: trade.status === 'counted' ? 0 : 1,
        value: countedValue(trade),
      })),
    ),
  };
}

function summaryOf(cik: number, { accession, filed, owners, trades }: JudgedFiling): FilingSummary {
  const day = filed === null ? 0 : dayNumber(filed);
  const of = (code: 'P' | 'S') => trades.filter((trade) => trade.code === code);
  const last = (code: 'P' | 'S') => of(code).reduce<string | null>((latest, { day }) => max(latest, day), null);
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
          shares: counted.reduce<Decimal>((sum, trade) => add(sum, sharesOf(trade)), '0'),
          value: counted.reduce<Decimal>((sum, trade) => add(sum, countedValue(trade)), '0'),
        },
      ];
    }),
  };
}

function byDay(filings: readonly FilingSummary[]): [number, FilingSummary[]][] {
  const days = new Map<number, FilingSummary[]>();
  for (const summary of filings) pushTo(days, summary.filing.day, summary);
  return [...days].sort(([a], [b]) => a - b);
}

function dayOf(date: string, filings: readonly FilingSummary[]): InsiderDay {
  const value = (code: 'P' | 'S') =>
    filings
      .flatMap(({ sides }) => sides.filter((side) => side.code === code))
      .reduce<Decimal>((sum, side) => add(sum, side.value), '0');
  return {
    date,
    purchases: filings.filter(({ filing }) => filing.purchases > 0).length,
    sales: filings.filter(({ filing }) => filing.sales > 0).length,
    purchaseValue: value('P'),
    saleValue: value('S'),
    lastTrade: filings.reduce(
      (last: string | null, { filing }) => max(max(last, filing.lastPurchase), filing.lastSale),
      null,
    ),
  };
}

/** Only trades with a value are counted, and these have shares. */
function sharesOf({ shares }: JudgedTrade): Decimal {
  if (shares === null) throw new Error('a counted trade has no number of shares');
  return shares;
}

/** Returns the later of two days, either of which may be unknown. */
function max(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

function largestFirst(a: LargestTrade, b: LargestTrade): number {
  return compareDecimals(b.value, a.value) || compareText(a.accession, b.accession);
}
