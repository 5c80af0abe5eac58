/** Encodes the cells of a column, with a dictionary if values recur. */
import type { Cell, Column } from '../../schema/columns.ts';
import type { ChunkContent } from './write-column.ts';

type PresentCell = Exclude<Cell, null>;

/**
 * Maximum number of sampled cells. A column gets a dictionary if the distinct values in the sample occur at least
 * MIN_MEAN_OCCURRENCES times on average.
 */
const MAX_SAMPLED_CELLS = 128;
const MIN_MEAN_OCCURRENCES = 2;

/** Returns the content of a column chunk, with a dictionary if values recur. Throws if a required column has a null. */
export function makeChunkContent(
  { name, type, nullable }: Pick<Column, 'name' | 'type' | 'nullable'>,
  cells: readonly Cell[],
): ChunkContent {
  const values = cells.includes(null) ? cells.filter((cell) => cell !== null) : (cells as readonly PresentCell[]);
  const nulls = cells.length - values.length;
  if (nulls > 0 && !nullable) throw new Error(`the column ${name} requires a value in every row; nulls: ${nulls}`);
  const counted = { rows: cells.length, levels: nullable ? listDefinitionLevels(cells) : null };
  // Booleans get no dictionary, because some readers do not support dictionaries of booleans.
  if (type === 'boolean' || !hasRecurringValues(cells)) return { ...counted, values, indices: null };
  return { ...counted, ...buildDictionary(values) };
}

function listDefinitionLevels(cells: readonly Cell[]): Uint8Array {
  const levels = new Uint8Array(cells.length);
  for (let row = 0; row < levels.length; row++) if (cells[row] !== null) levels[row] = 1;
  return levels;
}

function hasRecurringValues(cells: readonly Cell[]): boolean {
  const distinct = new Set<Cell>();
  let sampled = 0;
  const step = Math.ceil(cells.length / MAX_SAMPLED_CELLS);
  for (
    let position = 0;
    position < cells.length && distinct.size * MIN_MEAN_OCCURRENCES <= MAX_SAMPLED_CELLS;
    position += step
  ) {
    const cell = cells[position] as Cell;
    if (cell === null) continue;
    distinct.add(cell);
    sampled += 1;
  }
  return sampled > 0 && distinct.size * MIN_MEAN_OCCURRENCES <= sampled;
}

/** Returns the distinct values in order of first occurrence, and the index of each row's value. */
function buildDictionary(present: readonly PresentCell[]): { values: PresentCell[]; indices: Uint32Array } {
  const indexes = new Map<PresentCell, number>();
  const values: PresentCell[] = [];
  const indices = new Uint32Array(present.length);
  let [lastValue, lastIndex]: [PresentCell | undefined, number] = [undefined, 0];
  for (let row = 0; row < present.length; row++) {
    const value = present[row] as PresentCell;
    if (value !== lastValue) {
      lastIndex = indexes.get(value) ?? values.length;
      if (lastIndex === values.length) {
        indexes.set(value, lastIndex);
        values.push(value);
      }
      lastValue = value;
    }
    indices[row] = lastIndex;
  }
  return { values, indices };
}
