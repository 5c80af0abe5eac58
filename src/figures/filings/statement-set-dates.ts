/**
 * Finds the dates for the rounded dates of a financial statement data set.
 * Older sets round dates to the end of a month and durations to quarters. Exact dates come from company facts of the
 * same filing, from the calendar if the company's fiscal periods end with months, or from the instance's file name. If
 * none of them has the dates, they are inferred, and the fact is marked.
 */
import type { StatementSetFact, StatementSetReport } from '../../edgar/facts/statement-set.ts';
import type { FiledReport, TaggedFact } from '../../edgar/reports/xbrl-report.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';

/** A period of a filing with its exact dates. */
export type KnownPeriod = Pick<TaggedFact, 'start' | 'end'>;

/** The exact periods that other sources state for a report and its company. */
interface PeriodEvidence {
  /** Periods that other sources state for the same filing, one entry per fact. */
  readonly filingPeriods: readonly KnownPeriod[];
  /** Exact ends of the company's fiscal periods, from its reports and its list of filings. */
  readonly periodEnds: readonly string[];
}

/** The period of a fact. `isInferred`: the days may be wrong, but only by days. */
interface FoundPeriod extends KnownPeriod {
  readonly isInferred?: true;
}

/** Minimum number of different period ends that prove month ends on any day of the week. */
const MIN_PERIOD_ENDS = 2;
/** Days of the week on which fiscal periods of whole weeks usually end: Friday to Sunday. */
const USUAL_WEEK_ENDS: ReadonlySet<number> = new Set([5, 6, 0]);
const DAYS_PER_QUARTER_OF_WEEKS = 91;
const MONTHS_PER_QUARTER = 3;

/**
 * Whether the company's fiscal periods end with months: all of its period ends are the last day of a month, and either
 * two differ, or one is on a day from Monday to Thursday. On the other days, a period of whole weeks may end with a
 * month by chance. In company facts of 349 companies, months give the exact days of 99.4 % of the durations up to the
 * end of a report and 98.5 % of earlier ones if one end is on such a day; with two ends 99.0 % and 98.3 %; with one end
 * on another day 95.9 % and 92.9 %.
 */
export function areMonthEnds(ends: readonly string[]): boolean {
  if (!ends.every(isMonthEnd)) return false;
  return new Set(ends).size >= MIN_PERIOD_ENDS || ends.some((end) => !USUAL_WEEK_ENDS.has(getWeekday(end)));
}

/**
 * Returns the report with dates of its facts; inferred dates are marked. Omits facts whose dates are unknown, and
 * counts them in `skipped`.
 */
export function addExactDates(report: StatementSetReport, evidence: PeriodEvidence): FiledReport {
  const findPeriod = createPeriodFinder(report, evidence);
  const facts: TaggedFact[] = [];
  let undated = 0;
  for (const fact of report.facts) {
    const period = findPeriod(fact);
    if (period === null) undated += 1;
    else {
      const { concept, unit, value, decimals, dimensions } = fact;
      const { start, end, isInferred } = period;
      const datedFact = { concept, unit, value, decimals, dimensions, start, end, location: null };
      facts.push(isInferred ? { ...datedFact, hasInferredDates: true } : datedFact);
    }
  }
  const { cik, name, sic, form, accession, filed, accepted, focusYear, focusPeriod, periodEnd } = report;
  return {
    ...{ kind: 'data_set', cik, registrant: name, form, accession, filed, focusYear, focusPeriod },
    periodEnd: periodEnd ?? report.roundedPeriod,
    coverPeriodEnd: null,
    document: null,
    labels: new Map(),
    cover: [],
    facts,
    filing: { sic, accepted, reportDate: periodEnd },
    skipped: undated === 0 ? {} : { 'a row without known exact dates, in a financial statement data set': undated },
  };
}

function createPeriodFinder(
  report: StatementSetReport,
  { filingPeriods, periodEnds }: PeriodEvidence,
): (fact: StatementSetFact) => FoundPeriod | null {
  const { roundedPeriod, periodEnd } = report;
  const findFrequent = createFrequentPeriodFinder(filingPeriods);
  const isMonthly = areMonthEnds(periodEnds);
  const infer = createPeriodInferrer(report, periodEnds);
  return (fact) => {
    // The date of a share count on a cover may be any day, so no known period can supply the date.
    if (fact.exactDates !== null || fact.concept.startsWith('dei:')) return fact.exactDates;
    const frequentPeriod = findFrequent(fact);
    if (frequentPeriod !== null) return frequentPeriod;
    if (isMonthly) return findCalendarPeriod(fact, roundedPeriod);
    const isOfReport = fact.quarters === 0 && fact.roundedEnd === roundedPeriod;
    if (isOfReport && periodEnd !== null) return { start: null, end: periodEnd };
    // If the filing has known periods, other periods are errors. Segments are joined across reports by exact dates.
    return filingPeriods.length > 0 || fact.dimensions.length > 0 ? null : infer(fact);
  };
}

/** Returns a function that infers the dates of a fact from the rounded dates; null if they fit no usual period. */
function createPeriodInferrer(
  { roundedPeriod, periodEnd, facts }: StatementSetReport,
  otherEnds: readonly string[],
): (fact: StatementSetFact) => FoundPeriod | null {
  if (roundedPeriod === null) return () => null;
  const ends = periodEnd === null ? otherEnds : [...otherEnds, periodEnd];
  if (ends.every(isMonthEnd)) {
    return (fact) => {
      const period = findCalendarPeriod(fact, roundedPeriod);
      return period === null ? null : { ...period, isInferred: true };
    };
  }
  if (periodEnd === null || hasIrregularQuarters(facts, roundedPeriod)) return () => null;
  const knownEnds = new Map(ends.map((end) => [findNearestMonthEnd(end), end]));
  return ({ roundedEnd, quarters }) => {
    const quartersAgo = countQuartersBetween(roundedEnd, roundedPeriod);
    if (quartersAgo === null) return null;
    const knownEnd = knownEnds.get(roundedEnd);
    const end = knownEnd ?? addDays(periodEnd, -DAYS_PER_QUARTER_OF_WEEKS * quartersAgo);
    if (findNearestMonthEnd(end) !== roundedEnd) return null;
    if (quarters === 0) return { start: null, end, ...(knownEnd === undefined && { isInferred: true }) };
    const knownPreviousEnd = knownEnds.get(addMonthsToEnd(roundedEnd, -MONTHS_PER_QUARTER * quarters));
    const previousEnd = knownPreviousEnd ?? addDays(end, -DAYS_PER_QUARTER_OF_WEEKS * quarters);
    const isKnown = knownEnd !== undefined && knownPreviousEnd !== undefined;
    return { start: addDays(previousEnd, 1), end, ...(!isKnown && { isInferred: true }) };
  };
}

/**
 * Whether most earlier balances, usually those of the last fiscal year's end, are not whole quarters before the
 * report's period end. Then quarters may have 12 or 16 weeks, which rounded dates do not distinguish.
 */
function hasIrregularQuarters(facts: readonly StatementSetFact[], roundedPeriod: string): boolean {
  const balances = facts.filter(({ quarters, roundedEnd }) => quarters === 0 && roundedEnd < roundedPeriod);
  const irregular = balances.filter(({ roundedEnd }) => countQuartersBetween(roundedEnd, roundedPeriod) === null);
  return irregular.length > balances.length / 2;
}

/**
 * Returns a function that finds the period whose rounded dates equal a fact's rounded dates. If several periods match,
 * the most frequent period is used, because a wrong date occurs only once or twice.
 */
function createFrequentPeriodFinder(
  periods: readonly KnownPeriod[],
): (fact: Pick<StatementSetFact, 'roundedEnd' | 'quarters'>) => KnownPeriod | null {
  const byRounded = new Map<string, Map<string, { period: KnownPeriod; count: number }>>();
  for (const period of periods) {
    const key = `${findNearestMonthEnd(period.end)} ${countQuarters(period)}`;
    const candidates = getOrInsert(byRounded, key, () => new Map<string, { period: KnownPeriod; count: number }>());
    getOrInsert(candidates, `${period.start} ${period.end}`, () => ({ period, count: 0 })).count += 1;
  }
  return ({ roundedEnd, quarters }) => {
    const candidates = byRounded.get(`${roundedEnd} ${quarters}`);
    if (candidates === undefined) return null;
    return [...candidates.values()].sort((a, b) => b.count - a.count)[0]?.period ?? null;
  };
}

/**
 * Returns the exact dates of a period of whole months. Null if the number of months between the ends of this period and
 * the report's own period is not a multiple of three.
 */
function findCalendarPeriod({ roundedEnd, quarters }: StatementSetFact, last: string | null): KnownPeriod | null {
  if (last === null || countQuartersBetween(roundedEnd, last) === null) return null;
  const previousEnd = addMonthsToEnd(roundedEnd, -MONTHS_PER_QUARTER * quarters);
  return { start: quarters === 0 ? null : addDays(previousEnd, 1), end: roundedEnd };
}

/** Returns the number of quarters between two ends of months; null if it is not a whole number. */
function countQuartersBetween(end: string, later: string): number | null {
  const months = toMonthNumber(later) - toMonthNumber(end);
  return months % MONTHS_PER_QUARTER === 0 ? months / MONTHS_PER_QUARTER : null;
}

/** Returns the number of months since January of year 0. */
const toMonthNumber = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

/** Returns the end of the month that is a number of months after the month of the day. */
function addMonthsToEnd(day: string, months: number): string {
  const next = toMonthNumber(day) + months + 1;
  return addDays(`${Math.floor(next / 12)}-${String((next % 12) + 1).padStart(2, '0')}-01`, -1);
}

const isMonthEnd = (day: string): boolean => addDays(day, 1).endsWith('-01');

/** Returns the day of the week; 0 is Sunday. */
const getWeekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/** Returns the end of a month nearest to the day. */
function findNearestMonthEnd(day: string): string {
  const previous = addMonthsToEnd(day, -1);
  const end = addMonthsToEnd(day, 0);
  return countDaysBetween(previous, day) < countDaysBetween(day, end) ? previous : end;
}

const countQuarters = ({ start, end }: KnownPeriod): number =>
  start === null ? 0 : Math.round((countDaysBetween(start, end) + 1) / 91.25);
