/**
 * Collects managers' reports on Form 13F from all files: selects one of duplicate reports, adds missing accession
 * numbers and filing dates, and locates the lines of each report.
 */
import { isZero } from '../../contract/decimal-text.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { FiledThirteenF, ThirteenFReport } from '../../edgar/holdings/thirteen-f-report.ts';
import { groupBy } from '../../platform/collections.ts';
import { type Slice, SliceIndex } from '../tasks/slices.ts';
import { type KeyedReport, type MarketFilesResult, makeManagerGroupName, type TableCounts } from './market-files.ts';

/** Reports and lines of a group of managers in one file. */
export interface ManagersSource {
  readonly reports: readonly KeyedReport[];
  readonly lines: readonly Slice[];
}

/** Collects reports. If several files contain the same report, the first file is used. */
export class HoldingReports {
  /** The reports by key, and the lines, of each file. */
  readonly #reportFiles: { readonly reports: Map<string, KeyedReport>; readonly lines: SliceIndex }[] = [];
  readonly #seenKeys = new Set<string>();

  add({ reports, output }: Pick<MarketFilesResult, 'reports' | 'output'>): void {
    const newReports = reports.filter(({ key }) => !this.#seenKeys.has(key));
    for (const { key } of newReports) this.#seenKeys.add(key);
    const slices = new SliceIndex();
    slices.add(output);
    const byKey = new Map(newReports.map((report) => [report.key, report]));
    this.#reportFiles.push({ reports: byKey, lines: slices });
  }

  /** All reports, in the order of the files. */
  get allReports(): readonly KeyedReport[] {
    return this.#reportFiles.flatMap(({ reports }) => [...reports.values()]);
  }

  /**
   * Adds missing accession numbers and filing dates to reports, from the manager's list of filings. Searches the list
   * by accession number or, if missing, by form type and quarter. Adds nothing if several filings match.
   */
  async findFilings(readList: (cik: number) => Promise<readonly FilingRecord[]>): Promise<void> {
    for (const { reports } of this.#reportFiles) {
      for (const [key, keyedReport] of reports) {
        const { report } = keyedReport;
        if (isFiledReport(report)) continue;
        const { accession, form, period } = report;
        const matches = (await readList(report.cik)).filter((filing) =>
          accession === null ? filing.form === form && filing.reportDate === period : filing.accession === accession,
        );
        const [filing] = matches;
        if (filing === undefined || matches.length > 1) continue;
        reports.set(key, { ...keyedReport, report: { ...report, accession: filing.accession, filed: filing.filed } });
      }
    }
  }

  /** Returns the reports and lines of each group of managers, in ascending order of CIK. */
  listManagerGroups(): readonly (readonly ManagersSource[])[] {
    const groups = this.#reportFiles.map(({ reports }) =>
      groupBy(reports.values(), ({ report }) => makeManagerGroupName(report.cik)),
    );
    // Notices, and reports that state that nothing is held, have no lines.
    const groupNames = new Set(groups.flatMap((reports) => [...reports.keys()]));
    return [...groupNames]
      .sort((a, b) => Number(a) - Number(b))
      .map((name) =>
        this.#reportFiles.flatMap(({ lines }, index) => {
          const reports = groups[index]?.get(name) ?? [];
          return reports.length === 0 ? [] : [{ reports, lines: lines.getSlices(name) }];
        }),
      );
  }
}

export const isFiledReport = (report: ThirteenFReport): report is FiledThirteenF =>
  report.accession !== null && report.filed !== null;

/** Whether the form is a holdings report or its amendment. A notice states that other managers report the positions. */
export const isHoldingsReport = ({ form }: Pick<ThirteenFReport, 'form'>): boolean => form.startsWith('13F-HR');

/**
 * Whether a holdings report states that its manager holds nothing: by an empty table, by rows that are only
 * placeholders, or by a cover page that counts no entries. A report that only lacks its table does not state this.
 */
function statesNothingHeld({ report, table }: Pick<KeyedReport, 'report' | 'table'>): boolean {
  const { entryTotal, valueTotal } = report;
  if (!isHoldingsReport(report) || table.lines > 0 || table.unreadable > 0) return false;
  if (valueTotal !== null && !isZero(valueTotal)) return false;
  return table.placeholders > 0 || table.isEmpty || entryTotal === 0;
}

/** Whether a report has less than half of the entries stated on its cover page. */
export const isIncompleteReport = ({ report, table }: Pick<KeyedReport, 'report' | 'table'>): boolean =>
  !statesNothingHeld({ report, table }) &&
  (table.lines === 0 || (report.entryTotal !== null && countEntries(table) * 2 < report.entryTotal));

/** Returns the number of entries, as a cover page counts them. */
export const countEntries = ({ lines, placeholders }: TableCounts): number => lines + placeholders;
