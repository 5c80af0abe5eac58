/**
 * Labels dates with their fiscal year and fiscal period, according to the company's year ends. Company facts label
 * comparatives with the year and period of their filing, so these labels are correct only for the filing's own period.
 * Fiscal years have consecutive names, as most of the company's latest annual reports name them.
 */
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { classifyForm } from '../../edgar/filings/forms.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import { toDay, toDayNumber } from '../../platform/dates.ts';
import { cacheForLastConcept, listMappingsOfConcept } from '../metrics/concepts.ts';
import { detectPeriodKind, type PeriodKind } from '../periods/period-kind.ts';

export interface FiscalLabel {
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
const DAYS_PER_YEAR = 365.25;
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
  const reports = collectReportPeriods(facts, filings);
  const reportedEnds = findFiscalYearEnds(facts, reports);
  const unfinishedYear = reportedEnds.length === 0 ? findUnfinishedYear(facts, reports) : null;
  const ends = unfinishedYear === null ? reportedEnds : [unfinishedYear.previousEnd, unfinishedYear.period.end];
  const namedPeriods = unfinishedYear === null ? [...reports.values()] : [unfinishedYear.period];
  const nameYear = createYearNamer(ends, namedPeriods);
  const labels = new Map<PeriodKind, Map<string, FiscalLabel>>();

  const locate = (end: number): { yearEnd: number; quarter: number | null } | null => {
    const yearEnd = findEnclosingYearEnd(ends, end);
    if (yearEnd === null) return null;
    const previous = ends.findLast((day) => day <= yearEnd - MIN_YEAR_DAYS);
    const length = previous !== undefined && yearEnd - previous <= MAX_YEAR_DAYS ? yearEnd - previous : 365;
    const elapsed = end - (yearEnd - length);
    const quarter = Math.round(elapsed / (length / 4));
    const drift = Math.abs(elapsed - (quarter * length) / 4);
    return { yearEnd, quarter: quarter >= 1 && quarter <= 4 && drift <= MAX_QUARTER_DRIFT_DAYS ? quarter : null };
  };

  const makeLabel = (end: number, kind: PeriodKind): FiscalLabel => {
    const place = locate(end);
    if (place === null) return UNKNOWN_LABEL;
    const { yearEnd, quarter } = place;
    return { fiscalYear: nameYear(yearEnd), fiscalPeriod: formatFiscalPeriod(kind, quarter, end, yearEnd) };
  };

  const labelPeriod = (end: string, kind: PeriodKind): FiscalLabel => {
    const byEnd = getOrInsert(labels, kind, () => new Map<string, FiscalLabel>());
    return getOrInsert(byEnd, end, () => makeLabel(toDayNumber(end), kind));
  };

  return {
    labelPeriod,
    findFilingLabel: (accession) => {
      const period = reports.get(accession);
      if (period === undefined) return null;
      const label = labelPeriod(toDay(period.end), 'instant');
      return period.isAnnual ? { ...label, fiscalPeriod: 'FY' } : label;
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
function collectReportPeriods(facts: readonly Fact[], filings: readonly FilingRecord[]): Map<string, PeriodOfReport> {
  const flowByAccession = new Map<string, Fact>();
  const firstByAccession = new Map<string, Fact>();
  for (const fact of facts) {
    const formClass = classifyForm(fact.form);
    if (formClass !== 'annual' && formClass !== 'interim') continue;
    if (!firstByAccession.has(fact.accession)) firstByAccession.set(fact.accession, fact);
    // Skips balances and amounts per share, such as dividends, because they may be dated after the report's period.
    if (fact.start === null || fact.end > fact.filed || fact.unit.includes('/')) continue;
    const existing = flowByAccession.get(fact.accession);
    if (existing !== undefined && existing.end >= fact.end) continue;
    const kind = detectPeriodKind(fact.start, fact.end);
    if (kind !== null && (formClass === 'annual') === (kind === 'annual')) flowByAccession.set(fact.accession, fact);
  }
  const dateByAccession = new Map<string, string | null>();
  for (const { accession, reportDate } of filings) getOrInsert(dateByAccession, accession, () => reportDate);
  const reports = new Map<string, PeriodOfReport>();
  for (const [accession, { form, filed, focusYear, focusPeriod }] of firstByAccession) {
    const end = flowByAccession.get(accession)?.end ?? dateByAccession.get(accession) ?? null;
    const isAnnual = classifyForm(form) === 'annual';
    if (end !== null) reports.set(accession, { end: toDayNumber(end), filed, isAnnual, focusYear, focusPeriod });
  }
  return reports;
}

/** Number of quarters in a period that starts with the fiscal year. */
const QUARTERS_BY_KIND: Readonly<Partial<Record<PeriodKind, number>>> = { quarter: 1, half: 2, nine_month: 3 };
const QUARTERS_BY_FOCUS: ReadonlyMap<string | null, number> = new Map(
  Object.entries({ Q1: 1, Q2: 2, H1: 2, Q3: 3, M9: 3 }),
);

/**
 * Returns the fiscal year in which the latest interim report lies, for a company without annual reports, and the end of
 * the year before. The year starts with the report's longest period. Reports count only if the quarter that they state
 * is the number of quarters in this period: some data sets state another quarter.
 */
function findUnfinishedYear(
  facts: readonly Fact[],
  reports: ReadonlyMap<string, PeriodOfReport>,
): { readonly previousEnd: number; readonly period: PeriodOfReport } | null {
  let latest: { readonly start: string; readonly period: PeriodOfReport } | null = null;
  for (const { accession, start, end } of facts) {
    const period = reports.get(accession);
    if (start === null || period === undefined || period.isAnnual || toDayNumber(end) !== period.end) continue;
    const quarters = QUARTERS_BY_KIND[detectPeriodKind(start, end) ?? 'instant'];
    if (quarters === undefined || quarters !== QUARTERS_BY_FOCUS.get(period.focusPeriod)) continue;
    if (latest === null || period.end > latest.period.end) latest = { start, period };
  }
  if (latest === null) return null;
  const previous = toDayNumber(latest.start) - 1;
  return { previousEnd: previous, period: { ...latest.period, end: findAnniversary(previous, 1), isAnnual: true } };
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
function findFiscalYearEnds(facts: readonly Fact[], reports: ReadonlyMap<string, PeriodOfReport>): readonly number[] {
  const annual = new Set<number>();
  for (const period of reports.values()) if (period.isAnnual) annual.add(period.end);
  const days = new Set(annual);
  const annualEnds = [...annual];
  const seenEnds = new Set<string>();
  for (const fact of facts) {
    if (fact.start === null || seenEnds.has(fact.end) || classifyForm(fact.form) !== 'annual') continue;
    if (detectPeriodKind(fact.start, fact.end) !== 'annual') continue;
    seenEnds.add(fact.end);
    const end = toDayNumber(fact.end);
    if (annualEnds.some((other) => countDaysApartInYear(other, end) <= MAX_DAYS_FROM_REPORTED_YEAR_END)) days.add(end);
  }
  for (const end of findPresentedYearEnds(facts)) days.add(toDayNumber(end));
  return [...days].sort((a, b) => a - b);
}

/** Returns the ends of the years whose statements an annual or current report presents. */
function findPresentedYearEnds(facts: readonly Fact[]): Set<string> {
  const byReport = new Map<string, Set<string>>();
  const ends = new Set<string>();
  const findMapping = cacheForLastConcept((taxonomy, concept) =>
    listMappingsOfConcept(taxonomy, concept).find(({ metricKey }) => CORE_FLOW_METRICS.has(metricKey)),
  );
  for (const fact of facts) {
    const { form, accession, start, end } = fact;
    const key = start === null ? undefined : findMapping(fact)?.metricKey;
    const formClass = classifyForm(form);
    if (start === null || key === undefined || formClass === null || formClass === 'interim') continue;
    if (detectPeriodKind(start, end) !== 'annual') continue;
    if (getOrInsert(byReport, `${accession} ${end}`, () => new Set<string>()).add(key).size >= 2) ends.add(end);
  }
  return ends;
}

function countDaysApartInYear(a: number, b: number): number {
  const days = Math.abs(a - b) % DAYS_PER_YEAR;
  return Math.min(days, DAYS_PER_YEAR - days);
}

/**
 * Returns the end of the fiscal year that contains a day. If no known year end follows within a year, counts whole
 * years from the next known year end, or else from the last. Null if no year end is known.
 */
function findEnclosingYearEnd(ends: readonly number[], day: number): number | null {
  const next = ends.find((end) => end >= day - MAX_YEAR_END_DRIFT_DAYS);
  if (next !== undefined && next - day <= 365 + MAX_YEAR_END_DRIFT_DAYS) return next;
  const reference = next ?? ends.at(-1);
  if (reference === undefined) return null;
  const years = Math.ceil((day - MAX_YEAR_END_DRIFT_DAYS - reference) / DAYS_PER_YEAR);
  return findAnniversary(reference, years);
}

function findAnniversary(day: number, years: number): number {
  const text = toDay(day);
  const year = Number(text.slice(0, 4)) + years;
  const monthAndDay = text.slice(5) === '02-29' ? '02-28' : text.slice(5);
  return toDayNumber(`${String(year).padStart(4, '0')}-${monthAndDay}`);
}

/** The period of a periodic report; `end` as a day number. */
interface PeriodOfReport extends Pick<Fact, 'filed' | 'focusYear' | 'focusPeriod'> {
  readonly end: number;
  readonly isAnnual: boolean;
}

/** Number of days from January 1 within which a year end belongs to the calendar year before. */
const FIRST_WEEK_DAYS = 7;
/**
 * Number of a series' latest named years that decide the name of all its years. Reports of 2010 to 2014 often name a
 * year ending in January to June after the calendar year before, because the SEC's manual then asked for this.
 */
const DECIDING_YEARS = 5;

/** Fiscal years that end at the same time of year, and the number to add to a nominal year to get the year's name. */
interface YearSeries {
  /** Day numbers, earliest first. */
  readonly ends: readonly number[];
  readonly offset: number;
}

/**
 * Returns a function that names the fiscal year ending on a day, so that years of one series have consecutive names:
 * annual reports decide the convention of the whole series (retailers name a year ending in January after the
 * previous calendar year), never the name of one year.
 */
function createYearNamer(ends: readonly number[], periods: readonly PeriodOfReport[]): (yearEnd: number) => number {
  const offsets = readStatedOffsets(periods);
  const groups = groupByTimeOfYear(ends);
  const namedSeries = groups.flatMap((group): YearSeries[] => {
    const statedOffsets = group.flatMap((end) => offsets.get(end) ?? []).slice(-DECIDING_YEARS);
    return statedOffsets.length === 0 ? [] : [{ ends: group, offset: findMostFrequentOffset(statedOffsets) }];
  });
  const series = groups.map(
    (group) =>
      namedSeries.find((other) => other.ends === group) ?? { ends: group, offset: inferOffset(group, namedSeries) },
  );
  return (yearEnd) => {
    const nearest = findNearestSeries(series, yearEnd);
    const last = nearest?.ends.at(-1);
    if (nearest === undefined || last === undefined) return toNominalYear(yearEnd);
    // Counts from one end, so that names are consecutive even if a year has 53 weeks.
    return toNominalYear(last) + nearest.offset + Math.round((yearEnd - last) / DAYS_PER_YEAR);
  };
}

/** Groups year ends, so that each end is near the anniversary of the end before in its group. */
function groupByTimeOfYear(ends: readonly number[]): number[][] {
  const groups: number[][] = [];
  for (const end of ends) {
    const isNear = (last: number) => countDaysApartInYear(last, end) <= MAX_DAYS_FROM_REPORTED_YEAR_END;
    const group = groups.find((other) => isNear(other.at(-1) ?? end));
    if (group === undefined) groups.push([end]);
    else group.push(end);
  }
  return groups;
}

/** Returns, by year end, the name of the year in its first annual report minus the nominal year (`toNominalYear`). */
function readStatedOffsets(periods: readonly PeriodOfReport[]): ReadonlyMap<number, number> {
  const offsets = new Map<number, number>();
  const sorted = [...periods].sort((a, b) => (a.filed < b.filed ? -1 : 1));
  for (const { isAnnual, end, focusYear } of sorted) {
    if (!isAnnual || focusYear === null || offsets.has(end)) continue;
    const offset = focusYear - toNominalYear(end);
    // A name that differs from the calendar year by more than one year is an error.
    if (Math.abs(offset) <= 1) offsets.set(end, offset);
  }
  return offsets;
}

/**
 * Returns the offset of a series that no annual report names: the offset of the nearest named series for years that end
 * in the first half of a calendar year, otherwise 0, because only such years are named after the year before.
 */
function inferOffset(ends: readonly number[], namedSeries: readonly YearSeries[]): number {
  const last = ends.at(-1);
  if (last === undefined || Number(toDay(last - FIRST_WEEK_DAYS).slice(5, 7)) > 6) return 0;
  return findNearestSeries(namedSeries, last)?.offset ?? 0;
}

/** Returns the series that has the year end nearest to a day. */
function findNearestSeries(series: readonly YearSeries[], day: number): YearSeries | undefined {
  const measureDistance = ({ ends }: YearSeries) => Math.min(...ends.map((end) => Math.abs(end - day)));
  return series.toSorted((a, b) => measureDistance(a) - measureDistance(b))[0];
}

/** Returns the most frequent offset; of equally frequent offsets, the offset nearest to zero. */
function findMostFrequentOffset(offsets: readonly number[]): number {
  const groups = [...groupBy(offsets, (offset) => offset)];
  const [best] = groups.sort(([a, { length }], [b, other]) => other.length - length || Math.abs(a) - Math.abs(b));
  return best?.[0] ?? 0;
}

/**
 * Returns the calendar year in which a fiscal year ends; the previous calendar year if the fiscal year ends in the
 * first week of January.
 */
const toNominalYear = (day: number): number => Number(toDay(day - FIRST_WEEK_DAYS).slice(0, 4));
