/** The fiscal period of a filing: by its values, or otherwise by the company's fiscal years. */

import { formClass, isPeriodReport } from '../../edgar/filings/forms.ts';
import { daysBetween } from '../../platform/dates.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';

export interface FiscalFocus {
  readonly fiscalYear: number | null;
  readonly fiscalPeriod: string | null;
}

/** The period of a periodic report; all null for other forms. */
export interface ReportPeriod extends FiscalFocus {
  /** The end of the report's last period; null if unknown. */
  readonly periodEnd: string | null;
}

/** Metrics that every company reports; their values tell the period of a report. */
export const PERIOD_METRICS: readonly string[] = ['net_income', 'assets', 'revenue'];

export type FocusValue = Pick<ReportedValue, 'accession' | 'periodKind' | 'end' | 'fiscalYear' | 'fiscalPeriod'>;

export interface FocusFiling {
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  readonly reportDate: string | null;
}

/** Fiscal years of 52 or 53 weeks end up to a week from the date on the cover. */
const NEAR = 7;
const NONE: FiscalFocus = { fiscalYear: null, fiscalPeriod: null };
const YEAR = 365.25;
/** Maximum distance of the end of a quarter of twelve weeks from a fourth of the year, as a fraction of the year. */
const DRIFT = 0.07;
/** Number of years from a known fiscal year end beyond which the fiscal year may have ended on another day. */
const FARTHEST = 3;

const NO_PERIOD: ReportPeriod = { ...NONE, periodEnd: null };

/** @param values all reported values of the company of {@link PERIOD_METRICS} */
export function reportPeriod(filing: FocusFiling, values: readonly FocusValue[]): ReportPeriod {
  if (!isPeriodReport(filing.form)) return NO_PERIOD;
  return { ...fiscalFocus(filing, values), periodEnd: periodEnd(filing, values) };
}

/**
 * The year of an annual report, the quarter of an interim one; null for other forms, and if the period is unknown.
 * @param values all reported values of the company
 */
export function fiscalFocus(filing: FocusFiling, values: readonly FocusValue[]): FiscalFocus {
  const end = periodEnd(filing, values);
  if (end === null || !isPeriodReport(filing.form)) return NONE;
  const annual = formClass(filing.form) === 'annual';
  return labelled(filing, end, annual, values) ?? inferred(end, annual, values);
}

/**
 * The end of a filing's period: its report date, or, for a periodic report that only an index lists, the end of the
 * last period with figures. Null if that is more than a year old: then it is a comparative.
 */
export function periodEnd(
  { accession, form, filed, reportDate }: FocusFiling,
  values: readonly FocusValue[],
): string | null {
  if (reportDate !== null || !isPeriodReport(form)) return reportDate;
  const ownValues = indexOf(values).byAccession.get(accession) ?? [];
  const last = ownValues.reduce<string | null>(
    (last, value) => (isFlow(value) && value.end > (last ?? '') ? value.end : last),
    null,
  );
  return last === null || daysBetween(last, filed) > YEAR ? null : last;
}

/** Leaves out share counts of covers, which are of a later day than the period. */
function isFlow({ periodKind }: FocusValue): boolean {
  return periodKind !== 'instant';
}

/** The fiscal label of the filing's own figures; comparatives of earlier periods have their own. */
function labelled(
  { accession }: FocusFiling,
  reportDate: string,
  annual: boolean,
  values: readonly FocusValue[],
): FiscalFocus | null {
  const filed = indexOf(values).byAccession.get(accession) ?? [];
  const ownValues = filed.filter((value) => Math.abs(daysBetween(value.end, reportDate)) <= NEAR);
  const kind = annual ? 'annual' : 'quarter';
  const label =
    ownValues.find((value) => value.periodKind === kind) ?? ownValues.find((value) => value.periodKind !== 'instant');
  if (label === undefined || label.fiscalYear === null) return null;
  return { fiscalYear: label.fiscalYear, fiscalPeriod: annual ? 'FY' : quarterOf(label.fiscalPeriod) };
}

/** Six months end with the second quarter, nine with the third. */
function quarterOf(fiscalPeriod: string | null): string | null {
  if (fiscalPeriod === 'H1') return 'Q2';
  return fiscalPeriod === '9M' ? 'Q3' : fiscalPeriod;
}

/** Counts years and quarters from the nearest known fiscal year end. */
function inferred(reportDate: string, annual: boolean, values: readonly FocusValue[]): FiscalFocus {
  let nearest: { readonly years: number; readonly fiscalYear: number } | null = null;
  for (const { end, fiscalYear } of indexOf(values).years) {
    const years = daysBetween(end, reportDate) / YEAR;
    if (nearest === null || Math.abs(years) < Math.abs(nearest.years)) nearest = { years, fiscalYear };
  }
  if (nearest === null || Math.abs(nearest.years) > FARTHEST) return NONE;
  const quarters = Math.round(nearest.years * 4);
  if (Math.abs(nearest.years - quarters / 4) > DRIFT) return NONE;
  const quarter = ((quarters % 4) + 4) % 4;
  if (annual !== (quarter === 0)) return NONE;
  return {
    fiscalYear: nearest.fiscalYear + Math.ceil(quarters / 4),
    fiscalPeriod: annual ? 'FY' : `Q${quarter}`,
  };
}

interface FocusIndex {
  readonly byAccession: ReadonlyMap<string, readonly FocusValue[]>;
  /** Ends of fiscal years, without duplicates. */
  readonly years: readonly { readonly end: string; readonly fiscalYear: number }[];
}

/** Indexes by list of values: a company has hundreds of filings, and each would search the whole list. */
const indexes = new WeakMap<readonly FocusValue[], FocusIndex>();

function indexOf(values: readonly FocusValue[]): FocusIndex {
  const existingIndex = indexes.get(values);
  if (existingIndex !== undefined) return existingIndex;
  const byAccession = new Map<string, FocusValue[]>();
  const years = new Map<string, { end: string; fiscalYear: number }>();
  for (const value of values) {
    const { accession, periodKind, end, fiscalYear, fiscalPeriod } = value;
    const ownValues = byAccession.get(accession);
    if (ownValues === undefined) byAccession.set(accession, [value]);
    else ownValues.push(value);
    if (periodKind !== 'annual' || fiscalYear === null || fiscalPeriod !== 'FY') continue;
    const name = `${end} ${fiscalYear}`;
    if (!years.has(name)) years.set(name, { end, fiscalYear });
  }
  const index = { byAccession, years: [...years.values()] };
  indexes.set(values, index);
  return index;
}
