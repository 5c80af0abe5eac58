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
  const own = reliable.find(
    (one) =>
      one.accession === accession && one.periodKind === kind && Math.abs(daysBetween(one.end, reportDate)) <= NEAR,
  );
  if (own === undefined) return NONE;
  let prior: ReportedValue | null = null;
  for (const one of reliable) {
    if (one.periodKind !== kind || one.unit !== own.unit || one.filed > filed) continue;
    const days = daysBetween(one.end, own.end);
    if (days < YEAR.shortest || days > YEAR.longest) continue;
    // Of values filed on one day, the report's own comparative is used.
    if (prior === null || one.filed > prior.filed || one.accession === accession) prior = one;
  }
  return {
    revenue: own.value,
    revenueStart: own.start,
    revenueEnd: own.end,
    priorRevenue: prior?.value ?? null,
  };
}
