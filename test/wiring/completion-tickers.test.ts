import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadTickers } from '../../src/wiring/completion-tickers.ts';
import { registerCleanUp } from '../clean-up.ts';

function makeHomeEnv() {
  const home = mkdtempSync(join(tmpdir(), 'fin-tickers-'));
  registerCleanUp(() => rmSync(home, { recursive: true, force: true }));
  return { FIN_DATA_DIR: join(home, 'data'), FIN_CACHE_DIR: join(home, 'cache') };
}

test('tickers of a release are read once, then cached under the stamp of the release', async () => {
  const env = makeHomeEnv();
  const firstTickers = await loadTickers(env);
  expect(firstTickers).toContainEqual({ ticker: 'AAPL', name: 'Apple Inc.' });
  const directory = join(env.FIN_CACHE_DIR, 'tickers');
  const [file = ''] = readdirSync(directory);
  expect(file).toMatch(/^\d{4}-\d\d-\d\d-[0-9a-f]{12}\.json$/);
  writeFileSync(join(directory, file), JSON.stringify([{ ticker: 'ONLY', name: 'Cached' }]));
  expect(await loadTickers(env)).toEqual([{ ticker: 'ONLY', name: 'Cached' }]);
});

test.each(['', 'null', '[{"ticker":1,"name":"a"}]', '[null]'])(
  'a damaged cache (%j) is replaced, and other cached files are removed',
  async (text) => {
    const env = makeHomeEnv();
    const firstTickers = await loadTickers(env);
    const directory = join(env.FIN_CACHE_DIR, 'tickers');
    const [file = ''] = readdirSync(directory);
    writeFileSync(join(directory, file), text);
    expect(await loadTickers(env)).toEqual(firstTickers);
    writeFileSync(join(directory, 'older.json'), '[]');
    writeFileSync(join(directory, file), text);
    await loadTickers(env);
    expect(readdirSync(directory)).toEqual([file]);
  },
);
