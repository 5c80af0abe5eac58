/** Lists as Windows and spreadsheets write them: UTF-16, byte order marks, quoted cells. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHome, runShell } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

const FIELDS = ['--fields', 'ticker', '--csv', '--no-header', '-q'];

const toUtf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

test('a list may be UTF-16, and a column of quoted CSV cells', async () => {
  const home = makeHome();
  const lists = {
    utf16: toUtf16('AAPL\r\nMSFT\r\n'),
    big: toUtf16('AAPL\r\nMSFT\r\n').swap16(),
    quoted: Buffer.from('\ufeff"ticker"\r\n"AAPL"\r\n"MSFT"\r\n'),
    // Old Macs end lines by CR.
    classic: Buffer.from('AAPL\rMSFT\r'),
    comments: Buffer.from('"AAPL" # fruit\n# none\nMSFT\n'),
  };
  for (const [name, bytes] of Object.entries(lists)) {
    const file = join(home, name);
    writeFileSync(file, bytes);
    const screen = await runFin(['screen', '--watchlist', file, ...FIELDS], { env: { HOME: home } });
    expect([name, screen.out.split(/\r?\n/)]).toEqual([name, ['AAPL', 'MSFT', '']]);
    const profile = await runShell(`fin profile - ${FIELDS.join(' ')} < '${file}'`);
    expect([name, profile.out.split(/\r?\n/)]).toEqual([name, ['AAPL', 'MSFT', '']]);
  }
});

test('--watchlist reads a pipe, and - is stdin', async () => {
  const fields = FIELDS.join(' ');
  for (const script of [
    `printf 'AAPL\\nMSFT\\n' | fin screen --watchlist - ${fields}`,
    `fin screen --watchlist <(sleep 0.2; echo AAPL; sleep 0.2; echo MSFT) ${fields}`,
  ])
    expect([script, (await runShell(script)).out.split(/\r?\n/)]).toEqual([script, ['AAPL', 'MSFT', '']]);
});

test('settings may begin with a byte order mark, and keep their values when they are changed', async () => {
  const home = makeHome();
  const folder = join(home, '.config/fin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), `\ufeff${JSON.stringify({ profiles: { default: { output: 'json' } } })}`);
  const env = { HOME: home };
  expect((await runFin(['release'], { env })).out).toMatch(/^\{/);
  expect((await runFin(['config', 'set', 'output', 'csv'], { env })).code).toBe(0);
  expect((await runFin(['release'], { env })).out).toMatch(/^date,/);
});
