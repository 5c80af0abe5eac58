import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../http-service.ts';
import { makeHome, sendJson } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly detail: string;
}

/** Returns the findings by check. Expects exit code 8 if a finding has the state "wrong", and otherwise 0. */
async function runDoctor(env: Record<string, string>, ...args: string[]): Promise<Record<string, Finding>> {
  const { code, out } = await runFin(['doctor', '--json', ...args], { env });
  const hasWrongFinding = (JSON.parse(out) as Finding[]).some(({ state }) => state === 'wrong');
  expect(code).toBe(hasWrongFinding ? 8 : 0);
  return Object.fromEntries((JSON.parse(out) as Finding[]).map((finding) => [finding.check, finding]));
}

test('all checks of fin doctor pass with an empty home and the sample', async () => {
  const findingByCheck = await runDoctor({});
  expect(Object.values(findingByCheck).filter(({ state }) => state !== 'ok')).toEqual([]);
  expect(findingByCheck.release?.detail).toContain('the sample');
});

test('a key or an escape sequence that the service repeats is shown neither by fin doctor nor in a stack trace', async () => {
  const FIN_API_KEY = `svc_${'k'.repeat(38)}`;
  const { baseUrl } = await serve((request, response) => {
    response.writeHead(400, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ detail: `${request.headers.authorization} \u001b[2J`, code: 'bad_request' }));
  });
  const env = { FIN_API_KEY, FIN_BASE_URL: baseUrl, FIN_DEBUG: '1' };
  for (const args of [['doctor', '--network'], ['doctor', '--network', '--json'], ['release']]) {
    const { out, err } = await runFin(args, { env });
    expect(out + err).toContain('svc_…');
    expect(out + err).not.toContain('kkkk');
    expect(out + err).not.toContain('\u001b');
  }
});

test('fin doctor names each problem and never shows a key', async () => {
  const HOME = makeHome();
  const configDirectory = join(HOME, 'config');
  mkdirSync(configDirectory);
  chmodSync(configDirectory, 0o755);
  writeFileSync(join(configDirectory, 'config.json'), '{ not json');
  writeFileSync(join(HOME, 'cache'), '');
  const FIN_API_KEY = `svc_${'k'.repeat(38)}`;
  const env = { HOME, FIN_API_KEY, FIN_CONFIG_DIR: configDirectory, FIN_CACHE_DIR: join(HOME, 'cache') };
  const findingByCheck = await runDoctor(env);
  expect(findingByCheck['config directory']).toMatchObject({
    state: 'note',
    detail: expect.stringContaining('chmod 700'),
  });
  expect(findingByCheck['cache directory']?.state).toBe('wrong');
  expect(findingByCheck.settings).toMatchObject({ state: 'wrong', detail: expect.stringContaining('not JSON') });
  expect(JSON.stringify(findingByCheck)).not.toContain('kkkk');
  for (const format of ['table', 'csv', 'ndjson', 'json']) {
    const { code, out } = await runFin(['doctor', '--output', format], { env });
    expect(code).toBe(8);
    expect(out).toContain('wrong');
  }
  // A finding with the state "note" does not change the exit code.
  rmSync(join(configDirectory, 'config.json'));
  expect(await runFin(['doctor', '--json'], { env: { HOME, FIN_CONFIG_DIR: configDirectory } })).toMatchObject({
    code: 0,
    out: expect.stringContaining('chmod 700'),
  });
});

test('fin doctor reports a service that does not answer, and the setting with its address', async () => {
  const findingByCheck = await runDoctor({ FIN_BASE_URL: 'http://127.0.0.1:1' }, '--network');
  expect(findingByCheck.service).toMatchObject({
    state: 'wrong',
    detail: expect.stringContaining('was read from FIN_BASE_URL'),
  });
});

test('fin doctor sends a request only with --network', async () => {
  const { baseUrl, requests } = await serve((_, response) =>
    sendJson(
      response,
      200,
      '{"data":{"stamp":"2026-08-18-0123"},"meta":{"schema":"svc.data.v1","route":"/v1/release","request_id":"r","release":null}}',
    ),
  );
  await runDoctor({ FIN_BASE_URL: baseUrl });
  expect(requests).toHaveLength(0);
  const findingByCheck = await runDoctor({ FIN_BASE_URL: baseUrl }, '--network');
  expect(requests).toHaveLength(1);
  expect(findingByCheck.service).toMatchObject({ state: 'ok', detail: expect.stringContaining('2026-08-18-0123') });
});

test("fin doctor compares the clock with the service's, and shows the remaining requests", async () => {
  const SERVICE_CLOCK_AHEAD_MS = 90_000;
  const { baseUrl } = await serve((_, response) => {
    response.sendDate = false;
    const release = { date: '2026-08-18', checks: 'passed', published_at: '2026-08-19T04:00:00Z', stamp: 's-1' };
    const meta = { schema: 'svc.data.v1', route: '/v1/release', request_id: 'r-1', release };
    sendJson(response, 200, JSON.stringify({ data: release, meta }), {
      date: new Date(Date.now() + SERVICE_CLOCK_AHEAD_MS).toUTCString(),
    });
  });
  const env = { HOME: makeHome(), FIN_BASE_URL: baseUrl, FIN_API_KEY: `svc_${'k'.repeat(38)}` };
  expect((await runDoctor(env)).clock).toMatchObject({
    state: 'note',
    detail: expect.stringContaining('not compared with a service yet'),
  });
  const findingByCheck = await runDoctor(env, '--network');
  expect(findingByCheck.clock).toMatchObject({ state: 'wrong', detail: expect.stringMatching(/(89|90|91) s behind/) });
  expect(findingByCheck.limits).toMatchObject({ state: 'ok', detail: expect.stringContaining('month 19999 of 20000') });
  expect((await runDoctor({})).clock?.state).toBe('ok');
  // The request is counted in the state directory, so the help promises only that nothing else changes.
  const { out } = await runFin(['doctor', '--help']);
  expect(out.replace(/\s+/g, ' ')).toContain('Changes neither settings nor releases.');
  expect(['.config', '.local/share'].filter((path) => existsSync(join(env.HOME, path)))).toEqual([]);
});
