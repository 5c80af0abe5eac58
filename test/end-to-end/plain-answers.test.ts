/** Answers that looked complete or right, but left something unsaid. */
import { expect, test } from 'vitest';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

test('a table of splits without rows says so, with the way to all splits', async () => {
  const { err } = await runFin(['prices', 'NVDA', '--rows', 'actions']);
  expect(err).toMatch(/No splits from 20\d\d-\d\d-\d\d to 20\d\d-\d\d-\d\d\. To see all: --range max/);
  expect((await runFin(['prices', 'NVDA', '--rows', 'actions', '--range', 'max'])).err).not.toContain('No splits');
});

test('filings of several days are listed newest first, also within a day', async () => {
  const { out } = await runFin([
    'day',
    '--since',
    '20d',
    '--rows',
    'filings',
    '--csv',
    '--fields',
    'part,filed_at,accepted_at',
  ]);
  const rows = out.trim().split(/\r?\n/).slice(1);
  for (const part of ['report', 'line']) {
    const keys = rows
      .filter((row) => row.startsWith(`${part},`))
      .map((row) => {
        const [, filed = '', accepted = ''] = row.split(',');
        return `${filed} ${accepted === '' ? '' : new Date(accepted).toISOString()}`;
      });
    expect(keys.length).toBeGreaterThan(1);
    expect(keys).toEqual([...keys].sort().reverse());
  }
});

test('the second word of a form that was read as a day is named', async () => {
  const { err } = await runFin(['day', '--forms', 'SC', '13D']);
  expect(err).toMatch(/"13D" was read as the day 20\d\d-\d\d-\d\d\. For a form with a space: --forms 'SC 13D'/);
  expect((await runFin(['day', '2026-08-17', '--forms', '8-K'])).err).not.toContain('was read as');
});

test('one mark has one meaning: the current value of a revision is not marked as derived figures are', async () => {
  const { out } = await runFin(['revisions', 'AAPL', 'revenue', '--fiscal-year', '2024']);
  expect(out).toContain('• the current value');
  expect(out).not.toContain('*');
});

test('help explains the columns of a past screen', async () => {
  const help = (await runFin(['screen', '--help'])).out.replace(/\s+/g, ' ');
  expect(help).toContain('whether it has stopped reporting since (gone)');
});
