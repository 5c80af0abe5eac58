import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { identifyProcess, isAlive } from '../../../src/platform/processes/liveness.ts';
import { testNeeding } from '../../needs.ts';

test('the current process is alive, an ended process is not', () => {
  expect(isAlive(identifyProcess())).toBe(true);
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  expect(isAlive({ ...identifyProcess(), pid, start: '-' })).toBe(false);
});

test('a process with the same pid and another start time is another process', () => {
  // In a container, the next build often has the same pid as the killed build.
  expect(isAlive({ ...identifyProcess(), start: '1' })).toBe(false);
});

testNeeding('/proc', existsSync('/proc/self/stat'))('another process is identified by its start time', async () => {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], { stdio: 'pipe' });
  await once(child.stdout, 'data');
  const { host } = identifyProcess();
  expect(isAlive({ pid: child.pid ?? 0, start: '-', host })).toBe(true);
  expect(isAlive({ pid: child.pid ?? 0, start: '1', host })).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('whether a process of another machine or container is alive is unknown', () => {
  expect(isAlive({ ...identifyProcess(), host: '00000000' })).toBeNull();
});
