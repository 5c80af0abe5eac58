/** Managers' reports of all files: which of them count, which are incomplete, and where their lines are. */
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { FiledThirteenF, ThirteenFReport } from '../../edgar/holdings/thirteen-f-report.ts';
import { groupBy } from '../../platform/collections.ts';
import { type Slice, SliceIndex } from '../tasks/slices.ts';
import { type MarketFiles, managerGroup } from './market-files.ts';

/** A report, the key of its lines, and their number. */
export interface KeyedReport {
  readonly key: string;
  readonly report: ThirteenFReport;
  readonly lines: number;
}

/** One file's reports and lines of a group of managers. */
export interface ManagersSource {
  readonly reports: readonly KeyedReport[];
  readonly lines: readonly Slice[];
}

/** When several files have the same report, the first one counts. */
export class HoldingReports {
  /** Reports by key, and their lines, of each file. */
  readonly #reportFiles: { readonly reports: Map<string, KeyedReport>; readonly lines: SliceIndex }[] = [];
  readonly #seenKeys = new Set<string>();

  add({ reports, output }: Pick<MarketFiles, 'reports' | 'output'>): void {
    const newReports = reports.filter(([key]) => !this.#seenKeys.has(key));
    for (const [key] of newReports) this.#seenKeys.add(key);
    const lines = new SliceIndex();
    lines.add(output);
    this.#reportFiles.push({
      reports: new Map(newReports.map(([key, report, lines]) => [key, { key, report, lines }])),
      lines,
    });
  }

  /** All reports, in the order of the files. */
  get allReports(): readonly KeyedReport[] {
    return this.#reportFiles.flatMap(({ reports }) => [...reports.values()]);
  }

  /**
   * Adds the accession number and filing day to reports that come without them, from the manager's list of filings,
   * if exactly one filing there has the same form and quarter.
   */
  async findFilings(filingsOf: (cik: number) => Promise<readonly FilingRecord[]>): Promise<void> {
    for (const { reports } of this.#reportFiles) {
      for (const [key, { report, lines }] of reports) {
        if (isFiled(report)) continue;
        const { accession, form, period } = report;
        const matchingFilings = (await filingsOf(report.cik)).filter((filing) =>
          accession === null ? filing.form === form && filing.reportDate === period : filing.accession === accession,
        );
        const [filing] = matchingFilings;
        if (filing === undefined || matchingFilings.length > 1) continue;
        reports.set(key, { key, report: { ...report, accession: filing.accession, filed: filing.filed }, lines });
      }
    }
  }

  /** The managers with lines, in groups, CIKs ascending. */
  groupByManager(): readonly (readonly ManagersSource[])[] {
    const groupNames = new Set(this.#reportFiles.flatMap(({ lines }) => lines.groups));
    const reportsByGroup = this.#reportFiles.map(({ reports }) => groupReports([...reports.values()]));
    return [...groupNames]
      .sort((a, b) => Number(a) - Number(b))
      .map((name) =>
        this.#reportFiles.flatMap(({ lines }, index) => {
          const groupLines = lines.slicesOf(name);
          return groupLines.length === 0
            ? []
            : [{ reports: reportsByGroup[index]?.get(name) ?? [], lines: groupLines }];
        }),
      );
  }
}

function groupReports(reports: readonly KeyedReport[]): ReadonlyMap<string, readonly KeyedReport[]> {
  return groupBy(reports, ({ report }) => managerGroup(report.cik));
}

export function isFiled(report: ThirteenFReport): report is FiledThirteenF {
  return report.accession !== null && report.filed !== null;
}

/** Whether a report has less than half of the entries that its cover page states. */
export function isIncomplete({ entryTotal }: ThirteenFReport, lines: number): boolean {
  return entryTotal !== null && lines * 2 < entryTotal;
}
