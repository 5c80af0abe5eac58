/**
 * Writes rows to disk in input order and reads them back by company (or manager), for input that is sorted
 * differently from the tables and larger than memory.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../platform/directories.ts';

/**
 * Number of consecutive keys in one file, so that files in order give keys in order; only one file is in memory at a
 * time.
 */
const KEYS_PER_FILE = 2048;
/** Maximum number of files. The SEC has assigned about two million CIKs; larger ones share the last file. */
const MAX_OPEN_FILES = 1024;
const FILE_BUFFER_BYTES = 16 * 1024;
/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const MAX_BYTES_PER_CODE_UNIT = 3;

/** How a row is written as one line and read back. */
export interface Codec<Row> {
  write(row: Row): string;
  read(line: string): Row;
}

/** Any JSON value; figures are text, as everywhere. */
const JSON_LINES: Codec<unknown> = { write: JSON.stringify, read: JSON.parse };

/**
 * Writes cells of text as one line, several times faster than JSON. Replaces a tab or line end in a cell with a
 * space.
 */
export function joinCells(cells: readonly string[]): string {
  return cells.map(unescapeCell).join('\t');
}

/** Returns the cells of a line by name. Throws if their number differs from that of `names`. */
export function splitCells<const Names extends readonly string[]>(
  line: string,
  names: Names,
): { readonly [Index in keyof Names]: string } {
  const cells = line.split('\t');
  if (!hasLength(cells, names))
    throw new Error(`a row of a temporary file has ${cells.length} cells instead of ${names.length}`);
  return cells;
}

function hasLength<Names extends readonly string[]>(
  cells: readonly string[],
  names: Names,
): cells is { readonly [Index in keyof Names]: string } {
  return cells.length === names.length;
}

function unescapeCell(text: string): string {
  return /[\t\r\n]/.test(text) ? text.replace(/[\t\r\n]/g, ' ') : text;
}

export class Spill<Row> {
  readonly #directory: string;
  readonly #codec: Codec<Row>;
  readonly #wantedKeys: ReadonlySet<number> | null;
  readonly #files = new Map<number, SpillFile>();

  /** @param wantedKeys keys whose rows are stored; default: all */
  constructor(directory: string, wantedKeys?: Iterable<number>, codec: Codec<Row> = JSON_LINES as Codec<Row>) {
    this.#directory = directory;
    this.#codec = codec;
    this.#wantedKeys = wantedKeys === undefined ? null : new Set(wantedKeys);
    makeDirectory(directory);
  }

  add(cik: number, row: Row): void {
    if (this.#wantedKeys !== null && !this.#wantedKeys.has(cik)) return;
    this.#fileOf(cik).add(`${cik}\t${this.#codec.write(row)}\n`);
  }

  /** Yields each key's rows in the order in which they were added, keys ascending. Can be iterated again. */
  *groups(): Generator<readonly [cik: number, rows: readonly Row[]]> {
    for (const [, file] of [...this.#files].sort(([a], [b]) => a - b)) yield* groupLines(file.text(), this.#codec);
  }

  #fileOf(cik: number): SpillFile {
    const index = Math.min(Math.floor(cik / KEYS_PER_FILE), MAX_OPEN_FILES - 1);
    const existingFile = this.#files.get(index);
    if (existingFile !== undefined) return existingFile;
    const file = new SpillFile(join(this.#directory, `part-${index}`));
    this.#files.set(index, file);
    return file;
  }
}

/** Yields the rows of each key in a text with lines of key, tab and row; keys ascending, rows in their order. */
export function* groupLines<Row>(text: string, codec: Codec<Row>): Generator<readonly [number, readonly Row[]]> {
  const groups = new Map<number, string[]>();
  for (const line of text.split('\n')) {
    const tabOffset = line.indexOf('\t');
    if (tabOffset < 0) continue;
    const number = Number(line.slice(0, tabOffset));
    const lines = groups.get(number);
    if (lines === undefined) groups.set(number, [line]);
    else lines.push(line);
  }
  // Parses the lines of one key at a time: the objects of a whole file would be copied by the garbage collector.
  for (const [number, lines] of [...groups].sort(([a], [b]) => a - b)) {
    yield [number, lines.map((line) => codec.read(line.slice(line.indexOf('\t') + 1)))];
  }
}

/** Collects lines as bytes: strings would survive several garbage collections until their file is written. */
class SpillFile {
  readonly #path: string;
  readonly #bytes = Buffer.allocUnsafeSlow(FILE_BUFFER_BYTES);
  #length = 0;
  #isSpilled = false;

  constructor(path: string) {
    this.#path = path;
  }

  add(line: string): void {
    const maxBytes = line.length * MAX_BYTES_PER_CODE_UNIT;
    if (this.#length + maxBytes > FILE_BUFFER_BYTES) this.#append(this.#bytes.subarray(0, this.#length));
    if (maxBytes > FILE_BUFFER_BYTES) this.#append(Buffer.from(line));
    else this.#length += this.#bytes.write(line, this.#length);
  }

  text(): string {
    const bufferedText = this.#bytes.toString('utf8', 0, this.#length);
    return this.#isSpilled ? readFileSync(this.#path, 'utf8') + bufferedText : bufferedText;
  }

  #append(bytes: Uint8Array): void {
    appendFileSync(this.#path, bytes);
    this.#isSpilled = true;
    this.#length = 0;
  }
}

/** Rows by key, in groups with ascending keys. */
type Groups<Row> = Iterator<readonly [key: number, rows: readonly Row[]]>;

/**
 * Joins groups of rows to companies (or managers) in the same order. The returned function gives the rows of a key;
 * empty if there are none. Throws RangeError if keys are not requested in ascending order, or groups are not
 * ascending, because rows would be lost silently.
 */
export function joinByKey<Row>(groups: Groups<Row>): (key: number) => readonly Row[] {
  let lastKey = Number.NEGATIVE_INFINITY;
  let nextGroup = groups.next();
  const advance = () => {
    const previousKey = nextGroup.done === true ? null : nextGroup.value[0];
    nextGroup = groups.next();
    if (previousKey !== null && nextGroup.done !== true && nextGroup.value[0] <= previousKey) {
      throw new RangeError(`the group ${nextGroup.value[0]} comes after ${previousKey}`);
    }
  };
  return (key) => {
    if (key <= lastKey) throw new RangeError(`the rows of ${key} are requested after those of ${lastKey}`);
    lastKey = key;
    while (nextGroup.done !== true && nextGroup.value[0] < key) advance();
    return nextGroup.done !== true && nextGroup.value[0] === key ? nextGroup.value[1] : [];
  };
}
