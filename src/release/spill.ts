/**
 * Rows put on disk in the order they are met and taken back company by company (or manager by manager): the
 * way through files that are in another order than the tables and larger than memory.
 */
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Numbers next to each other share a file, so that files in order give numbers in order; one file is held at a time. */
const NUMBERS_A_FILE = 2048;
/** The filing system has assigned about two million numbers; those beyond share the last file. */
const MOST_FILES = 1024;
const BUFFER = 32 * 1024;

/** How a row is written on one line and read from it. */
export interface Codec<Row> {
  write(row: Row): string;
  read(line: string): Row;
}

/** Whatever JSON holds; figures are text, as everywhere. */
const JSON_LINES: Codec<unknown> = { write: JSON.stringify, read: JSON.parse };

/** Cells of text, several times faster: for rows by the million. A tab or line end in a cell becomes a space. */
export const CELLS: Codec<readonly string[]> = {
  write: (cells) => cells.map((cell) => (/[\t\r\n]/.test(cell) ? cell.replace(/[\t\r\n]/g, ' ') : cell)).join('\t'),
  read: (line) => line.split('\t'),
};

export class Spill<Row> {
  readonly #directory: string;
  readonly #codec: Codec<Row>;
  readonly #wanted: ReadonlySet<number> | null;
  readonly #files = new Map<number, { text: string; spilled: boolean }>();

  /** @param wanted the only numbers whose rows are kept; all where it is not given */
  constructor(directory: string, wanted?: Iterable<number>, codec: Codec<Row> = JSON_LINES as Codec<Row>) {
    this.#directory = directory;
    this.#codec = codec;
    this.#wanted = wanted === undefined ? null : new Set(wanted);
    mkdirSync(directory, { recursive: true });
  }

  add(cik: number, row: Row): void {
    if (this.#wanted !== null && !this.#wanted.has(cik)) return;
    const index = Math.min(Math.floor(cik / NUMBERS_A_FILE), MOST_FILES - 1);
    const file = this.#files.get(index) ?? { text: '', spilled: false };
    this.#files.set(index, file);
    file.text += `${cik}\t${this.#codec.write(row)}\n`;
    if (file.text.length < BUFFER) return;
    appendFileSync(this.#path(index), file.text);
    file.text = '';
    file.spilled = true;
  }

  /** Every number's rows in the order in which they were added, numbers ascending. Can be gone through again. */
  *groups(): Generator<readonly [cik: number, rows: readonly Row[]]> {
    for (const [index, { text, spilled }] of [...this.#files].sort(([a], [b]) => a - b)) {
      const groups = new Map<number, Row[]>();
      for (const line of ((spilled ? readFileSync(this.#path(index), 'utf8') : '') + text).split('\n')) {
        const tab = line.indexOf('\t');
        if (tab < 0) continue;
        const cik = Number(line.slice(0, tab));
        const rows = groups.get(cik);
        const row = this.#codec.read(line.slice(tab + 1));
        if (rows === undefined) groups.set(cik, [row]);
        else rows.push(row);
      }
      yield* [...groups].sort(([a], [b]) => a - b);
    }
  }

  #path(file: number): string {
    return join(this.#directory, `part-${file}`);
  }
}
