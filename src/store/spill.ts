/**
 * Writes rows to temporary files in input order, and reads them back by key, for example a CIK or a year. Needed for
 * input that is larger than memory and not sorted by key.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../platform/files/directories.ts';

/** Number of consecutive keys per file. Only one file at a time is read into memory. */
const KEYS_PER_FILE = 2048;
/** Maximum number of files. The SEC has assigned about two million CIKs; any larger CIKs share the last file. */
const MAX_FILE_COUNT = 1024;
const FILE_BUFFER_BYTES = 16 * 1024;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const MAX_BYTES_PER_CODE_UNIT = 3;

/** Converts rows to lines of text, and back. */
export interface LineCodec<Row> {
  write(row: Row): string;
  read(line: string): Row;
}

/** A codec for any JSON value. Figures are text in rows, so that JSON keeps their digits. */
const JSON_CODEC: LineCodec<unknown> = { write: JSON.stringify, read: JSON.parse };

/** Joins text cells to one line, several times faster than JSON. Replaces tabs and line ends in cells with spaces. */
export const joinCells = (cells: readonly string[]): string => cells.map(replaceSeparators).join('\t');

/** Returns the cells of a line. Throws if their number differs from the number of `names`. */
export function splitCells<const Names extends readonly string[]>(
  line: string,
  names: Names,
): { readonly [Index in keyof Names]: string } {
  const cells = line.split('\t');
  if (!hasSameLength(cells, names))
    throw new Error(`a row of a temporary file has ${cells.length} cells instead of ${names.length}`);
  return cells;
}

const hasSameLength = <Names extends readonly string[]>(
  cells: readonly string[],
  names: Names,
): cells is { readonly [Index in keyof Names]: string } => cells.length === names.length;

const replaceSeparators = (text: string): string => (/[\t\r\n]/.test(text) ? text.replace(/[\t\r\n]/g, ' ') : text);

export class Spill<Row> {
  readonly #codec: LineCodec<Row>;
  readonly #wantedKeys: ReadonlySet<number> | null;
  readonly #files = new Map<number, SpillFile>();

  /** @param wanted keys whose rows are stored; default: all */
  constructor(
    private readonly directory: string,
    wanted?: Iterable<number>,
    codec: LineCodec<Row> = JSON_CODEC as LineCodec<Row>,
  ) {
    this.#codec = codec;
    this.#wantedKeys = wanted === undefined ? null : new Set(wanted);
    makeDirectory(directory);
  }

  add(key: number, row: Row): void {
    if (this.#wantedKeys !== null && !this.#wantedKeys.has(key)) return;
    this.#fileOf(key).add(`${key}\t${this.#codec.write(row)}\n`);
  }

  /** Yields the rows of each key in the order of `add`, keys ascending. Can be iterated several times. */
  *groups(): Generator<readonly [cik: number, rows: readonly Row[]]> {
    for (const [, file] of [...this.#files].sort(([a], [b]) => a - b)) yield* groupLines(file.text(), this.#codec);
  }

  #fileOf(key: number): SpillFile {
    const fileIndex = Math.min(Math.floor(key / KEYS_PER_FILE), MAX_FILE_COUNT - 1);
    const existing = this.#files.get(fileIndex);
    if (existing !== undefined) return existing;
    const spillFile = new SpillFile(join(this.directory, `part-${fileIndex}`));
    this.#files.set(fileIndex, spillFile);
    return spillFile;
  }
}

/**
 * Yields the rows of each key in a text whose lines are key, tab, row. Keys are ascending; rows of a key keep their
 * order.
 */
export function* groupLines<Row>(text: string, codec: LineCodec<Row>): Generator<readonly [number, readonly Row[]]> {
  const byKey = new Map<number, string[]>();
  for (const line of text.split('\n')) {
    const tabOffset = line.indexOf('\t');
    if (tabOffset < 0) continue;
    const key = Number(line.slice(0, tabOffset));
    const lines = byKey.get(key);
    if (lines === undefined) byKey.set(key, [line]);
    else lines.push(line);
  }
  // Parses one key at a time, because the garbage collector would have to copy the parsed objects of a whole file.
  for (const [key, lines] of [...byKey].sort(([a], [b]) => a - b))
    yield [key, lines.map((line) => codec.read(line.slice(line.indexOf('\t') + 1)))];
}

/**
 * A file with a buffer of lines. The buffer is one array of bytes, because many strings would burden the garbage
 * collector.
 */
class SpillFile {
  readonly #bytes = Buffer.allocUnsafeSlow(FILE_BUFFER_BYTES);
  #length = 0;
  #isSpilled = false;

  constructor(private readonly path: string) {}

  add(line: string): void {
    const maxBytes = line.length * MAX_BYTES_PER_CODE_UNIT;
    if (this.#length + maxBytes > FILE_BUFFER_BYTES) this.#append(this.#bytes.subarray(0, this.#length));
    if (maxBytes > FILE_BUFFER_BYTES) this.#append(Buffer.from(line));
    else this.#length += this.#bytes.write(line, this.#length);
  }

  text(): string {
    const buffered = this.#bytes.toString('utf8', 0, this.#length);
    return this.#isSpilled ? readFileSync(this.path, 'utf8') + buffered : buffered;
  }

  #append(bytes: Uint8Array): void {
    appendFileSync(this.path, bytes);
    this.#isSpilled = true;
    this.#length = 0;
  }
}

/** Rows by key, with ascending keys. */
type GroupIterator<Row> = Iterator<readonly [key: number, rows: readonly Row[]]>;

/**
 * Returns a function that returns the rows of a key, or an empty array. Requested keys must ascend, and so must the
 * keys of `groups`; otherwise the function throws RangeError, because rows would be lost.
 */
export function createRowLookup<Row>(groups: GroupIterator<Row>): (key: number) => readonly Row[] {
  let lastKey = Number.NEGATIVE_INFINITY;
  let nextGroup = groups.next();
  const advance = () => {
    const previous = nextGroup.done === true ? null : nextGroup.value[0];
    nextGroup = groups.next();
    if (previous !== null && nextGroup.done !== true && nextGroup.value[0] <= previous)
      throw new RangeError(`the rows of key ${nextGroup.value[0]} came after those of key ${previous}`);
  };
  return (key) => {
    if (key <= lastKey) throw new RangeError(`the rows of key ${key} were requested after those of key ${lastKey}`);
    lastKey = key;
    while (nextGroup.done !== true && nextGroup.value[0] < key) advance();
    return nextGroup.done !== true && nextGroup.value[0] === key ? nextGroup.value[1] : [];
  };
}
