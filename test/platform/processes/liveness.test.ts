import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isAlive, thisProcess } from '../../../src/platform/processes/liveness.ts';
import { needs } from '../../needs.ts';

test('the current process is alive, an ended process is not', () => {
  expect(isAlive(thisProcess())).toBe(true);
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  expect(isAlive({ ...thisProcess(), pid, start: '-' })).toBe(false);
});

test('a process with the same pid and another start time is another process', () => {
  // In a container, the next build often has the same pid as the killed build.
  expect(isAlive({ ...thisProcess(), start: '1' })).toBe(false);
});

needs('/proc', existsSync('/proc/self/stat'))('another process is identified by its start time', async () => {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], { stdio: 'pipe' });
  await once(child.stdout, 'data');
  const { host } = thisProcess();
  expect(isAlive({ pid: child.pid ?? 0, start: '-', host })).toBe(true);
  expect(isAlive({ pid: child.pid ?? 0, start: '1', host })).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('whether a process of another machine or container is alive is unknown', () => {
  expect(isAlive({ ...thisProcess(), host: '00000000' })).toBeNull();
});
