/**
 * Reads the period and the revenue of reports from the release. Releases that older versions of fin built lack these
 * fields; for such a release, derives period and revenue from reported values.
 */

import { isPeriodicReportForm } from '../../../edgar/filings/forms.ts';
import { findReportPeriod, REPORT_PERIOD_METRICS, type ReportPeriod } from '../../../figures/filings/fiscal-focus.ts';
import { findReportedRevenue, type ReportedRevenue } from '../../../figures/filings/reported-revenue.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { FilingByDayRow, FilingRow } from '../../../store/schema/filings.ts';
import { FILINGS, FILINGS_BY_DAY, FISCAL_YEAR_COLUMN } from '../../../store/schema/filings.ts';

/** Returns a function from a filing of the company to the filing's report period. */
export async function readPeriodFinder(
  release: ReleaseReader,
  cik: number,
  rows: readonly FilingRow[],
): Promise<(row: FilingRow) => ReportPeriod> {
  if (release.includes(FILINGS, FISCAL_YEAR_COLUMN)) return (row) => row;
  const values = rows.some(({ form }) => isPeriodicReportForm(form))
    ? await release.reportedValues(cik, REPORT_PERIOD_METRICS)
    : [];
  return (row) => findReportPeriod(row, values);
}

/** Returns the period and the revenue of a report in the list of a day. */
export async function readPeriodAndRevenue(
  release: ReleaseReader,
  row: FilingByDayRow,
): Promise<ReportPeriod & ReportedRevenue> {
  if (release.includes(FILINGS_BY_DAY, FISCAL_YEAR_COLUMN)) return row;
  const values = await release.reportedValues(row.cik, REPORT_PERIOD_METRICS);
  const revenues = values.filter(({ metricKey }) => metricKey === 'revenue');
  return { ...findReportPeriod(row, values), ...findReportedRevenue(row, revenues) };
}
