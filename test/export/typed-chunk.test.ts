/** Tests the verification of column chunks of typed tables, which happens before they are written. */
import { expect, test } from 'vitest';
import type { FileColumn } from '../../src/export/file-column.ts';
import { ChunkEncoder } from '../../src/export/typed-chunk.ts';
import type { ValueType } from '../../src/export/typed-value.ts';
import type { Cell } from '../../src/store/schema/table.ts';

const makeColumn = (type: ValueType, isNullable = true): FileColumn => ({
  ...{ name: 'x', source: 'x', type, nullable: isNullable, scale: type === 'decimal' ? 2 : 0, isRemainder: false },
});

const listRowNumbers = (count: number) => Uint32Array.from({ length: count }, (_, row) => row);

/** Returns a column that repeats these cells. */
const repeatCells = (cells: readonly Cell[], rowCount = 64) => ({
  cells,
  indices: listRowNumbers(rowCount).map((row) => row % cells.length),
});

const TYPES_WITH_CHANGED_CELLS: readonly (readonly [ValueType, readonly Cell[], readonly Cell[]])[] = [
  ['decimal', ['1.25', '-3', null], ['1.25', '-4', null]],
  ['date', ['2024-02-29', '1969-12-31', null], ['2024-03-01', '1969-12-31', null]],
  ['timestamp', ['2023-02-09T10:54:46-05:00', null], ['2023-02-09T10:54:46-04:00', null]],
  ['integer', [1, 320193, null], [2, 320193, null]],
  ['text', ['AAPL', 'Société Générale', null], ['AAPL', 'Societe Generale', null]],
  ['boolean', [true, false, null], [true, true, null]],
];

test.each(TYPES_WITH_CHANGED_CELLS)(
  'a column chunk of %s is verified value by value, with and without a dictionary',
  (type, cells, changedCells) => {
    for (const encodedRowCount of [cells.length, 64]) {
      const encoder = new ChunkEncoder(makeColumn(type), repeatCells(cells, encodedRowCount));
      const { bytes, dataPageOffset } = encoder.encode(listRowNumbers(encodedRowCount));
      const shouldHaveDictionary = encodedRowCount === 64 && type !== 'boolean';
      expect(dataPageOffset > 0).toBe(shouldHaveDictionary);
      expect(() => encoder.verify(bytes, listRowNumbers(encodedRowCount))).not.toThrow();
      // Verifying the same bytes fails for a column with one changed value, a changed order, fewer rows or more rows.
      const changedEncoder = new ChunkEncoder(makeColumn(type), repeatCells(changedCells, encodedRowCount));
      expect(() => changedEncoder.verify(bytes, listRowNumbers(encodedRowCount))).toThrow(
        /typed column x was written incorrectly/,
      );
      expect(() => encoder.verify(bytes, listRowNumbers(encodedRowCount).reverse())).toThrow(/typed column x/);
      expect(() => encoder.verify(bytes, listRowNumbers(encodedRowCount - 1))).toThrow(/typed column x/);
      const longerEncoder = new ChunkEncoder(makeColumn(type), repeatCells(cells, encodedRowCount + 1));
      expect(() => longerEncoder.verify(bytes, listRowNumbers(encodedRowCount + 1))).toThrow();
    }
  },
);

test('a nullable column of nulls is written, and a null in a column that is not nullable is refused', () => {
  const { statistics } = new ChunkEncoder(makeColumn('decimal'), repeatCells([null])).encode(listRowNumbers(64));
  expect(statistics).toEqual({ nulls: 64, bounds: null });
  expect(() =>
    new ChunkEncoder(makeColumn('decimal', false), repeatCells(['1', null])).encode(listRowNumbers(64)),
  ).toThrow('The column x has no value in 32 of 64 rows.');
});
