/** Gathers what companies leave for the tables of all companies' filings: on disk, as it grows with the universe. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { pushTo } from '../../../figures/groups.ts';
import { makeDirectory } from '../../../platform/directories.ts';
import type { FilingCounts, FilingLists, SpilledBytes } from './filing-lists.ts';
import { InsiderDayIndex } from './insider-day-index.ts';

type Folder = SpilledBytes['folder'];

/** A company has a little for each of two hundred files: opening these costs more than writing to them. */
const MOST_WAITING = 16 * 1024 * 1024;

export class ListCollector {
  readonly insiderDays: InsiderDayIndex;
  readonly #scratch: string;
  readonly #files = { days: new Set<number>(), places: new Set<number>() };
  /** By path, what is not written yet. */
  readonly #waiting = new Map<string, Uint8Array[]>();
  #waitingBytes = 0;
  #counts: FilingCounts = { rows: 0, withTime: 0, oddHours: 0, insiderFilings: 0, trades: 0, undated: 0 };

  constructor(scratch: string) {
    this.#scratch = scratch;
    for (const folder of ['days', 'places']) makeDirectory(join(scratch, folder));
    this.insiderDays = new InsiderDayIndex(join(scratch, 'insiders'));
  }

  get counts(): FilingCounts {
    return this.#counts;
  }

  /** Companies come in order of cik. */
  append({ spilled, insiders, counts }: Pick<FilingLists, 'spilled' | 'insiders' | 'counts'>): void {
    for (const { folder, file, bytes } of spilled) {
      this.#files[folder].add(file);
      pushTo(this.#waiting, this.#path(folder, file), bytes);
      this.#waitingBytes += bytes.length;
    }
    if (this.#waitingBytes > MOST_WAITING) this.#write();
    for (const one of insiders) this.insiderDays.add(one);
    this.#counts = {
      rows: this.#counts.rows + counts.rows,
      withTime: this.#counts.withTime + counts.withTime,
      oddHours: this.#counts.oddHours + counts.oddHours,
      insiderFilings: this.#counts.insiderFilings + counts.insiderFilings,
      trades: this.#counts.trades + counts.trades,
      undated: this.#counts.undated + counts.undated,
    };
  }

  /** The files of a folder, by number. */
  filesOf(folder: Folder): readonly { readonly number: number; readonly path: string }[] {
    this.#write();
    const numbers = [...this.#files[folder]].sort((a, b) => a - b);
    return numbers.map((number) => ({ number, path: this.#path(folder, number) }));
  }

  #write(): void {
    for (const [path, parts] of this.#waiting) appendFileSync(path, Buffer.concat(parts));
    this.#waiting.clear();
    this.#waitingBytes = 0;
  }

  #path(folder: Folder, file: number): string {
    return join(this.#scratch, folder, String(file));
  }
}
