/**
 * Reports on disk until their company's turn comes: files and quarterly sets are in the order of filings, and
 * all of them together are larger than memory.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StatementSetReport } from '../../../edgar/facts/statement-set.ts';
import type { TaggedReport } from '../../../edgar/reports/tagged-report.ts';
import type { ReportSource } from '../../../figures/filings/report-filing.ts';

/** A document with the labels of its members, or a filing's rows of a quarterly set. Figures are text in JSON as everywhere. */
export type StoredReport =
  | {
      readonly report: TaggedReport;
      readonly source: ReportSource;
      readonly labels: readonly (readonly [string, string])[];
    }
  | { readonly set: StatementSetReport };

export class ReportStore {
  readonly #directory: string;
  readonly #ciks = new Set<number>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Companies with reports here. */
  get ciks(): ReadonlySet<number> {
    return this.#ciks;
  }

  add(cik: number, report: StoredReport): void {
    if (this.#ciks.size === 0) mkdirSync(this.#directory, { recursive: true });
    this.#ciks.add(cik);
    appendFileSync(this.#path(cik), `${JSON.stringify(report)}\n`);
  }

  /** One company's reports, in the order in which they were added. */
  of(cik: number): StoredReport[] {
    const path = this.#path(cik);
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as StoredReport]));
  }

  async remove(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }

  #path(cik: number): string {
    return join(this.#directory, `${cik}.ndjson`);
  }
}
