import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FilingsTask } from '../../../src/building/filings/read-filings.ts';
import { readSlices, type TaskOutput, writeSharedValue } from '../../../src/building/tasks/slices.ts';
import { type BuildSettings, type BuildTask, TaskRunner } from '../../../src/building/workers/build-task.ts';
import { listFiles } from '../../../src/edgar/files/list-files.ts';
import { SkippedRowCounts } from '../../../src/edgar/files/skipped-rows.ts';
import { makeFolder } from '../../store/public-source.ts';
import { WIDGETS_CIK, WIDGETS_DATE, writeWidgetsSource } from '../sources/small-source.ts';

const INDEX_FILE = 'form.20250220.idx';
const INDEX_HEADER = `Form Type   Company Name   CIK   Date Filed   File Name\n${'-'.repeat(100)}\n`;
const makeIndexRow = (number: number) =>
  `10-K  PAPER WIDGETS INC  ${WIDGETS_CIK}  20250220  edgar/data/${WIDGETS_CIK}/0009400021-25-00000${number}.txt\n`;

/** Runs a task with its own runner, like a new worker. */
async function run<T extends BuildTask>(task: T, settings: BuildSettings) {
  const runner = new TaskRunner(settings);
  try {
    return await runner.run(task);
  } finally {
    await runner.close();
  }
}

async function makeSettings(path: string): Promise<BuildSettings> {
  const resultCache = { directory: await makeFolder('parts'), version: 'one' };
  return { path, scratchDirectory: await makeFolder('scratch'), resultCache, verifiesOutputs: false };
}

/** Returns a task that reads an index of filings, and settings with an empty cache. */
async function makeFilingsTask(...otherCiks: readonly number[]) {
  const path = await writeWidgetsSource({ [INDEX_FILE]: INDEX_HEADER + makeIndexRow(1) });
  const settings = await makeSettings(path);
  const files = await listFiles(path, { skipped: new SkippedRowCounts(), problems: [] });
  const index = files.filter(({ name }) => name === INDEX_FILE);
  const ciks = writeSharedValue(join(settings.scratchDirectory, 'ciks'), [WIDGETS_CIK, ...otherCiks]);
  const task: FilingsTask = { kind: 'filings', files: index, ciks, shardEnds: [] };
  return { task, settings, indexPath: join(path, INDEX_FILE) };
}

function readOutput({ path, pieces }: TaskOutput): string {
  return readSlices(pieces.map(({ from, length, sha256 }) => ({ path, from, length, sha256 })));
}

test('performs a task of each kind by its own function', async () => {
  const path = await writeWidgetsSource();
  const settings = await makeSettings(path);
  const days = { ciks: [WIDGETS_CIK], readsEverything: true, today: '2025-03-01' };
  expect(await run({ kind: 'days', ...days }, settings)).toMatchObject({ latest: WIDGETS_DATE, companiesRead: 1 });
  const file = join(path, 'hashed.txt');
  writeFileSync(file, 'abc');
  expect(await run({ kind: 'hash of a file', path: file }, settings)).toEqual({
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  });
});

test('moves the output of a task into the cache, and returns the cached result while the files are unchanged', async () => {
  const { task, settings, indexPath } = await makeFilingsTask();
  const first = await run(task, settings);
  if ('damagedPath' in first) throw new Error('the output is damaged');
  expect(readOutput(first.output)).toContain('0009400021-25-000001');
  expect(first.output.path.startsWith(settings.resultCache?.directory ?? '-')).toBe(true);
  expect(readdirSync(settings.scratchDirectory)).toEqual(['ciks']);
  expect(await run(task, settings)).toEqual(first);

  writeFileSync(indexPath, INDEX_HEADER + makeIndexRow(1) + makeIndexRow(2));
  const second = await run(task, settings);
  if ('damagedPath' in second) throw new Error('the output is damaged');
  expect(readOutput(second.output)).toContain('0009400021-25-000002');
  expect(second.output.path).not.toBe(first.output.path);
});

test('repeats a cached task whose output is truncated, or damaged if outputs are verified', async () => {
  const { task, settings } = await makeFilingsTask();
  const result = await run(task, settings);
  if ('damagedPath' in result) throw new Error('the output is damaged');
  const { path } = result.output;
  const bytes = readFileSync(path);

  writeFileSync(path, bytes.subarray(1));
  await run(task, settings);
  expect(readFileSync(path).equals(bytes)).toBe(true);

  const damaged = Buffer.alloc(bytes.length);
  writeFileSync(path, damaged);
  await run(task, settings);
  expect(readFileSync(path).equals(damaged)).toBe(true);
  await run(task, { ...settings, verifiesOutputs: true });
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

test('names the damaged output of an earlier task instead of failing', async () => {
  // Other companies than in the tests above, because values that many tasks share stay in memory.
  const { task, settings } = await makeFilingsTask(1);
  writeFileSync(task.ciks.path, '[]');
  expect(await run(task, settings)).toEqual({ damagedPath: task.ciks.path });
});
