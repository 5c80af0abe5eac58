import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { COMMAND_NAMES } from '../all-commands.ts';
import { testNeeding } from '../needs.ts';
import { makeHome, runFin } from './run-fin.ts';

const root = resolve(import.meta.dirname, '../..');
const { man } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
const manual = readFileSync(resolve(root, man[0]), 'utf8');

test('the manual page has every command, and fin help man prints it', async () => {
  for (const name of COMMAND_NAMES) expect(manual).toContain(`.SS fin ${name.replaceAll('-', '\\-')} `);
  for (const title of ['NAME', 'SYNOPSIS', 'EXIT CODES', 'ENVIRONMENT', 'FIGURES OF THE SCREENER']) {
    expect(manual).toContain(`.SH ${title}\n`);
  }
  expect((await runFin(['help', 'man'])).out).toBe(manual);
});

/** A letter and a backspace: formatted man pages print a bold letter twice. */
const OVERSTRUCK_PATTERN = new RegExp(`.${String.fromCharCode(8)}`, 'g');

const hasMandoc = spawnSync('mandoc', ['-T', 'lint'], { input: '' }).error === undefined;

testNeeding('mandoc', hasMandoc)('mandoc finds no fault in the manual page, and shows its text', () => {
  const { stdout, stderr } = spawnSync('mandoc', ['-T', 'lint', '-W', 'error'], { input: manual, encoding: 'utf8' });
  expect(stdout + stderr).toBe('');
  const asciiRun = spawnSync('mandoc', ['-T', 'ascii', '-O', 'width=200'], { input: manual, encoding: 'utf8' });
  const manualText = asciiRun.stdout.replaceAll(OVERSTRUCK_PATTERN, '');
  expect(manualText).toContain('fin screen --where revenue_yoy:gt:20%');
  expect(manualText).toContain('--where <column:op:value>');
});

testNeeding('npm, not on Windows', process.platform !== 'win32' && spawnSync('npm', ['--version']).status === 0)(
  'npm installs the manual page in a directory that man searches for the program',
  () => {
    const prefix = makeHome();
    const args = ['install', '--global', '--offline', '--ignore-scripts', '--prefix', prefix, root];
    expect(spawnSync('npm', args, { cwd: prefix, encoding: 'utf8' })).toMatchObject({ status: 0 });
    expect(readFileSync(resolve(prefix, 'share/man/man1/fin.1'), 'utf8')).toBe(manual);
  },
);
