/**
 * Labels dates with their fiscal year and fiscal period, according to the company's year ends. Company facts label
 * comparatives with the year and period of their filing, so these labels are correct only for the filing's own period.
 * Fiscal years are named as in the company's annual reports.
 */
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { classifyForm } from '../../edgar/filings/forms.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { getOrInsert, pushTo } from '../../platform/collections.ts';
import { toDay, toDayNumber } from '../../platform/dates.ts';
import { cacheForLastConcept, listMappingsOfConcept } from '../metrics/concepts.ts';
import { detectPeriodKind, type PeriodKind } from '../periods/period-kind.ts';

interface FiscalLabel {
  readonly fiscalYear: number | null;
  /** FY, Q1 to Q4, H1 or 9M; null if the period is none of these. */
  readonly fiscalPeriod: string | null;
}

export interface FiscalCalendar {
  /**
   * Returns the label of a period. A period of twelve months that does not end at a fiscal year end has no fiscal
   * period.
   */
  labelPeriod(end: string, kind: PeriodKind): FiscalLabel;
  /** Returns the label of a filing's own period, for figures on its cover; null if this period is unknown. */
  findFilingLabel(accession: string): FiscalLabel | null;
}

/**
 * A comparative year ends at the same time of year as an annual report's year if their ends are at most this number of
 * days apart, not counting whole years: 2021-01-02 and 2024-12-28 are 5 days apart.
 */
const MAX_DAYS_FROM_REPORTED_YEAR_END = 20;
/** Year ends that are at least this number of days apart belong to different fiscal years. */
const MIN_DAYS_BETWEEN_YEARS = 300;
const UNKNOWN_LABEL: FiscalLabel = { fiscalYear: null, fiscalPeriod: null };
/** Maximum number of days between a fiscal year's end and its usual date, because some years have 52 or 53 weeks. */
const MAX_YEAR_END_DRIFT_DAYS = 7;
/** Minimum and maximum number of days from one fiscal year's end to the next. */
const MIN_YEAR_DAYS = 340;
const MAX_YEAR_DAYS = 385;
/** Maximum number of days between a quarter's end and the nearest fourth of the year: some quarters have 12 weeks. */
const MAX_QUARTER_DRIFT_DAYS = 28;

/** @param facts all facts that are not on covers, so that a filing's latest date belongs to the filing's own period */
export function buildFiscalCalendar(facts: readonly Fact[], filings: readonly FilingRecord[]): FiscalCalendar {
  const periodByFiling = collectPeriodsOfReports(facts, filings);
  const reportedYearEnds = findFiscalYearEnds(facts, periodByFiling);
  const unfinishedYear = reportedYearEnds.length === 0 ? findUnfinishedYear(facts, periodByFiling) : null;
  const yearEnds = unfinishedYear === null ? reportedYearEnds : [unfinishedYear.previousEnd, unfinishedYear.period.end];
  const namedPeriods = unfinishedYear === null ? [...periodByFiling.values()] : [unfinishedYear.period];
  const labelFiscalYear = createFiscalYearLabeler(yearEnds, namedPeriods);
  const labelByKindAndEnd = new Map<PeriodKind, Map<string, FiscalLabel>>();

  const locateInYear = (end: number): { yearEnd: number; quarter: number | null } | null => {
    const yearEnd = findEnclosingYearEnd(yearEnds, end);
    if (yearEnd === null) return null;
    const previousYearEnd = yearEnds.findLast((day) => day <= yearEnd - MIN_YEAR_DAYS);
    const yearDays =
      previousYearEnd !== undefined && yearEnd - previousYearEnd <= MAX_YEAR_DAYS ? yearEnd - previousYearEnd : 365;
    const elapsedDays = end - (yearEnd - yearDays);
    const quarter = Math.round(elapsedDays / (yearDays / 4));
    const driftDays = Math.abs(elapsedDays - (quarter * yearDays) / 4);
    return { yearEnd, quarter: quarter >= 1 && quarter <= 4 && driftDays <= MAX_QUARTER_DRIFT_DAYS ? quarter : null };
  };

  const labelDate = (end: string, kind: PeriodKind): FiscalLabel => {
    const labelByEnd = getOrInsert(labelByKindAndEnd, kind, () => new Map<string, FiscalLabel>());
    const existingLabel = labelByEnd.get(end);
    if (existingLabel !== undefined) return existingLabel;
    const locationInYear = locateInYear(toDayNumber(end));
    const newLabel =
      locationInYear === null
        ? UNKNOWN_LABEL
        : {
            fiscalYear: labelFiscalYear(locationInYear.yearEnd),
            fiscalPeriod: formatFiscalPeriod(kind, locationInYear.quarter, toDayNumber(end), locationInYear.yearEnd),
          };
    labelByEnd.set(end, newLabel);
    return newLabel;
  };

  return {
    labelPeriod: labelDate,
    findFilingLabel: (accession) => {
      const filingPeriod = periodByFiling.get(accession);
      if (filingPeriod === undefined) return null;
      const filingLabel = labelDate(toDay(filingPeriod.end), 'instant');
      return filingPeriod.isAnnual ? { ...filingLabel, fiscalPeriod: 'FY' } : filingLabel;
    },
  };
}

function formatFiscalPeriod(kind: PeriodKind, quarter: number | null, end: number, yearEnd: number): string | null {
  switch (kind) {
    case 'annual':
      return Math.abs(end - yearEnd) <= MAX_YEAR_END_DRIFT_DAYS ? 'FY' : null;
    case 'instant':
      return quarter === 4 ? 'FY' : quarter === null ? null : `Q${quarter}`;
    case 'quarter':
      return quarter === null ? null : `Q${quarter}`;
    case 'half':
      return quarter === 2 ? 'H1' : null;
    case 'nine_month':
      return quarter === 3 ? '9M' : null;
  }
}

/**
 * Returns the period of each periodic report: for an annual report, the latest fiscal year in its facts; for an interim
 * report, the latest interim period. If the facts have no such period, the date in the list of filings is used. This
 * date is the second choice, because some lists state another day.
 */
function collectPeriodsOfReports(
  facts: readonly Fact[],
  filings: readonly FilingRecord[],
): Map<string, PeriodOfReport> {
  const latestFlowByFiling = new Map<string, Fact>();
  const firstFactByPeriodicReport = new Map<string, Fact>();
  for (const fact of facts) {
    const reportClass = classifyForm(fact.form);
    if (reportClass !== 'annual' && reportClass !== 'interim') continue;
    if (!firstFactByPeriodicReport.has(fact.accession)) firstFactByPeriodicReport.set(fact.accession, fact);
    // Skips balances and amounts per share, such as dividends, because they may be dated after the report's period.
    if (fact.start === null || fact.end > fact.filed || fact.unit.includes('/')) continue;
    const existingFact = latestFlowByFiling.get(fact.accession);
    if (existingFact !== undefined && existingFact.end >= fact.end) continue;
    const kind = detectPeriodKind(fact.start, fact.end);
    if (kind !== null && (reportClass === 'annual') === (kind === 'annual'))
      latestFlowByFiling.set(fact.accession, fact);
  }
  const reportDateByFiling = new Map<string, string | null>();
  for (const { accession, reportDate } of filings) getOrInsert(reportDateByFiling, accession, () => reportDate);
  const periodByFiling = new Map<string, PeriodOfReport>();
  for (const [accession, { form, filed, focusYear, focusPeriod }] of firstFactByPeriodicReport) {
    const end = latestFlowByFiling.get(accession)?.end ?? reportDateByFiling.get(accession) ?? null;
    if (end === null) continue;
    periodByFiling.set(accession, {
      end: toDayNumber(end),
      filed,
      isAnnual: classifyForm(form) === 'annual',
      focusYear,
      focusPeriod,
    });
  }
  return periodByFiling;
}

/** Number of quarters in a period that starts with the fiscal year. */
const QUARTERS_BY_KIND: Readonly<Partial<Record<PeriodKind, number>>> = { quarter: 1, half: 2, nine_month: 3 };
const QUARTERS_BY_FOCUS: ReadonlyMap<string | null, number> = new Map([
  ['Q1', 1],
  ['Q2', 2],
  ['H1', 2],
  ['Q3', 3],
  ['M9', 3],
]);

/**
 * Returns the fiscal year in which the latest interim report lies, for a company without annual reports, and the end of
 * the year before. The year starts with the report's longest period. Reports count only if the quarter that they state
 * is the number of quarters in this period: some data sets state another quarter.
 */
function findUnfinishedYear(
  facts: readonly Fact[],
  periodByFiling: ReadonlyMap<string, PeriodOfReport>,
): { readonly previousEnd: number; readonly period: PeriodOfReport } | null {
  let latest: { readonly start: string; readonly period: PeriodOfReport } | null = null;
  for (const { accession, start, end } of facts) {
    const period = periodByFiling.get(accession);
    if (start === null || period === undefined || period.isAnnual || toDayNumber(end) !== period.end) continue;
    const quarters = QUARTERS_BY_KIND[detectPeriodKind(start, end) ?? 'instant'];
    if (quarters === undefined || quarters !== QUARTERS_BY_FOCUS.get(period.focusPeriod)) continue;
    if (latest === null || period.end > latest.period.end) latest = { start, period };
  }
  if (latest === null) return null;
  const previousEnd = toDayNumber(latest.start) - 1;
  return { previousEnd, period: { ...latest.period, end: findAnniversary(previousEnd, 1), isAnnual: true } };
}

/**
 * Flows that show whether a report presents a year's statements: the report has at least two of these flows for the
 * year.
 */
const CORE_FLOW_METRICS: ReadonlySet<string> = new Set(['revenue', 'net_income', 'operating_cash_flow']);

/**
 * Returns the ends of the fiscal years of annual reports and of comparative years. A comparative year counts only if
 * the year ends at the same time of year as an annual report's year, or if the report presents the year's statements
 * (for years before a change of the year end). These conditions exclude the years of pension plans.
 */
function findFiscalYearEnds(
  facts: readonly Fact[],
  periodByFiling: ReadonlyMap<string, PeriodOfReport>,
): readonly number[] {
  const annualReportEnds = new Set<number>();
  for (const period of periodByFiling.values()) if (period.isAnnual) annualReportEnds.add(period.end);
  const yearEndDays = new Set(annualReportEnds);
  const annualReportEndList = [...annualReportEnds];
  const seenEnds = new Set<string>();
  for (const fact of facts) {
    if (fact.start === null || seenEnds.has(fact.end) || classifyForm(fact.form) !== 'annual') continue;
    if (detectPeriodKind(fact.start, fact.end) !== 'annual') continue;
    seenEnds.add(fact.end);
    const end = toDayNumber(fact.end);
    if (
      annualReportEndList.some(
        (reportedEnd) => countDaysApartInYear(reportedEnd, end) <= MAX_DAYS_FROM_REPORTED_YEAR_END,
      )
    )
      yearEndDays.add(end);
  }
  for (const end of findPresentedYearEnds(facts)) yearEndDays.add(toDayNumber(end));
  return [...yearEndDays].sort((a, b) => a - b);
}

/** Returns the ends of the years whose statements an annual or current report presents. */
function findPresentedYearEnds(facts: readonly Fact[]): Set<string> {
  const flowKeysByReportAndEnd = new Map<string, Set<string>>();
  const yearEnds = new Set<string>();
  const findFlowMapping = cacheForLastConcept((taxonomy, concept) =>
    listMappingsOfConcept(taxonomy, concept).find(({ metricKey }) => CORE_FLOW_METRICS.has(metricKey)),
  );
  for (const fact of facts) {
    const { form, accession, start, end } = fact;
    const flowKey = start === null ? undefined : findFlowMapping(fact)?.metricKey;
    if (start === null || flowKey === undefined || classifyForm(form) === null || classifyForm(form) === 'interim')
      continue;
    if (detectPeriodKind(start, end) !== 'annual') continue;
    if (getOrInsert(flowKeysByReportAndEnd, `${accession} ${end}`, () => new Set<string>()).add(flowKey).size >= 2)
      yearEnds.add(end);
  }
  return yearEnds;
}

function countDaysApartInYear(a: number, b: number): number {
  const daysApart = Math.abs(a - b) % 365.25;
  return Math.min(daysApart, 365.25 - daysApart);
}

/**
 * Returns the end of the fiscal year that contains a day. If no known year end follows within a year, counts whole
 * years from the next known year end, or else from the last. Null if no year end is known.
 */
function findEnclosingYearEnd(yearEnds: readonly number[], day: number): number | null {
  const nextYearEnd = yearEnds.find((end) => end >= day - MAX_YEAR_END_DRIFT_DAYS);
  if (nextYearEnd !== undefined && nextYearEnd - day <= 365 + MAX_YEAR_END_DRIFT_DAYS) return nextYearEnd;
  const referenceYearEnd = nextYearEnd ?? yearEnds.at(-1);
  if (referenceYearEnd === undefined) return null;
  const yearCount = Math.ceil((day - MAX_YEAR_END_DRIFT_DAYS - referenceYearEnd) / 365.25);
  return findAnniversary(referenceYearEnd, yearCount);
}

function findAnniversary(day: number, yearCount: number): number {
  const dayText = toDay(day);
  const year = Number(dayText.slice(0, 4)) + yearCount;
  const monthDay = dayText.slice(5) === '02-29' ? '02-28' : dayText.slice(5);
  return toDayNumber(`${String(year).padStart(4, '0')}-${monthDay}`);
}

/** The period of a periodic report; `end` as a day number. */
interface PeriodOfReport {
  readonly end: number;
  readonly filed: string;
  readonly isAnnual: boolean;
  readonly focusYear: number | null;
  readonly focusPeriod: string | null;
}

/** Number of days from January 1 within which a year end belongs to the calendar year before. */
const FIRST_WEEK_DAYS = 7;

/**
 * Returns a function that names the fiscal year ending on a day: by its annual report, otherwise by the convention of
 * the nearest named year (retailers name a year ending in January after the previous calendar year), otherwise by the
 * calendar year.
 */
function createFiscalYearLabeler(
  yearEnds: readonly number[],
  periods: readonly PeriodOfReport[],
): (yearEnd: number) => number {
  const yearOffsetByEnd = new Map<number, number>();
  // If two annual reports name one year differently, the first report decides.
  const periodsInFilingOrder = [...periods].sort((a, b) => (a.filed < b.filed ? -1 : 1));
  for (const period of periodsInFilingOrder) {
    if (!period.isAnnual || period.focusYear === null || yearOffsetByEnd.has(period.end)) continue;
    const yearOffset = period.focusYear - toNominalYear(period.end);
    // A name that differs from the calendar year by more than one year is an error.
    if (Math.abs(yearOffset) <= 1) yearOffsetByEnd.set(period.end, yearOffset);
  }
  correctNameOfLastYear(yearOffsetByEnd, periodsInFilingOrder);
  resolveClashes(yearOffsetByEnd);
  const sortedOffsets = [...yearOffsetByEnd].sort(([a], [b]) => a - b);
  const fiscalYearByEnd = new Map<number, number>();
  for (const end of yearEnds) fiscalYearByEnd.set(end, toNominalYear(end) + findNearestYearOffset(end));
  function findNearestYearOffset(end: number): number {
    let nearestNamedYear: { readonly day: number; readonly yearOffset: number } | null = null;
    for (const [day, yearOffset] of sortedOffsets) {
      if (nearestNamedYear === null || Math.abs(day - end) < Math.abs(nearestNamedYear.day - end))
        nearestNamedYear = { day, yearOffset };
    }
    return nearestNamedYear?.yearOffset ?? 0;
  }
  return (yearEnd) => fiscalYearByEnd.get(yearEnd) ?? toNominalYear(yearEnd) + findNearestYearOffset(yearEnd);
}

/** Minimum number of interim reports that must contradict the name of a year. */
const MIN_INTERIM_REPORTS = 2;

/**
 * Renames the last fiscal year by the company's usual convention if all interim reports of the year use this
 * convention: then the annual report has a typing error. In earlier years, `resolveClashes` corrects such errors.
 */
function correctNameOfLastYear(yearOffsetByEnd: Map<number, number>, periods: readonly PeriodOfReport[]): void {
  const lastEnd = Math.max(...yearOffsetByEnd.keys());
  const usualOffset = findMostFrequentOffset([...yearOffsetByEnd.values()]);
  const interimOffsets = periods.flatMap(({ isAnnual, end, focusYear }) =>
    isAnnual || focusYear === null || end >= lastEnd || end <= lastEnd - MIN_YEAR_DAYS
      ? []
      : [focusYear - toNominalYear(lastEnd)],
  );
  if (interimOffsets.length >= MIN_INTERIM_REPORTS && interimOffsets.every((offset) => offset === usualOffset))
    yearOffsetByEnd.set(lastEnd, usualOffset);
}

/**
 * Renames fiscal years that share a name, by the company's usual convention. Repeats this, because a changed name may
 * equal the name of a neighbouring year.
 */
function resolveClashes(yearOffsetByEnd: Map<number, number>): void {
  const usualOffset = findMostFrequentOffset([...yearOffsetByEnd.values()]);
  for (let pass = 0; pass < yearOffsetByEnd.size; pass++) {
    const endsByFiscalYear = new Map<number, number[]>();
    for (const [end, yearOffset] of yearOffsetByEnd) {
      const fiscalYear = toNominalYear(end) + yearOffset;
      pushTo(endsByFiscalYear, fiscalYear, end);
    }
    const clashingEnds = [...endsByFiscalYear.values()]
      .filter((ends) => Math.max(...ends) - Math.min(...ends) >= MIN_DAYS_BETWEEN_YEARS)
      .flat();
    const unusualEnds = clashingEnds.filter((end) => yearOffsetByEnd.get(end) !== usualOffset);
    if (unusualEnds.length === 0) return;
    for (const end of unusualEnds) yearOffsetByEnd.set(end, usualOffset);
  }
}

/** Returns the most frequent offset; of equally frequent offsets, the offset nearest to zero. */
function findMostFrequentOffset(yearOffsets: readonly number[]): number {
  const countByOffset = new Map<number, number>();
  for (const yearOffset of yearOffsets) countByOffset.set(yearOffset, (countByOffset.get(yearOffset) ?? 0) + 1);
  const [mostFrequentEntry] = [...countByOffset].sort((a, b) => b[1] - a[1] || Math.abs(a[0]) - Math.abs(b[0]));
  return mostFrequentEntry?.[0] ?? 0;
}

/**
 * Returns the calendar year in which a fiscal year ends; the previous calendar year if the fiscal year ends in the
 * first week of January.
 */
function toNominalYear(day: number): number {
  return Number(toDay(day - FIRST_WEEK_DAYS).slice(0, 4));
}
