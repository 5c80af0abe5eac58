/** `fin data fetch` and `fin data build` with a faulty site or source: each command ends with the reason and a hint. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSite } from '../edgar/fetch/site-server.ts';
import { readSourceCompany, writeSource } from '../store/public-source.ts';
import { makeHome, runFin, runShell } from './run-fin.ts';

const CONTACT_OPTION = ['--contact', 'Jane Doe jane@doe.org'];

test.concurrent('--timeout ends a response that arrives byte by byte, and every retry is logged', async () => {
  const site = await startSite(new Map());
  site.replaceAnswer = (_, response) => {
    response.write('{"0":');
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
    return true;
  };
  const env = { HOME: makeHome() };
  const run = await runFin(
    ['data', 'fetch', 'AAPL', '--site', site.url, '--timeout', '300ms', '--retries', '2', ...CONTACT_OPTION],
    { env },
  );
  expect(run.code).toBe(7);
  expect(run.err.match(/The response was not complete within 0\.3 s\. Trying again in/g)).toHaveLength(2);
  expect(run.err).toMatch(/company_tickers\.json could not be fetched \(tries: 3\)/);
  expect(site.requests).toHaveLength(3);
});

test.concurrent('--deadline also applies while names are read from stdin', async () => {
  const site = 'http://127.0.0.1:1';
  const run = await runShell(
    `fin data fetch - --deadline 300ms --site ${site} --contact "${CONTACT_OPTION[1]}" < <(exec sleep 100 2>/dev/null)`,
  );
  expect(run).toMatchObject({ code: 7, err: expect.stringContaining('The deadline passed') });
});

test.concurrent.each(['8', '8X', '0GB', '-1GB', '1e9MB'])(
  '--max-size %s is refused with the expected format',
  async (size) => {
    const run = await runFin(['data', 'fetch', 'AAPL', `--max-size=${size}`, ...CONTACT_OPTION]);
    expect(run).toMatchObject({ code: 2, err: expect.stringContaining('Write it as 500MB or 8GB.') });
  },
);

test.concurrent('a build that lost half of the companies fails with a hint, and succeeds with --allow-loss', async () => {
  const apple = readSourceCompany('aapl');
  const twoCompanySource = await writeSource([apple, readSourceCompany('msft')]);
  const HOME = makeHome();
  const env = { HOME, FIN_DATA_DIR: join(HOME, 'data') };
  expect(await runFin(['data', 'build', '--from', twoCompanySource, '--quiet'], { env })).toMatchObject({ code: 0 });
  const oneCompanySource = await writeSource([apple]);
  const failedBuild = await runFin(['data', 'build', '--from', oneCompanySource, '--quiet'], { env });
  expect(failedBuild.code).toBe(9);
  expect(failedBuild.err).toMatch(/Error: the check "loss" failed: .*1 of 2 companies.*build with --allow-loss\./);
  expect(await runFin(['data', 'build', '--from', oneCompanySource, '--quiet', '--allow-loss'], { env })).toMatchObject(
    {
      code: 0,
    },
  );
});
