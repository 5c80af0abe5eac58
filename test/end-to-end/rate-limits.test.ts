import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { registerCleanUp } from '../clean-up.ts';
import { FIN_PATH } from '../fin-process.ts';
import { type Home, makeHome } from './http-process.ts';
import { type Service, startService } from './serve-process.ts';

/** Limits of accounts that a test needs with other limits than 1000 requests a minute. */
const LIMITS_BY_ACCOUNT = {
  account0: { month: 500 },
  account1: { concurrent: 2 },
  account2: { month: 3 },
  account3: { minute: 700, month: 9000 },
};

/** `fin serve` on the sample; each test uses other accounts. */
let service: Service;
let unusedAccounts: string[];
let usedAccounts: (string | null)[];
beforeAll(async () => {
  service = await startService({ default: { minute: 1000 }, accounts: LIMITS_BY_ACCOUNT }, { accounts: 13 });
  registerCleanUp(service.stop);
  unusedAccounts = service.keys.map((_, index) => `account${index}`).slice(Object.keys(LIMITS_BY_ACCOUNT).length);
});

let home: Home;
beforeEach(() => {
  home = makeHome();
  usedAccounts = [];
});

/** Returns environment variables for an account; by default, one that no test has used. */
function useAccount(account: string = unusedAccounts.pop() ?? ''): Record<string, string> {
  usedAccounts.push(account);
  return { FIN_BASE_URL: service.baseUrl, FIN_API_KEY: service.keys[Number(account.slice('account'.length))] ?? '' };
}

/** Returns the requests of the accounts of the test. */
const listRequests = () =>
  service.requests().flatMap(({ account, ...request }) => (usedAccounts.includes(account) ? [request] : []));
const listStatuses = () => listRequests().map(({ status }) => status);

const TICKERS = ['AAPL', 'MSFT', 'NVDA', 'AMZN', 'META', 'GOOGL', 'JPM', 'COST'];

test('repeated questions within a minute send no request, except with --no-cache', async () => {
  const env = useAccount();
  const firstRun = await home.run(['metrics', ...TICKERS, '--keys', 'revenue', '--json'], env);
  const requestCountBefore = listRequests().length;
  expect(requestCountBefore).toBeGreaterThanOrEqual(TICKERS.length);
  const secondRun = await home.run(['metrics', ...TICKERS, '--keys', 'revenue', '--json'], env);
  expect(listRequests()).toHaveLength(requestCountBefore);
  expect(secondRun.stdout).toBe(firstRun.stdout);
  await home.run(['metrics', 'AAPL', '--keys', 'revenue', '--fresh', '--json'], env);
  expect(listStatuses().at(-1)).toBe(304);
  await home.run(['metrics', 'AAPL', '--keys', 'revenue', '--no-cache', '--json'], env);
  expect(listStatuses().at(-1)).toBe(200);
  expect(listRequests()).toHaveLength(requestCountBefore + 2);
});

test('without a key no request is counted, so cached responses are revalidated each time', async () => {
  const { baseUrl, requests, stop } = await startService({}, { accounts: 0, options: ['--no-auth'] });
  registerCleanUp(stop);
  const ask = () =>
    home.run(['--base-url', baseUrl, 'metrics', 'AAPL', '--keys', 'revenue', '--stats'], { FIN_API_KEY: '' });
  const firstRun = await ask();
  const secondRun = await ask();
  expect(secondRun.stdout).toBe(firstRun.stdout);
  const target = '/v1/securities/AAPL/metrics?keys=revenue&limit=500';
  await expect.poll(requests).toMatchObject([
    { target, status: 200 },
    { target, status: 304 },
  ]);
  expect(secondRun.stderr).toMatch(/1 request, 1 revalidated, 0 cached/);
});

test('--stats prints the requests of a command and the remaining limits, even without a request', async () => {
  const env = useAccount('account0');
  const firstRun = await home.run(['metrics', 'AAPL', 'MSFT', '--keys', 'revenue', '--csv', '--stats'], env);
  const rowCount = firstRun.stdout.trim().split('\n').length - 1;
  const getLastLine = (text: string) => text.trim().split('\n').at(-1);
  expect(getLastLine(firstRun.stderr)).toMatch(
    new RegExp(
      `^${rowCount} rows, 2 requests, 0 revalidated, 0 cached, waited 0.00 s, 498 of 500 left this month, took `,
    ),
  );
  const cachedRun = await home.run(['metrics', 'AAPL', 'MSFT', '--keys', 'revenue', '--json', '--stats'], env);
  expect(getLastLine(cachedRun.stderr)).toMatch(
    new RegExp(`^${rowCount} rows, 0 requests, 0 revalidated, 2 cached, waited 0.00 s, 498 of 500 left`),
  );
  const apiRun = await home.run(['api', '/v1/nowhere', '--stats'], env);
  expect(apiRun.code).toBe(3);
  expect(apiRun.stderr).toMatch(/^1 request, .*497 of 500 left this month/m);
});

test('a request that takes longer than --timeout is aborted with exit code 7', async () => {
  const env = useAccount();
  const run = await home.run(['release', '--timeout', '1ms', '--retries', '0'], env);
  expect(run).toMatchObject({ code: 7, stdout: '' });
  expect((await home.run(['release', '--timeout', '0'], env)).code).toBe(2);
});

test('after a minute one request confirms the release, and all cached responses are fresh again', async () => {
  const env = useAccount();
  const firstRun = await home.run(['metrics', ...TICKERS, '--keys', 'revenue', '--json'], env);
  const previousRequestCount = listRequests().length;
  for (const [file, text] of home.files()) {
    if (file.endsWith('.release')) writeFileSync(file, text.replace(/"at":\d+/, `"at":${Date.now() - 61_000}`));
  }
  const secondRun = await home.run(['metrics', ...TICKERS, '--keys', 'revenue', '--json'], env);
  expect(secondRun.stdout).toBe(firstRun.stdout);
  expect(listRequests().slice(previousRequestCount)).toEqual([{ target: '/v1/release', status: 200 }]);
});

test('after a new release cached responses are requested again', async () => {
  const env = useAccount();
  await home.run(['metrics', 'AAPL', 'MSFT', '--keys', 'revenue', '--json'], env);
  for (const [file] of home.files()) {
    if (file.endsWith('.release')) writeFileSync(file, JSON.stringify({ stamp: 'another', at: Date.now() }));
  }
  const earlierRequestCount = listRequests().length;
  await home.run(['metrics', 'AAPL', 'MSFT', '--keys', 'revenue', '--json'], env);
  expect(listRequests().length).toBeGreaterThan(earlierRequestCount);
});

test('--offline and --max-age use cached responses, and --offline fails if a response is not cached', async () => {
  const env = useAccount();
  const firstRun = await home.run(['profile', 'AAPL', '--json'], env);
  const countBefore = listRequests().length;
  expect(await home.run(['profile', 'AAPL', '--json', '--offline'], env)).toMatchObject({
    code: 0,
    stdout: firstRun.stdout,
  });
  const maxAgeRun = await home.run(['profile', 'AAPL', '--json', '--max-age', '1h'], env);
  expect(maxAgeRun.stdout).toBe(firstRun.stdout);
  expect(await home.run(['profile', 'MSFT', '--json', '--offline'], env)).toMatchObject({ code: 7, stdout: '' });
  expect(listRequests()).toHaveLength(countBefore);
});

test('two accounts never see each other’s answers', async () => {
  const [firstAccount, secondAccount] = [useAccount(), useAccount()];
  await home.run(['release', '--json'], firstAccount);
  await home.run(['release', '--json'], secondAccount);
  expect(listStatuses()).toEqual([200, 200]);
});

test('if half of many processes are killed, the other half get answers, and no request is refused', async () => {
  const env = useAccount('account1');
  // The client learns the limits from the first answer.
  await home.run(['release'], env);
  const startedProcesses = Array.from({ length: 16 }, (_, index) =>
    home.start(['metrics', TICKERS[index % 8] ?? '', '--keys', 'revenue', '--no-cache', '--json'], env),
  );
  for (const [index, { child }] of startedProcesses.entries()) {
    if (index % 2 === 1) continue;
    // Processes are killed at different points of their run.
    await expect.poll(() => listStatuses().length).toBeGreaterThan(index / 2);
    child.kill('SIGKILL');
  }
  const results = await Promise.all(startedProcesses.map(({ done }) => done));
  for (const [index, result] of results.entries()) {
    if (index % 2 === 1) expect(result.code, result.stderr).toBe(0);
  }
  expect(listStatuses()).not.toContain(429);
});

test('after the service refuses a request for the month, no more requests are sent, and errors name the end of the month', async () => {
  const env = useAccount('account2');
  for (let i = 0; i < 3; i++) expect((await home.run(['release', '--no-cache'], env)).code).toBe(0);
  const run = await home.run(['release', '--no-cache'], env);
  expect(run).toMatchObject({ code: 5, stdout: '' });
  expect(run.stderr).toMatch(/month.*\d{4}-\d\d-01 00:00 UTC/s);
  const secondRun = await home.run(['release', '--no-cache'], env);
  expect(secondRun).toMatchObject({ code: 5, stdout: '' });
  expect(secondRun.stderr).toMatch(/Nothing was sent.*\d{4}-\d\d-01 00:00 UTC.*fin quota/s);
  expect(listStatuses()).toEqual([200, 200, 200, 429]);
  const quotaRun = await home.run(['quota', '--json'], env);
  expect(JSON.parse(quotaRun.stdout)).toContainEqual(
    expect.objectContaining({ limit: 'month', quota: 3, used: 3, remaining: 0 }),
  );
});

test('the first fin quota asks the service; afterwards, it sends no request', async () => {
  const env = useAccount('account3');
  const offlineRun = await home.run(['quota', '--offline'], env);
  expect(offlineRun.stdout).toContain('The service has not answered yet: these are the standard limits');
  expect(listRequests()).toEqual([]);
  for (let i = 0; i < 2; i++) {
    const { stdout } = await home.run(['quota', '--json'], env);
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ limit: 'month', quota: 9000, used: 1 }));
  }
  expect(listStatuses()).toEqual([200]);
  const refusedKeyRun = await home.run(['quota'], { ...env, FIN_API_KEY: `svc_${'a'.repeat(38)}` });
  expect(refusedKeyRun).toMatchObject({ code: 4, stdout: '' });
});

test('profiles that several processes write concurrently are all stored', async () => {
  const profileNames = Array.from({ length: 10 }, (_, index) => `p${index}`);
  const env = { FIN_API_KEY: '' };
  await Promise.all(
    profileNames.map((name) => home.run(['config', 'set', 'base_url', 'https://a.example', '--profile', name], env)),
  );
  const { stdout } = await home.run(['config', 'list', '--json'], env);
  expect(
    JSON.parse(stdout)
      .map(({ profile }: { profile: string }) => profile)
      .sort(),
  ).toEqual(profileNames);
  const [file] = [...home.files().keys()].filter((path) => path.endsWith('config.json'));
  expect(file).toBeDefined();
});

test('login stores a key for its service, and the key is sent to no other service', async () => {
  const env = useAccount();
  const file = join(home.path, 'key');
  appendFileSync(file, env.FIN_API_KEY ?? '');
  const loginProcess = spawn(
    'sh',
    ['-c', `"${process.execPath}" "${FIN_PATH}" auth login --base-url ${env.FIN_BASE_URL} < "${file}"`],
    {
      env: { PATH: process.env.PATH, HOME: home.path },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let stdoutText = '';
  loginProcess.stdout.on('data', (chunk) => {
    stdoutText += chunk;
  });
  expect(await new Promise((done) => loginProcess.on('close', done))).toBe(0);
  expect(stdoutText).toContain('month');
  expect(stdoutText).not.toContain(env.FIN_API_KEY?.slice(4, 30));
  const envWithoutKey = { FIN_API_KEY: '' };
  expect(await home.run(['release'], envWithoutKey)).toMatchObject({ code: 0 });
  const otherServiceStatusRun = await home.run(
    ['auth', 'status', '--base-url', 'https://other.example', '--json'],
    envWithoutKey,
  );
  expect(JSON.parse(otherServiceStatusRun.stdout)).toMatchObject({
    key: null,
    warnings: [expect.stringContaining('belongs to')],
  });
  expect(await home.run(['auth', 'logout'], envWithoutKey)).toMatchObject({ code: 0 });
  expect(await home.run(['release'], envWithoutKey)).toMatchObject({ code: 4 });
});
