import { expect, test } from 'vitest';
import { computeEntityTag } from '../../src/service/answers/answer-question.ts';
import { matchesTag } from '../../src/service/responses/service.ts';
import { ask, makeService } from './ask.ts';
import { MANIFEST, RELEASE_ROWS } from './filed.ts';
import { makeMemoryRelease } from './memory-release.ts';

const readEntityTag = async (target: string, options: Parameters<typeof ask>[1] = {}) =>
  (await ask(target, options)).headers.etag ?? '';

test('the same question has the same tag, whatever its request id', async () => {
  const firstAnswer = await ask('/v1/release', { headers: { 'x-request-id': 'one' } });
  const secondAnswer = await ask('/v1/release', { headers: { 'x-request-id': 'two' } });
  expect(firstAnswer.body).not.toBe(secondAnswer.body);
  expect(firstAnswer.headers.etag).toBe(secondAnswer.headers.etag);
});

test('answers to different parameters and from different releases have different tags', async () => {
  const laterRows = { ...RELEASE_ROWS, manifest: { ...MANIFEST, stamp: '2026-05-01-ffffffff' } };
  const laterService = makeService({ release: async () => makeMemoryRelease(laterRows) });
  const entityTags = await Promise.all([
    readEntityTag('/v1/screen?limit=5'),
    readEntityTag('/v1/screen?limit=6'),
    readEntityTag('/v1/screen?limit=5&sort=revenue'),
    readEntityTag('/v1/screen?limit=5', { service: laterService }),
  ]);
  expect(new Set(entityTags).size).toBe(4);
});

test('a request with a matching tag is answered 304, without a body and with the headers of its 200', async () => {
  const entityTag = await readEntityTag('/v1/metrics');
  for (const ifNoneMatch of [
    entityTag,
    entityTag.replace('W/', ''),
    `"other", ${entityTag}`,
    `W/"a",${entityTag}`,
    '*',
    ' * ',
  ]) {
    const answer = await ask('/v1/metrics', { headers: { 'if-none-match': ifNoneMatch, 'x-request-id': 'r' } });
    const headers = { 'cache-control': 'private, no-cache', etag: entityTag, 'x-request-id': 'r' };
    expect(answer, ifNoneMatch).toEqual({ status: 304, headers, body: '' });
  }
});

test('a request with a different or malformed tag is answered 200', async () => {
  for (const ifNoneMatch of ['W/"other"', '', 'garbage', unquoteTag(await readEntityTag('/v1/metrics'))]) {
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
const unquoteTag = (tag: string) => tag.replace(/W\/|"/g, '');
