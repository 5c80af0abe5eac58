/**
 * Paths that a service answers without a key: probes, the description of the interface, and the page of problem types.
 */
import { expect, test } from 'vitest';
import { openApiDocument } from '../../../src/contract/openapi.ts';
import { PROBLEMS } from '../../../src/contract/problems.ts';
import { get, raw, start } from './running.ts';

const sendBareRequest = (path: string, host: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;
const bodyOf = (reply: string) => reply.slice(reply.indexOf('\r\n\r\n') + 4);

test('/livez and /readyz need no key and count against no limit', async () => {
  const running = await start();
  for (const [path, body] of [
    ['/livez', { status: 'live' }],
    ['/readyz', { status: 'ready', release: '2026-05-01-0a1b2c3d' }],
  ] as const) {
    const reply = await raw(running, sendBareRequest(path, 'x'));
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(reply).not.toMatch(/ratelimit/i);
    expect(JSON.parse(bodyOf(reply))).toEqual(body);
  }
  expect((await get(running, '/v1/release')).headers.ratelimit).toMatch(/^"minute";r=59;/);
});

test('before the first release the service is live and not ready', async () => {
  const running = await start({ release: async () => null });
  expect(await raw(running, sendBareRequest('/livez', 'x'))).toMatch(/^HTTP\/1\.1 200 /);
  const reply = await raw(running, sendBareRequest('/readyz', 'x'));
  expect(reply).toMatch(/^HTTP\/1\.1 503 /);
  expect(JSON.parse(bodyOf(reply))).toMatchObject({
    code: 'unavailable',
    type: `${running.baseUrl}/problems#unavailable`,
  });
});

test('the OpenAPI document names the service that serves it', async () => {
  const running = await start();
  const reply = await raw(running, sendBareRequest('/openapi.json', 'x'));
  expect(JSON.parse(bodyOf(reply))).toEqual(JSON.parse(JSON.stringify(openApiDocument(running.baseUrl))));
});

test('the address of a problem type has the description of its code', async () => {
  const running = await start();
  const { body } = await get(running, '/v1/nothing');
  const { pathname, hash } = new URL(body.type);
  const page = await raw(running, sendBareRequest(pathname, 'x'));
  expect(page).toContain(`id="${hash.slice(1)}"`);
  for (const code of Object.keys(PROBLEMS)) expect(page).toContain(`id="${code}"`);
});

test.each(['/livez', '/readyz', '/openapi.json', '/problems'])('%s accepts GET only', async (path) => {
  const running = await start();
  expect((await get(running, path, { method: 'POST' })).status).toBe(405);
  expect((await get(running, `${path}/x`)).status).toBe(404);
});

test('a problem type has the requested host if the service listens on all addresses, else its address', async () => {
  const everywhere = await start({ host: '0.0.0.0' });
  const port = new URL(everywhere.baseUrl).port;
  const local = { ...everywhere, baseUrl: `http://127.0.0.1:${port}` };
  for (const [path, more] of [
    ['/v1/nothing', ''],
    ['/v1/nothing', `Authorization: Bearer ${everywhere.key}\r\n`],
  ] as const) {
    const reply = await raw(local, sendBareRequest(path, 'filings.example:8346', more));
    expect(JSON.parse(bodyOf(reply)).type).toMatch(/^http:\/\/filings\.example:8346\/problems#/);
  }
  const one = await start();
  const reply = await raw(one, sendBareRequest('/v1/nothing', 'elsewhere.example'));
  expect(JSON.parse(bodyOf(reply)).type).toBe(`${one.baseUrl}/problems#missing_key`);
});
