/**
 * The family of institutional holders: managers' reports and latest positions, and the holders of each listed
 * security.
 */

import { findDueQuarterEnd } from '../../ownership/holders/quarters.ts';
import { TABLES_BY_FAMILY } from '../../store/schema/layout.ts';
import { isHoldingsReport, isIncompleteReport } from '../market/holding-reports.ts';
import { checkCoverComparisons } from '../market/market-checks.ts';
import type { KeyedReport } from '../market/market-files.ts';
import type { HoldersTask } from '../market/security-holders.ts';
import type { FamilyContext, TableFamily } from './family.ts';

export const HOLDERS_FAMILY: TableFamily = {
  name: 'holders',
  tables: TABLES_BY_FAMILY.holders,
  async build(context) {
    const { market, skipped: reasons, date, appendPart, runTasks } = context;
    countUnusedReports(context);
    const quarter = findDueQuarterEnd(date);
    const tasks = market.holdingSlices.map((holdings): HoldersTask => ({ kind: 'holders', holdings, quarter }));
    for await (const { parts } of runTasks(tasks)) for (const part of parts) appendPart(part);
    if (market.reports.length === 0) context.omitTables(HOLDERS_FAMILY.tables);
    if (market.coverCounts.testedReports === 0) reasons.add('all institutional holders: no 13F report could be used');
    return [checkCoverComparisons(market.coverCounts)];
  },
};

/** Counts later reports, notices and unusable reports by reason, and adds a problem for each unusable report. */
function countUnusedReports({ market: { reports }, date, skipped, problems }: FamilyContext): void {
  for (const keyed of reports) {
    const { form, filed } = keyed.report;
    if (filed !== null && filed > date) {
      skipped.add(`a 13F report (${form}) filed after the date of the release`);
      continue;
    }
    if (!isHoldingsReport({ form })) {
      skipped.add("a 13F notice (13F-NT): its holdings are in another manager's report");
      continue;
    }
    const reason = findFault(keyed);
    if (reason === null) continue;
    skipped.add(reason);
    problems.push(`${keyed.key}: ${reason}`);
  }
}

function findFault(keyed: KeyedReport): string | null {
  const { report, table } = keyed;
  if (report.accession === null) return 'a 13F report whose accession number is unknown';
  if (report.filed === null) return 'a 13F report whose filing date is unknown';
  if (!isIncompleteReport(keyed)) return null;
  if (table.unreadable > 0 && table.lines === 0) return 'a 13F report without a readable position';
  if (table.placeholders > 0 && table.lines === 0)
    return 'a 13F report without positions whose cover page states a value';
  return table.lines > 0
    ? 'a 13F report with less than half of the entries that its cover page states'
    : 'a 13F cover page without its information table';
}
