/** Writes one column chunk: a dictionary page where values recur, then all rows as one data page (version 2). */
import type { Cell, CellType, Column } from '../schema/table.ts';
import { ENCODING } from './format.ts';
import { flags, indexRuns, runsOf, texts } from './page-content.ts';
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
    pages.data({ ...page, encoding: ENCODING.plain, content: contentOf(present, type) });
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
  const seen = new Set<Cell>();
  let sampled = 0;
  const step = Math.ceil(cells.length / SAMPLE);
  for (let at = 0; at < cells.length && seen.size * LEAST_RECURRENCE <= SAMPLE; at += step) {
    const cell = cells[at] as Cell;
    if (cell === null) continue;
    seen.add(cell);
    sampled += 1;
  }
  return sampled > 0 && seen.size * LEAST_RECURRENCE <= sampled;
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

/** Values one after the other. */
function contentOf(values: readonly Value[], type: CellType): Uint8Array {
  if (type === 'text') return texts(values as readonly string[]);
  if (type === 'boolean') return flags(values as readonly boolean[]);
  return new Uint8Array(new Int32Array(values as readonly number[]).buffer);
}
