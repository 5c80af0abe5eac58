import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeIndex, encodeIndexEntry, RowGroupIndex } from '../../../src/store/parquet/row-group-index.ts';

const COLUMN_COUNT = 3;
const arbitraryWord = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const arbitraryChunk = fc.record({ length: fc.integer({ min: 1, max: 2 ** 32 - 1 }), crc32: arbitraryWord });

const arbitraryGroup = fc.record({
  companies: fc.integer({ min: 1, max: 5 }),
  gap: fc.integer({ min: 1, max: 1000 }),
  rows: fc.integer({ min: 1, max: 65_536 }),
  // Offsets above 32 bits, because a release may be larger than four gigabytes.
  before: fc.integer({ min: 0, max: 2 ** 40 }),
  chunks: fc.array(arbitraryChunk, { minLength: COLUMN_COUNT, maxLength: COLUMN_COUNT }),
});

test('every company is found in its row group, and an unknown company in no row group', () => {
  fc.assert(
    fc.property(fc.array(arbitraryGroup, { maxLength: 40 }), (groupShapes) => {
      let [cik, end] = [0, 4];
      const groups = groupShapes.map(({ companies, gap, rows, before, chunks }) => {
        const firstKey = cik + gap;
        cik = firstKey + companies - 1;
        const offset = end + before;
        end = offset + chunks.reduce((sum, { length }) => sum + length, 0);
        return { firstKey, lastKey: cik, rows, offset, chunks };
      });
      const entries = groups.map((group) => encodeIndexEntry(group, group.offset));
      const index = new RowGroupIndex(encodeIndex(1, COLUMN_COUNT, entries), COLUMN_COUNT, end);
      expect(index.length).toBe(groups.length);
      for (const [position, { firstKey, lastKey, rows, offset, chunks }] of groups.entries()) {
        expect(index.groupsBetween(firstKey, firstKey)[0] ?? null).toBe(position);
        expect(index.groupsBetween(lastKey, lastKey)[0] ?? null).toBe(position);
        if (firstKey - 1 !== groups[position - 1]?.lastKey)
          expect(index.groupsBetween(firstKey - 1, firstKey - 1)[0] ?? null).toBeNull();
        const location = index.locationOf(position);
        expect(location).toMatchObject({ firstKey, lastKey, rows });
        expect(location.chunks[0]?.offset).toBe(offset);
        expect(location.chunks.map(({ length, crc32 }) => ({ length, crc32 }))).toEqual(chunks);
        expect(location.chunks[2]?.offset).toBe(offset + (chunks[0]?.length ?? 0) + (chunks[1]?.length ?? 0));
      }
      expect(index.groupsBetween(cik + 1, cik + 1)[0] ?? null).toBeNull();
    }),
  );
});

test('bytes that are not an index of the table are refused', () => {
  const bytes = encodeIndex(1, COLUMN_COUNT, []);
  expect(() => new RowGroupIndex(bytes.subarray(0, 8), COLUMN_COUNT, 100)).toThrow();
  expect(() => new RowGroupIndex(bytes, COLUMN_COUNT + 1, 100)).toThrow();
  expect(() => new RowGroupIndex(Buffer.concat([bytes, Buffer.alloc(4)]), COLUMN_COUNT, 100)).toThrow();
  expect(() => new RowGroupIndex(Buffer.alloc(16), COLUMN_COUNT, 100)).toThrow();
});

const makeEntry = (offset: number, keys: readonly [number, number], rowCount = 1) =>
  encodeIndexEntry(
    { firstKey: keys[0], lastKey: keys[1], rows: rowCount, chunks: Array(COLUMN_COUNT).fill({ length: 10, crc32: 0 }) },
    offset,
  );

test('row groups that share bytes, are out of order, or have more rows than their bytes can hold are refused', () => {
  const openIndex = (...entries: Uint32Array[]) =>
    new RowGroupIndex(encodeIndex(1, COLUMN_COUNT, entries), COLUMN_COUNT, 64);
  expect(openIndex(makeEntry(4, [1, 2]), makeEntry(34, [3, 3])).locationOf(1)).toMatchObject({ rows: 1, bytes: 30 });
  expect(() => openIndex(makeEntry(4, [1, 2]), makeEntry(4, [3, 3]))).toThrow(/not in order/);
  expect(() => openIndex(makeEntry(4, [1, 5]), makeEntry(34, [3, 3]))).toThrow(/not in order/);
  expect(() => openIndex(makeEntry(4, [1, 2]), makeEntry(33, [3, 3])).locationOf(0)).toThrow(
    /extends beyond the start of the next one/,
  );
  expect(() => openIndex(makeEntry(35, [1, 2])).locationOf(0)).toThrow(/extends beyond the start of the next one/);
  expect(() => openIndex(makeEntry(4, [1, 2], 1e9)).locationOf(0)).toThrow(/1000000000 rows in 30 bytes/);
  expect(() => openIndex(makeEntry(4, [1, 2], 0)).locationOf(0)).toThrow(/no rows/);
});
