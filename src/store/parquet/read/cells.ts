/** Reads the cells of column chunks, for all rows or a few. Other rows are skipped without creating values. */
import type { Cell } from '../../schema/table.ts';
import { ENCODING } from '../format.ts';
import {
  type ChunkPages,
  type DataPage,
  type DictionaryPage,
  type PagesSize,
  readPages,
  type StoredChunk,
} from './pages.ts';
import { plainAt, plainValues } from './plain-values.ts';
import { placesAmongValues, readRuns, readRunsAt, spreadValues } from './runs.ts';

/**
 * Returns the cells of each chunk. Throws if the bytes contain another number of rows, or a null in a column that
 * allows none.
 * @param only only these rows, ascending and distinct
 */
export function readCells(chunks: readonly StoredChunk[], size: PagesSize, only?: readonly number[]): Cell[][] {
  const { rows } = size;
  const isWanted = (from: number, to: number) => rowsWithin(only, from, to, rows)?.length !== 0;
  return readPages(chunks, size, isWanted).map((chunk) => cellsIn(chunk, rows, only));
}

/** Returns the cells of an unpacked chunk of `rows` rows, for all rows or a few. */
export function cellsIn(chunk: ChunkPages, rows: number, only?: readonly number[]): Cell[] {
  const parts = chunk.data.map((page) => {
    const own = rowsWithin(only, page.from, page.from + page.rows, rows);
    if (own === undefined) return allCells(chunk, page);
    return cellsAt(chunk, page, page.from === 0 ? own : own.map((row) => row - page.from));
  });
  return parts.length === 1 ? (parts[0] as Cell[]) : parts.flat();
}

function rowsWithin(only: readonly number[] | undefined, from: number, to: number, rows: number) {
  return only === undefined || to - from === rows ? only : only.filter((row) => row >= from && row < to);
}

function allCells(chunk: ChunkPages, page: DataPage): Cell[] {
  if (page.count === 0) return Array<Cell>(page.rows).fill(null);
  const values = allValues(chunk, page);
  return page.count === page.rows ? values : spreadValues(values, page.levels, page.rows);
}

function allValues({ column: { type }, dictionary }: ChunkPages, { encoding, content, count }: DataPage): Cell[] {
  if (encoding === ENCODING.plain) return plainValues(content, type, count);
  // Earlier versions wrote booleans as RLE runs, after their length.
  if (encoding === ENCODING.rle && type === 'boolean')
    return Array.from(readRuns(content, 4, 1, count), (bit) => bit === 1);
  const different = dictionaryOf(dictionary, encoding);
  const values = plainValues(different.content, type, different.count);
  return Array.from(readRuns(content, 1, content.readUInt8(0), count), (index) => {
    const value = values[index];
    if (value === undefined) throw noValue(values.length, index);
    return value;
  });
}

function cellsAt(chunk: ChunkPages, page: DataPage, rows: readonly number[]): Cell[] {
  if (page.count === 0) return rows.map(() => null);
  if (page.count === page.rows) return valuesAt(chunk, page, rows);
  const places = placesAmongValues(page.levels, page.rows, rows);
  const values = valuesAt(
    chunk,
    page,
    places.filter((place) => place !== null),
  );
  let next = 0;
  return places.map((place) => (place === null ? null : (values[next++] as Cell)));
}

/** Returns the values at some positions of a page, ascending. */
function valuesAt(
  { column: { type }, dictionary }: ChunkPages,
  { encoding, content, count }: DataPage,
  places: readonly number[],
): Cell[] {
  if (encoding === ENCODING.plain) return plainAt(content, type, places);
  if (encoding === ENCODING.rle && type === 'boolean')
    return readRunsAt(content, 4, 1, count, places).map((bit) => bit === 1);
  const indices = readRunsAt(content, 1, content.readUInt8(0), count, places);
  const different = [...new Set(indices)].sort((a, b) => a - b);
  const values = dictionaryOf(dictionary, encoding);
  const last = different.at(-1) ?? 0;
  if (last >= values.count) throw noValue(values.count, last);
  const cells = plainAt(values.content, type, different);
  const byIndex = new Map(different.map((index, at) => [index, cells[at] as Cell]));
  return indices.map((index) => byIndex.get(index) as Cell);
}

const noValue = (values: number, index: number) =>
  new Error(`a dictionary of ${values} values has none of index ${index}`);

function dictionaryOf(dictionary: DictionaryPage | null, encoding: number): DictionaryPage {
  if (encoding === ENCODING.rleDictionary && dictionary !== null) return dictionary;
  throw new Error(`the encoding ${encoding} is not one that fin writes`);
}
