/** What period a filing reports on: by the statements read from it, else by the company's fiscal years. */

import { daysBetween } from '../../platform/dates.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import { formClass, isPeriodReport } from './forms.ts';

export interface FiscalFocus {
  readonly fiscalYear: number | null;
  readonly fiscalPeriod: string | null;
}

export type FocusValue = Pick<ReportedValue, 'accession' | 'periodKind' | 'end' | 'fiscalYear' | 'fiscalPeriod'>;

export interface FocusFiling {
  readonly accession: string;
  readonly form: string;
  readonly reportDate: string | null;
}

/** 52 and 53 week years end up to a week off the day on the cover. */
const NEAR = 7;
const NONE: FiscalFocus = { fiscalYear: null, fiscalPeriod: null };
const YEAR = 365.25;
/** Quarters of twelve weeks end so far from a fourth of the year, as a share of it. */
const DRIFT = 0.07;
/** Years so far from one that is known may have ended on another day. */
const FARTHEST = 3;

/**
 * The year of an annual report, the quarter of an interim one; null for other forms, and where nothing tells.
 * @param statements of the company, over all its filings
 */
export function fiscalFocus(filing: FocusFiling, statements: readonly FocusValue[]): FiscalFocus {
  const end = periodEnd(filing, statements);
  if (end === null || !isPeriodReport(filing.form)) return NONE;
  const annual = formClass(filing.form) === 'annual';
  return stated(filing, end, annual, statements) ?? inferred(end, annual, statements);
}

/**
 * The day on which the period of a filing ends: its report date, or, of a periodic report that an index lists without one,
 * the end of the last period it states figures of.
 */
export function periodEnd(
  { accession, form, reportDate }: FocusFiling,
  statements: readonly FocusValue[],
): string | null {
  if (reportDate !== null || !isPeriodReport(form)) return reportDate;
  return statements.reduce<string | null>(
    (last, one) => (one.accession === accession && isFlow(one) && one.end > (last ?? '') ? one.end : last),
    null,
  );
}

/** A count of shares on the cover is of a later day than the period. */
function isFlow({ periodKind }: FocusValue): boolean {
  return periodKind !== 'instant';
}

/** As labelled where the filing's own figures were read. Comparatives of earlier periods say nothing of the filing. */
function stated(
  { accession }: FocusFiling,
  reportDate: string,
  annual: boolean,
  statements: readonly FocusValue[],
): FiscalFocus | null {
  const own = statements.filter(
    (one) => one.accession === accession && Math.abs(daysBetween(one.end, reportDate)) <= NEAR,
  );
  const kind = annual ? 'annual' : 'quarter';
  const label = own.find((one) => one.periodKind === kind) ?? own.find((one) => one.periodKind !== 'instant');
  if (label === undefined || label.fiscalYear === null) return null;
  return { fiscalYear: label.fiscalYear, fiscalPeriod: annual ? 'FY' : quarterOf(label.fiscalPeriod) };
}

/** Six months end with the second quarter, nine with the third. */
function quarterOf(fiscalPeriod: string | null): string | null {
  if (fiscalPeriod === 'H1') return 'Q2';
  return fiscalPeriod === '9M' ? 'Q3' : fiscalPeriod;
}

/** Counted in years and quarters from the nearest fiscal year end that is known. */
function inferred(reportDate: string, annual: boolean, statements: readonly FocusValue[]): FiscalFocus {
  let nearest: { readonly years: number; readonly fiscalYear: number } | null = null;
  for (const { periodKind, end, fiscalYear, fiscalPeriod } of statements) {
    if (periodKind !== 'annual' || fiscalYear === null || fiscalPeriod !== 'FY') continue;
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
