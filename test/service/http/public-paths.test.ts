/**
 * Paths that a service answers without a key: probes, the description of the HTTP API, and the page of problem types.
 */
import { expect, test } from 'vitest';
import { makeOpenApiDocument } from '../../../src/contract/openapi.ts';
import { PROBLEM_KINDS } from '../../../src/contract/problems.ts';
import { get, sendRaw, startService } from './running.ts';

const makeRequestText = (path: string, host: string, extraHeaders = '') =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${extraHeaders}Connection: close\r\n\r\n`;
const extractBody = (reply: string) => reply.slice(reply.indexOf('\r\n\r\n') + 4);

test('/livez and /readyz need no key and count against no limit', async () => {
  const service = await startService();
  for (const [path, body] of [
    ['/livez', { status: 'live' }],
    ['/readyz', { status: 'ready', release: '2026-05-01-0a1b2c3d' }],
  ] as const) {
    const reply = await sendRaw(service, makeRequestText(path, 'x'));
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(reply).not.toMatch(/ratelimit/i);
    expect(JSON.parse(extractBody(reply))).toEqual(body);
  }
  expect((await get(service, '/v1/release')).headers.ratelimit).toMatch(/^"minute";r=59;/);
});

test('before the first release the service is live and not ready', async () => {
  const service = await startService({ release: async () => null });
  expect(await sendRaw(service, makeRequestText('/livez', 'x'))).toMatch(/^HTTP\/1\.1 200 /);
  const reply = await sendRaw(service, makeRequestText('/readyz', 'x'));
  expect(reply).toMatch(/^HTTP\/1\.1 503 /);
  expect(JSON.parse(extractBody(reply))).toMatchObject({
    code: 'unavailable',
    type: `${service.baseUrl}/problems#unavailable`,
  });
});

test('the OpenAPI document names the service that serves it', async () => {
  const service = await startService();
  const reply = await sendRaw(service, makeRequestText('/openapi.json', 'x'));
  expect(JSON.parse(extractBody(reply))).toEqual(JSON.parse(JSON.stringify(makeOpenApiDocument(service.baseUrl))));
});

test('the address of a problem type is a page with descriptions of all codes', async () => {
  const service = await startService();
  const { body } = await get(service, '/v1/nothing');
  const { pathname, hash } = new URL(body.type);
  const pageReply = await sendRaw(service, makeRequestText(pathname, 'x'));
  expect(pageReply).toContain(`id="${hash.slice(1)}"`);
  for (const code of Object.keys(PROBLEM_KINDS)) expect(pageReply).toContain(`id="${code}"`);
});

test.each(['/livez', '/readyz', '/openapi.json', '/problems'])('%s accepts GET only', async (path) => {
  const service = await startService();
  expect((await get(service, path, { method: 'POST' })).status).toBe(405);
  expect((await get(service, `${path}/x`)).status).toBe(404);
});

test('a problem type has the requested host if the service listens on all addresses, else the host of the service', async () => {
  const serviceOnAllAddresses = await startService({ host: '0.0.0.0' });
  const port = new URL(serviceOnAllAddresses.baseUrl).port;
  const reachableService = { ...serviceOnAllAddresses, baseUrl: `http://127.0.0.1:${port}` };
  for (const [path, extraHeaders] of [
    ['/v1/nothing', ''],
    ['/v1/nothing', `Authorization: Bearer ${serviceOnAllAddresses.key}\r\n`],
  ] as const) {
    const reply = await sendRaw(reachableService, makeRequestText(path, 'filings.example:8346', extraHeaders));
    expect(JSON.parse(extractBody(reply)).type).toMatch(/^http:\/\/filings\.example:8346\/problems#/);
  }
  const serviceOnOneAddress = await startService();
  const reply = await sendRaw(serviceOnOneAddress, makeRequestText('/v1/nothing', 'elsewhere.example'));
  expect(JSON.parse(extractBody(reply)).type).toBe(`${serviceOnOneAddress.baseUrl}/problems#missing_key`);
});
