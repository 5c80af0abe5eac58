import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeIndex, indexEntry, RowGroupIndex } from '../../../src/store/parquet/row-group-index.ts';

const COLUMNS = 3;
const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const chunk = fc.record({ length: fc.integer({ min: 1, max: 2 ** 31 }), crc32: word });

const group = fc.record({
  companies: fc.integer({ min: 1, max: 5 }),
  gap: fc.integer({ min: 1, max: 1000 }),
  rows: fc.nat({ max: 1e6 }),
  // Beyond what 32 bits hold: a release may be larger than four gigabytes.
  offset: fc.integer({ min: 4, max: 2 ** 45 }),
  chunks: fc.array(chunk, { minLength: COLUMNS, maxLength: COLUMNS }),
});

test('every company is found in its group, and no other is', () => {
  fc.assert(
    fc.property(fc.array(group, { maxLength: 40 }), (described) => {
      let cik = 0;
      const groups = described.map(({ companies, gap, rows, offset, chunks }) => {
        const firstKey = cik + gap;
        cik = firstKey + companies - 1;
        return { firstKey, lastKey: cik, rows, offset, chunks };
      });
      const entries = groups.map((one) => indexEntry(one, one.offset));
      const index = new RowGroupIndex(encodeIndex(1, COLUMNS, entries), COLUMNS);
      expect(index.length).toBe(groups.length);
      for (const [position, { firstKey, lastKey, rows, offset, chunks }] of groups.entries()) {
        expect(index.between(firstKey, firstKey)[0] ?? null).toBe(position);
        expect(index.between(lastKey, lastKey)[0] ?? null).toBe(position);
        if (firstKey - 1 !== groups[position - 1]?.lastKey)
          expect(index.between(firstKey - 1, firstKey - 1)[0] ?? null).toBeNull();
        const place = index.at(position);
        expect(place).toMatchObject({ firstKey, lastKey, rows });
        expect(place.chunks[0]?.offset).toBe(offset);
        expect(place.chunks.map(({ length, crc32 }) => ({ length, crc32 }))).toEqual(chunks);
        expect(place.chunks[2]?.offset).toBe(offset + (chunks[0]?.length ?? 0) + (chunks[1]?.length ?? 0));
      }
      expect(index.between(cik + 1, cik + 1)[0] ?? null).toBeNull();
    }),
  );
});

test('bytes that are no index of the table are refused', () => {
  const bytes = encodeIndex(1, COLUMNS, []);
  expect(() => new RowGroupIndex(bytes.subarray(0, 8), COLUMNS)).toThrow();
  expect(() => new RowGroupIndex(bytes, COLUMNS + 1)).toThrow();
  expect(() => new RowGroupIndex(Buffer.concat([bytes, Buffer.alloc(4)]), COLUMNS)).toThrow();
  expect(() => new RowGroupIndex(Buffer.alloc(16), COLUMNS)).toThrow();
});
