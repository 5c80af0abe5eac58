/** Types, bounds and metadata of written Parquet files, as DuckDB and a Thrift reader find them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import { expect, test } from 'vitest';
import type { ParquetColumn, StoredValue } from '../../src/store/parquet/format/column-type.ts';
import { FIELD_TYPES, PARQUET_MAGIC } from '../../src/store/parquet/format/thrift.ts';
import { PageWriter, writeColumn } from '../../src/store/parquet/write/page-writer.ts';
import { ParquetFile } from '../../src/store/parquet-file.ts';
import { makeFolder } from './public-source.ts';
import { type FieldsById, readStructure, type ThriftList } from './thrift.ts';

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'text', type: 'text', nullable: false },
  { name: 'flag', type: 'boolean', nullable: false },
  { name: 'small', type: 'int32', nullable: false },
  { name: 'large', type: 'int64', nullable: false },
  { name: 'figure', type: 'decimal', nullable: true, scale: 3 },
  { name: 'day', type: 'date', nullable: true },
  { name: 'moment', type: 'timestamp', nullable: true },
];
const VALUES: readonly StoredValue[] = [
  'Zürich',
  true,
  -7,
  2n ** 40n,
  -(10n ** 38n) + 1n,
  19_782,
  1_709_164_800_000_001n,
];

async function queryRows(query: string): Promise<Record<string, unknown>[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  return (await connection.runAndReadAll(query)).getRowObjectsJson();
}

/** Returns the fields of the footer, which ends eight bytes before the end of the file. */
function readFooter(path: string): FieldsById {
  const bytes = readFileSync(path);
  const end = bytes.length - 4 - PARQUET_MAGIC.length;
  return readStructure(bytes.subarray(end - bytes.readUInt32LE(end), end));
}

const makeFields = (fields: object): FieldsById =>
  new Map(Object.entries(fields).map(([id, value]) => [Number(id), value]));

test('another library reads types, logical types, bounds and metadata', async () => {
  const path = join(await makeFolder('parquet-file'), 'all.parquet');
  const file = new ParquetFile(path, {
    columns: COLUMNS,
    codec: 'snappy',
    sortedBy: 'small',
    metadata: { about: 'é' },
  });
  const encodedChunks = COLUMNS.map(({ type, nullable }, index) => {
    const pages = new PageWriter(snappyCompress);
    const levels = nullable ? Uint8Array.of(1, 0) : null;
    const values = Array.from({ length: nullable ? 1 : 2 }, () => VALUES[index] as StoredValue);
    const chunk = writeColumn(pages, type, { rows: 2, levels, values, indices: null }, true);
    return { ...chunk, bytes: pages.bytes() };
  });
  file.append(
    { rows: 2, chunks: encodedChunks },
    encodedChunks.map(({ bytes }) => bytes),
  );
  file.finish({ syncsToDisk: true });
  const describedColumns = await queryRows(`describe select * from '${path}'`);
  expect(describedColumns.map(({ column_name, column_type }) => `${column_name} ${column_type}`)).toEqual([
    ...['text VARCHAR', 'flag BOOLEAN', 'small INTEGER', 'large BIGINT', 'figure DECIMAL(38,3)', 'day DATE'],
    'moment TIMESTAMP WITH TIME ZONE',
  ]);
  const castToText = (name: string) => `"${name}"::varchar as "${name}"`;
  const [firstRow, secondRow] = await queryRows(
    `select ${COLUMNS.map(({ name }) => castToText(name)).join()}, epoch_us(moment)::varchar as micros from '${path}'`,
  );
  expect(firstRow).toMatchObject({
    text: 'Zürich',
    flag: 'true',
    small: '-7',
    large: '1099511627776',
    day: '2024-02-29',
  });
  expect(firstRow).toMatchObject({ figure: `-${'9'.repeat(35)}.999`, micros: '1709164800000001' });
  expect(secondRow).toMatchObject({ text: 'Zürich', figure: null, day: null, moment: null });
  const bounds = await queryRows(
    `select path_in_schema, stats_min_value, stats_null_count from parquet_metadata('${path}')`,
  );
  expect(bounds.map(({ stats_null_count: nulls }) => Number(nulls))).toEqual([0, 0, 0, 0, 1, 1, 1]);
  expect(bounds.map(({ stats_min_value: least }) => least).slice(0, 4)).toEqual([
    'Zürich',
    'true',
    '-7',
    '1099511627776',
  ]);
  const metadata = await queryRows(
    `select decode(key) as key, decode(value) as value from parquet_kv_metadata('${path}')`,
  );
  expect(metadata).toEqual([{ key: 'about', value: 'é' }]);
  const { items } = readFooter(path).get(4) as ThriftList;
  const sorting = (items[0] as FieldsById).get(4) as ThriftList;
  expect(sorting.items).toEqual([makeFields({ 1: 2, 2: false, 3: false })]);
});

test('the footer of a file without rows has a typed list of row groups, as arrow-rs requires', async () => {
  const path = join(await makeFolder('parquet-file'), 'empty.parquet');
  new ParquetFile(path, { columns: COLUMNS, codec: 'snappy' }).finish({ syncsToDisk: true });
  expect(await queryRows(`select count(*)::int as rows from '${path}'`)).toEqual([{ rows: 0 }]);
  expect(readFooter(path).get(4)).toEqual({ itemType: FIELD_TYPES.struct, items: [] });
});
