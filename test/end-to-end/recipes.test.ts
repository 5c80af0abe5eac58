/** Every recipe, run as cron or a shell would run it. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '../../src/store/releases/manifest.ts';
import { makeHome } from './run-fin.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'src/commands/help/RECIPES.md'), 'utf8');
const recipes = [...page.matchAll(/^```(crontab|sh)\n(.*?)^```$/gms)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}));

/** A release of two companies, because typed tables of the sample take ten seconds. */
const SMALL_RELEASE = join(ROOT, 'test/store/layouts/older-2.0');

function useSmallRelease(home: string): void {
  const { stamp } = readManifest(SMALL_RELEASE);
  cpSync(SMALL_RELEASE, join(home, '.local/share/fin/releases', stamp), { recursive: true });
}

/** Runs a command with a list of tickers in its home and an otherwise empty environment, like that of cron. */
function runRecipe(command: string, home: string) {
  const bin = join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'fin'), `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin/fin.js')}" "$@"\n`);
  chmodSync(join(bin, 'fin'), 0o755);
  writeFileSync(join(home, 'tickers.txt'), '# my companies\nAAPL\nMSFT # software\n');
  const env = { HOME: home, PATH: `${bin}:/usr/local/bin:/usr/bin:/bin` };
  return spawnSync('/bin/sh', ['-c', command], { cwd: home, env, encoding: 'utf8' });
}

test('two of the recipes are for cron', () => {
  expect(recipes.map(({ kind }) => kind)).toEqual(['crontab', 'crontab', ...Array(recipes.length - 2).fill('sh')]);
});

/** Returns the command of a crontab line, after five fields of time. A percent sign would end the command. */
const readCrontabCommand = (text: string): string => {
  const [, command = ''] = /^(?:[\d*,/-]+ +){5}(.*)\n$/.exec(text) ?? [];
  expect(command).not.toContain('%');
  return command;
};

/** Notices on stderr are allowed; any other text is a fault. */
const ONLY_NOTICES_PATTERN =
  /^((Using the built-in sample|The (built-in )?sample includes|\d+ of \d+ companies (is|are) left out|[A-Z]+: This release has no values of [\w, ]+ for these periods|[A-Z]+: The latest figures are for|The filters compare amounts in US dollars|In \d+ of \d+ rows the fiscal year ended)[^\n]*\n)*$/;

test('the recipe for new filings prints filings once, and then nothing until there are new filings', () => {
  const home = makeHome();
  const command = readCrontabCommand(recipes[0]?.text ?? '');
  const firstRun = runRecipe(command, home);
  expect(firstRun.status).toBe(0);
  expect(firstRun.stdout).toMatch(/10-[KQ]/);
  const secondRun = runRecipe(command, home);
  expect({ status: secondRun.status, stdout: secondRun.stdout }).toEqual({ status: 0, stdout: '' });
  expect(secondRun.stderr).toMatch(ONLY_NOTICES_PATTERN);
});

test('the recipe for a table writes the table and no error', () => {
  const home = makeHome();
  expect(runRecipe(readCrontabCommand(recipes[1]?.text ?? ''), home)).toMatchObject({
    status: 0,
    stdout: '',
    stderr: '',
  });
  const figuresCsv = readFileSync(join(home, 'figures.csv'), 'utf8');
  expect(figuresCsv).toContain('AAPL');
  expect(figuresCsv).toContain('MSFT');
  expect(readFileSync(join(home, 'figures.log'), 'utf8')).toMatch(ONLY_NOTICES_PATTERN);
});

test.each<[index: number, contentByFile: Record<string, RegExp>]>([
  [2, { 'best.csv': /^ticker,.*\r\n[A-Z]+,/, 'largest.md': /^### .*: annual, in USD\n\n\| {2}\| FY/ }],
  [3, { 'sales.csv': /^accession_number,.*\r\n\d/ }],
  [4, { 'profiles.ndjson': /^\{.*"ticker":"AAPL".*\n\{.*"ticker":"MSFT"/ }],
  [5, { 'msft.xlsx': /^PK/ }],
  [6, { 'comparison.md': /AAPL.*MSFT/ }],
  [7, { 'known.csv': /^ticker,.*\r\nAAPL,/, 'changes.csv': /eps_diluted/ }],
  [8, { 'documents.csv': /\r\n0000320193-/ }],
  [9, { 'revenue.svg': /^<svg / }],
  [10, { 'tables/release.sql': /CREATE /i }],
  [
    11,
    {
      'all.csv': /^as_of,ticker,.*\r\n2010-06-30,(.|\r\n)*\r\n2019-12-31,/,
      'survivors.csv': /^as_of,ticker,.*\r\n2010-06-30,/,
    },
  ],
])('recipe %i writes its files', (index, contentByFile) => {
  const home = makeHome();
  const text = recipes[index]?.text ?? 'false';
  if (text.includes('data analytics')) useSmallRelease(home);
  const { status, stderr } = runRecipe(text, home);
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringMatching(/^(fin|Error|Warning):/m) });
  for (const [file, content] of Object.entries(contentByFile))
    expect(readFileSync(join(home, file), 'utf8')).toMatch(content);
});

test('every recipe is run by a test of this file', () => {
  expect(recipes).toHaveLength(12);
});
