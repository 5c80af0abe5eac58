import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { Meta } from '../../src/contract/resources/envelope.ts';
import { ECHOED_PARAMETER_NAMES } from '../../src/service/handlers/meta.ts';
import { ask, askBody, expectRefusal, makeService } from './ask.ts';
import { MANIFEST, RELEASE_ROWS } from './filed.ts';
import { makeMemoryRelease } from './memory-release.ts';

const RELEASE = {
  date: '2026-05-01',
  checks: 'passed',
  published_at: '2026-05-02T00:00:00Z',
  stamp: '2026-05-01-0a1b2c3d',
};

test('a body is data and meta; meta names schema, route, release and request', async () => {
  const answer = await askBody('/v1/release', { headers: { 'x-request-id': 'a.b-c_1' } });
  expect(answer).toEqual({
    data: RELEASE,
    meta: { schema: 'svc.data.v1', route: '/v1/release', release: RELEASE, request_id: 'a.b-c_1' },
  });
});

test('a 200 has an entity tag, and the same request id in its header and body', async () => {
  const answer = await ask('/v1/release');
  expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'private, no-cache' });
  expect(answer.headers.etag).toMatch(/^W\/"[\w-]{27}"$/);
  expect(JSON.parse(answer.body).meta.request_id).toBe(answer.headers['x-request-id']);
});

test.each([['', 'x'.repeat(65), 'with space', 'ü', 'a/b', undefined]])(
  'a request id that is not well-formed is replaced',
  async (...ids) => {
    for (const requestId of ids) {
      const answer = await ask('/v1/release', {
        headers: requestId === undefined ? {} : { 'x-request-id': requestId },
      });
      expect(answer.headers['x-request-id']).toMatch(/^[a-z0-9]+-[a-z0-9]{8}$/);
    }
  },
);

test('a request id of 64 characters is kept', async () => {
  const id = 'aZ9._-'.repeat(11).slice(0, 64);
  expect((await ask('/v1/release', { headers: { 'x-request-id': id } })).headers['x-request-id']).toBe(id);
});

test('exactly the parameters with a field in meta are echoed', () => {
  const metaFieldNames = Object.keys(Meta.properties);
  const parameterNames = new Set(
    OPERATIONS.flatMap((operation) => operation.parameters.map((parameter) => parameter.name)),
  );
  expect([...ECHOED_PARAMETER_NAMES].sort()).toEqual(
    // These parameters ask for a field of their name, which does not echo them.
    [...parameterNames]
      .filter((name) => metaFieldNames.includes(name) && !['set_aside_by', 'missing_by'].includes(name))
      .sort(),
  );
});

test('meta echoes effective values, defaults included', async () => {
  const { meta } = await askBody('/v1/screen?where=revenue:gt:1&where=assets:gt:2&columns=revenue,assets&offset=1');
  expect(meta).toMatchObject({
    where: ['revenue:gt:1', 'assets:gt:2'],
    columns: ['revenue', 'assets'],
    sort: 'ticker',
    dir: 'asc',
    limit: 25,
    offset: 1,
  });
});

test('the echoed ticker is that of the security', async () => {
  expect((await askBody('/v1/securities/brk.b/profile')).meta.ticker).toBe('BRK-B');
  expect((await askBody('/v1/securities/BRK%2FB/profile')).meta.ticker).toBe('BRK-B');
});

test('before the first release a valid question is answered 503, and an invalid question 400', async () => {
  const service = makeService({ release: async () => null });
  expect(await expectRefusal('/v1/release', 503, { service })).toMatchObject({
    code: 'unavailable',
    title: 'Unavailable',
  });
  expect(await expectRefusal('/v1/metrics', 503, { service })).toMatchObject({ code: 'unavailable' });
  await expectRefusal('/v1/screen?limit=0', 400, { service });
});

test('a question about a table that the release does not include is 404, not an empty answer', async () => {
  const problem = await expectRefusal('/v1/securities/AAPL/prices', 404);
  expect(problem.code).toBe('not_found');
  expect(problem.detail).toContain(`Prices are not included in release ${MANIFEST.stamp}: its sources have no files`);
  expect(problem.detail).toContain('fin data fetch --fails 24');
});

test('meta reports that the release failed its checks', async () => {
  const rows = { ...RELEASE_ROWS, manifest: { ...MANIFEST, checks: 'failed' as const } };
  const service = makeService({ release: async () => makeMemoryRelease(rows) });
  expect((await askBody('/v1/metrics', { service })).meta.release.checks).toBe('failed');
});
