import { gunzipSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import type { Cell, Table } from '../../../../src/release/schema/table.ts';
import { flag, integerOrNull, text, textOrNull } from '../../../../src/release/schema/table.ts';
import { writeChunk } from '../../../../src/release/store/parquet/column-chunk-writer.ts';
import { schemaOf } from '../../../../src/release/store/parquet/parquet-schema.ts';

const TABLE: Table = {
  name: 'any',
  key: null,
  columns: [text('name', 'name'), textOrNull('note', 'note'), integerOrNull('year', 'year'), flag('own', 'own')],
};

const ROWS = 300;
const COLUMNS: readonly Cell[][] = [
  Array.from({ length: ROWS }, (_, row) => `Zürich ${row} 🏔`),
  Array.from({ length: ROWS }, (_, row) => (row % 7 === 0 ? null : row < 200 ? 'b' : 'ä')),
  Array.from({ length: ROWS }, (_, row) => (row % 11 === 0 ? null : -1 - (row >> 5))),
  Array.from({ length: ROWS }, (_, row) => row % 3 === 0),
];

function file(columns: readonly Cell[][]): ArrayBuffer {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: schemaOf(TABLE) });
  const chunks = TABLE.columns.map((column, index) => writeChunk(writer, column, columns[index] ?? [], true));
  const rows = columns[0]?.length ?? 0;
  parquet.row_groups.push({ columns: chunks, total_byte_size: 0n, num_rows: BigInt(rows) });
  parquet.num_rows = BigInt(rows);
  parquet.finish();
  return writer.getBuffer();
}

test('another reader of Parquet finds the cells that were written', async () => {
  const compressors = { GZIP: (bytes: Uint8Array) => gunzipSync(bytes) };
  const rows = await parquetReadObjects({ file: file(COLUMNS), compressors });
  expect(rows).toEqual(
    Array.from({ length: ROWS }, (_, row) => ({
      name: COLUMNS[0]?.[row],
      note: COLUMNS[1]?.[row],
      year: COLUMNS[2]?.[row],
      own: COLUMNS[3]?.[row],
    })),
  );
});

test('bounds are the least and the greatest by their bytes, and none where letters are beyond sixteen bits', () => {
  const [group] = parquetMetadata(file(COLUMNS)).row_groups;
  const bounds = group?.columns.map(({ meta_data }) => meta_data?.statistics);
  expect(bounds?.[0]).toMatchObject({ null_count: 0n });
  expect(bounds?.[0]?.min_value).toBeUndefined();
  expect(bounds?.[1]).toMatchObject({ min_value: 'b', max_value: 'ä', null_count: 43n });
  expect(bounds?.[2]).toMatchObject({ min_value: -10, max_value: -1, null_count: 28n });
});

test.each([
  ['a missing value', 0, null],
  ['a number for a text', 0, 5],
  ['a fraction for an integer', 2, 0.5],
  ['more than an integer holds', 2, 2 ** 31],
])('%s is refused', (_, index, cell) => {
  expect(() => file(COLUMNS.map((cells, column) => (column === index ? [cell, ...cells.slice(1)] : cells)))).toThrow(
    TypeError,
  );
});
