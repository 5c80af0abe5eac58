import { expect, test } from 'vitest';
import { addCounts, addEach, addReport, readOrElse, readOrReport } from '../../../src/building/tasks/reading.ts';
import { Failure } from '../../../src/contract/failure.ts';
import { SkippedRowCounts } from '../../../src/edgar/files/skipped-rows.ts';

const NO_DESCRIPTORS = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });

const createLog = () => ({ skipped: new SkippedRowCounts(), problems: [] as string[] });

const failWith = (error: Error) => async () => {
  throw error;
};

test('a file that cannot be read is counted and named; a file that is read is not', async () => {
  const log = createLog();
  expect(await readOrReport('a.zip', 'a damaged file', log, async () => undefined)).toBe(true);
  const cut = new Error('/data/b.zip: not a readable zip file');
  expect(await readOrReport('b.zip', 'a damaged file', log, failWith(cut))).toBe(false);
  expect(log.skipped.getCounts()).toEqual({ 'a damaged file': 1 });
  expect(log.problems).toEqual(['b.zip: not a readable zip file']);
  addReport(log, { skipped: { 'a damaged file': 2 }, problems: ['c.zip: cut'] });
  expect(log.skipped.getCounts()).toEqual({ 'a damaged file': 3 });
  expect(log.problems).toHaveLength(2);
});

test('the fallback replaces a file that cannot be read', async () => {
  expect(await readOrElse('a.zip', 0, async () => 7)).toBe(7);
  expect(await readOrElse('a.zip', 0, failWith(new Error('cut')))).toBe(0);
});

test('a fault of the machine ends the build', async () => {
  const log = createLog();
  await expect(readOrReport('a.zip', 'a damaged file', log, failWith(NO_DESCRIPTORS))).rejects.toThrow(Failure);
  await expect(readOrElse('a.zip', 0, failWith(NO_DESCRIPTORS))).rejects.toThrow(Failure);
  expect(log.problems).toEqual([]);
});

test('counts are added by field, and the first example is kept', () => {
  const none = { tested: 0, example: null as string | null };
  const first = addCounts(none, { tested: 2, example: 'a' });
  expect(addCounts(first, { tested: 3, example: 'b' })).toEqual({ tested: 5, example: 'a' });
  expect(addCounts(first, {})).toEqual(first);
  expect(addCounts<Record<string, number>>({ x: 1 }, { x: 1, y: 2 })).toEqual({ x: 2, y: 2 });
  const totals = new Map([['x', 1]]);
  addEach(totals, [
    ['x', 2],
    ['y', 3],
  ]);
  expect([...totals]).toEqual([
    ['x', 3],
    ['y', 3],
  ]);
});
