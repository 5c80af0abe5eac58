/** The files in `fin help serving`, each checked by the program that reads it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHomeEnv } from '../conformance/fin-serve.ts';
import { startFin, startServe } from '../fin-process.ts';
import { testNeeding } from '../needs.ts';

async function readFileShownInHelp(heading: string): Promise<string> {
  const { out } = await startFin(['help', 'serving'], { env: makeHomeEnv() }).done;
  const [, section = ''] = out.split(`\n${heading}`);
  // The text begins after the heading line and a blank line, and ends before the heading of the next file.
  const text = section.slice(section.indexOf('\n\n') + 2);
  return text.split(/\n\n(?=Containerfile)/)[0] ?? '';
}

const hasSystemdAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;

testNeeding('systemd-analyze', hasSystemdAnalyze)('systemd finds nothing wrong with the unit', async () => {
  const unitFile = join(mkdtempSync(join(tmpdir(), 'fin-unit-')), 'fin.service');
  writeFileSync(unitFile, await readFileShownInHelp('/etc/systemd/system/fin.service'));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unitFile], { encoding: 'utf8' });
  // Warnings about other units of this machine are ignored.
  expect(stderr.split('\n').filter((line) => line.includes('fin.service'))).toEqual([]);
  expect(status).toBe(0);
});

test('the command of the container file serves, and its health check succeeds', async () => {
  const text = await readFileShownInHelp('Containerfile');
  const commandArguments: string[] = JSON.parse(/^CMD (.*)$/m.exec(text)?.[1] ?? '[]');
  const healthCheck = /^HEALTHCHECK CMD (.*)$/m.exec(text)?.[1] ?? 'false';
  expect(commandArguments[0]).toBe('serve');
  const { child, baseUrl, done } = await startServe(commandArguments.slice(1), makeHomeEnv());
  const healthCommand = healthCheck.replace('8346', new URL(baseUrl).port);
  expect(execFileSync('sh', ['-c', healthCommand], { encoding: 'utf8' })).toBe('');
  child.kill('SIGTERM');
  expect((await done).code).toBe(143);
  expect(spawnSync('sh', ['-c', healthCommand]).status).toBe(1);
});
