/**
 * Finds the exact dates for the rounded dates of a financial statement data set.
 * Older sets round dates to the end of a month and durations to quarters. Exact dates come from company facts of the
 * same filing, from the calendar if the company's fiscal periods end with months, or from the instance's file name.
 */
import type { StatementSetFact, StatementSetReport } from '../../edgar/facts/statement-set.ts';
import type { FiledReport, TaggedFact } from '../../edgar/reports/tagged-report.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { addDays, countDaysBetween, toDay, toDayNumber } from '../../platform/dates.ts';

/** A period of a filing with its exact dates. */
export interface KnownPeriod {
  readonly start: string | null;
  readonly end: string;
}

/** The exact periods of a report according to other sources. */
interface PeriodEvidence {
  /** Periods that other sources state for the same filing, one entry per fact. */
  readonly filingPeriods: readonly KnownPeriod[];
  /** Whether the company's fiscal periods end with months; see `areMonthEnds`. */
  readonly hasMonthEnds: boolean;
}

/**
 * Minimum number of period ends that must all be ends of months. A single period of whole weeks may end on the last day
 * of a month by chance (about once in seven times).
 */
const MIN_PERIOD_ENDS = 2;

/** Whether at least two ends of fiscal periods are given and all are the last day of a month. */
export function areMonthEnds(ends: readonly string[]): boolean {
  return new Set(ends).size >= MIN_PERIOD_ENDS && ends.every((end) => findNearestMonthEnd(end) === end);
}

/** Returns the report with exact dates. Omits facts whose exact dates are unknown, and counts them in `skipped`. */
export function addExactDates(report: StatementSetReport, knownPeriods: PeriodEvidence): FiledReport {
  const findPeriod = createPeriodFinder(report, knownPeriods);
  const facts: TaggedFact[] = [];
  let undatedCount = 0;
  for (const fact of report.facts) {
    const period = findPeriod(fact);
    if (period === null) undatedCount += 1;
    else {
      const { concept, unit, value, decimals, dimensions } = fact;
      facts.push({ concept, unit, value, decimals, dimensions, start: period.start, end: period.end, location: null });
    }
  }
  const { cik, name, form, accession, filed, focusYear, focusPeriod } = report;
  return {
    kind: 'data_set',
    cik,
    registrant: name,
    form,
    accession,
    filed,
    focusYear,
    focusPeriod,
    periodEnd: report.periodEnd ?? report.roundedPeriod,
    coverPeriodEnd: null,
    document: null,
    labels: new Map(),
    cover: [],
    facts,
    skipped:
      undatedCount === 0 ? {} : { 'a row without known exact dates, in a financial statement data set': undatedCount },
  };
}

function createPeriodFinder(
  { roundedPeriod, periodEnd }: StatementSetReport,
  { filingPeriods, hasMonthEnds }: PeriodEvidence,
): (fact: StatementSetFact) => KnownPeriod | null {
  const findFrequentPeriod = createFrequentPeriodFinder(filingPeriods);
  return (fact) => {
    // The date of a share count on a cover may be any day, so no known period can supply the date.
    if (fact.exactDates !== null || fact.concept.startsWith('dei:')) return fact.exactDates;
    const mostFrequentPeriod = findFrequentPeriod(fact);
    if (mostFrequentPeriod !== null) return mostFrequentPeriod;
    if (hasMonthEnds) return findCalendarPeriod(fact, roundedPeriod);
    const isReportDay = fact.quarters === 0 && fact.roundedEnd === roundedPeriod;
    return isReportDay && periodEnd !== null ? { start: null, end: periodEnd } : null;
  };
}

/**
 * Returns a function that finds the period whose rounded dates equal a fact's rounded dates. If several periods match,
 * the most frequent period is used, because a wrong date occurs only once or twice.
 */
function createFrequentPeriodFinder(
  periods: readonly KnownPeriod[],
): (fact: Pick<StatementSetFact, 'roundedEnd' | 'quarters'>) => KnownPeriod | null {
  const candidatesByRoundedPeriod = new Map<string, Map<string, { period: KnownPeriod; count: number }>>();
  for (const period of periods) {
    const key = `${findNearestMonthEnd(period.end)} ${countQuarters(period)}`;
    const candidates = getOrInsert(
      candidatesByRoundedPeriod,
      key,
      () => new Map<string, { period: KnownPeriod; count: number }>(),
    );
    getOrInsert(candidates, `${period.start} ${period.end}`, () => ({ period, count: 0 })).count += 1;
  }
  return ({ roundedEnd, quarters }) => {
    const candidates = candidatesByRoundedPeriod.get(`${roundedEnd} ${quarters}`);
    if (candidates === undefined) return null;
    return [...candidates.values()].sort((a, b) => b.count - a.count)[0]?.period ?? null;
  };
}

/**
 * Returns the exact dates of a period of whole months. Null if the number of months between the ends of this period and
 * the report's own period is not a multiple of three.
 */
function findCalendarPeriod({ roundedEnd, quarters }: StatementSetFact, reportEnd: string | null): KnownPeriod | null {
  if (reportEnd === null || (toMonthNumber(reportEnd) - toMonthNumber(roundedEnd)) % 3 !== 0) return null;
  return {
    start: quarters === 0 ? null : formatMonthStart(toMonthNumber(roundedEnd) - quarters * 3 + 1),
    end: roundedEnd,
  };
}

/** Returns the number of months since January of year 0. */
function toMonthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

function formatMonthStart(monthNumber: number): string {
  return `${Math.floor(monthNumber / 12)}-${String((monthNumber % 12) + 1).padStart(2, '0')}-01`;
}

/** Returns the end of a month nearest to the day. */
function findNearestMonthEnd(day: string): string {
  const monthStart = `${day.slice(0, 7)}-01`;
  const previousMonthEnd = addDays(monthStart, -1);
  const nextMonthStart = `${addDays(monthStart, 31).slice(0, 7)}-01`;
  const monthEnd = toDay(toDayNumber(nextMonthStart) - 1);
  return countDaysBetween(previousMonthEnd, day) < countDaysBetween(day, monthEnd) ? previousMonthEnd : monthEnd;
}

function countQuarters({ start, end }: KnownPeriod): number {
  return start === null ? 0 : Math.round((countDaysBetween(start, end) + 1) / 91.25);
}
