import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DIGEST_LIMITS } from '../../src/commands/last-run.ts';
import { serve } from '../http-service.ts';
import { makeHome, makeProblem, runShell, sendJson } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

/**
 * Starts a service whose release stamp the test sets. Every answer has a new request id, which must not count as a
 * change.
 */
async function startService() {
  const state = { stamp: 's-1', isFailing: false };
  let requestCount = 0;
  const testService = await serve((_, response) => {
    requestCount += 1;
    if (state.isFailing) return sendJson(response, 404, makeProblem(404, 'not_found', 'Gone.'));
    const release = { date: '2026-08-18', checks: 'passed', published_at: '2026-08-19T04:00:00Z', stamp: state.stamp };
    const meta = { schema: 'svc.data.v1', route: '/v1/release', request_id: `r-${requestCount}`, release };
    return sendJson(response, 200, JSON.stringify({ data: release, meta }));
  });
  return { ...testService, state };
}

const RELEASE_ARGUMENTS = ['release', '--if-changed', '--no-cache'];

test('--if-changed prints the first answer and changed answers, and nothing otherwise', async () => {
  const { baseUrl, state, requests } = await startService();
  const env = { FIN_BASE_URL: baseUrl, HOME: makeHome() };
  const ask = async (...extraArgs: string[]) => runFin([...RELEASE_ARGUMENTS, ...extraArgs], { env });
  expect((await ask('--json')).out).toContain('s-1');
  expect(await ask('--json')).toEqual({ code: 0, out: '', err: '' });
  // Another output format counts as another command, and another service has its own last answer.
  expect((await ask('--csv')).out).toContain('s-1');
  const otherService = await startService();
  expect(
    (await runFin([...RELEASE_ARGUMENTS, '--json'], { env: { ...env, FIN_BASE_URL: otherService.baseUrl } })).out,
  ).toContain('s-1');
  state.stamp = 's-2';
  expect((await ask('--json')).out).toContain('s-2');
  expect(await ask('--json', '--quiet')).toEqual({ code: 0, out: '', err: '' });
  expect(requests).toHaveLength(5);
  // Only a digest of the answer is stored.
  const directory = join(env.HOME, '.local/state/fin/last');
  for (const name of readdirSync(directory))
    expect(readFileSync(join(directory, name), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
});

test('a failure is reported and does not replace the last answer', async () => {
  const { baseUrl, state } = await startService();
  const env = { FIN_BASE_URL: baseUrl, HOME: makeHome() };
  await runFin(RELEASE_ARGUMENTS, { env });
  state.isFailing = true;
  expect(await runFin(RELEASE_ARGUMENTS, { env })).toMatchObject({ code: 3, out: '' });
  state.isFailing = false;
  expect(await runFin(RELEASE_ARGUMENTS, { env })).toEqual({ code: 0, out: '', err: '' });
});

test('without a change no notice or warning is printed', async () => {
  const env = { HOME: makeHome() };
  const ask = async () => runFin(['screen', '--where', 'revenue_yoy:gt:24', '--if-changed', '--quiet'], { env });
  expect((await ask()).err).toMatch(/^Warning: revenue_yoy is a fraction.*\n$/);
  expect(await ask()).toEqual({ code: 0, out: '', err: '' });
});

test('an answer that could not be written does not count as the last one', async () => {
  const { err, code } = await runShell('fin metrics AAPL --if-changed > /dev/full; fin metrics AAPL --if-changed');
  expect(err).toMatch(/could not be written completely/);
  expect(code).toBe(0);
  const { out } = await runShell('fin metrics AAPL --if-changed > /dev/full; fin metrics AAPL --if-changed');
  expect(out).toContain('Revenue');
});

test('without a home directory every answer is printed, with a notice', async () => {
  const { code, out, err } = await runFin(['metrics', 'AAPL', '--if-changed', '--csv'], { env: { HOME: '' } });
  expect(code).toBe(0);
  expect(out).toContain('revenue');
  expect(err).toMatch(/Warning: --if-changed cannot remember this answer for the next run.*HOME/);
});

test("a chart's file is not rewritten if the data is unchanged, and written again if it is missing", async () => {
  const HOME = makeHome();
  const file = join(HOME, 'prices.svg');
  const draw = async () => runFin(['prices', 'AAPL', '--if-changed', '--svg', file], { env: { HOME } });
  expect((await draw()).err).toContain(`Wrote ${file}`);
  const originalSvg = readFileSync(file, 'utf8');
  expect(originalSvg).toContain('<svg');
  writeFileSync(file, 'kept');
  expect(await draw()).toEqual({ code: 0, out: '', err: '' });
  expect(readFileSync(file, 'utf8')).toBe('kept');
  rmSync(file);
  expect((await draw()).err).toContain(`Wrote ${file}`);
  expect(readFileSync(file, 'utf8')).toBe(originalSvg);
  expect(readdirSync(HOME).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('a stored answer is not reported as lost if old digests cannot be removed', async () => {
  const env = { HOME: makeHome() };
  const directory = join(env.HOME, '.local/state/fin/last');
  mkdirSync(directory, { recursive: true });
  // The system refuses to look up a link to itself.
  symlinkSync('loop', join(directory, 'loop'));
  const ask = async () => runFin(['metrics', 'AAPL', '--if-changed', '--csv'], { env });
  expect(await ask()).toMatchObject({ code: 0, err: expect.not.stringContaining('Warning') });
  expect(await ask()).toEqual({ code: 0, out: '', err: '' });
});

test('digests of commands that have not run for long are removed, and those of recent commands are kept', async () => {
  const { baseUrl, state } = await startService();
  const env = { FIN_BASE_URL: baseUrl, HOME: makeHome() };
  const directory = join(env.HOME, '.local/state/fin/last');
  await runFin(RELEASE_ARGUMENTS, { env });
  const [digestName = ''] = readdirSync(directory);
  const setFileAge = (name: string, days: number) => {
    const modifiedSeconds = Date.now() / 1000 - days * 86_400;
    utimesSync(join(directory, name), modifiedSeconds, modifiedSeconds);
  };
  setFileAge(digestName, DIGEST_LIMITS.days + 1);
  for (let index = 0; index < DIGEST_LIMITS.files + 5; index++) {
    const name = `other-${String(index).padStart(4, '0')}`;
    writeFileSync(join(directory, name), '');
    setFileAge(name, 1 + index / 100);
  }
  writeFileSync(join(directory, 'old'), '');
  setFileAge('old', DIGEST_LIMITS.days + 1);
  // An unchanged answer updates the time of its digest, so that this digest is the last to be removed.
  expect(await runFin(RELEASE_ARGUMENTS, { env })).toEqual({ code: 0, out: '', err: '' });
  state.stamp = 's-2';
  expect((await runFin([...RELEASE_ARGUMENTS, '--csv'], { env })).out).toContain('s-2');
  const digestFiles = readdirSync(directory);
  expect(digestFiles).toHaveLength(DIGEST_LIMITS.files);
  expect(digestFiles).toContain(digestName);
  expect(digestFiles).toContain('other-0000');
  expect(digestFiles).not.toContain('old');
  expect(digestFiles).not.toContain(`other-${DIGEST_LIMITS.files + 4}`);
});
