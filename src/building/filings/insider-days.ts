/** Makes the tables of insider trades by filing date, from lines that workers write while companies are derived. */

import { compareText } from '../../contract/compare-text.ts';
import { add, sum } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import { computeCountedValue, type JudgedFiling, type JudgedTrade } from '../../ownership/insiders/judge.ts';
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import { pickLaterDay, toDayNumber } from '../../platform/dates.ts';
import type { InsiderDayTotals, InsiderTotalsRow, LargestTrade } from '../../store/schema/insiders.ts';
import { INSIDER_DAY_FILINGS, INSIDER_DAYS, INSIDER_TOTALS, LARGEST_TRADES } from '../../store/schema/insiders.ts';
import type { SinkFinder } from '../../store/table-writer.ts';
import { readJsonLines, type SliceIndex } from '../tasks/slices.ts';
import { getYearKeyOfDay } from './filing-days.ts';

/** Maximum number of rows per day in the table of the largest trades. */
const MAX_LARGEST_TRADES = 10;
/** The day under which filings without a known filing date are grouped; earlier than every filing date. */
const UNDATED_DAY = '1970-01-01';

/** The fields of a filing that the tables by day need. */
type FilingSummary = ReturnType<typeof summarizeFiling>;

/** Returns a company's insider filings as JSON lines, by the key of the year in which they were filed. */
export const makeInsiderLines = (cik: number, filings: readonly JudgedFiling[]) =>
  [...groupBy(filings, ({ filed }) => getYearKeyOfDay(filed ?? UNDATED_DAY))].map(([yearKey, filings]) => {
    const lines = filings.map((filing) => `${JSON.stringify(summarizeFiling(cik, filing))}\n`);
    return [yearKey, lines.join('')] as const;
  });

type MutableTotals = { -readonly [Field in keyof InsiderTotalsRow]: InsiderTotalsRow[Field] };

/**
 * Writes the tables of days and totals.
 * @param years the lines of all companies, by year
 */
export function writeInsiderDays(years: ReturnType<SliceIndex['getNumberedSlices']>, sinkOf: SinkFinder): void {
  const totalsByKey = new Map<string, MutableTotals>();
  for (const { number: yearKey, slices } of years) {
    const yearSummaries = [...readJsonLines<FilingSummary>(slices)];
    for (const trade of yearSummaries.flatMap(({ trades }) => trades)) addToTotals(totalsByKey, trade);
    const dayRows: InsiderDayTotals[] = [];
    const byDay = groupBy(yearSummaries, ({ filing }) => filing.day);
    for (const [day, summaries] of [...byDay].sort(([a], [b]) => a - b)) {
      const filings = summaries.map(({ filing }) => filing).sort((a, b) => compareText(a.accession, b.accession));
      sinkOf(INSIDER_DAY_FILINGS).add(day, filings);
      const totals = summaries.flatMap((summary) => summary.sideTotals);
      sinkOf(LARGEST_TRADES).add(day, [...totals].sort(compareLargestFirst).slice(0, MAX_LARGEST_TRADES));
      const [{ filed: filingDay }] = summaries;
      if (filingDay !== null) dayRows.push(makeDayRow(filingDay, summaries));
    }
    sinkOf(INSIDER_DAYS).add(yearKey, dayRows);
  }
  const totals = [...totalsByKey].sort(([a], [b]) => compareText(a, b)).map(([, row]) => row);
  sinkOf(INSIDER_TOTALS).add(0, totals);
}

function addToTotals(totalsByKey: Map<string, MutableTotals>, trade: FilingSummary['trades'][number]): void {
  const { day: date, code, isCounted, value } = trade;
  const totals = getOrInsert(totalsByKey, `${date ?? ''} ${code}`, (): MutableTotals => {
    return { date, code, transactions: 0, uncounted: 0, value: '0' };
  });
  totals.transactions += 1;
  if (!isCounted) totals.uncounted += 1;
  totals.value = add(totals.value, value);
}

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
    trades: trades.map((trade) => {
      const { day, code, status } = trade;
      return { day, code, isCounted: status === 'counted', value: computeCountedValue(trade) };
    }),
  };
}

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
