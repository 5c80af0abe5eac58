import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildRelease } from '../../src/building/build.ts';
import type { Fact } from '../../src/edgar/facts/fact-row.ts';
import { registerCleanUp } from '../clean-up.ts';
import { readSourceCompany, type SourceCompany, writeSource } from '../store/public-source.ts';
import { type Home, makeHome } from './http-process.ts';
import { type Service, startService } from './serve-process.ts';

const TICKERS = Array.from({ length: 40 }, (_, index) => `T${String(index).padStart(3, '0')}`);
/** Annual revenue only: `makeCompanies` changes the latest year, which would contradict unchanged quarters. */
const REVENUE_FACTS = readSourceCompany('wmt').facts.filter(
  ({ concept, start, end }) => concept === 'Revenues' && start !== null && Date.parse(end) - Date.parse(start) > 3e10,
);

/** Returns companies that all have the revenue of one real company, with `latestRevenue` as the latest value. */
function makeCompanies(latestRevenue: string): SourceCompany[] {
  const latestFact = REVENUE_FACTS.reduce((latest, fact) =>
    fact.filed >= latest.filed && fact.end >= latest.end ? fact : latest,
  );
  const facts: readonly Fact[] = REVENUE_FACTS.map((fact) =>
    fact === latestFact ? { ...fact, value: latestRevenue } : fact,
  );
  return TICKERS.map((ticker, index) => ({ cik: 900_001 + index, name: `Company ${ticker}`, ticker, facts }));
}

/** Publishes a release with this latest revenue, as `fin data build` does. */
async function buildReleaseWithRevenue(data: string, latestRevenue: string): Promise<string> {
  const sourceDirectory = await writeSource(makeCompanies(latestRevenue));
  const report = await buildRelease({
    sourceDirectory,
    home: join(data, 'releases'),
    workerScript: null,
  });
  expect(report.publication).toBe('published');
  return report.stamp ?? '';
}

const askForRevenue = (home: Home, env: Record<string, string>, tickers = TICKERS) =>
  home.run(['metrics', ...tickers, '--keys', 'revenue', '--output', 'ndjson'], env);

async function waitUntilServed(service: Service, stamp: string): Promise<void> {
  await expect.poll(() => service.stderrText(), { timeout: 30_000 }).toContain(`Serving release ${stamp}`);
}

test('cached responses cost at most one request, until another release is published', async () => {
  let dataDirectory = '';
  const service = await startService(
    { default: { minute: 100_000, month: 1_000_000 } },
    {
      fill: (directory) => {
        dataDirectory = directory;
        return buildReleaseWithRevenue(directory, '111');
      },
    },
  );
  const home = makeHome();
  registerCleanUp(service.stop);
  const env = { FIN_BASE_URL: service.baseUrl, FIN_API_KEY: service.keys[0] ?? '' };
  const countRequests = () => service.requests().length;

  const firstRun = await askForRevenue(home, env);
  expect(firstRun.code, firstRun.stderr.slice(0, 500)).toBe(0);
  expect(firstRun.stdout).toContain('"111"');
  await expect.poll(countRequests).toBeGreaterThanOrEqual(TICKERS.length);
  let requestCountBefore = countRequests();
  const secondRun = await askForRevenue(home, env);
  expect(secondRun.stdout).toBe(firstRun.stdout);
  expect(countRequests() - requestCountBefore).toBeLessThanOrEqual(1);

  // The new stamp in an answer makes cached responses outdated, even if that answer itself is never cached.
  await waitUntilServed(service, await buildReleaseWithRevenue(dataDirectory, '222'));
  expect(await home.run(['profile', 'T000', '--json'], env)).toMatchObject({ code: 0 });
  requestCountBefore = countRequests();
  const thirdRun = await askForRevenue(home, env);
  await expect.poll(() => countRequests() - requestCountBefore).toBe(TICKERS.length);
  expect(thirdRun.stdout).toBe(firstRun.stdout.replaceAll('"111"', '"222"'));

  // Cached responses also become outdated after a minute, the time for which the known release is trusted.
  const someTickers = TICKERS.slice(0, 8);
  await waitUntilServed(service, await buildReleaseWithRevenue(dataDirectory, '333'));
  for (const [file] of home.files()) {
    if (!file.endsWith('.release')) continue;
    const { stamp, at } = JSON.parse(home.files().get(file) ?? '');
    writeFileSync(file, JSON.stringify({ stamp, at: Math.min(at, Date.now() - 60_000) }));
  }
  requestCountBefore = countRequests();
  const fourthRun = await askForRevenue(home, env, someTickers);
  await expect.poll(() => countRequests() - requestCountBefore).toBe(1 + someTickers.length);
  expect(fourthRun.stdout.match(/"333"/g)?.length).toBe(someTickers.length);
}, 240_000);

test('cached responses of one account are neither used nor revalidated by another', async () => {
  const service = await startService({ default: { minute: 1000 } }, { accounts: 2 });
  const home = makeHome();
  registerCleanUp(service.stop);
  const [firstAccount, secondAccount] = service.keys.map((key) => ({
    FIN_BASE_URL: service.baseUrl,
    FIN_API_KEY: key,
  }));
  const ask = (env: Record<string, string> | undefined, ...extraArgs: string[]) =>
    home.run(['metrics', 'AAPL', '--keys', 'revenue', '--json', '--stats', ...extraArgs], env);
  expect(await ask(firstAccount)).toMatchObject({ code: 0 });
  expect(await ask(secondAccount, '--offline')).toMatchObject({ code: 7, stdout: '' });
  expect((await ask(secondAccount)).stderr).toContain('1 request, 0 revalidated, 0 cached');
  expect((await ask(firstAccount)).stderr).toContain('0 requests, 0 revalidated, 1 cached');
  expect(service.requests().map(({ status }) => status)).toEqual([200, 200]);
});
