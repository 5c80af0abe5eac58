/** Questions to a release on a static host. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { makeHomeEnv } from '../conformance/fin-serve.ts';
import { type FileServer, startFileServer } from '../file-server.ts';
import { type ProcessResult, startFin } from '../fin-process.ts';
import { makeDirectory, makeNextRelease, publish, SAMPLE_RELEASE } from '../publish/releases.ts';
import { everyEighthAsProcess } from './run-here.ts';

const STAMP = SAMPLE_RELEASE.split('/').at(-1) ?? '';
const QUESTION_ARGUMENTS = ['metrics', 'AAPL', '--json'];

let server: FileServer;
let root: string;
/** A directory with the release of the next night. */
let laterRoot: string;
beforeAll(async () => {
  [root, laterRoot] = [makeDirectory(), makeDirectory()];
  await publish(SAMPLE_RELEASE, root);
  await publish(await makeNextRelease(), laterRoot);
  server = await startFileServer(root);
});

beforeEach(() => {
  server.root = root;
  server.fault = () => undefined;
  server.requests.length = 0;
});

const runFin = everyEighthAsProcess();
const runAgainstServer = (args: readonly string[], env: Record<string, string>): Promise<ProcessResult> =>
  runFin([...args, '--base-url', server.url], { env });

const parseWithoutRequestId = ({ out }: ProcessResult) => {
  const { data, meta } = JSON.parse(out);
  return { data, meta: { ...meta, request_id: '' } };
};

test('a few ranges give the same answer as the release on this machine, without a key', async () => {
  const env = makeHomeEnv();
  const [coldRun, localRun] = await Promise.all([
    runAgainstServer([...QUESTION_ARGUMENTS, '--stats'], env),
    startFin([...QUESTION_ARGUMENTS, '--base-url', 'local:'], { env: makeHomeEnv() }).done,
  ]);
  expect(parseWithoutRequestId(coldRun)).toEqual(parseWithoutRequestId(localRun));
  // fin first treats a loopback address as the address of a service.
  const [serviceRequest, pointerRequest, ...rangeRequests] = server.requests;
  expect(serviceRequest).toMatchObject({ path: '/v1/securities/AAPL/metrics', status: 404 });
  expect(pointerRequest).toMatchObject({ path: '/latest.json', status: 200 });
  expect(rangeRequests.length).toBeLessThanOrEqual(5);
  expect(rangeRequests.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(100_000);
  expect(server.requests.some(({ headers }) => 'authorization' in headers)).toBe(false);
  expect(coldRun.err).toMatch(/\d requests, \d+ KB, /);
  server.requests.length = 0;
  const warmRun = await runAgainstServer([...QUESTION_ARGUMENTS, '--offline'], env);
  expect(parseWithoutRequestId(warmRun)).toEqual(parseWithoutRequestId(localRun));
  expect(parseWithoutRequestId(await runAgainstServer(QUESTION_ARGUMENTS, env))).toEqual(
    parseWithoutRequestId(localRun),
  );
  expect(server.requests).toEqual([]);
});

test('a key of the environment is not sent to an address that has a pointer', async () => {
  const key = `fin_${'a'.repeat(38)}`;
  server.root = join(root, '..');
  const path = `/${root.split('/').at(-1)}`;
  const env = makeHomeEnv({ FIN_API_KEY: key, FIN_BASE_URL: server.url + path });
  const firstRun = await startFin(QUESTION_ARGUMENTS, { env }).done;
  const freshRun = await startFin([...QUESTION_ARGUMENTS, '--fresh'], { env }).done;
  expect([firstRun.code, freshRun.code]).toEqual([0, 0]);
  expect(server.requests.some(({ headers }) => JSON.stringify(headers).includes(key))).toBe(false);
});

test('concurrent processes with empty caches share the ranges that they load', async () => {
  const env = makeHomeEnv();
  const args = [...QUESTION_ARGUMENTS, '--base-url', server.url];
  const runs = await Promise.all(Array.from({ length: 4 }, () => startFin(args, { env }).done));
  expect(new Set(runs.map((result) => JSON.stringify(parseWithoutRequestId(result))))).toHaveLength(1);
  const fileRequests = server.requests.filter(({ path }) => !path.startsWith('/v1/'));
  const pathsWithRanges = fileRequests.map(({ path, range }) => `${path} ${range}`);
  expect(pathsWithRanges).toHaveLength(new Set(pathsWithRanges).size);
});

test('if the release is replaced during a command, the answer is from the new release only, with a notice', async () => {
  // The old release is deleted as soon as its list has been read.
  server.fault = ({ path }) => {
    if (path.endsWith('files.json')) setImmediate(() => (server.root = laterRoot));
    return path.endsWith('files.json') ? undefined : {};
  };
  const { code, out, err } = await runAgainstServer(['filings', 'AAPL', '--json', '--limit', '3'], makeHomeEnv());
  expect(err).toMatch(
    new RegExp(`replaced release ${STAMP} during the command; the answer is from release 2026-08-19-[0-9a-f]{12}`),
  );
  expect(code).toBe(0);
  expect(JSON.parse(out).meta.release.date).toBe('2026-08-19');
});

test('a pointer to an older release is refused without --allow-older, and a refused pointer is not cached', async () => {
  const env = makeHomeEnv();
  server.root = laterRoot;
  expect((await runAgainstServer(QUESTION_ARGUMENTS, env)).err).not.toContain('older than');
  server.root = root;
  const olderReleasePattern = new RegExp(
    `now offers release ${STAMP}, which is older than 2026-08-19-[0-9a-f]{12}, the release that it offered before`,
  );
  for (const _ of [1, 2]) {
    const { code, out, err } = await runAgainstServer([...QUESTION_ARGUMENTS, '--fresh'], env);
    expect([code, out, err]).toEqual([9, '', expect.stringMatching(olderReleasePattern)]);
    expect(err).toContain('--allow-older');
  }
  server.root = laterRoot;
  expect((await runAgainstServer([...QUESTION_ARGUMENTS, '--fresh'], env)).code).toBe(0);
  server.root = root;
  const olderReleaseRun = await runAgainstServer([...QUESTION_ARGUMENTS, '--fresh', '--allow-older'], env);
  expect([olderReleaseRun.code, olderReleaseRun.err]).toEqual([0, expect.stringMatching(olderReleasePattern)]);
  expect((await runAgainstServer([...QUESTION_ARGUMENTS, '--fresh'], env)).code).toBe(0);
});

test('a damaged pointer is an error, and its address is not treated as a service', async () => {
  server.fault = ({ path }) => (path === '/latest.json' ? { answer: { status: 200, body: '{"format": 1, ' } } : {});
  const { code, err } = await runAgainstServer(QUESTION_ARGUMENTS, makeHomeEnv());
  expect([code, err]).toEqual([9, expect.stringContaining('has a latest.json that is not JSON')]);
  // A loopback address is first asked as a service, then as a static host.
  expect(server.requests.map(({ path }) => path)).toEqual(['/v1/securities/AAPL/metrics', '/latest.json']);
});

test('if the files of a release are missing for good, the error names them', async () => {
  const brokenDirectory = makeDirectory();
  cpSync(root, brokenDirectory, { recursive: true });
  rmSync(join(brokenDirectory, STAMP, 'latest_figures.parquet'), { force: true });
  rmSync(join(brokenDirectory, STAMP, 'reported_values.parquet'));
  server.root = brokenDirectory;
  const { code, err } = await runAgainstServer(QUESTION_ARGUMENTS, makeHomeEnv());
  expect(code).toBe(9);
  expect(err).toMatch(/has no .*\.parquet \(status 404\)/);
});

test('a host without range requests is an error, which fin doctor reports too', async () => {
  server.fault = () => ({ ignoreRange: true });
  const env = makeHomeEnv();
  const { code, err } = await runAgainstServer(['metrics', 'AAPL'], env);
  expect(code).toBe(7);
  expect(err).toMatch(/does not serve ranges.*whole file\.\n.*fin data pull/);
  const doctorRun = await runAgainstServer(['doctor', '--network', '--json'], env);
  expect(doctorRun.code).toBe(8);
  const findings: { check: string; state: string }[] = JSON.parse(doctorRun.out);
  const findState = (name: string) => findings.find(({ check }) => check === name)?.state;
  expect(['pointer', 'ETag', 'files', 'ranges'].map(findState)).toEqual(['ok', 'ok', 'ok', 'wrong']);
  server.fault = () => undefined;
  expect((await runAgainstServer(['doctor', '--network', '--json'], env)).code).toBe(0);
});

test('fin doctor says whether web pages may read the host, from the headers of a GET', async () => {
  const env = makeHomeEnv();
  const fetchCorsFinding = async () => {
    const { code, out } = await runAgainstServer(['doctor', '--network', '--json'], env);
    const findings: { check: string; state: string; detail: string }[] = JSON.parse(out);
    return [code, findings.find(({ check }) => check === 'CORS')];
  };
  server.requests.length = 0;
  expect(await fetchCorsFinding()).toEqual([0, expect.objectContaining({ state: 'note' })]);
  server.fault = () => ({ headers: { 'access-control-allow-origin': '*' } });
  expect(await fetchCorsFinding()).toEqual([0, expect.objectContaining({ state: 'ok' })]);
  server.fault = () => ({ headers: { 'access-control-allow-origin': 'https://own.example' } });
  expect(await fetchCorsFinding()).toEqual([
    0,
    expect.objectContaining({ detail: expect.stringContaining('own.example') }),
  ]);
  expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(server.requests.some(({ headers }) => headers.origin !== undefined)).toBe(true);
  server.fault = () => undefined;
});

test('with a public key only releases signed with its private key are read', async () => {
  const env = makeHomeEnv();
  const keygenRun = await startFin(['data', 'keygen', join(makeDirectory(), 'key'), '--json'], { env }).done;
  const { public_key: publicKey } = JSON.parse(keygenRun.out);
  await startFin(['config', 'set', 'public_key', publicKey], { env }).done;
  const { code, err } = await runAgainstServer(QUESTION_ARGUMENTS, env);
  expect(code).toBe(9);
  expect(err).toMatch(/does not match the setting public_key: it is not signed/);
  expect(server.requests.map(({ path }) => path)).toEqual(['/latest.json']);
  // An attacker who controls the host could remove the pointer and answer questions like a service, because a service's
  // answers have no signature.
  const forgedAnswer = JSON.stringify({ data: [], meta: { release: null } });
  server.requests.length = 0;
  server.fault = ({ path }) =>
    path.startsWith('/v1/')
      ? { answer: { status: 200, headers: { 'content-type': 'application/json' }, body: forgedAnswer } }
      : {};
  const envWithKey = { ...env, FIN_API_KEY: `fin_${'a'.repeat(38)}` };
  for (const extraArgs of [[], ['--no-cache'], ['--fresh']]) {
    for (const runEnv of [env, envWithKey]) {
      server.root = makeDirectory();
      const refusedRun = await runAgainstServer([...QUESTION_ARGUMENTS, ...extraArgs], runEnv);
      expect([refusedRun.code, refusedRun.out]).toEqual([9, '']);
      expect(refusedRun.err).toContain('The setting public_key is only for published releases');
    }
  }
  expect(new Set(server.requests.map(({ path }) => path))).toEqual(new Set(['/latest.json']));
  const serviceKindRun = await startFin(['config', 'set', 'kind', 'service'], { env }).done;
  expect([serviceKindRun.code, serviceKindRun.err]).toEqual([
    2,
    expect.stringContaining('only published releases are signed'),
  ]);
  // The setting public_key also makes fin read a published release, never a service, from a remote address.
  const otherHostArgs = [...QUESTION_ARGUMENTS, '--offline', '--base-url', 'https://host.invalid/releases'];
  expect((await startFin(otherHostArgs, { env }).done).err).toContain(
    'https://host.invalid/releases/latest.json is not',
  );
});

test('--plan prints the bytes to load, and loads nothing', async () => {
  const env = makeHomeEnv();
  await runAgainstServer(['profile', 'AAPL'], env);
  server.requests.length = 0;
  const { out } = await runAgainstServer(['screen', '--where', 'revenue:gt:1', '--plan', '--json'], env);
  expect(JSON.parse(out)).toMatchObject({ requests: 1, more_may_be_needed: true, bytes: expect.any(Number) });
  expect(JSON.parse(out).bytes).toBeGreaterThan(10_000);
  expect(server.requests).toEqual([]);
  await runAgainstServer(['screen', '--where', 'revenue:gt:1'], env);
  const secondPlanRun = await runAgainstServer(['screen', '--where', 'revenue:gt:1', '--plan', '--json'], env);
  expect(JSON.parse(secondPlanRun.out)).toEqual({ requests: 0, bytes: 0, more_may_be_needed: false, cached: 1 });
  // With --fresh, the pointer is requested even if it was confirmed within the last minute.
  const freshArgs = ['screen', '--where', 'revenue:gt:1', '--fresh'];
  const freshPlanRun = await runAgainstServer([...freshArgs, '--plan', '--json'], env);
  server.requests.length = 0;
  await runAgainstServer(freshArgs, env);
  expect([JSON.parse(freshPlanRun.out), server.requests.length]).toEqual([expect.objectContaining({ requests: 1 }), 1]);
});

test('an address with neither a service nor a release is an error that names the status', async () => {
  const emptyRoot = makeDirectory();
  server.root = emptyRoot;
  const { code, err } = await runAgainstServer(QUESTION_ARGUMENTS, makeHomeEnv());
  expect(code).toBe(7);
  expect(err).toMatch(/answered 404, but without an error message of the HTTP API/);
});
