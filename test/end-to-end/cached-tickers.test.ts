import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHome, runFin } from './run-fin.ts';

test('tickers are completed from the cached list, or from the release if the list is damaged', async () => {
  const env = { HOME: makeHome() };
  const complete = async (text: string) => (await runFin(['__complete', 'metrics', text], { env })).out;
  expect(await complete('AAPL')).toBe('AAPL\tApple Inc.\n');
  const directory = join(env.HOME, '.cache/fin/tickers');
  const [name = ''] = readdirSync(directory);
  expect(name).toMatch(/^\d{4}-\d\d-\d\d-[0-9a-f]{12}\.json$/);
  const file = join(directory, name);
  const originalText = readFileSync(file, 'utf8');
  // A name that only the cached list has.
  writeFileSync(file, JSON.stringify([{ ticker: 'AAPLX', name: 'Cached' }]));
  expect(await complete('AAP')).toBe('AAPLX\tCached\n');
  for (const damagedText of ['', '[{"ticker":1}]', originalText.slice(0, 100), 'null']) {
    writeFileSync(file, damagedText);
    expect(await complete('AAPL')).toBe('AAPL\tApple Inc.\n');
    expect(readFileSync(file, 'utf8')).toBe(originalText);
  }
  writeFileSync(join(directory, 'older.json'), '[]');
  writeFileSync(file, '');
  await complete('AAP');
  expect(readdirSync(directory)).toEqual([name]);
});

test('tickers are completed even if the list cannot be cached', async () => {
  const { code, out } = await runFin(['__complete', 'metrics', 'AAPL'], { env: { HOME: '/dev/null' } });
  expect({ code, out }).toEqual({ code: 0, out: 'AAPL\tApple Inc.\n' });
});
