/** The revenue that a periodic report states, and the revenue of the same period a year earlier. */

import type { Decimal } from '../../contract/decimal-text.ts';
import { classifyForm, isPeriodicReportForm } from '../../edgar/filings/forms.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import { areYearsApart } from '../periods/period-kind.ts';
import { type ReportedValue, selectReliableValues } from '../revisions/revision-chain.ts';
import { type FocusFiling, findPeriodEnd } from './fiscal-focus.ts';

/** The revenue of a report's own period and of the same period a year earlier; null if the report states no revenue. */
export interface ReportedRevenue {
  readonly revenue: Decimal | null;
  readonly revenueStart: string | null;
  readonly revenueEnd: string | null;
  /**
   * Revenue of the same period a year earlier, as known when the report was filed; null if no filing had stated it by
   * then.
   */
  readonly priorRevenue: Decimal | null;
}

const NO_REVENUE: ReportedRevenue = { revenue: null, revenueStart: null, revenueEnd: null, priorRevenue: null };

/** Maximum number of days between the end of the revenue's period and the end of the report's period. */
const MAX_DAYS_FROM_PERIOD_END = 7;

/**
 * Returns the revenue of a periodic report; all fields are null for other forms, and if the report states no revenue.
 * @param revenues all values of revenue that the company reported
 */
export function findReportedRevenue(filing: FocusFiling, revenues: readonly ReportedValue[]): ReportedRevenue {
  const { accession, filed } = filing;
  if (!isPeriodicReportForm(filing.form)) return NO_REVENUE;
  const end = findPeriodEnd(filing, revenues);
  if (end === null) return NO_REVENUE;
  const kind = classifyForm(filing.form) === 'annual' ? 'annual' : 'quarter';
  const reliableValues = selectReliableValues(revenues, filed);
  const flow = reliableValues.find(
    (value) =>
      value.accession === accession &&
      value.periodKind === kind &&
      Math.abs(countDaysBetween(value.end, end)) <= MAX_DAYS_FROM_PERIOD_END,
  );
  if (flow === undefined) return NO_REVENUE;
  let prior: ReportedValue | null = null;
  for (const value of reliableValues) {
    if (value.periodKind !== kind || value.unit !== flow.unit || value.filed > filed) continue;
    if (!areYearsApart(value.end, flow.end)) continue;
    // If several values were filed on one day, the report's own comparative is used.
    if (prior === null || value.filed > prior.filed || value.accession === accession) prior = value;
  }
  return { revenue: flow.value, revenueStart: flow.start, revenueEnd: flow.end, priorRevenue: prior?.value ?? null };
}
