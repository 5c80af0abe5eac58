/**
 * Collects managers' reports on Form 13F from all files: selects one of duplicate reports, adds missing accession
 * numbers and filing dates, and locates the lines of each report.
 */
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { FiledThirteenF, ThirteenFReport } from '../../edgar/holdings/thirteen-f-report.ts';
import { groupBy } from '../../platform/collections.ts';
import { type Slice, SliceIndex } from '../tasks/slices.ts';
import { type MarketFilesResult, makeManagerGroup } from './market-files.ts';

export interface KeyedReport {
  readonly key: string;
  readonly report: ThirteenFReport;
  /** Number of lines in the report's table. */
  readonly lines: number;
}

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
    const newReports = reports.filter(([key]) => !this.#seenKeys.has(key));
    for (const [key] of newReports) this.#seenKeys.add(key);
    const slices = new SliceIndex();
    slices.add(output);
    const byKey = new Map(newReports.map(([key, report, lines]) => [key, { key, report, lines }]));
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
      for (const [key, { report, lines }] of reports) {
        if (isFiledReport(report)) continue;
        const { accession, form, period } = report;
        const matches = (await readList(report.cik)).filter((filing) =>
          accession === null ? filing.form === form && filing.reportDate === period : filing.accession === accession,
        );
        const [filing] = matches;
        if (filing === undefined || matches.length > 1) continue;
        reports.set(key, { key, report: { ...report, accession: filing.accession, filed: filing.filed }, lines });
      }
    }
  }

  /** Returns the reports and lines of each group of managers, in ascending order of CIK. */
  listManagerGroups(): readonly (readonly ManagersSource[])[] {
    const groupNames = new Set(this.#reportFiles.flatMap(({ lines }) => lines.groups));
    const groups = this.#reportFiles.map(({ reports }) => groupReports([...reports.values()]));
    return [...groupNames]
      .sort((a, b) => Number(a) - Number(b))
      .map((name) =>
        this.#reportFiles.flatMap(({ lines }, index) => {
          const slices = lines.getSlices(name);
          return slices.length === 0 ? [] : [{ reports: groups[index]?.get(name) ?? [], lines: slices }];
        }),
      );
  }
}

const groupReports = (reports: readonly KeyedReport[]): ReadonlyMap<string, readonly KeyedReport[]> =>
  groupBy(reports, ({ report }) => makeManagerGroup(report.cik));

export const isFiledReport = (report: ThirteenFReport): report is FiledThirteenF =>
  report.accession !== null && report.filed !== null;

/** Whether a report has less than half of the entries stated on its cover page. */
export const isIncompleteReport = ({ entryTotal }: ThirteenFReport, lines: number): boolean =>
  entryTotal !== null && lines * 2 < entryTotal;
