import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  computeEtag,
  countMaxRequestsPerSecond,
  RATE_LIMIT_PAGE,
  readSiteFiles,
  type SiteServer,
  startSite,
} from '../edgar/fetch/site-server.ts';
import { makeZip } from '../edgar/make-zip.ts';
import { getExcerptPath, testWithPublicFile } from '../public-files.ts';
import { readSourceCompany, writeSource } from '../store/public-source.ts';
import { makeHome, runFin as runProcess } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runEighthAsProcess = everyEighthAsProcess();
/** Builds use the workers of the built program, and only a process ends at a deadline. */
const runFin: typeof runProcess = (args, options) =>
  (args.includes('build') || args.includes('--deadline') ? runProcess : runEighthAsProcess)(args, options);

const CONTACT = 'Jane Doe jane@doe.org';

// These tests run several processes one after the other, possibly on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const startSmallSite = async (): Promise<SiteServer> =>
  startSite(
    await readSiteFiles(
      await writeSource([readSourceCompany('aapl'), readSourceCompany('msft'), readSourceCompany('tgt')]),
    ),
  );

const makeEnvironment = (site: SiteServer, HOME = makeHome()) => ({
  HOME,
  FIN_DATA_DIR: join(HOME, 'data'),
  FIN_EDGAR_URL: site.url,
  FIN_CONTACT: CONTACT,
});

test.concurrent('two companies are fetched, a release is built, and a question is answered', async () => {
  const site = await startSmallSite();
  const env = makeEnvironment(site);
  const fetchRun = await runFin(['data', 'fetch', 'aapl', 'TGT'], { env });
  expect(fetchRun).toMatchObject({ code: 0 });
  expect(fetchRun.err).toMatch(
    /^Fetching from 127\.0\.0\.1:\d+ to .*sources\nFetched 6 files \(.*B\); up to date: 0\n$/,
  );
  expect(site.requests.map(({ path }) => path).sort()).toEqual([
    '/api/xbrl/companyfacts/CIK0000027419.json',
    '/api/xbrl/companyfacts/CIK0000320193.json',
    '/files/company_tickers.json',
    '/files/company_tickers_exchange.json',
    '/submissions/CIK0000027419.json',
    '/submissions/CIK0000320193.json',
  ]);
  for (const { headers } of site.requests)
    expect(headers['user-agent']).toMatch(/^Jane Doe jane@doe\.org \(fin-filings\//);
  const buildRun = await runFin(['data', 'build'], { env });
  expect(buildRun).toMatchObject({ code: 0 });
  const metricsRun = await runFin(['metrics', 'AAPL', '--keys', 'revenue', '--period', 'annual', '--csv'], { env });
  expect(metricsRun).toMatchObject({ code: 0 });
  expect(metricsRun.out).toContain('416161000000');
  expect((await runFin(['metrics', 'MSFT'], { env })).code).toBe(3);
});

test.concurrent('a fetch removes the temporary files that a killed fetch left', async () => {
  const env = makeEnvironment(await startSmallSite());
  await runFin(['data', 'fetch', 'AAPL'], { env });
  const fetchFolder = join(env.FIN_DATA_DIR, 'sources/.fetch');
  const leftFiles = ['parts/files~a.json.77-0.part', 'records/files/.a.json.json.77-mx0j5afo-1.tmp'];
  const leftPaths = leftFiles.map((name) => join(fetchFolder, name));
  const twoHoursAgo = Date.now() / 1000 - 7200;
  for (const path of leftPaths) {
    writeFileSync(path, '');
    utimesSync(path, twoHoursAgo, twoHoursAgo);
  }
  expect(await runFin(['data', 'fetch'], { env })).toMatchObject({ code: 0 });
  expect(leftPaths.filter((path) => existsSync(path))).toEqual([]);
});

test.concurrent('data fetch without arguments updates the fetched files with conditional requests', async () => {
  const site = await startSmallSite();
  const env = makeEnvironment(site);
  await runFin(['data', 'fetch', 'AAPL'], { env });
  site.requests.length = 0;
  const repeatedFetch = await runFin(['data', 'fetch', '--json', '--quiet'], { env });
  expect(JSON.parse(repeatedFetch.out)).toMatchObject({ requests: 0, received: 0, unknown: [] });
  const freshFetch = await runFin(['data', 'fetch', '--json', '--quiet', '--fresh'], { env });
  expect(freshFetch).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(freshFetch.out)).toMatchObject({ requests: 4, received: 0, unknown: [] });
  expect(site.requests.map(({ status }) => status)).toEqual([304, 304, 304, 304]);
});

test.concurrent('data fetch and data build print nothing with --quiet', async () => {
  const site = await startSmallSite();
  const env = makeEnvironment(site);
  await runFin(['data', 'fetch', 'AAPL', '--quiet'], { env });
  for (const subcommand of ['fetch', 'build']) {
    expect(await runFin(['data', subcommand, '--quiet'], { env })).toEqual({ code: 0, out: '', err: '' });
  }
  expect((await runFin(['release', '--json'], { env })).out).toContain('"checks":');
});

test.concurrent('an unknown ticker is named, and the other companies are fetched', async () => {
  const site = await startSmallSite();
  const env = makeEnvironment(site);
  const partialFetch = await runFin(['data', 'fetch', '-', '--csv'], { env, input: '# mine\nAAPL\nAAPLE # sic\n' });
  expect(partialFetch.code).toBe(8);
  expect(partialFetch.err).toContain(`Error: "AAPLE" is not in the SEC's ticker lists. Did you mean AAPL?`);
  expect(partialFetch.out).toContain('submissions/CIK0000320193.json,fetched,');
  expect((await runFin(['data', 'fetch', 'NOPE'], { env })).code).toBe(3);
});

test.concurrent.each<[string, string[], Record<string, string>, string]>([
  ['no contact', ['AAPL'], { FIN_CONTACT: '' }, 'requires a contact'],
  ['a contact without an address', ['AAPL', '--contact', 'Jane'], {}, 'names no e-mail address'],
  ['a site in clear text', ['AAPL', '--site', 'http://www.sec.gov'], {}, 'not an address that fin can fetch from'],
  ['a site that is not an HTTPS address', ['AAPL', '--site', 'ftp://x'], {}, 'not an address that fin can fetch from'],
  ['nothing to fetch', [], {}, 'No companies are given'],
  ['a fetch with --offline', ['AAPL', '--offline'], {}, '--offline forbids network access'],
  ['a count that is not a number', ['--insiders', 'all'], {}, '--insiders "all" is not a whole number'],
])('%s is a usage error, and no request is sent', async (_, args, overrides, message) => {
  const site = await startSmallSite();
  const { code, err } = await runFin(['data', 'fetch', ...args], { env: { ...makeEnvironment(site), ...overrides } });
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
  expect(site.requests).toEqual([]);
});

test.concurrent('data fetch uses the contact in the settings', async () => {
  const site = await startSmallSite();
  const env = { ...makeEnvironment(site), FIN_CONTACT: '' };
  expect((await runFin(['config', 'set', 'contact', 'nobody'], { env })).code).toBe(2);
  expect((await runFin(['config', 'set', 'contact', 'Doe Ltd it@doe.org'], { env })).code).toBe(0);
  expect((await runFin(['data', 'fetch', 'AAPL'], { env })).code).toBe(0);
  expect(site.requests[0]?.headers['user-agent']).toMatch(/^Doe Ltd it@doe\.org /);
});

test.concurrent('a refusal by the site ends the fetch, and for ten minutes no process sends a request', async () => {
  const site = await startSmallSite();
  const env = makeEnvironment(site);
  site.replaceAnswer = ({ url = '' }, response) => {
    if (!url.startsWith('/api/')) return false;
    response.writeHead(403, { 'content-type': 'text/html' }).end(RATE_LIMIT_PAGE);
    return true;
  };
  const refusedFetch = await runFin(['data', 'fetch', 'AAPL'], { env });
  expect(refusedFetch.code).toBe(5);
  expect(refusedFetch.err).toMatch(
    /refuses requests for a while.*\n.*Files fetched so far are kept.*\n.*in 10 minutes/,
  );
  expect(existsSync(join(env.FIN_DATA_DIR, 'sources/companyfacts'))).toBe(false);
  const requestCount = site.requests.length;
  expect((await runFin(['data', 'fetch', 'AAPL'], { env })).code).toBe(5);
  expect(site.requests).toHaveLength(requestCount);
});

// Does not run concurrently with other tests: they would delay the requests, whose times are measured here.
test('three concurrent processes together send at most eight requests in any second, and all finish', async () => {
  const site = await startSmallSite();
  const HOME = makeHome();
  const runPromises = ['a', 'b', 'c'].map((name) => {
    // The processes share one state directory, like processes of one user. Each has a separate data directory, so each
    // requests every file.
    const env = { ...makeEnvironment(site, HOME), FIN_STATE_DIR: join(HOME, 'state'), FIN_DATA_DIR: join(HOME, name) };
    return runProcess(['data', 'fetch', 'AAPL', 'MSFT', 'TGT'], { env });
  });
  for (const { code, err } of await Promise.all(runPromises)) expect({ code, err }).toMatchObject({ code: 0 });
  expect(site.requests).toHaveLength(24);
  expect(countMaxRequestsPerSecond(site.requests)).toBeLessThanOrEqual(8);
});

/** Starts a site that first sends only half of a large submissions.zip; `half` resolves when that half is sent. */
async function startSlowSite(): Promise<{ site: SiteServer; path: string; half: Promise<void> }> {
  const site = await startSmallSite();
  const path = '/Archives/edgar/daily-index/bulkdata/submissions.zip';
  const file = join(makeHome(), 'large.zip');
  await makeZip(file, { 'CIK0000320193.json': '{}', 'padding.txt': randomBytes(3_000_000).toString('hex') });
  const zipBytes = readFileSync(file);
  site.files.set(path, zipBytes);
  let markHalfSent = () => {};
  const halfSentPromise = new Promise<void>((resolve) => {
    markHalfSent = resolve;
  });
  site.replaceAnswer = ({ url, headers }, response) => {
    if (url !== path || headers.range !== undefined) return false;
    response.writeHead(200, { 'content-length': zipBytes.length, etag: computeEtag(zipBytes) });
    response.write(zipBytes.subarray(0, zipBytes.length / 2));
    // Sends only the first half; the client has received that half once the socket has written it.
    const pollTimer = setInterval(() => {
      if (response.destroyed) clearInterval(pollTimer);
      if (response.socket?.bytesWritten !== undefined && response.writableLength === 0) markHalfSent();
    }, 50);
    return true;
  };
  return { site, path, half: halfSentPromise };
}

test.concurrent.each([
  ['SIGKILL', null],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('after %s in the middle of a large file, the next run resumes it', async (signalName, exitCode) => {
  const { site, path, half } = await startSlowSite();
  const env = makeEnvironment(site);
  const partFile = join(env.FIN_DATA_DIR, 'sources/.fetch/parts/submissions.zip.part');
  const zipSize = site.files.get(path)?.length ?? 0;
  const halfWrittenPromise = half.then(async () => {
    await vi.waitFor(() => expect(statSync(partFile).size).toBe(Math.floor(zipSize / 2)), { timeout: 60_000 });
  });
  const interruptedFetch = await runFin(['data', 'fetch', '--bulk'], {
    env,
    signal: { name: signalName, when: halfWrittenPromise },
  });
  expect(interruptedFetch.code).toBe(exitCode);
  expect(interruptedFetch.err).not.toMatch(/at .*\.cjs/);
  expect(existsSync(join(env.FIN_DATA_DIR, 'sources/submissions.zip'))).toBe(false);
  const resumedFetch = await runFin(['data', 'fetch', '--bulk', '--json'], { env });
  expect(resumedFetch.code).toBe(0);
  const rangesAndStatuses = site.requests
    .filter((request) => request.path === path)
    .map(({ headers, status }) => [headers.range, status]);
  expect(rangesAndStatuses.at(-1)).toEqual([`bytes=${Math.floor(zipSize / 2)}-`, 206]);
  // companyfacts.zip was already complete, so only the second half of submissions.zip is fetched.
  expect(JSON.parse(resumedFetch.out).received).toBe(zipSize - Math.floor(zipSize / 2));
  const fetchedZip = readFileSync(join(env.FIN_DATA_DIR, 'sources/submissions.zip'));
  expect(fetchedZip.equals(site.files.get(path) ?? Buffer.alloc(0))).toBe(true);
  expect(existsSync(partFile)).toBe(false);
});

test.concurrent('a deadline ends a fetch, and the received part is kept', async () => {
  let isPartKept = false;
  // On a slow machine, a short deadline passes before any part of the file is received.
  for (const deadline of ['3s', '12s', '48s']) {
    if (isPartKept) break;
    const { site } = await startSlowSite();
    const env = makeEnvironment(site);
    const { code, err } = await runFin(['data', 'fetch', '--bulk', '--deadline', deadline], { env });
    expect({ code, err }).toEqual({ code: 7, err: expect.stringContaining('The deadline passed') });
    isPartKept = existsSync(join(env.FIN_DATA_DIR, 'sources/.fetch/parts/submissions.zip.part'));
  }
  expect(isPartKept).toBe(true);
});

test.concurrent('when two processes need the same large file, only one of them downloads it', async () => {
  const site = await startSmallSite();
  const env = makeEnvironment(site);
  const runs = await Promise.all([
    runProcess(['data', 'fetch', '--bulk'], { env }),
    runProcess(['data', 'fetch', '--bulk'], { env }),
  ]);
  for (const { code, err } of runs) expect({ code, err }).toMatchObject({ code: 0 });
  const zipRequests = site.requests.filter(({ path }) => path.endsWith('companyfacts.zip'));
  expect(zipRequests.map(({ status }) => status)).toEqual([200]);
});

test.concurrent('a newer bulk zip replaces fetched unzipped files, which a build would otherwise read', async () => {
  const site = await startSmallSite();
  const env = makeEnvironment(site);
  await runFin(['data', 'fetch', 'AAPL'], { env });
  const [unzippedFile, userFile] = ['320193', '999'].map((cik) =>
    join(env.FIN_DATA_DIR, `sources/companyfacts/CIK${cik.padStart(10, '0')}.json`),
  ) as [string, string];
  // This file was not fetched, but created by the user.
  writeFileSync(userFile, '{}');
  expect((await runFin(['data', 'fetch', '--bulk'], { env })).code).toBe(0);
  expect([existsSync(unzippedFile), existsSync(userFile)]).toEqual([false, true]);
  expect((await runFin(['data', 'build', '--json'], { env })).code).toBe(0);
  expect((await runFin(['metrics', 'MSFT', '--keys', 'revenue'], { env })).code).toBe(0);
});

test.concurrent('a changed source file stops the build, and data fetch repairs it', async () => {
  const site = await startSmallSite();
  const env = makeEnvironment(site);
  await runFin(['data', 'fetch', 'AAPL'], { env });
  const file = join(env.FIN_DATA_DIR, 'sources/companyfacts/CIK0000320193.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('416161000000', '416161000001'));
  const failedBuild = await runFin(['data', 'build'], { env });
  expect({ code: failedBuild.code, err: failedBuild.err }).toEqual({
    code: 9,
    err: expect.stringContaining('has different content'),
  });
  expect((await runFin(['data', 'fetch'], { env })).code).toBe(0);
  expect((await runFin(['data', 'build'], { env })).code).toBe(0);
});

test.concurrent.each(['FIN_DATA_DIR', 'sources'])(
  'a directory that cannot be written to is an error (%s)',
  async (blockedPath) => {
    const site = await startSmallSite();
    const env = makeEnvironment(site);
    if (blockedPath === 'FIN_DATA_DIR') writeFileSync(env.FIN_DATA_DIR, 'a file');
    else {
      mkdirSync(join(env.FIN_DATA_DIR, 'sources'), { recursive: true });
      writeFileSync(join(env.FIN_DATA_DIR, 'sources/files'), 'a file');
    }
    const { code, err } = await runFin(['data', 'fetch', 'AAPL'], { env });
    expect({ code, err }).toEqual({ code: 9, err: expect.stringContaining('cannot be written to') });
    expect(site.requests).toHaveLength(1);
  },
);

test.concurrent('a build without sources says which command to run first', async () => {
  const { code, err } = await runFin(['data', 'build']);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('fin data fetch') });
});

test.concurrent('the newest published periods of fails to deliver are fetched, and unpublished periods are reported as absent', async () => {
  const site = await startSmallSite();
  const env = makeEnvironment(site);
  const zip = site.files.get('/Archives/edgar/daily-index/xbrl/companyfacts.zip') ?? Buffer.alloc(0);
  site.replaceAnswer = ({ url = '' }, response) => {
    const name = /cnsfails\d{6}[ab]\.zip$/.exec(url)?.[0];
    if (name === undefined || site.requests.filter(({ path }) => path.includes('cnsfails')).length <= 2) return false;
    response.writeHead(200, { 'content-length': zip.length }).end(zip);
    return true;
  };
  const { code, out } = await runFin(['data', 'fetch', '--fails', '3', '--json'], { env });
  expect(code).toBe(0);
  const failsToDeliverFiles = (JSON.parse(out).files as { file: string; state: string }[]).filter(({ file }) =>
    file.startsWith('fails/'),
  );
  expect(failsToDeliverFiles.map(({ state }) => state)).toEqual(['absent', 'absent', 'fetched', 'fetched', 'fetched']);
});

testWithPublicFile(
  'companyfacts.zip',
  'a company whose list of filings continues in more files is fetched and built, and questions about it are answered',
  async () => {
    const site = await startSite(await readSiteFiles(getExcerptPath('.')));
    const env = makeEnvironment(site);
    const { code, out } = await runFin(['data', 'fetch', 'PG', 'AAPL', 'KO', '--json'], { env });
    expect(code).toBe(0);
    const filePaths = (JSON.parse(out).files as { file: string }[]).map(({ file }) => file);
    expect(filePaths).toContain('submissions/CIK0000080424-submissions-003.json');
    expect((await runFin(['data', 'build', '--quiet'], { env })).code).toBe(0);
    const annualRevenueRun = await runFin(['metrics', 'AAPL', '--keys', 'revenue', '--period', 'annual', '--csv'], {
      env,
    });
    expect(annualRevenueRun).toMatchObject({ code: 0, out: expect.stringContaining('391035000000') });
  },
);
