import { gunzipSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { PARQUET_MAGIC } from '../../src/store/parquet/format/thrift.ts';
import { Footer } from '../../src/store/parquet/write/footer.ts';
import { encodeRowGroup } from '../../src/store/parquet/write/row-group.ts';
import { type Cell, flag, integer, text } from '../../src/store/schema/columns.ts';
import type { Table } from '../../src/store/schema/declare-table.ts';
import { describeFile } from '../../src/store/table-writer.ts';

const TABLE: Table = {
  name: 'any',
  key: null,
  columns: [
    text('ticker'),
    text('filed_at?', { field: 'filed' }),
    integer('year?'),
    flag('own'),
    text('end_date?', { field: 'end' }),
    text('note?'),
  ],
};

const ROW_COUNT = 300;
const CELLS_OF_COLUMNS: readonly Cell[][] = [
  Array.from({ length: ROW_COUNT }, (_, row) => `Zürich ${row} 🏔`),
  Array.from({ length: ROW_COUNT }, (_, row) => (row % 7 === 0 ? null : row < 200 ? 'b' : 'ä')),
  Array.from({ length: ROW_COUNT }, (_, row) => (row % 11 === 0 ? null : -1 - (row >> 5))),
  Array.from({ length: ROW_COUNT }, (_, row) => row % 3 === 0),
  Array.from({ length: ROW_COUNT }, (_, row) => (row % 5 === 0 ? null : `day ${1000 - row}`)),
  Array.from({ length: ROW_COUNT }, () => null),
];

function makeFile(columns: readonly Cell[][]): ArrayBuffer {
  const group = encodeRowGroup(TABLE, columns, []);
  const footer = new Footer(describeFile(TABLE));
  footer.add(group, PARQUET_MAGIC.length);
  return new Uint8Array(Buffer.concat([PARQUET_MAGIC, group.bytes, ...footer.pieces()])).buffer;
}

test('another Parquet library reads the written cells', async () => {
  const compressors = { GZIP: (bytes: Uint8Array) => gunzipSync(bytes) };
  const rows = await parquetReadObjects({ file: makeFile(CELLS_OF_COLUMNS), compressors });
  expect(rows).toEqual(
    Array.from({ length: ROW_COUNT }, (_, row) => ({
      ticker: CELLS_OF_COLUMNS[0]?.[row],
      filed_at: CELLS_OF_COLUMNS[1]?.[row],
      year: CELLS_OF_COLUMNS[2]?.[row],
      own: CELLS_OF_COLUMNS[3]?.[row],
      end_date: CELLS_OF_COLUMNS[4]?.[row],
      note: null,
    })),
  );
});

test('only columns that queries often filter by have bounds', () => {
  const [group] = parquetMetadata(makeFile(CELLS_OF_COLUMNS)).row_groups;
  const bounds = group?.columns.map(({ meta_data }) => meta_data?.statistics);
  expect(bounds?.[1]).toMatchObject({ min_value: 'b', max_value: 'ä', null_count: 43n });
  expect(bounds?.[2]).toBeUndefined();
  expect(bounds?.[3]).toBeUndefined();
  expect(bounds?.[4]).toMatchObject({ min_value: 'day 701', max_value: 'day 999', null_count: 60n });
});

test('bounds of texts are minimum and maximum in the order of UTF-8 bytes, not of UTF-16', () => {
  const [ticker = []] = CELLS_OF_COLUMNS;
  const otherColumns = CELLS_OF_COLUMNS.slice(1).map((cells) => cells.slice(0, 3));
  const [chunk] = encodeRowGroup(TABLE, [['\uffee', '\u{1f3d4}', 'z'], ...otherColumns], []).chunks;
  expect(chunk?.statistics).toEqual({ nulls: 0, bounds: { min: 'z', max: '\u{1f3d4}' } });
  expect(encodeRowGroup(TABLE, [ticker.slice(0, 3), ...otherColumns], []).chunks[5]?.statistics).toBeNull();
});

test('the content hash changes with any cell', () => {
  const computeHash = (columns: readonly Cell[][]) => encodeRowGroup(TABLE, columns, []).content;
  const otherCells: readonly Cell[] = ['other', 'other', 7, true, 'other', 'other'];
  const changedColumnSets = CELLS_OF_COLUMNS.map((_, column) =>
    CELLS_OF_COLUMNS.map((cells, index) => (index === column ? cells.with(1, otherCells[column] ?? null) : cells)),
  );
  const hashes = [CELLS_OF_COLUMNS, CELLS_OF_COLUMNS.map((cells) => cells.slice(1)), ...changedColumnSets].map(
    computeHash,
  );
  expect(new Set(hashes).size).toBe(CELLS_OF_COLUMNS.length + 2);
  expect(computeHash(CELLS_OF_COLUMNS.map((cells) => [...cells]))).toBe(hashes[0]);
});

test('only columns with recurring values have a dictionary', () => {
  const [group] = parquetMetadata(makeFile(CELLS_OF_COLUMNS)).row_groups;
  const dictionaryFlags = group?.columns.map(({ meta_data }) => meta_data?.dictionary_page_offset !== undefined);
  expect(dictionaryFlags).toEqual([false, true, true, false, false, false]);
});

test('a row group without rows, or without a column of its table, is refused', () => {
  expect(() => makeFile(CELLS_OF_COLUMNS.map(() => []))).toThrow(/no rows/);
  expect(() => makeFile(CELLS_OF_COLUMNS.slice(1))).toThrow(/no column note/);
});
