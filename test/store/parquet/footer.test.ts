import { parquetMetadata } from 'hyparquet';
import { expect, test } from 'vitest';
import { Footer } from '../../../src/store/parquet/write/footer.ts';
import { flag, integer, text } from '../../../src/store/schema/columns.ts';
import type { Table } from '../../../src/store/schema/declare-table.ts';
import { describeFile } from '../../../src/store/table-writer.ts';

const TABLE: Table = {
  name: 'any',
  key: 'cik',
  columns: [integer('cik'), text('note'), integer('year?'), flag('own')],
};

const NO_BOUNDS = { statistics: null };

test('another library finds every row group in the footer, also at offsets above 4 GiB', () => {
  const footer = new Footer(describeFile(TABLE));
  const offsets = Array.from({ length: 300 }, (_, index) => 4 + index * 3 * 2 ** 26);
  for (const [index, offset] of offsets.entries()) {
    const chunks = [
      {
        length: 100,
        uncompressedBytes: 300,
        dataPageOffset: 0,
        statistics: { nulls: 0, bounds: { min: -5, max: index } },
      },
      { ...NO_BOUNDS, length: 2 ** 30, uncompressedBytes: 2 ** 31, dataPageOffset: 17 },
      { ...NO_BOUNDS, length: 200, uncompressedBytes: 500, dataPageOffset: 0 },
      { ...NO_BOUNDS, length: 20, uncompressedBytes: 25, dataPageOffset: 0 },
    ];
    footer.add({ rows: 1000 + index, chunks }, offset);
  }
  const { num_rows, row_groups, schema, created_by } = parquetMetadata(
    new Uint8Array(Buffer.concat([...footer.pieces()])).buffer,
  );
  expect(created_by).toBe('fin-filings');
  expect(schema.map(({ name, type, repetition_type }) => [name, type, repetition_type])).toEqual([
    ['root', undefined, undefined],
    ['cik', 'INT32', 'REQUIRED'],
    ['note', 'BYTE_ARRAY', 'REQUIRED'],
    ['year', 'INT32', 'OPTIONAL'],
    ['own', 'BOOLEAN', 'REQUIRED'],
  ]);
  expect(Number(num_rows)).toBe(300 * 1000 + (299 * 300) / 2);
  expect(row_groups).toHaveLength(300);
  for (const [index, group] of row_groups.entries()) {
    const [cik, note, year] = group.columns.map(({ meta_data }) => meta_data);
    const offset = BigInt(offsets[index] ?? 0);
    expect(group).toMatchObject({ num_rows: BigInt(1000 + index), total_byte_size: BigInt(2 ** 31 + 825) });
    expect(cik).toMatchObject({ data_page_offset: offset, statistics: { min_value: -5, max_value: index } });
    expect(note).toMatchObject({
      ...{ path_in_schema: ['note'], codec: 'GZIP', encodings: ['PLAIN', 'RLE_DICTIONARY'] },
      ...{ dictionary_page_offset: offset + 100n, data_page_offset: offset + 117n },
      ...{ total_compressed_size: BigInt(2 ** 30), total_uncompressed_size: BigInt(2 ** 31) },
    });
    expect(year).toMatchObject({ data_page_offset: offset + 100n + BigInt(2 ** 30), num_values: BigInt(1000 + index) });
    expect([note?.statistics, year?.dictionary_page_offset]).toEqual([undefined, undefined]);
  }
});
