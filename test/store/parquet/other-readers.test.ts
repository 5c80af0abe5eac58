/** Other Parquet libraries read written cells of any type, and select rows by their values. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { beforeAll, expect, test } from 'vitest';
import { PARQUET_MAGIC } from '../../../src/store/parquet/format/thrift.ts';
import { Footer } from '../../../src/store/parquet/write/footer.ts';
import { encodeRowGroup } from '../../../src/store/parquet/write/row-group.ts';
import type { Cell, CellType, Column } from '../../../src/store/schema/columns.ts';
import type { Table } from '../../../src/store/schema/declare-table.ts';
import { describeFile } from '../../../src/store/table-writer.ts';
import { countSome } from '../../select-some.ts';
import { makeFolder } from '../public-source.ts';

const RANDOM_RUN_COUNT = countSome(8, 20);

let duckdb: DuckDBConnection;
let folder: string;

beforeAll(async () => {
  duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  folder = await makeFolder('other-readers');
});

const ARBITRARY_VALUE_BY_TYPE: Readonly<Record<CellType, fc.Arbitrary<Exclude<Cell, null>>>> = {
  text: fc
    .oneof(
      fc.constantFrom('', '\0', 'a\0b', 'a\ufeff', '\ud83d', '\udca9x', 'é', '漢', '🏔', '\uffff', '\u007f', '\u0080'),
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 0, max: 70_000 }).map((length) => 'long '.repeat(length / 5)),
      fc.integer({ min: 120, max: 130 }).map((length) => 'x'.repeat(length)),
      fc.bigInt().map(String),
    )
    // Other libraries drop a byte order mark at the beginning of a text.
    .filter((text) => !text.startsWith('\ufeff')),
  integer: fc.oneof(fc.constantFrom(0, -1, 2 ** 31 - 1, -(2 ** 31)), fc.integer(), fc.nat({ max: 300 })),
  boolean: fc.boolean(),
};
/** Counts around the limits at which an index, or the header of a run, needs one more bit or byte. */
const BOUNDARY_COUNTS = [
  1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256, 257, 503, 504, 505, 2000,
];
const arbitraryCount = fc.oneof(fc.constantFrom(...BOUNDARY_COUNTS), fc.nat({ max: 3000 }));

/** Returns the cells of a column: runs of about `run` equal cells, with at most `different` distinct values. */
const makeArbitraryCells = (type: CellType, isNullable: boolean, rowCount: number): fc.Arbitrary<Cell[]> =>
  fc
    .record({
      values: fc.array(ARBITRARY_VALUE_BY_TYPE[type], { minLength: 1, maxLength: 20 }),
      different: arbitraryCount,
      run: fc.oneof(fc.constant(1), arbitraryCount),
      nulls: fc.constantFrom(0, 0, 0.01, 0.5, 0.99, 1),
      seed: fc.integer({ min: 1 }),
    })
    .map(({ values, different, run, nulls, seed }) => {
      const random = makeRandom(seed);
      const makeCell = (index: number): Cell => {
        const value = values[index % values.length] as Exclude<Cell, null>;
        if (index < values.length || typeof value === 'boolean') return value;
        return typeof value === 'string' ? `${value.slice(0, 200)}${index}` : (value + index) | 0;
      };
      const columnValues: Cell[] = [];
      while (columnValues.length < rowCount) {
        const cell = isNullable && random() < nulls ? null : makeCell(Math.floor(random() * Math.max(different, 1)));
        const runLength = 1 + Math.floor(random() * run * 2);
        for (let repeat = 0; repeat < runLength && columnValues.length < rowCount; repeat += 1) columnValues.push(cell);
      }
      return columnValues;
    });

function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const COLUMN_KINDS = (['text', 'integer', 'boolean'] as const).flatMap((type) => [
  { type, nullable: false },
  { type, nullable: true },
]);
/** Columns with these names have minimum and maximum statistics. */
const BOUNDED_COLUMN_NAMES = ['ticker', 'filed_at', 'cik', 'metric_key'];
const COLUMNS = [...COLUMN_KINDS, ...COLUMN_KINDS].map((kind, index): Column => {
  const name = BOUNDED_COLUMN_NAMES[index] ?? `column_${index}`;
  return { ...kind, name, field: name };
});
const TABLE: Table = { name: 'any', key: null, columns: COLUMNS };

const arbitraryRowGroup = fc
  .oneof(arbitraryCount, fc.constantFrom(1, 2))
  .map((rows) => Math.max(rows, 1))
  .chain((rows) => fc.tuple(...COLUMNS.map(({ type, nullable }) => makeArbitraryCells(type, nullable, rows))));

/** Returns a text as it is read back from UTF-8: a lone surrogate becomes a replacement character. */
const toStoredCell = (cell: Cell): Cell => (typeof cell === 'string' ? Buffer.from(cell).toString() : cell);

test('other libraries read the written cells, and find rows by them', async () => {
  const path = join(folder, 'written.parquet');
  const property = fc.asyncProperty(
    fc.array(arbitraryRowGroup, { minLength: 1, maxLength: 3 }),
    fc.nat(),
    async (groups, position) => {
      const bytes = makeFile(TABLE, groups);
      writeFileSync(path, bytes);
      const expectedColumns = COLUMNS.map((_, index) =>
        groups.flatMap((columns) => (columns[index] as Cell[]).map(toStoredCell)),
      );
      const duckdbColumns = (await duckdb.runAndReadAll(`select * from '${path}'`)).getColumnsObjectJS();
      const compressors = { GZIP: (compressedBytes: Uint8Array) => gunzipSync(compressedBytes) };
      const hyparquetRows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer, compressors });
      for (const [index, { name, type }] of COLUMNS.entries()) {
        const expectedCells = expectedColumns[index] as Cell[];
        // Compares whole columns as text, because comparing cell by cell takes several times as long.
        expect(JSON.stringify(duckdbColumns[name]) === JSON.stringify(expectedCells), `DuckDB reads ${name}`).toBe(
          true,
        );
        const hyparquetCells = hyparquetRows.map((row) => row[name] ?? null);
        expect(JSON.stringify(hyparquetCells) === JSON.stringify(expectedCells), `hyparquet reads ${name}`).toBe(true);
        const searchedCell = expectedCells[position % expectedCells.length] as Cell;
        if (searchedCell === null || !BOUNDED_COLUMN_NAMES.includes(name)) continue;
        const placeholder = type === 'text' ? '?::varchar' : `?::${type}`;
        const countResult = await duckdb.runAndReadAll(
          `select count(*) from '${path}' where ${name} = ${placeholder}`,
          [searchedCell],
        );
        expect(Number(countResult.getRows()[0]?.[0]), `rows by ${name}`).toBe(
          expectedCells.filter((cell) => cell === searchedCell).length,
        );
      }
    },
  );
  await fc.assert(property, { numRuns: RANDOM_RUN_COUNT });
});

function makeFile(table: Table, groups: readonly (readonly Cell[][])[]): Buffer {
  const footer = new Footer(describeFile(table));
  const pieces: Uint8Array[] = [PARQUET_MAGIC];
  let length = PARQUET_MAGIC.length;
  for (const columns of groups) {
    const group = encodeRowGroup(table, columns, []);
    footer.add(group, length);
    pieces.push(group.bytes);
    length += group.bytes.length;
  }
  return Buffer.concat([...pieces, ...footer.pieces()]);
}

test('other libraries read a dictionary with more than 65,536 values', async () => {
  const path = join(folder, 'large.parquet');
  const indices = Array.from({ length: 2 * 65_537 }, (_, row) => row >> 1);
  const columns = COLUMNS.slice(0, 3).filter(({ nullable }) => !nullable);
  const writtenColumns = columns.map(({ type }) => indices.map((index) => (type === 'text' ? `é ${index}` : -index)));
  writeFileSync(path, makeFile({ ...TABLE, columns }, [writtenColumns]));
  const columnsFromDuckdb = (await duckdb.runAndReadAll(`select * from '${path}'`)).getColumns();
  expect(JSON.stringify(columnsFromDuckdb) === JSON.stringify(writtenColumns)).toBe(true);
});
