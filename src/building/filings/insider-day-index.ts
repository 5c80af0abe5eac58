import { compareText } from '../../contract/compare-text.ts';
import { add, sum } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import { computeCountedValue, type JudgedFiling, type JudgedTrade } from '../../ownership/insiders/judge.ts';
import { groupBy } from '../../platform/collections.ts';
import { pickLaterDay, toDayNumber } from '../../platform/dates.ts';
import type { InsiderDayTotals, InsiderTotalsRow, LargestTrade } from '../../store/schema/insiders.ts';
import { INSIDER_DAY_FILINGS, INSIDER_DAYS, INSIDER_TOTALS, LARGEST_TRADES } from '../../store/schema/insiders.ts';
import { Spill } from '../../store/spill.ts';
import type { SinkFinder } from '../../store/table-writer.ts';
import { getYearKeyOfDay } from './filing-days.ts';

/** Maximum number of rows per day in the table of the largest trades. */
const MAX_LARGEST_TRADES = 10;
/** The day under which filings without a known filing date are grouped; earlier than every filing date. */
const UNDATED_DAY = '1970-01-01';

/** The fields of a filing that the tables by day need. */
type FilingSummary = ReturnType<typeof summarizeFiling>;

type MutableTotals = { -readonly [Field in keyof InsiderTotalsRow]: InsiderTotalsRow[Field] };

/** Collects the insider trades of all companies by filing date, and writes the tables of days and totals. */
export class InsiderDayIndex {
  readonly #summariesByYear: Spill<FilingSummary>;
  readonly #totalsByDateAndCode = new Map<string, MutableTotals>();

  constructor(scratch: string) {
    this.#summariesByYear = new Spill(scratch);
  }

  add({ summaries, trades }: InsiderSummaries): void {
    for (const summary of summaries) this.#summariesByYear.add(getYearKeyOfDay(summary.filed ?? UNDATED_DAY), summary);
    for (const trade of trades) this.#addToTotals(trade);
  }

  write(sinkOf: SinkFinder): void {
    for (const [yearKey, yearSummaries] of this.#summariesByYear.groups()) {
      const dayRows: InsiderDayTotals[] = [];
      for (const [day, summaries] of groupByDay(yearSummaries)) {
        const filings = summaries.map(({ filing }) => filing).sort((a, b) => compareText(a.accession, b.accession));
        sinkOf(INSIDER_DAY_FILINGS).add(day, filings);
        const totals = summaries.flatMap((summary) => summary.sideTotals);
        sinkOf(LARGEST_TRADES).add(day, [...totals].sort(compareLargestFirst).slice(0, MAX_LARGEST_TRADES));
        const filingDay = summaries[0]?.filed ?? null;
        if (filingDay !== null) dayRows.push(makeDayRow(filingDay, summaries));
      }
      sinkOf(INSIDER_DAYS).add(yearKey, dayRows);
    }
    const totals = [...this.#totalsByDateAndCode].sort(([a], [b]) => compareText(a, b)).map(([, row]) => row);
    sinkOf(INSIDER_TOTALS).add(0, totals);
  }

  #addToTotals({ date, code, transactions, uncounted, value }: InsiderTotalsRow): void {
    const key = `${date ?? ''} ${code}`;
    const totals = this.#totalsByDateAndCode.get(key) ?? { date, code, transactions: 0, uncounted: 0, value: '0' };
    totals.transactions += transactions;
    totals.uncounted += uncounted;
    totals.value = add(totals.value, value);
    this.#totalsByDateAndCode.set(key, totals);
  }
}

/** One company's data for the tables of days and totals. */
export type InsiderSummaries = ReturnType<typeof summarizeInsiders>;

export const summarizeInsiders = (cik: number, filings: readonly JudgedFiling[]) => ({
  summaries: filings.map((filing) => summarizeFiling(cik, filing)),
  trades: filings.flatMap(({ trades }) =>
    trades.map((trade) => ({
      date: trade.day,
      code: trade.code,
      transactions: 1,
      uncounted: trade.status === 'counted' ? 0 : 1,
      value: computeCountedValue(trade),
    })),
  ),
});

function summarizeFiling(cik: number, { accession, filed, owners, trades }: JudgedFiling) {
  const day = filed === null ? 0 : toDayNumber(filed);
  const select = (code: 'P' | 'S') => trades.filter((trade) => trade.code === code);
  const findLast = (code: 'P' | 'S') =>
    select(code).reduce<string | null>((last, { day }) => pickLaterDay(last, day), null);
  const [owner] = owners;
  return {
    filed,
    filing: {
      ...{ day, cik, accession },
      purchases: select('P').length,
      sales: select('S').length,
      lastPurchase: findLast('P'),
      lastSale: findLast('S'),
    },
    sideTotals: (['P', 'S'] as const).flatMap((code) => {
      const trades = select(code).filter((trade) => !isZero(computeCountedValue(trade)));
      if (trades.length === 0 || owner === undefined) return [];
      return [
        {
          ...{ day, cik, accession, code, ownerName: owner.name, officerTitle: owner.officerTitle },
          isDirector: owner.isDirector,
          isOfficer: owner.isOfficer,
          isTenPercentOwner: owner.isTenPercentOwner,
          shares: sum(trades.map(getShareCount)),
          value: sum(trades.map(computeCountedValue)),
        },
      ];
    }),
  };
}

const groupByDay = (summaries: readonly FilingSummary[]) =>
  [...groupBy(summaries, ({ filing }) => filing.day)].sort(([a], [b]) => a - b);

function makeDayRow(date: string, summaries: readonly FilingSummary[]): InsiderDayTotals {
  const totals = summaries.flatMap(({ sideTotals }) => sideTotals);
  const sumValue = (code: 'P' | 'S') => sum(totals.filter((side) => side.code === code).map(({ value }) => value));
  return {
    date,
    purchases: summaries.filter(({ filing }) => filing.purchases > 0).length,
    sales: summaries.filter(({ filing }) => filing.sales > 0).length,
    purchaseValue: sumValue('P'),
    saleValue: sumValue('S'),
    lastTrade: summaries
      .flatMap(({ filing }) => [filing.lastPurchase, filing.lastSale])
      .reduce((last, day) => pickLaterDay(last, day), null),
  };
}

/** Returns the number of shares of a counted trade. A counted trade has a value, and therefore a number of shares. */
function getShareCount({ shares }: JudgedTrade): Decimal {
  if (shares === null) throw new Error('a counted trade has no number of shares');
  return shares;
}

const compareLargestFirst = (a: LargestTrade, b: LargestTrade): number =>
  compareDecimals(b.value, a.value) || compareText(a.accession, b.accession);
