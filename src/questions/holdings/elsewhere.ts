/** Notices about positions of a manager that other managers report (Form 13F notices and combination reports). */
import type { Holder, OtherReporter } from '../../contract/resources/holders.ts';
import { makeNoteIf, makeWarning, type Notice } from '../../result/notice.ts';
import { makeFieldColumns, makeTable, type Table } from '../../result/table.ts';

/** Returns notices of positions that are not in the report, because other managers report them. */
export function makeElsewhereNotices({ name, period, notice, reported_by }: Holder): readonly Notice[] {
  const managers = reported_by ?? [];
  const text = `This report has only a part of the positions; the others are reported by ${formatReporters(managers)}.`;
  const part = makeNoteIf(managers.length > 0, 'positions_elsewhere', text, { managers });
  if (notice == null) return part;
  const { reported_by: reporters, accession_number } = notice;
  const noticeText = `${name} filed a notice (13F-NT) for ${notice.period}: its positions of that quarter are reported by ${formatReporters(reporters)}. This answer shows its last own report with positions, for ${period}.`;
  const values = { period: notice.period, accession_number, managers: reporters };
  return [makeWarning('positions_elsewhere', noticeText, values), ...part];
}

const formatReporters = (reporters: readonly OtherReporter[]): string =>
  reporters.length === 0
    ? 'other managers, which it does not name'
    : reporters.map(({ cik, name }) => (cik === null ? name : `${name} (CIK ${cik})`)).join(', ');

/** Returns one row for each other manager that reports this manager's positions of this or a later quarter. */
export const makeReportersTable = ({ cik, name, notice, reported_by: reporters = [], ...report }: Holder): Table =>
  makeTable({
    name: 'reporters',
    coversAllPages: true,
    columns: makeFieldColumns(
      ...(['manager_cik', 'manager_name', 'period', 'filed_at', 'accession_number', 'reports'] as const),
      ...(['reporter_cik', 'reporter_name'] as const),
    ),
    shownKeys: [],
    records: () =>
      [
        ...(notice?.reported_by ?? []).map((reporter) => ({ reporter, filing: notice ?? report, reports: 'all' })),
        ...reporters.map((reporter) => ({ reporter, filing: report, reports: 'part' })),
      ].map(({ reporter, filing, reports }) => ({
        ...{ manager_cik: cik, manager_name: name, period: filing.period, filed_at: filing.filed_at },
        ...{ accession_number: filing.accession_number, reports },
        ...{ reporter_cik: reporter.cik, reporter_name: reporter.name },
      })),
  });
