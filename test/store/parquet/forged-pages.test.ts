/** Column chunks with correct checksums and forged pages: each is refused without using much time or memory. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  ENCODING_NUMBERS,
  PAGE_HEADER_FIELD_IDS,
  PAGE_TYPE_NUMBERS,
  ThriftStruct,
} from '../../../src/store/parquet/format/thrift.ts';
import { decodeChunkIntegers } from '../../../src/store/parquet/read/decode-cells.ts';
import { type ChunkPages, readPageHeader, readPagesOfGroups } from '../../../src/store/parquet/read/pages.ts';
import { encodeIndices } from '../../../src/store/parquet/write/page-content.ts';
import { createGzipCompressor, PageWriter } from '../../../src/store/parquet/write/page-writer.ts';
import type { CellType } from '../../../src/store/schema/columns.ts';
import { readCells, readColumnChunk } from './read-chunks.ts';

const makeColumn = (type: CellType, isNullable = false) => ({ name: 'any', type, nullable: isNullable });
const makeChunk = (bytes: Uint8Array, type: CellType, nullable = false) => ({
  bytes,
  column: makeColumn(type, nullable),
});
const GROUP_SIZE = { rows: 8, maxContentBytes: 2 ** 20 };

const ZERO_VALUES = Buffer.alloc(4 * GROUP_SIZE.rows);

interface StatedHeaderFields {
  readonly size?: number;
  readonly packedSize?: number;
  readonly rows?: number;
  readonly nulls?: number;
  readonly levelsSize?: number;
  readonly statistics?: Uint8Array;
}

/** Returns a page of eight integers. Its header states the given numbers, which may be wrong. */
function makePage({
  size,
  packedSize,
  rows = GROUP_SIZE.rows,
  nulls = 0,
  levelsSize = 0,
  statistics,
}: StatedHeaderFields = {}): Buffer {
  const compressedContent = gzipSync(ZERO_VALUES);
  const dataPageHeader = new ThriftStruct()
    .int(1, rows)
    .int(2, nulls)
    .int(3, rows)
    .int(4, ENCODING_NUMBERS.plain)
    .int(5, levelsSize)
    .int(6, 0);
  if (statistics !== undefined) dataPageHeader.struct(8, new ThriftStruct().binary(1, statistics));
  const header = new ThriftStruct()
    .int(1, PAGE_TYPE_NUMBERS.dataV2)
    .int(2, size ?? ZERO_VALUES.length)
    .int(3, packedSize ?? compressedContent.length)
    .struct(PAGE_HEADER_FIELD_IDS.dataV2, dataPageHeader)
    .finish();
  return Buffer.concat([header, compressedContent]);
}

test('a page that is not forged is read, also with the statistics of other writers', () => {
  const zeros = Array(GROUP_SIZE.rows).fill(0);
  for (const statistics of [undefined, new Uint8Array(1), new Uint8Array(200).fill(0x18)]) {
    expect(
      readCells([makeChunk(makePage(statistics === undefined ? {} : { statistics }), 'integer')], GROUP_SIZE),
    ).toEqual([zeros]);
  }
});

const UNREADABLE_HEADERS = [
  ['a binary of negative length', [0x18, 0xff, 0xff, 0xff, 0xff, 0x0f]],
  ['a binary longer than the remaining bytes', [0x18, 0x7f]],
  ['a number without an end', Array(4096).fill(0xff)],
  ['a number without an end in a field', [0x15, ...Array(4096).fill(0xff)]],
  ['decreasing field numbers', [0x05, 0x01, 0x02]],
  ['structures in structures', Array(1_000_000).fill(0x1c)],
  ['a list longer than the remaining bytes', [0x19, 0xf5, 0xff, 0xff, 0xff, 0xff, 0x0f]],
] as const;

test.each(UNREADABLE_HEADERS)('a page header of %s is refused', (_, bytes) => {
  expect(() => readPageHeader(Uint8Array.from(bytes), 0)).toThrow(/a page header/);
});

const FORGED_HEADERS: readonly [string, StatedHeaderFields, RegExp][] = [
  ['a page that ends after its chunk', { packedSize: 1000 }, /is longer than the column/],
  ['more rows than remain', { rows: 9 }, /9 rows \(rows left to read: 8\)/],
  ['a billion rows', { rows: 1e9 }, /1000000000 rows \(rows left to read: 8\)/],
  ['no rows', { rows: 0 }, /0 rows/],
  ['more nulls than rows', { nulls: 9 }, /8 rows with 9 nulls|nulls in a page: 9/],
  ['levels longer than the page', { levelsSize: 1000 }, /levels that are longer than their page/],
  ['a gigabyte of content', { size: 2 ** 30 }, /more than the allowed 1048576/],
  ['more values than bytes', { size: 31 }, /8 values in 31 bytes/],
  ['a size larger than the content', { size: 33 }, /instead of (?:33|97)/],
];

test.each(FORGED_HEADERS)('a page header with %s is refused', (_, header, fault) => {
  for (const type of ['integer', 'text'] as const) {
    const chunk = makeChunk(makePage(header), type, true);
    expect(() => readColumnChunk(chunk, GROUP_SIZE)).toThrow(fault);
    expect(() => readCells([chunk], GROUP_SIZE)).toThrow(fault);
    const validGroup = { chunks: [makeChunk(makePage(), type, true)], size: GROUP_SIZE };
    expect(() => readPagesOfGroups([validGroup, { chunks: [chunk], size: GROUP_SIZE }, validGroup])).toThrow(fault);
  }
});

test('row groups are unpacked together up to a number of bytes, each within its own limit', () => {
  const numbers = Array.from({ length: 500_000 }, (_, row) => row);
  const pages = new PageWriter(createGzipCompressor());
  const content = new Uint8Array(Int32Array.from(numbers).buffer);
  pages.addDataPage({ rows: numbers.length, nulls: 0, encoding: ENCODING_NUMBERS.plain, levels: null, content });
  const chunk = makeChunk(pages.bytes(), 'integer');
  const group = { chunks: [chunk], size: { rows: numbers.length, maxContentBytes: content.length } };
  // Seven row groups of two megabytes are more than the eight megabytes that are unpacked together.
  const pagesOfGroups = readPagesOfGroups(Array(7).fill(group));
  expect(
    pagesOfGroups.map(([pagesOfColumn]) => decodeChunkIntegers(pagesOfColumn as ChunkPages, numbers.length).at(-1)),
  ).toEqual(Array(7).fill(499_999));
  const groupOverLimit = { ...group, size: { ...group.size, maxContentBytes: content.length - 1 } };
  expect(() => readPagesOfGroups([group, groupOverLimit])).toThrow(/more than the allowed/);
});

test('an index beyond the dictionary is refused, whether all rows of the column are read or only some', () => {
  const pages = new PageWriter(createGzipCompressor());
  pages.addDictionaryPage(2, ZERO_VALUES.subarray(0, 8));
  const indices = Uint32Array.of(0, 1, 0, 1, 0, 1, 7, 0);
  pages.addDataPage({
    rows: 8,
    nulls: 0,
    encoding: ENCODING_NUMBERS.rleDictionary,
    levels: null,
    content: encodeIndices(indices, 8),
  });
  const chunk = makeChunk(pages.bytes(), 'integer');
  const faultPattern = /index 7 is outside a dictionary of 2 values/;
  expect(() => readColumnChunk(chunk, GROUP_SIZE)).toThrow(faultPattern);
  expect(() => readCells([chunk], GROUP_SIZE)).toThrow(faultPattern);
  expect(() => readCells([chunk], GROUP_SIZE, [0, 6])).toThrow(faultPattern);
  expect(readCells([chunk], GROUP_SIZE, [0, 1])).toEqual([[0, 0]]);
});

test('definition levels for more values than the page has are refused', () => {
  const pages = new PageWriter(createGzipCompressor());
  const levels = Uint8Array.of(3, 0xff);
  pages.addDataPage({
    rows: 8,
    nulls: 4,
    encoding: ENCODING_NUMBERS.plain,
    levels,
    content: ZERO_VALUES.subarray(0, 16),
  });
  const chunk = makeChunk(pages.bytes(), 'integer', true);
  expect(() => readColumnChunk(chunk, GROUP_SIZE)).toThrow(/fewer values/);
  expect(() => readCells([chunk], GROUP_SIZE)).toThrow(/does not match its definition levels/);
});
