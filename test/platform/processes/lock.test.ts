import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identifyProcess } from '../../../src/platform/processes/liveness.ts';
import { acquireLock, withLock } from '../../../src/platform/processes/lock.ts';
import { openDiskFiles } from '../../../src/platform/processes/shared-files.ts';

const makeFolder = () => mkdtempSync(join(tmpdir(), 'fin-lock-'));

test('a lock admits one caller at a time, in order of the calls', async () => {
  const directory = makeFolder();
  const events: string[] = [];
  const takeLock = async (name: string) => {
    const release = await acquireLock(directory, 'a', { pollMs: 1, onWait: () => events.push(`${name} waits`) });
    events.push(name);
    return release;
  };
  const releaseFirst = await takeLock('first');
  const pendingLocks = [takeLock('second'), takeLock('third')];
  await expect.poll(() => events).toHaveLength(3);
  releaseFirst();
  (await pendingLocks[0])?.();
  (await pendingLocks[1])?.();
  expect(events).toEqual(['first', 'second waits', 'third waits', 'second', 'third']);
});

test('locks with different names are independent', async () => {
  const directory = makeFolder();
  const waitedLockNames: string[] = [];
  const release = await acquireLock(directory, 'a');
  (await acquireLock(directory, 'b', { onWait: () => waitedLockNames.push('b') }))();
  release();
  expect(waitedLockNames).toEqual([]);
});

test('a killed holder does not block a lock, and neither does a holder on another machine with a wrong clock', async () => {
  const directory = makeFolder();
  const files = openDiskFiles(directory);
  const { pid, host } = identifyProcess();
  files.createEmpty('a.1');
  files.append('a.1', `T killed ${pid} 1 ${host} ${Date.now()}\n`);
  files.append('a.1', `T future 7 - 00000000 ${Date.now() + 86_400_000}\n`);
  const waits: string[] = [];
  (await acquireLock(directory, 'a', { onWait: () => waits.push('a') }))();
  expect(waits).toEqual([]);
});

test('an abort ends the wait for a lock and removes the queue entry', async () => {
  const directory = makeFolder();
  const release = await acquireLock(directory, 'a');
  const controller = new AbortController();
  const pendingLock = acquireLock(directory, 'a', {
    signal: controller.signal,
    onWait: () => controller.abort('enough'),
  });
  await expect(pendingLock).rejects.toBe('enough');
  release();
  (await acquireLock(directory, 'a'))();
});

test('the lock is released if the function called with it throws', async () => {
  const directory = makeFolder();
  await expect(
    withLock(directory, () => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await withLock(directory, () => 1)).toBe(1);
});
