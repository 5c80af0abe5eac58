/** The revenue in a periodic report, and of the same period a year earlier. */

import type { Decimal } from '../../contract/decimal-text.ts';
import { formClass, isPeriodReport } from '../../edgar/filings/forms.ts';
import { daysBetween } from '../../platform/dates.ts';
import { type ReportedValue, reliableBy } from '../revisions/revision-chain.ts';
import { type FocusFiling, periodEnd } from './fiscal-focus.ts';

/** All null if a report states no revenue for its own period. */
export interface ReportedRevenue {
  readonly revenue: Decimal | null;
  readonly revenueStart: string | null;
  readonly revenueEnd: string | null;
  /** The value at the time of the report's filing; null if it was not reported. */
  readonly priorRevenue: Decimal | null;
}

const NONE: ReportedRevenue = { revenue: null, revenueStart: null, revenueEnd: null, priorRevenue: null };

const NEAR = 7;
/** Number of days between the ends of a period and of the same period a year later. */
const YEAR = { shortest: 350, longest: 380 };

/** @param revenues the company's reported values of revenue, from all filings */
export function reportedRevenue(filing: FocusFiling, revenues: readonly ReportedValue[]): ReportedRevenue {
  const { accession, filed } = filing;
  if (!isPeriodReport(filing.form)) return NONE;
  const reportDate = periodEnd(filing, revenues);
  if (reportDate === null) return NONE;
  const kind = formClass(filing.form) === 'annual' ? 'annual' : 'quarter';
  const reliable = reliableBy(revenues, filed);
  const ownValue = reliable.find(
    (value) =>
      value.accession === accession &&
      value.periodKind === kind &&
      Math.abs(daysBetween(value.end, reportDate)) <= NEAR,
  );
  if (ownValue === undefined) return NONE;
  let prior: ReportedValue | null = null;
  for (const value of reliable) {
    if (value.periodKind !== kind || value.unit !== ownValue.unit || value.filed > filed) continue;
    const days = daysBetween(value.end, ownValue.end);
    if (days < YEAR.shortest || days > YEAR.longest) continue;
    // Of values filed on one day, the report's own comparative is used.
    if (prior === null || value.filed > prior.filed || value.accession === accession) prior = value;
  }
  return {
    revenue: ownValue.value,
    revenueStart: ownValue.start,
    revenueEnd: ownValue.end,
    priorRevenue: prior?.value ?? null,
  };
}
