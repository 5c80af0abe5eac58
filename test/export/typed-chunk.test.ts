/** Column chunks of typed tables, decoded by hyparquet. */
import { expect, test } from 'vitest';
import { ChunkEncoder, type FileColumn, toParquetColumn } from '../../src/export/typed-chunk.ts';
import { toStoredValue } from '../../src/export/typed-value.ts';
import type { Cell, ValueType } from '../../src/store/schema/columns.ts';
import { decodeChunk } from './decode-chunk.ts';

const makeColumn = (type: ValueType, isNullable = true): FileColumn => ({
  ...{ name: 'x', source: 'x', type, nullable: isNullable, scale: type === 'decimal' ? 2 : 0, isRemainder: false },
});

const listRowNumbers = (count: number) => Uint32Array.from({ length: count }, (_, row) => row);

/** Returns a column that repeats these cells. */
const repeatCells = (cells: readonly Cell[], rowCount = 64) => ({
  cells,
  indices: listRowNumbers(rowCount).map((row) => row % cells.length),
});

const CELLS_BY_TYPE: readonly (readonly [ValueType, readonly Cell[]])[] = [
  ['decimal', ['1.25', '-3', null]],
  ['date', ['2024-02-29', '1969-12-31', null]],
  ['timestamp', ['2023-02-09T10:54:46-05:00', null]],
  ['integer', [1, 320193, null]],
  ['text', ['AAPL', 'Société Générale', null]],
  ['boolean', [true, false, null]],
];

test.each(CELLS_BY_TYPE)('another library decodes every value of a column chunk of %s', (type, cells) => {
  for (const [count, isNullable] of [
    [cells.length, true],
    [64, true],
    [64, false],
  ] as const) {
    const column = makeColumn(type, isNullable);
    const source = repeatCells(isNullable ? cells : cells.filter((cell) => cell !== null), count);
    for (const rows of [listRowNumbers(count), listRowNumbers(count).reverse(), listRowNumbers(count - 1)]) {
      const { bytes, dataPageOffset } = new ChunkEncoder(column, source).encode(rows);
      const hasDictionary = count === 64 && type !== 'boolean';
      expect(dataPageOffset > 0).toBe(hasDictionary);
      const expected = [...rows].map((row) => source.cells[source.indices[row] as number] as Cell);
      expect(decodeChunk(toParquetColumn(column), bytes)).toEqual(
        expected.map((cell) => toStoredValue(cell, type, column.scale)),
      );
    }
  }
});

test('a nullable column of nulls is written, and a null in a column that is not nullable is refused', () => {
  const { statistics } = new ChunkEncoder(makeColumn('decimal'), repeatCells([null])).encode(listRowNumbers(64));
  expect(statistics).toEqual({ nulls: 64, bounds: null });
  expect(() =>
    new ChunkEncoder(makeColumn('decimal', false), repeatCells(['1', null])).encode(listRowNumbers(64)),
  ).toThrow('The column x has no value in 32 of 64 rows.');
});
