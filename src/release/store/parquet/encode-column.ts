/** Writes one column chunk: a dictionary page where values recur, then all rows as one data page (version 2). */
import type { Cell, CellType, Column } from '../../schema/table.ts';
import { ENCODING } from './format.ts';
import type { PageWriter } from './page-writer.ts';

type Value = Exclude<Cell, null>;

export interface EncodedColumn {
  readonly nulls: number;
  /** The values of all rows, each at least once. */
  readonly values: readonly Value[];
  /** Where its data page begins, behind the dictionary; 0 where there is none. */
  readonly rowsAt: number;
}

/** So many cells of a column tell whether it has a dictionary: where a value stands in two of them, on average. */
const SAMPLE = 128;
const LEAST_RECURRENCE = 2;

/** Throws where a column that takes no null has one. */
export function encodeColumn(
  { name, type, nullable }: Pick<Column, 'name' | 'type' | 'nullable'>,
  cells: readonly Cell[],
  pages: PageWriter,
): EncodedColumn {
  const present = cells.includes(null) ? cells.filter((cell) => cell !== null) : (cells as readonly Value[]);
  const nulls = cells.length - present.length;
  if (nulls > 0 && !nullable) throw new Error(`the column ${name} has ${nulls} rows without a value`);
  const levels = nullable ? levelsOf(cells) : null;
  const page = { rows: cells.length, nulls, levels };
  if (type === 'boolean' || !isRecurrent(cells)) {
    const encoding = type === 'boolean' ? ENCODING.rle : ENCODING.plain;
    pages.data({ ...page, encoding, content: contentOf(present, type) });
    return { nulls, values: present, rowsAt: 0 };
  }
  const { values, indices } = dictionaryOf(present);
  const start = pages.length;
  pages.dictionary(values.length, contentOf(values, type));
  const rowsAt = pages.length - start;
  pages.data({ ...page, encoding: ENCODING.rleDictionary, content: indexRuns(indices, values.length) });
  return { nulls, values, rowsAt };
}

/** The definition level of each row: whether it has a value. */
function levelsOf(cells: readonly Cell[]): Uint8Array {
  const levels = new Uint32Array(cells.length);
  for (let row = 0; row < levels.length; row++) if (cells[row] !== null) levels[row] = 1;
  return runsOf(levels, 1);
}

function isRecurrent(cells: readonly Cell[]): boolean {
  const sample: Cell[] = [];
  const step = Math.ceil(cells.length / SAMPLE);
  for (let at = 0; at < cells.length; at += step) {
    const cell = cells[at] as Cell;
    if (cell !== null) sample.push(cell);
  }
  return sample.length > 0 && new Set(sample).size * LEAST_RECURRENCE <= sample.length;
}

/** The different values in the order in which they are met, and the index of each row's. */
function dictionaryOf(present: readonly Value[]): { values: Value[]; indices: Uint32Array } {
  const places = new Map<Value, number>();
  const values: Value[] = [];
  const indices = new Uint32Array(present.length);
  let [last, place]: [Value | undefined, number] = [undefined, 0];
  for (let row = 0; row < present.length; row++) {
    const value = present[row] as Value;
    if (value !== last) {
      place = places.get(value) ?? values.length;
      if (place === values.length) {
        places.set(value, place);
        values.push(value);
      }
      last = value;
    }
    indices[row] = place;
  }
  return { values, indices };
}

/** Values one after the other; booleans in runs. */
function contentOf(values: readonly Value[], type: CellType): Uint8Array {
  if (type === 'text') return texts(values as readonly string[]);
  if (type === 'boolean') return flags(values as readonly boolean[]);
  return new Uint8Array(new Int32Array(values as readonly number[]).buffer);
}

/** The lengths that are one letter of ASCII, as a page has them. */
const LENGTHS = Array.from({ length: 128 }, (_, length) => String.fromCharCode(length, 0, 0, 0));
const NOT_ASCII = '\u0080';

/** Each text behind its length; converted all at once where each letter is one byte: one by one takes several times as long. */
function texts(values: readonly string[]): Uint8Array {
  const whole = values.map((text) => `${LENGTHS[text.length] ?? NOT_ASCII}${text}`).join('');
  if (Buffer.byteLength(whole) === whole.length) return Buffer.from(whole, 'latin1');
  return Buffer.concat(
    values.flatMap((text) => {
      const bytes = Buffer.from(text);
      return [new Uint8Array(Uint32Array.of(bytes.length).buffer), bytes];
    }),
  );
}

/** Booleans as runs, behind their length. */
function flags(values: readonly boolean[]): Uint8Array {
  const runs = runsOf(Uint32Array.from(values, Number), 1);
  return Buffer.concat([new Uint8Array(Uint32Array.of(runs.length).buffer), runs]);
}

/** Indices as runs, behind their width in bits. */
function indexRuns(indices: Uint32Array, values: number): Uint8Array {
  const width = 32 - Math.clz32(values - 1);
  return Buffer.concat([Uint8Array.of(width), runsOf(indices, width)]);
}

const GROUP = 8;
/** More than the head of a run takes. */
const HEAD = 5;

/**
 * Numbers of `width` bits in Parquet's mix of runs and groups of eight: a number that follows itself eight times or more
 * stands once, behind how often. See https://parquet.apache.org/docs/file-format/data-pages/encodings/.
 */
function runsOf(numbers: Uint32Array, width: number): Uint8Array {
  const groups = Math.ceil(numbers.length / GROUP);
  const bytes = new Uint8Array(groups * (width + 2 * HEAD) + HEAD);
  let at = 0;
  const head = (value: number) => {
    let rest = value;
    for (; rest > 127; rest >>>= 7) bytes[at++] = rest | 128;
    bytes[at++] = rest;
  };
  const pack = (from: number, to: number) => {
    if (from === to) return;
    const count = Math.ceil((to - from) / GROUP);
    head((count << 1) | 1);
    let [bits, used] = [0, 0];
    for (let index = from; index < from + count * GROUP; index++) {
      bits |= (numbers[index] ?? 0) << used;
      for (used += width; used >= 8; used -= 8) {
        bytes[at++] = bits;
        bits >>>= 8;
      }
    }
  };
  let packed = 0;
  for (let from = 0; from < numbers.length; ) {
    const number = numbers[from] as number;
    let to = from + 1;
    while (to < numbers.length && numbers[to] === number) to += 1;
    if (to - from < GROUP) {
      from += GROUP;
      continue;
    }
    pack(packed, from);
    head((to - from) << 1);
    for (let bits = 0; bits < width; bits += 8) bytes[at++] = number >>> bits;
    from = packed = to;
  }
  pack(packed, numbers.length);
  return bytes.subarray(0, at);
}
