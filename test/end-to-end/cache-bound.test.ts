import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../http-service.ts';
import { makeResource } from '../resource.ts';
import { makeHome, runFin, sendJson } from './run-fin.ts';

const MEGABYTE = 1_000_000;
/**
 * Approximate response size: more than a sixteenth of a megabyte, so that every process that caches a response also
 * sweeps the cache.
 */
const RESPONSE_BYTES = 97_000;
const largeSearchHit = makeResource('SecuritySearchHit', { entity_name: 'x'.repeat(RESPONSE_BYTES) });

/** Starts a service with large answers, and makes a home with this maximum cache size. */
async function setUp(FIN_CACHE_MAX_MB: string) {
  const { baseUrl, requests } = await serve((request, response) => {
    const etag = 'W/"1"';
    if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end();
    const meta = { schema: 'svc.data.v1', route: '/v1/securities', request_id: 'r-1', release: null };
    return sendJson(response, 200, JSON.stringify({ data: [largeSearchHit], meta }), { etag });
  });
  const env = { HOME: makeHome(), FIN_BASE_URL: baseUrl, FIN_CACHE_MAX_MB };
  const directory = join(env.HOME, '.cache/fin/http');
  const requestSearch = (query: string, ...extraArgs: string[]) =>
    runFin(['api', `/v1/securities?q=${query}`, ...extraArgs], { env });
  return {
    requests,
    ask: requestSearch,
    isCached: async (query: string) => (await requestSearch(query, '--offline')).code === 0,
    cachedBytes: () =>
      readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((total, { parentPath, name }) => total + statSync(join(parentPath, name)).size, 0),
  };
}

test('cached responses stay below FIN_CACHE_MAX_MB, and the least recently used are removed first', async () => {
  const { ask, isCached, cachedBytes } = await setUp('1');
  for (const query of 'abcdefghi') expect((await ask(query)).code).toBe(0);
  expect(cachedBytes()).toBeGreaterThan(9 * RESPONSE_BYTES);
  // Uses the two oldest responses: `a` is confirmed by a 304, `b` is read from the cache. Now `c` is the least recently
  // used response.
  expect((await ask('a')).code).toBe(0);
  expect(await isCached('b')).toBe(true);
  // The cache holds ten responses.
  for (const query of 'jkl') {
    expect((await ask(query)).code).toBe(0);
    expect(cachedBytes()).toBeLessThanOrEqual(MEGABYTE);
  }
  const cachedQueries = [];
  for (const query of 'abcdefghijkl') if (await isCached(query)) cachedQueries.push(query);
  expect(cachedQueries.join('')).toBe('abefghijkl');
});

test('FIN_CACHE_MAX_MB=0 caches nothing for the next command', async () => {
  const { ask, isCached, cachedBytes } = await setUp('0');
  expect((await ask('a')).code).toBe(0);
  expect(cachedBytes()).toBe(0);
  expect(await isCached('a')).toBe(false);
});

test.each(['abc', '-1', '1.5', '64MB', ' ', '10000000'])(
  'FIN_CACHE_MAX_MB=%j is refused before any request',
  async (setting) => {
    const { ask, requests } = await setUp(setting);
    const run = await ask('a');
    expect(run).toMatchObject({ code: 2, out: '' });
    expect(run.err).toContain(
      `FIN_CACHE_MAX_MB is ${JSON.stringify(setting)}, not a whole number of at most six digits`,
    );
    expect(requests).toHaveLength(0);
  },
);

test('an empty FIN_CACHE_MAX_MB counts as unset, and help names the variable', async () => {
  const { ask } = await setUp('');
  expect((await ask('a')).code).toBe(0);
  expect((await runFin(['help', 'environment'])).out).toMatch(/FIN_CACHE_MAX_MB\s+maximum size of the response cache/);
});
