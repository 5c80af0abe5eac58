/**
 * Reports taken from quarterly sets, on disk until their company's turn comes: the sets are in the order of
 * filings, and all of them together are larger than memory.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StatementSetReport } from '../../figures/statement-set-types.ts';

export class SetStore {
  readonly #directory: string;
  readonly #ciks = new Set<number>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Companies with reports here. */
  get ciks(): ReadonlySet<number> {
    return this.#ciks;
  }

  /** Figures are text in JSON as everywhere. */
  add(report: StatementSetReport): void {
    if (this.#ciks.size === 0) mkdirSync(this.#directory, { recursive: true });
    this.#ciks.add(report.cik);
    appendFileSync(this.#path(report.cik), `${JSON.stringify(report)}\n`);
  }

  /** One company's reports, in the order in which they were added. */
  of(cik: number): StatementSetReport[] {
    const path = this.#path(cik);
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as StatementSetReport]));
  }

  #path(cik: number): string {
    return join(this.#directory, `${cik}.ndjson`);
  }
}
