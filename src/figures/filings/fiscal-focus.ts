/** Finds the fiscal period of a filing: from the filing's own values, otherwise from the company's fiscal years. */

import { classifyForm, isPeriodicReportForm } from '../../edgar/filings/forms.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { getOrInsert, pushTo } from '../../platform/collections.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import type { FiscalLabel } from '../facts/fiscal-calendar.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';

/** The fiscal period of a periodic report; all null for other forms. */
export interface ReportPeriod extends FiscalLabel {
  /** The last day of the report's period; null if unknown. */
  readonly periodEnd: string | null;
}

/** Metrics that nearly every company reports: their values show the period of a report. */
export const REPORT_PERIOD_METRICS: readonly string[] = ['net_income', 'assets', 'revenue'];

export type FocusValue = Pick<ReportedValue, 'accession' | 'periodKind' | 'end' | 'fiscalYear' | 'fiscalPeriod'>;

export type FocusFiling = Pick<FilingRecord, 'accession' | 'form' | 'filed' | 'reportDate'>;

/** Maximum number of days from a period's end to the cover's date, which may differ in years of 52 or 53 weeks. */
const MAX_DAYS_FROM_COVER_DATE = 7;
const NO_FOCUS: FiscalLabel = { fiscalYear: null, fiscalPeriod: null };
const DAYS_PER_YEAR = 365.25;
/** Maximum distance in years from a quarter's end to the nearest fourth of its year: some quarters have 12 weeks. */
const MAX_DRIFT_YEARS = 0.07;
/**
 * Maximum number of years between a period's end and the fiscal year end from which the period's fiscal year is
 * inferred. Farther away, fiscal years may have ended on another day.
 */
const MAX_YEARS_FROM_YEAR_END = 3;

const NO_PERIOD: ReportPeriod = { ...NO_FOCUS, periodEnd: null };

/** @param values all values of {@link REPORT_PERIOD_METRICS} that the company reported */
export function findReportPeriod(filing: FocusFiling, values: readonly FocusValue[]): ReportPeriod {
  if (!isPeriodicReportForm(filing.form)) return NO_PERIOD;
  return { ...findFiscalFocus(filing, values), periodEnd: findPeriodEnd(filing, values) };
}

/**
 * Returns the fiscal year of an annual report, or year and quarter of an interim report; null for other forms and
 * unknown periods.
 * @param values all values of {@link REPORT_PERIOD_METRICS} that the company reported
 */
export function findFiscalFocus(filing: FocusFiling, values: readonly FocusValue[]): FiscalLabel {
  const end = findPeriodEnd(filing, values);
  if (end === null || !isPeriodicReportForm(filing.form)) return NO_FOCUS;
  const isAnnual = classifyForm(filing.form) === 'annual';
  return findLabeledFocus(filing, end, isAnnual, values) ?? inferFocus(end, isAnnual, values);
}

/**
 * Returns the end of a filing's period: the report date. If a periodic report has no report date, returns the latest
 * period end among the report's values. Null if this end is more than a year before the filing day: such a period is a
 * comparative.
 */
export function findPeriodEnd(filing: FocusFiling, values: readonly FocusValue[]): string | null {
  if (filing.reportDate !== null || !isPeriodicReportForm(filing.form)) return filing.reportDate;
  const ofFiling = getFocusIndex(values).valuesByAccession.get(filing.accession) ?? [];
  const ends = ofFiling.filter(isFlow).map((value) => value.end);
  const end = ends.sort().at(-1) ?? null;
  return end === null || countDaysBetween(end, filing.filed) > DAYS_PER_YEAR ? null : end;
}

/** Whether the value covers a period. Instants do not count: the date of a cover's share count is after the period. */
const isFlow = ({ periodKind }: FocusValue): boolean => periodKind !== 'instant';

/** Returns the fiscal label of a value for the filing's own period; null if no value for that period has a label. */
function findLabeledFocus(
  { accession }: FocusFiling,
  end: string,
  isAnnual: boolean,
  values: readonly FocusValue[],
): FiscalLabel | null {
  const ofFiling = getFocusIndex(values).valuesByAccession.get(accession) ?? [];
  const ofPeriod = ofFiling.filter((value) => Math.abs(countDaysBetween(value.end, end)) <= MAX_DAYS_FROM_COVER_DATE);
  const kind = isAnnual ? 'annual' : 'quarter';
  const match = ofPeriod.find((value) => value.periodKind === kind) ?? ofPeriod.find(isFlow);
  if (match === undefined || match.fiscalYear === null) return null;
  return { fiscalYear: match.fiscalYear, fiscalPeriod: isAnnual ? 'FY' : toQuarter(match.fiscalPeriod) };
}

/** Converts the label of a year to date (H1, 9M) to the label of its last quarter. */
function toQuarter(label: string | null): string | null {
  if (label === 'H1') return 'Q2';
  return label === '9M' ? 'Q3' : label;
}

/** Infers the label by counting years and quarters from the nearest known fiscal year end. */
function inferFocus(periodEnd: string, isAnnual: boolean, values: readonly FocusValue[]): FiscalLabel {
  let nearest: { readonly yearsApart: number; readonly fiscalYear: number } | null = null;
  for (const { end, fiscalYear } of getFocusIndex(values).fiscalYearEnds) {
    const years = countDaysBetween(end, periodEnd) / DAYS_PER_YEAR;
    if (nearest === null || Math.abs(years) < Math.abs(nearest.yearsApart)) nearest = { yearsApart: years, fiscalYear };
  }
  if (nearest === null || Math.abs(nearest.yearsApart) > MAX_YEARS_FROM_YEAR_END) return NO_FOCUS;
  const quarters = Math.round(nearest.yearsApart * 4);
  if (Math.abs(nearest.yearsApart - quarters / 4) > MAX_DRIFT_YEARS) return NO_FOCUS;
  const quarter = ((quarters % 4) + 4) % 4;
  if (isAnnual !== (quarter === 0)) return NO_FOCUS;
  return { fiscalYear: nearest.fiscalYear + Math.ceil(quarters / 4), fiscalPeriod: isAnnual ? 'FY' : `Q${quarter}` };
}

interface FocusIndex {
  readonly valuesByAccession: ReadonlyMap<string, readonly FocusValue[]>;
  /** Distinct ends of fiscal years. */
  readonly fiscalYearEnds: readonly { readonly end: string; readonly fiscalYear: number }[];
}

/** Indexes by list of values, because otherwise each of a company's hundreds of filings would search the whole list. */
const focusIndexByValues = new WeakMap<readonly FocusValue[], FocusIndex>();

function getFocusIndex(values: readonly FocusValue[]): FocusIndex {
  const existing = focusIndexByValues.get(values);
  if (existing !== undefined) return existing;
  const byFiling = new Map<string, FocusValue[]>();
  const yearEnds = new Map<string, { end: string; fiscalYear: number }>();
  for (const value of values) {
    const { accession, periodKind, end, fiscalYear, fiscalPeriod } = value;
    pushTo(byFiling, accession, value);
    if (periodKind !== 'annual' || fiscalYear === null || fiscalPeriod !== 'FY') continue;
    getOrInsert(yearEnds, `${end} ${fiscalYear}`, () => ({ end, fiscalYear }));
  }
  const index = { valuesByAccession: byFiling, fiscalYearEnds: [...yearEnds.values()] };
  focusIndexByValues.set(values, index);
  return index;
}
