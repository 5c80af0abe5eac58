/** Managers' reports of all files: which count, which lack something, and whose lines are where. */
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { FiledThirteenF, ThirteenFReport } from '../../edgar/holdings/thirteen-f-report.ts';
import { groupBy } from '../../platform/collections.ts';
import { type Slice, SliceIndex } from '../tasks/slices.ts';
import { type MarketFiles, managerGroup } from './market-files.ts';

/** A report under the key that its lines have, and how many these are. */
export interface KeyedReport {
  readonly key: string;
  readonly report: ThirteenFReport;
  readonly lines: number;
}

/** What one file has of a group of managers. */
export interface ManagersSource {
  readonly reports: readonly KeyedReport[];
  readonly lines: readonly Slice[];
}

/** Of a report that is in several files, the first counts. */
export class HoldingReports {
  /** Of each file, by key. */
  readonly #files: { readonly reports: Map<string, KeyedReport>; readonly lines: SliceIndex }[] = [];
  readonly #keys = new Set<string>();

  add({ reports, left }: Pick<MarketFiles, 'reports' | 'left'>): void {
    const fresh = reports.filter(([key]) => !this.#keys.has(key));
    for (const [key] of fresh) this.#keys.add(key);
    const lines = new SliceIndex();
    lines.add(left);
    this.#files.push({ reports: new Map(fresh.map(([key, report, lines]) => [key, { key, report, lines }])), lines });
  }

  /** Every report, in the order of the files. */
  get all(): readonly KeyedReport[] {
    return this.#files.flatMap(({ reports }) => [...reports.values()]);
  }

  /**
   * Completes cover pages, which state neither their accession number nor their day of filing, from the manager's own
   * list of filings, where only one filing of that form is for that quarter.
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

  /** The managers with lines, group by group, in order. */
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

/** Whether a report has less than half the entries that its cover page states. */
export function isIncomplete({ entryTotal }: ThirteenFReport, lines: number): boolean {
  return entryTotal !== null && lines * 2 < entryTotal;
}
