/**
 * Finds the fiscal year and period of any dates, from the company's own year ends.
 * Company facts label comparatives with the year and period of the filing, so a label is correct only for the
 * filing's own period. Years are named as in the company's annual reports.
 */
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { formClass } from '../../edgar/filings/forms.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { getOrInsert, pushTo } from '../../platform/collections.ts';
import { dayNumber, dayOfNumber } from '../../platform/dates.ts';
import { mappingsOf, onceAConcept } from '../metrics/concepts.ts';
import { type PeriodKind, periodKind } from '../periods/period-kind.ts';

interface FiscalLabel {
  readonly fiscalYear: number | null;
  /** FY, Q1 to Q4, H1, 9M; null for other dates. */
  readonly fiscalPeriod: string | null;
}

export interface FiscalCalendar {
  /** Returns the label of a period. Twelve months that do not end with a fiscal year have no fiscal period. */
  label(end: string, kind: PeriodKind): FiscalLabel;
  /** Returns the label of the period of a filing, for the figures of its cover; null if the filing is unknown. */
  ofFiling(accession: string): FiscalLabel | null;
}

const UNKNOWN: FiscalLabel = { fiscalYear: null, fiscalPeriod: null };
/** Fiscal years of 52 or 53 weeks end up to a week from their anniversary. */
const WEEK = 7;
const MAX_YEAR_DAYS = 385;
/** Maximum distance in days of the end of a 12-week quarter from a fourth of the year. */
const QUARTER_DRIFT = 28;

/** @param facts without those of covers, so that their latest dates are those of a filing's own period */
export function fiscalCalendar(facts: readonly Fact[], filings: readonly FilingRecord[]): FiscalCalendar {
  const own = ownPeriods(facts, filings);
  const yearEnds = fiscalYearEnds(facts, own);
  const labels = yearLabels(yearEnds, own);
  const cache = new Map<PeriodKind, Map<string, FiscalLabel>>();

  const place = (end: number): { yearEnd: number; quarter: number | null } | null => {
    const yearEnd = enclosingYearEnd(yearEnds, end);
    if (yearEnd === null) return null;
    const previousEnd = yearEnds.findLast((day) => day <= yearEnd - 340);
    const length = previousEnd !== undefined && yearEnd - previousEnd <= MAX_YEAR_DAYS ? yearEnd - previousEnd : 365;
    const elapsed = end - (yearEnd - length);
    const quarter = Math.round(elapsed / (length / 4));
    const drift = Math.abs(elapsed - (quarter * length) / 4);
    return { yearEnd, quarter: quarter >= 1 && quarter <= 4 && drift <= QUARTER_DRIFT ? quarter : null };
  };

  const label = (end: string, kind: PeriodKind): FiscalLabel => {
    const labelled = getOrInsert(cache, kind, () => new Map<string, FiscalLabel>());
    const existingLabel = labelled.get(end);
    if (existingLabel !== undefined) return existingLabel;
    const where = place(dayNumber(end));
    const newLabel =
      where === null
        ? UNKNOWN
        : {
            fiscalYear: labels(where.yearEnd),
            fiscalPeriod: periodName(kind, where.quarter, dayNumber(end), where.yearEnd),
          };
    labelled.set(end, newLabel);
    return newLabel;
  };

  return {
    label,
    ofFiling: (accession) => {
      const period = own.get(accession);
      if (period === undefined) return null;
      const newLabel = label(dayOfNumber(period.end), 'instant');
      return period.annual ? { ...newLabel, fiscalPeriod: 'FY' } : newLabel;
    },
  };
}

function periodName(kind: PeriodKind, quarter: number | null, end: number, yearEnd: number): string | null {
  switch (kind) {
    case 'annual':
      return Math.abs(end - yearEnd) <= WEEK ? 'FY' : null;
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
 * The period of each periodic report: the latest one in its facts with the length of such a report. The date in the
 * list of filings is used only if there is none: some lists have another day.
 */
function ownPeriods(facts: readonly Fact[], filings: readonly FilingRecord[]): Map<string, OwnPeriod> {
  const latestFacts = new Map<string, Fact>();
  const periodic = new Map<string, Fact>();
  for (const fact of facts) {
    const form = formClass(fact.form);
    if (form !== 'annual' && form !== 'interim') continue;
    if (!periodic.has(fact.accession)) periodic.set(fact.accession, fact);
    // Leaves out dividends and balances that are dated after the period.
    if (fact.start === null || fact.end > fact.filed || fact.unit.includes('/')) continue;
    const existingFact = latestFacts.get(fact.accession);
    if (existingFact !== undefined && existingFact.end >= fact.end) continue;
    const kind = periodKind(fact.start, fact.end);
    if (kind !== null && (form === 'annual') === (kind === 'annual')) latestFacts.set(fact.accession, fact);
  }
  const reportDates = new Map<string, string | null>();
  for (const { accession, reportDate } of filings) getOrInsert(reportDates, accession, () => reportDate);
  const own = new Map<string, OwnPeriod>();
  for (const [accession, { form, filed, focusYear }] of periodic) {
    const end = latestFacts.get(accession)?.end ?? reportDates.get(accession) ?? null;
    if (end === null) continue;
    own.set(accession, { end: dayNumber(end), filed, annual: formClass(form) === 'annual', focusYear });
  }
  return own;
}

/** A report that presents the statements of a year has at least two of these. */
const CORE_FLOWS: ReadonlySet<string> = new Set(['revenue', 'net_income', 'operating_cash_flow']);

/**
 * The ends of fiscal years: of annual reports, and of the years they compare with. A comparative counts only if it
 * ends at the same time of year as a report's own period, or if its statements are presented, as for years before a
 * change of year end. So the year of a pension plan does not count.
 */
function fiscalYearEnds(facts: readonly Fact[], own: ReadonlyMap<string, OwnPeriod>): readonly number[] {
  const anchors = new Set<number>();
  for (const period of own.values()) if (period.annual) anchors.add(period.end);
  const ends = new Set(anchors);
  const ofReports = [...anchors];
  const seen = new Set<string>();
  for (const fact of facts) {
    if (fact.start === null || seen.has(fact.end) || formClass(fact.form) !== 'annual') continue;
    if (periodKind(fact.start, fact.end) !== 'annual') continue;
    seen.add(fact.end);
    const end = dayNumber(fact.end);
    if (ofReports.some((anchor) => timeOfYearApart(anchor, end) <= 20)) ends.add(end);
  }
  for (const end of presentedYears(facts)) ends.add(dayNumber(end));
  return [...ends].sort((a, b) => a - b);
}

/** The ends of the years whose statements an annual or current report presents. */
function presentedYears(facts: readonly Fact[]): Set<string> {
  const flows = new Map<string, Set<string>>();
  const ends = new Set<string>();
  const flowOf = onceAConcept((taxonomy, concept) =>
    mappingsOf(taxonomy, concept).find(({ metricKey }) => CORE_FLOWS.has(metricKey)),
  );
  for (const fact of facts) {
    const { form, accession, start, end } = fact;
    const flow = start === null ? undefined : flowOf(fact)?.metricKey;
    if (start === null || flow === undefined || formClass(form) === null || formClass(form) === 'interim') continue;
    if (periodKind(start, end) !== 'annual') continue;
    if (getOrInsert(flows, `${accession} ${end}`, () => new Set<string>()).add(flow).size >= 2) ends.add(end);
  }
  return ends;
}

function timeOfYearApart(a: number, b: number): number {
  const apart = Math.abs(a - b) % 365.25;
  return Math.min(apart, 365.25 - apart);
}

/** The end of the fiscal year that contains a day: a known one, or an anniversary of the nearest. */
function enclosingYearEnd(yearEnds: readonly number[], day: number): number | null {
  const nextEnd = yearEnds.find((end) => end >= day - WEEK);
  if (nextEnd !== undefined && nextEnd - day <= MAX_YEAR_DAYS - 13) return nextEnd;
  const anchor = nextEnd ?? yearEnds.at(-1);
  if (anchor === undefined) return null;
  const years = Math.ceil((day - WEEK - anchor) / 365.25);
  return anniversary(anchor, years);
}

function anniversary(day: number, years: number): number {
  const text = dayOfNumber(day);
  const year = Number(text.slice(0, 4)) + years;
  const monthDay = text.slice(5) === '02-29' ? '02-28' : text.slice(5);
  return dayNumber(`${String(year).padStart(4, '0')}-${monthDay}`);
}

/** The period of a periodic report, as day numbers. */
interface OwnPeriod {
  readonly end: number;
  readonly filed: string;
  readonly annual: boolean;
  readonly focusYear: number | null;
}

/** A year that ends within this many days of January 1 belongs to the calendar year before. */
const FIRST_WEEK = 7;

/**
 * The name of the fiscal year that ends on a day: from its annual report; or by the convention of the nearest named
 * year (retailers name a year that ends in January after the year before); or the calendar year.
 */
function yearLabels(yearEnds: readonly number[], own: ReadonlyMap<string, OwnPeriod>): (yearEnd: number) => number {
  const habits = new Map<number, number>();
  // The first report of a year determines its name; later reports may be of the same year.
  const inOrder = [...own.values()].sort((a, b) => (a.filed < b.filed ? -1 : 1));
  for (const period of inOrder) {
    if (!period.annual || period.focusYear === null || habits.has(period.end)) continue;
    const habit = period.focusYear - calendarYear(period.end);
    // A difference of more than a year is an error.
    if (Math.abs(habit) <= 1) habits.set(period.end, habit);
  }
  withoutClashes(habits);
  const namedHabits = [...habits].sort(([a], [b]) => a - b);
  const cache = new Map<number, number>();
  for (const end of yearEnds) cache.set(end, calendarYear(end) + habitOf(end));
  function habitOf(end: number): number {
    let best: { readonly day: number; readonly habit: number } | null = null;
    for (const [day, habit] of namedHabits) {
      if (best === null || Math.abs(day - end) < Math.abs(best.day - end)) best = { day, habit };
    }
    return best?.habit ?? 0;
  }
  return (yearEnd) => cache.get(yearEnd) ?? calendarYear(yearEnd) + habitOf(yearEnd);
}

/**
 * Gives years with the same name the company's usual convention, until all names differ: each change may conflict
 * with a neighbour.
 */
function withoutClashes(habits: Map<number, number>): void {
  const usual = usualOf([...habits.values()]);
  for (let round = 0; round < habits.size; round++) {
    const names = new Map<number, number[]>();
    for (const [end, habit] of habits) {
      const name = calendarYear(end) + habit;
      pushTo(names, name, end);
    }
    const clashes = [...names.values()].filter((ends) => Math.max(...ends) - Math.min(...ends) >= 300).flat();
    const unusual = clashes.filter((end) => habits.get(end) !== usual);
    if (unusual.length === 0) return;
    for (const end of unusual) habits.set(end, usual);
  }
}

/** The most frequent one; if equal, the one nearest to the calendar year. */
function usualOf(habits: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const habit of habits) counts.set(habit, (counts.get(habit) ?? 0) + 1);
  const [usual] = [...counts].sort((a, b) => b[1] - a[1] || Math.abs(a[0]) - Math.abs(b[0]));
  return usual?.[0] ?? 0;
}

/** The year in which a fiscal year ends; one that ends in the first week of January belongs to the year before. */
function calendarYear(day: number): number {
  return Number(dayOfNumber(day - FIRST_WEEK).slice(0, 4));
}
