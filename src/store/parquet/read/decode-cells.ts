/**
 * Reads cells of column chunks, for all rows or for selected rows. Values of other rows are skipped without decoding.
 */
import { joinLists } from '../../../platform/collections.ts';
import type { Cell } from '../../schema/columns.ts';
import { ENCODING_NUMBERS } from '../format/thrift.ts';
import type { ChunkPages, DataPage, DictionaryPage } from './pages.ts';
import { decodePlainIntegers, decodePlainValues, decodePlainValuesAt } from './plain-values.ts';
import { findValuePositions, readNumbers, readNumbersAt, spreadValues } from './runs.ts';

/**
 * Returns the cells of an unpacked chunk with `rowCount` rows: of all rows, or only of `onlyRows`, which must be
 * ascending and distinct.
 */
export function decodeChunkCells(chunk: ChunkPages, rowCount: number, onlyRows?: readonly number[]): Cell[] {
  const groups = chunk.data.map((page) => {
    const pageRows = selectRowsWithin(onlyRows, page.firstRow, page.firstRow + page.rows, rowCount);
    if (pageRows === undefined) return decodeAllCells(chunk, page);
    return decodeCellsAt(chunk, page, page.firstRow === 0 ? pageRows : pageRows.map((row) => row - page.firstRow));
  });
  return joinLists(groups);
}

/**
 * Returns the integers of an unpacked chunk without nulls. A typed array takes a fraction of the memory of cells, which
 * matters for columns of more than a hundred thousand rows.
 */
export function decodeChunkIntegers(chunk: ChunkPages, rows: number): Int32Array {
  const [page] = chunk.data;
  const isPlain = page?.rows === rows && page.count === rows && page.encoding === ENCODING_NUMBERS.plain;
  if (isPlain && chunk.column.type === 'integer') return decodePlainIntegers(page.content, rows);
  return Int32Array.from(decodeChunkCells(chunk, rows), (cell) => {
    if (typeof cell === 'number') return cell;
    throw new Error(`column ${chunk.column.name} has a cell that is not an integer`);
  });
}

const selectRowsWithin = (onlyRows: readonly number[] | undefined, startRow: number, endRow: number, rows: number) =>
  onlyRows === undefined || endRow - startRow === rows
    ? onlyRows
    : onlyRows.filter((row) => row >= startRow && row < endRow);

function decodeAllCells(chunk: ChunkPages, page: DataPage): Cell[] {
  if (page.count === 0) return Array<Cell>(page.rows).fill(null);
  const values = decodeAllValues(chunk, page);
  return page.count === page.rows ? values : spreadValues(values, page.levels, page.rows);
}

function decodeAllValues({ column: { type }, dictionary }: ChunkPages, { encoding, content, count }: DataPage): Cell[] {
  if (encoding === ENCODING_NUMBERS.plain) return decodePlainValues(content, type, { from: 0, to: count });
  // Older versions of fin wrote booleans as RLE runs with a length prefix.
  if (encoding === ENCODING_NUMBERS.rle && type === 'boolean')
    return Array.from(readNumbers(content, 4, 1, count), (bit) => bit === 1);
  const page = requireDictionary(dictionary, encoding);
  const values = decodePlainValues(page.content, type, { from: 0, to: page.count });
  const indices = readNumbers(content, 1, content.readUInt8(0), count);
  const cells = new Array<Cell>(count);
  // A loop, because Array.from takes three times as long.
  for (let position = 0; position < count; position += 1) {
    const index = indices[position] as number;
    const value = values[index];
    if (value === undefined) throw makeMissingValueError(values.length, index);
    cells[position] = value;
  }
  return cells;
}

function decodeCellsAt(chunk: ChunkPages, page: DataPage, rows: readonly number[]): Cell[] {
  if (page.count === 0) return rows.map(() => null);
  if (page.count === page.rows) return decodeValuesAt(chunk, page, rows);
  const positions = findValuePositions(page.levels, page.rows, rows);
  const valuePositions = positions.filter((position) => position !== null);
  const values = decodeValuesAt(chunk, page, valuePositions);
  let nextValue = 0;
  return positions.map((position) => (position === null ? null : (values[nextValue++] as Cell)));
}

/** Returns the values at the given positions of a page. Positions must be ascending. */
function decodeValuesAt(
  { column: { type }, dictionary }: ChunkPages,
  { encoding, content, count }: DataPage,
  positions: readonly number[],
): Cell[] {
  if (encoding === ENCODING_NUMBERS.plain) return decodePlainValuesAt(content, type, positions);
  if (encoding === ENCODING_NUMBERS.rle && type === 'boolean')
    return readNumbersAt(content, 4, 1, count, positions).map((bit) => bit === 1);
  const indices = readNumbersAt(content, 1, content.readUInt8(0), count, positions);
  const distinctIndices = [...new Set(indices)].sort((a, b) => a - b);
  const page = requireDictionary(dictionary, encoding);
  const maxIndex = distinctIndices.at(-1) ?? 0;
  if (maxIndex >= page.count) throw makeMissingValueError(page.count, maxIndex);
  const cells = decodePlainValuesAt(page.content, type, distinctIndices);
  const cellByIndex = new Map(distinctIndices.map((index, position) => [index, cells[position] as Cell]));
  return indices.map((index) => cellByIndex.get(index) as Cell);
}

const makeMissingValueError = (count: number, index: number) =>
  new Error(`index ${index} is outside a dictionary of ${count} values`);

function requireDictionary(dictionary: DictionaryPage | null, encoding: number): DictionaryPage {
  if (encoding === ENCODING_NUMBERS.rleDictionary && dictionary !== null) return dictionary;
  throw new Error(`the encoding ${encoding} is not supported, or its dictionary is missing`);
}
