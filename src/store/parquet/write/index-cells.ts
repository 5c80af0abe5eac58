/** Encodes the rows of a table's column, with a dictionary if values recur. */
import type { Cell, Column } from '../../schema/table.ts';
import type { ColumnRows } from './write-column.ts';

type Value = Exclude<Cell, null>;

/** Number of cells that decide whether a column has a dictionary, and how often a value must recur in them on average. */
const SAMPLE = 128;
const MIN_RECURRENCE = 2;

/** Throws if a column that allows no null has one. */
export function indexCells(
  { name, type, nullable }: Pick<Column, 'name' | 'type' | 'nullable'>,
  cells: readonly Cell[],
): ColumnRows {
  const values = cells.includes(null) ? cells.filter((cell) => cell !== null) : (cells as readonly Value[]);
  const nulls = cells.length - values.length;
  if (nulls > 0 && !nullable) throw new Error(`the column ${name} has ${nulls} rows without a value`);
  const rows = { rows: cells.length, levels: nullable ? levelsOf(cells) : null };
  // Not every reader supports booleans as RLE runs.
  if (type === 'boolean' || !isRecurrent(cells)) return { ...rows, values, indices: null };
  return { ...rows, ...dictionaryOf(values) };
}

function levelsOf(cells: readonly Cell[]): Uint8Array {
  const levels = new Uint8Array(cells.length);
  for (let row = 0; row < levels.length; row++) if (cells[row] !== null) levels[row] = 1;
  return levels;
}

function isRecurrent(cells: readonly Cell[]): boolean {
  const seen = new Set<Cell>();
  let sampled = 0;
  const step = Math.ceil(cells.length / SAMPLE);
  for (let at = 0; at < cells.length && seen.size * MIN_RECURRENCE <= SAMPLE; at += step) {
    const cell = cells[at] as Cell;
    if (cell === null) continue;
    seen.add(cell);
    sampled += 1;
  }
  return sampled > 0 && seen.size * MIN_RECURRENCE <= sampled;
}

/** The distinct values in order of first occurrence, and each row's index. */
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
