/** Reads files of DuckDB, and lets DuckDB read files of this project. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { parquetMetadata } from 'hyparquet';
import { beforeAll, expect, test } from 'vitest';
import { openTable } from '../../../src/store/local-table.ts';
import { readCurrentStamp } from '../../../src/store/releases/home.ts';
import { listStoredColumns, readManifest } from '../../../src/store/releases/manifest.ts';
import type { Cell, CellType, Column } from '../../../src/store/schema/columns.ts';
import { selectSome } from '../../select-some.ts';
import { makeFolder } from '../public-source.ts';
import { readCells, readColumnChunk } from './read-chunks.ts';

const SAMPLE_HOME = resolve(import.meta.dirname, '../../../src/store/sample');
const SAMPLE_RELEASE = join(SAMPLE_HOME, readCurrentStamp(SAMPLE_HOME) ?? '');
const SAMPLE_MANIFEST = readManifest(SAMPLE_RELEASE);

let duckdb: DuckDBConnection;

beforeAll(async () => {
  duckdb = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
});

const queryColumns = async (query: string): Promise<Record<string, readonly unknown[]>> => {
  const result = await duckdb.runAndReadAll(query);
  return result.getColumnsObjectJS();
};

/** Number of rows whose cells are joined to one text: joining all rows of a large table takes DuckDB minutes. */
const JOINED_ROW_COUNT = 20_000;

/**
 * Returns an SQL expression that joins the cells of a column to one text. DuckDB hashes this text, because comparing
 * the cells of the largest table one by one would take a minute. Without an order, DuckDB may join rows in any order.
 */
const formatColumnTextSql = ({ name }: Column) =>
  `string_agg(coalesce("${name}"::varchar, chr(1)), chr(2) order by file_row_number)`;

const SQL_TYPE_BY_CELL_TYPE: Readonly<Record<CellType, string>> = {
  text: 'VARCHAR',
  integer: 'INTEGER',
  boolean: 'BOOLEAN',
};

test.each(Object.entries(SAMPLE_MANIFEST.tables))(
  "DuckDB reads the same cells from the sample's table %s",
  async (name, tableFile) => {
    const columns = listStoredColumns(tableFile).map((column) => ({ ...column, field: column.name }) as Column);
    const reader = openTable(SAMPLE_RELEASE, { name, key: null, columns }, tableFile);
    const readParquetSql = `read_parquet('${join(SAMPLE_RELEASE, tableFile.file)}')`;
    expect(
      await queryColumns(`select column_name, column_type from (describe select * from ${readParquetSql})`),
    ).toEqual({
      column_name: columns.map((column) => column.name),
      column_type: columns.map(({ type }) => SQL_TYPE_BY_CELL_TYPE[type]),
    });
    const hashExpressions = columns.map((column) => `md5(${formatColumnTextSql(column)}) as "${column.name}"`);
    const firstRow = `file_row_number // ${JOINED_ROW_COUNT} * ${JOINED_ROW_COUNT}`;
    const starts = selectSome(
      Array.from({ length: Math.ceil(tableFile.rows / JOINED_ROW_COUNT) }, (_, index) => index * JOINED_ROW_COUNT),
      8,
    );
    const duckdbHashes = await queryColumns(
      `select count(*)::int as "number of rows", ${hashExpressions.join(', ')} from ${readParquetSql.replace("')", "', file_row_number = true)")} where ${firstRow} in (${starts.join(', ') || 'null'}) group by ${firstRow} order by ${firstRow}`,
    );
    const readerHashes: Record<string, readonly unknown[]> = {
      'number of rows': starts.map((start) => Math.min(JOINED_ROW_COUNT, tableFile.rows - start)),
    };
    for (const column of columns) {
      const [cells = []] = await reader.columns([column.name]);
      readerHashes[column.name] = starts.map((start) => {
        const joinedCells = cells.slice(start, start + JOINED_ROW_COUNT).map((cell) => cell ?? '\u0001');
        return hash('md5', joinedCells.join('\u0002'));
      });
    }
    expect(duckdbHashes).toEqual(readerHashes);
    reader.close();
  },
);

const WRITTEN_ROW_COUNT = 5000;
const WRITTEN_COLUMNS: readonly [name: string, sql: string, type: CellType, nullable: boolean][] = [
  ['few', "'text ' || (i % 5)", 'text', false],
  ['many', "'Zürich ' || i", 'text', false],
  ['note', "case when i % 3 = 0 then null else 'n' || (i % 7) end", 'text', true],
  ['year', 'case when i % 11 = 0 then null else (2000 + i % 30)::int end', 'integer', true],
  ['ordinal', '(i * 7919 % 65536 - 32768)::int', 'integer', false],
  ['flag', 'i % 3 = 0', 'boolean', false],
];

test.each(
  ['gzip', 'snappy', 'uncompressed'].flatMap((codec) => ['v1', 'v2'].map((version) => [codec, version] as const)),
)('a file that DuckDB writes with %s, %s, is read correctly or refused', async (codec, version) => {
  const path = join(await makeFolder('duckdb'), 'written.parquet');
  const selectList = WRITTEN_COLUMNS.map(([name, sql]) => `${sql} as ${name}`).join(', ');
  await duckdb.run(
    `copy (select ${selectList} from range(${WRITTEN_ROW_COUNT}) r(i)) to '${path}' (format parquet, codec ${codec}, parquet_version ${version})`,
  );
  const duckdbColumns = await queryColumns(`select * from read_parquet('${path}')`);
  const bytes = readFileSync(path);
  const { row_groups: groups } = parquetMetadata(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  for (const [index, [name, , type, nullable]] of WRITTEN_COLUMNS.entries()) {
    const readColumn = (): Cell[] =>
      groups.flatMap(({ columns, num_rows: rowCount }) => {
        const meta = columns[index]?.meta_data;
        if (meta === undefined) throw new Error(`${name} was not written`);
        const chunkStart = Number(meta.dictionary_page_offset ?? meta.data_page_offset);
        const chunk = bytes.subarray(chunkStart, chunkStart + Number(meta.total_compressed_size));
        const storedChunk = { bytes: chunk, column: { name, type, nullable } };
        const size = { rows: Number(rowCount), maxContentBytes: 2 ** 24 };
        const cells = readColumnChunk(storedChunk, size);
        const allCells = Array.from({ length: Number(rowCount) }, (_, row) => cells.cellAt(row));
        expect(readCells([storedChunk], size)).toEqual([allCells]);
        const selectedRowNumbers = [0, 7, 4321].filter((row) => row < rowCount);
        expect(readCells([storedChunk], size, selectedRowNumbers)).toEqual([
          selectedRowNumbers.map((row) => allCells[row]),
        ]);
        return allCells;
      });
    let columnCells: Cell[];
    try {
      columnCells = readColumn();
    } catch (cause) {
      expect(cause).toBeInstanceOf(Error);
      continue;
    }
    expect(columnCells).toEqual(duckdbColumns[name]);
  }
});
