import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeSharedGroupName } from '../../../src/building/filings/filing-lists.ts';
import { readSliceBytes, SliceIndex, SliceWriter } from '../../../src/building/tasks/slices.ts';

const directory = mkdtempSync(join(tmpdir(), 'fin-lists-'));
afterAll(() => rmSync(directory, { recursive: true }));

const LONG_PIECE_BYTES = 100_000;

test('shared slices are grouped by number, in the order of the batches, even if they are larger than the buffer', () => {
  const index = new SliceIndex();
  for (const value of [2, 3, 4]) {
    const sliceWriter = new SliceWriter(join(directory, String(value)));
    sliceWriter.add(makeSharedGroupName('days', 8105), Uint8Array.of(value));
    sliceWriter.add(makeSharedGroupName('days', 8104), Uint8Array.of(value));
    sliceWriter.add(makeSharedGroupName('days', 8104), new Uint8Array(LONG_PIECE_BYTES).fill(value));
    sliceWriter.add(makeSharedGroupName('days', 8104), Uint8Array.of(value));
    sliceWriter.add(makeSharedGroupName('places', 0), Uint8Array.of(value, value));
    index.add(sliceWriter.finish());
  }
  const [firstGroup, secondGroup, ...otherGroups] = index.getNumberedSlices('days');
  expect([firstGroup?.number, secondGroup?.number, otherGroups]).toEqual([8104, 8105, []]);
  const makeBytes = (value: number) => new Uint8Array(LONG_PIECE_BYTES + 2).fill(value);
  expect(readSliceBytes(firstGroup?.slices ?? [])).toEqual(Buffer.concat([makeBytes(2), makeBytes(3), makeBytes(4)]));
  expect([...readSliceBytes(secondGroup?.slices ?? [])]).toEqual([2, 3, 4]);
  expect(index.getNumberedSlices('places').map(({ slices }) => [...readSliceBytes(slices)])).toEqual([
    [2, 2, 3, 3, 4, 4],
  ]);
});
