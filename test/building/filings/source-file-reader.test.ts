import { expect, test } from 'vitest';
import { SourceFileReader } from '../../../src/building/filings/source-file-reader.ts';
import { SkippedRowCounts } from '../../../src/edgar/files/skipped-rows.ts';

const FILE = { path: '/data/a.zip', name: 'a.zip', bytes: 1 };

function createReader(signal?: AbortSignal) {
  const context = { skipped: new SkippedRowCounts(), problems: [] as string[], signal };
  return { context, reader: new SourceFileReader(context, 'a file that cannot be read') };
}

test('a file that is read twice is in the list of files once', async () => {
  const { reader, context } = createReader();
  expect(await reader.read(FILE, async () => undefined)).toBe(true);
  expect(await reader.read(FILE, async () => undefined)).toBe(true);
  expect([...reader.files]).toEqual([FILE]);
  expect(context.problems).toEqual([]);
});

test('a file that cannot be read is counted and named once, and not read again', async () => {
  const { reader, context } = createReader();
  let readCount = 0;
  const failToRead = async () => {
    readCount += 1;
    throw new Error('/data/a.zip: not a readable zip file');
  };
  expect(await reader.read(FILE, failToRead)).toBe(false);
  expect(await reader.read(FILE, failToRead)).toBe(false);
  expect(readCount).toBe(1);
  expect([...reader.files]).toEqual([]);
  expect(context.skipped.getCounts()).toEqual({ 'a file that cannot be read': 1 });
  expect(context.problems).toEqual(['a.zip: not a readable zip file']);
});

test('an aborted build reports no problem with a file', async () => {
  const controller = new AbortController();
  const { reader, context } = createReader(controller.signal);
  const pendingRead = reader.read(FILE, async () => {
    controller.abort(new Error('interrupted'));
    throw new Error('closed');
  });
  await expect(pendingRead).rejects.toThrow('interrupted');
  expect(context.problems).toEqual([]);
});
