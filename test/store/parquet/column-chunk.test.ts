import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ENCODING_NUMBERS } from '../../../src/store/parquet/format/thrift.ts';
import { decodeChunkIntegers } from '../../../src/store/parquet/read/decode-cells.ts';
import { type ChunkPages, readPagesOfGroups } from '../../../src/store/parquet/read/pages.ts';
import { readNumbers } from '../../../src/store/parquet/read/runs.ts';
import { encodeRuns } from '../../../src/store/parquet/write/page-content.ts';
import { createGzipCompressor, PageWriter } from '../../../src/store/parquet/write/page-writer.ts';
import { encodeRowGroup } from '../../../src/store/parquet/write/row-group.ts';
import { RowGroup } from '../../../src/store/row-views.ts';
import type { Cell, Column } from '../../../src/store/schema/columns.ts';
import type { Table } from '../../../src/store/schema/declare-table.ts';
import { readCells, readColumnChunk } from './read-chunks.ts';

const makeColumn = (name: string, type: Column['type'], isNullable: boolean): Column => ({
  name,
  field: name,
  type,
  nullable: isNullable,
});

const TABLE: Table = {
  name: 'any',
  key: 'cik',
  columns: [
    makeColumn('cik', 'integer', false),
    makeColumn('text', 'text', false),
    makeColumn('text_or_null', 'text', true),
    makeColumn('count_or_null', 'integer', true),
    makeColumn('flag', 'boolean', false),
  ],
};

const arbitraryInteger = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
/**
 * Makes texts: some from a short list, which repeat often, and some random. A column of few distinct texts gets a
 * dictionary; a column of many does not.
 */
const arbitraryText = fc.oneof(
  fc.constantFrom('USD', 'shares', '', 'x'.repeat(127), 'x'.repeat(128), 'x'.repeat(300)),
  fc.string({ unit: 'grapheme' }),
  fc.bigInt().map(String),
);
const arbitraryRow = fc.tuple(
  arbitraryInteger,
  arbitraryText,
  fc.option(arbitraryText),
  fc.option(fc.nat({ max: 3 })),
  fc.boolean(),
);
const arbitraryRows = fc
  .array(fc.tuple(arbitraryRow, fc.integer({ min: 1, max: 300 })), { minLength: 1, maxLength: 12 })
  .map((runs) => runs.flatMap(([cells, times]) => Array.from({ length: times }, () => cells)));

const makeSize = (rowCount: number) => ({ rows: rowCount, maxContentBytes: 2 ** 20 });

test('written cells of any type are read back unchanged, whether all or only some rows are read', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.array(arbitraryRow, { minLength: 1, maxLength: 200 }), arbitraryRows),
      fc.nat(),
      fc.nat(),
      (rows, a, b) => {
        const [from = 0, to = 0] = [a % rows.length, b % (rows.length + 1)].sort((one, other) => one - other);
        const columns: Cell[][] = TABLE.columns.map((_, index) => rows.map((cells) => cells[index] ?? null));
        const { bytes, chunks } = encodeRowGroup(TABLE, columns, [1]);
        let offset = 0;
        const storedChunks = chunks.map(({ length }, index) => {
          offset += length;
          return { bytes: bytes.subarray(offset - length, offset), column: TABLE.columns[index] as Column };
        });
        const size = makeSize(rows.length);
        const selectedRowNumbers = [...new Set([from, a % rows.length, to - 1])]
          .filter((row) => row >= 0)
          .sort((x, y) => x - y);
        expect(readCells(storedChunks, size)).toEqual(columns);
        const selectedCells = columns.map((cells) => selectedRowNumbers.map((at) => cells[at]));
        expect(readCells(storedChunks, size, selectedRowNumbers)).toEqual(selectedCells);
        const [pages = []] = readPagesOfGroups([{ chunks: storedChunks, size }]);
        expect([...decodeChunkIntegers(pages[0] as ChunkPages, rows.length)]).toEqual(columns[0]);
        expect(() => decodeChunkIntegers(pages[1] as ChunkPages, rows.length)).toThrow(
          /text has a cell that is not an integer/,
        );
        if (columns[3]?.includes(null))
          expect(() => decodeChunkIntegers(pages[3] as ChunkPages, rows.length)).toThrow(/is not an integer/);
        else expect([...decodeChunkIntegers(pages[3] as ChunkPages, rows.length)]).toEqual(columns[3]);
        const group = new RowGroup(
          { rows: rows.length, bytes: bytes.length },
          TABLE.columns,
          storedChunks.map((chunk) => chunk.bytes),
          (decode) => decode(),
        );
        const source = group.readRange({ from, to });
        for (const [index, chunk] of storedChunks.entries()) {
          const { dictionary, indices } = readColumnChunk(chunk, size);
          expect([...indices].map((at) => dictionary[at])).toEqual(columns[index]);
          const partOfColumn = source.cellsOf(index);
          const part = Array.from({ length: to - from }, (_, row) => partOfColumn.cellAt(from + row - source.firstRow));
          expect(part).toEqual(columns[index]?.slice(from, to));
          for (const wrongRowCount of [rows.length + 1, rows.length - 1]) {
            expect(() => readColumnChunk(chunk, makeSize(wrongRowCount))).toThrow();
            expect(() => readCells([chunk], makeSize(wrongRowCount), selectedRowNumbers)).toThrow();
          }
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('booleans in RLE runs, as earlier versions wrote them, are read', () => {
  const flags = Array.from({ length: 100 }, (_, row) => row > 60 || row % 3 === 0);
  const rleRuns = encodeRuns(Uint32Array.from(flags, Number), 1);
  const content = Buffer.concat([new Uint8Array(Uint32Array.of(rleRuns.length).buffer), rleRuns]);
  const pages = new PageWriter(createGzipCompressor());
  pages.addDataPage({ rows: flags.length, nulls: 0, encoding: ENCODING_NUMBERS.rle, levels: null, content });
  const storedChunk = { bytes: Buffer.from(pages.bytes()), column: makeColumn('flag', 'boolean', false) };
  expect(readCells([storedChunk], makeSize(flags.length))).toEqual([flags]);
  expect(readCells([storedChunk], makeSize(flags.length), [59, 61])).toEqual([[false, true]]);
  const { dictionary, indices } = readColumnChunk(storedChunk, makeSize(flags.length));
  expect(Array.from(indices, (index) => dictionary[index])).toEqual(flags);
});

test('truncated bytes are an error, never an endless loop or a wrong value', () => {
  expect(() => readNumbers(new Uint8Array([]), 0, 3, 8)).toThrow();
  expect(() => readNumbers(new Uint8Array([0x80]), 0, 3, 8)).toThrow();
  expect(() => readNumbers(new Uint8Array([3, 1]), 0, 3, 8)).toThrow();
  expect(() => readNumbers(new Uint8Array([0, 0, 0]), 0, 3, 8)).toThrow();
  expect([...readNumbers(new Uint8Array([16, 5]), 0, 3, 8)]).toEqual(Array(8).fill(5));
  // Eight numbers of three bits: the example in the format's specification.
  expect([...readNumbers(new Uint8Array([3, 0x88, 0xc6, 0xfa]), 0, 3, 8)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});
