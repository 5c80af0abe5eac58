import { expect, test } from 'vitest';
import { computeEntityTag } from '../../src/service/sealed-response.ts';
import { matchesTag } from '../../src/service/service.ts';
import { ask, serviceOf } from './ask.ts';
import { FILED, MANIFEST } from './filed.ts';
import { memoryRelease } from './memory-release.ts';

const tagOf = async (target: string, options: Parameters<typeof ask>[1] = {}) =>
  (await ask(target, options)).headers.etag ?? '';

test('the same question has the same tag, whatever its request id', async () => {
  const firstAnswer = await ask('/v1/release', { headers: { 'x-request-id': 'one' } });
  const secondAnswer = await ask('/v1/release', { headers: { 'x-request-id': 'two' } });
  expect(firstAnswer.body).not.toBe(secondAnswer.body);
  expect(firstAnswer.headers.etag).toBe(secondAnswer.headers.etag);
});

test('a different answer, different parameters and a different release each have a different tag', async () => {
  const laterRows = { ...FILED, manifest: { ...MANIFEST, stamp: '2026-05-01-ffffffff' } };
  const laterService = serviceOf({ release: async () => memoryRelease(laterRows) });
  const tags = await Promise.all([
    tagOf('/v1/screen?limit=5'),
    tagOf('/v1/screen?limit=6'),
    tagOf('/v1/screen?limit=5&sort=revenue'),
    tagOf('/v1/screen?limit=5', { service: laterService }),
  ]);
  expect(new Set(tags).size).toBe(4);
});

test('a request with a matching tag is answered 304, without a body and with only the tag and request id', async () => {
  const tag = await tagOf('/v1/metrics');
  for (const ifNoneMatch of [tag, tag.replace('W/', ''), `"other", ${tag}`, `W/"a",${tag}`, '*', ' * ']) {
    const answer = await ask('/v1/metrics', { headers: { 'if-none-match': ifNoneMatch, 'x-request-id': 'r' } });
    expect(answer, ifNoneMatch).toEqual({ status: 304, headers: { etag: tag, 'x-request-id': 'r' }, body: '' });
  }
});

test('a request with a different or malformed tag is answered 200', async () => {
  for (const ifNoneMatch of ['W/"other"', '', 'garbage', opaqueTag(await tagOf('/v1/metrics'))]) {
    expect((await ask('/v1/metrics', { headers: { 'if-none-match': ifNoneMatch } })).status, ifNoneMatch).toBe(200);
  }
});

test('a problem is never answered 304', async () => {
  const answer = await ask('/v1/screen?limit=0', { headers: { 'if-none-match': '*' } });
  expect(answer.status).toBe(400);
  expect(answer.headers.etag).toBeUndefined();
});

test('a tag distinguishes where one hashed text ends and the next begins', () => {
  expect(computeEntityTag('[1]', '{}')).toBe(computeEntityTag('[1]', '{}'));
  expect(computeEntityTag('[1]', '{}')).not.toBe(computeEntityTag('[1]{', '}'));
  expect(matchesTag('"x"', 'W/"x"')).toBe(true);
});

/** Returns the opaque tag without quotes and without `W/`. */
const opaqueTag = (tag: string) => tag.replace(/W\/|"/g, '');
