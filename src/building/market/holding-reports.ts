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
  /** By file: its reports by key, and its lines. */
  readonly #files: { readonly reports: Map<string, KeyedReport>; readonly lines: SliceIndex }[] = [];
  readonly #keys = new Set<string>();

  add({ reports, output }: Pick<MarketFiles, 'reports' | 'output'>): void {
    const fresh = reports.filter(([key]) => !this.#keys.has(key));
    for (const [key] of fresh) this.#keys.add(key);
    const lines = new SliceIndex();
    lines.add(output);
    this.#files.push({ reports: new Map(fresh.map(([key, report, lines]) => [key, { key, report, lines }])), lines });
  }

  /** All reports, in the order of the files. */
  get all(): readonly KeyedReport[] {
    return this.#files.flatMap(({ reports }) => [...reports.values()]);
  }

  /**
   * Adds the accession number and filing day to reports that come without them, from the manager's list of filings,
   * if exactly one filing there has the same form and quarter.
   */
  async findFilings(filingsOf: (cik: number) => Promise<readonly FilingRecord[]>): Promise<void> {
    for (const { reports } of this.#files) {
      for (const [key, { report, lines }] of reports) {
        if (isFiled(report)) continue;
        const { accession, form, period } = report;
        const fitting = (await filingsOf(report.cik)).filter((filing) =>
          accession === null ? filing.form === form && filing.reportDate === period : filing.accession === accession,
        );
        const [filing] = fitting;
        if (filing === undefined || fitting.length > 1) continue;
        reports.set(key, { key, report: { ...report, accession: filing.accession, filed: filing.filed }, lines });
      }
    }
  }

  /** The managers with lines, in groups, CIKs ascending. */
  groups(): readonly (readonly ManagersSource[])[] {
    const names = new Set(this.#files.flatMap(({ lines }) => lines.groups));
    const reportsOf = this.#files.map(({ reports }) => groupReports([...reports.values()]));
    return [...names]
      .sort((a, b) => Number(a) - Number(b))
      .map((name) =>
        this.#files.flatMap(({ lines }, index) => {
          const own = lines.of(name);
          return own.length === 0 ? [] : [{ reports: reportsOf[index]?.get(name) ?? [], lines: own }];
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
