import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { RELEASE_ROWS } from '../filed.ts';
import { makePausedRelease } from '../held-release.ts';
import { makeMemoryRelease } from '../memory-release.ts';
import { get, sendRaw, startService } from './running.ts';

/** A fixed time, because a minute that ends meanwhile begins its count anew. */
const NOW = Date.UTC(2026, 10, 21, 12, 15, 10);

const parseBody = (reply: string) => JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4));

test('a method other than GET is answered 405 with Allow, and counts against the limits', async () => {
  const service = await startService({ clock: () => NOW });
  for (const method of ['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
    const reply = await get(service, '/v1/release', { method });
    expect([method, reply.status, reply.headers.allow]).toEqual([method, 405, 'GET']);
    if (method !== 'HEAD') expect(reply.body.code).toBe('method_not_allowed');
  }
  expect((await get(service, '/v1/release')).headers.ratelimit).toMatch(/^"minute";r=51;/);
});

test('CONNECT is refused with a problem', async () => {
  const service = await startService();
  const reply = await sendRaw(
    service,
    `CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\nAuthorization: Bearer ${service.key}\r\n\r\n`,
  );
  expect(reply).toMatch(/^HTTP\/1\.1 405 /);
  expect(parseBody(reply).code).toBe('method_not_allowed');
});

test.each([
  ['an unknown method', 'FETCH /v1/release'],
  ['GET in lower case', 'get /v1/release'],
  ['a method of any token', "M!#$%&'*+.^_`|~9 /v1/nothing"],
  ['OPTIONS of the whole service', 'OPTIONS *'],
])('%s is answered 405 with Allow: GET', async (_, requestLine) => {
  const service = await startService();
  const headerLines = `Host: x\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\n\r\n`;
  const validRequest = `GET /v1/metrics HTTP/1.1\r\n${headerLines.replace('Connection: close\r\n', '')}`;
  for (const precedingRequest of ['', validRequest]) {
    const reply = await sendRaw(service, `${precedingRequest}${requestLine} HTTP/1.1\r\n${headerLines}`);
    const lastReply = reply.slice(reply.lastIndexOf('HTTP/1.1 '));
    expect(lastReply).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
    expect(lastReply).toMatch(/\r\nallow: GET\r\n/);
    expect(parseBody(lastReply)).toMatchObject({ code: 'method_not_allowed', status: 405 });
  }
});

test('a client that requests a tunnel and disconnects does not affect the server', async () => {
  const service = await startService();
  const { hostname, port } = new URL(service.baseUrl);
  for (let attempt = 0; attempt < 20; attempt++) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n');
        // The client disconnects at different points of the server's response.
        setTimeout(() => socket.resetAndDestroy(), attempt % 4);
      });
      socket.on('close', () => resolve());
    });
  }
  expect((await get(service, '/v1/release')).status).toBe(200);
});

test.each([
  ['input that is not HTTP', 'hello\r\n\r\n', 400],
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 401],
])('%s after pipelined questions is refused after their answers', async (_, requestText, status) => {
  const service = await startService();
  const metricsRequest = `GET /v1/metrics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`;
  const reply = await sendRaw(service, metricsRequest + metricsRequest + requestText);
  expect(reply.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', `HTTP/1.1 ${status}`]);
});

test('oversized headers are answered with a 400 problem instead of a 431 without a body', async () => {
  const service = await startService();
  const reply = await sendRaw(service, `GET /v1/release HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`);
  expect(reply).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(reply).toContain('content-type: application/problem+json');
  expect(parseBody(reply)).toMatchObject({
    code: 'bad_request',
    status: 400,
    type: `${service.baseUrl}/problems#bad_request`,
  });
});

test.each([
  ['a first line that is not HTTP', 'hello\r\n\r\n'],
  ['a bad header', 'GET / HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n'],
  ['two lengths', 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  ['a length and chunks', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['an invalid method', 'FE TCH / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['no host', 'GET /v1/release HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['another version of HTTP', 'GET /v1/release HTTP/2.0\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['a version before HTTP/1.0', 'GET /v1/release HTTP/0.9\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['two hosts', 'GET /v1/release HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n'],
  [
    'two keys',
    'GET /v1/release HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\nConnection: close\r\n\r\n',
  ],
  ['an invalid host', 'GET /v1/release HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
])('a request with %s is answered with a 400 problem', async (_, bytes) => {
  const reply = await sendRaw(await startService(), bytes);
  expect(reply).toMatch(/^HTTP\/1\.1 400 /);
  expect(parseBody(reply).code).toBe('bad_request');
});

test('the problem of a malformed request has the request id of its client', async () => {
  const reply = await sendRaw(
    await startService(),
    'GET * HTTP/1.1\r\nHost: x\r\nX-Request-Id: r-1\r\nConnection: close\r\n\r\n',
  );
  expect(reply).toMatch(/^HTTP\/1\.1 400 .*\r\nx-request-id: r-1\r\n/s);
  expect(parseBody(reply).request_id).toBe('r-1');
});

test.each([
  ['with keys', {}],
  ['without keys', { authentication: null }],
])('HTTP/1.0 without Host, as load balancers send it, is answered by a server %s', async (_, options) => {
  const service = await startService(options);
  const reply = await sendRaw(service, `GET /v1/metrics HTTP/1.0\r\nAuthorization: Bearer ${service.key}\r\n\r\n`);
  expect(reply).toMatch(/^HTTP\/1\.1 200 /);
});

test('tags in several If-None-Match lines are one list, and several request ids are replaced by a new one', async () => {
  const service = await startService();
  const entityTag = (await get(service, '/v1/metrics')).headers.etag;
  const reply = await sendRaw(
    service,
    `GET /v1/metrics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\n` +
      `If-None-Match: "x"\r\nIf-None-Match: ${entityTag}\r\nX-Request-Id: one\r\nX-Request-Id: two\r\n\r\n`,
  );
  expect(reply).toMatch(/^HTTP\/1\.1 304 /);
  expect(reply).not.toMatch(/x-request-id: (one|two)/);
});

test('an overlong URL is answered 400, and counts against the limits', async () => {
  const service = await startService();
  const reply = await get(service, `/v1/securities?query=${'a'.repeat(17_000)}`);
  expect([reply.status, reply.body.code]).toEqual([400, 'bad_request']);
  expect(reply.headers.ratelimit).toMatch(/^"minute";r=59;/);
});

test('a list of 500 clauses is answered 400', async () => {
  const whereQuery = Array.from({ length: 500 }, () => 'where=revenue:gt:1').join('&');
  expect((await get(await startService(), `/v1/screen?${whereQuery}`)).status).toBe(400);
});

test('malformed percent-encoding is answered 400', async () => {
  const service = await startService();
  for (const malformedTarget of ['/v1/screen?where=%zz', '/v1/securities/%/profile', '/v1/securities/%C0/profile']) {
    expect((await get(service, malformedTarget)).status, malformedTarget).toBe(400);
  }
});

test('paths with dots or doubled slashes are not resolved, and are answered 404', async () => {
  const service = await startService();
  for (const path of ['/v1/x/../release', '/v1/./release', '//v1/release', '/v1//release']) {
    const reply = await sendRaw(
      service,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\n\r\n`,
    );
    expect(reply, path).toMatch(/^HTTP\/1\.1 404 /);
  }
});

test('a target in absolute form is accepted', async () => {
  const service = await startService();
  const reply = await sendRaw(
    service,
    `GET http://example.org/v1/release HTTP/1.1\r\nHost: example.org\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\n\r\n`,
  );
  expect(reply).toMatch(/^HTTP\/1\.1 200 /);
});

test('the body of a GET is ignored, and the connection stays usable', async () => {
  const service = await startService();
  const commonHeaders = `Host: x\r\nAuthorization: Bearer ${service.key}\r\n`;
  const reply = await sendRaw(
    service,
    `GET /v1/release HTTP/1.1\r\n${commonHeaders}Content-Length: 28\r\n\r\nGET /v1/other HTTP/1.1\r\n\r\n..`,
    `GET /v1/metrics HTTP/1.1\r\n${commonHeaders}Connection: close\r\n\r\n`,
  );
  expect([...reply.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => match[1])).toEqual(['200', '200']);
});

test('a request with an incomplete body is answered, and its connection closed', async () => {
  const service = await startService();
  const commonHeaders = `Host: x\r\nAuthorization: Bearer ${service.key}\r\n`;
  const reply = await sendRaw(service, `GET /v1/release HTTP/1.1\r\n${commonHeaders}Content-Length: 100000000\r\n\r\n`);
  expect(reply).toMatch(/^HTTP\/1\.1 200 /);
  expect(reply.toLowerCase()).toContain('connection: close');
});

test('an Expect header is ignored', async () => {
  expect((await get(await startService(), '/v1/release', { headers: { expect: 'tea' } })).status).toBe(200);
});

test('answers and problems have security headers, and no header that allows other origins', async () => {
  const service = await startService();
  for (const target of ['/v1/release', '/v1/nothing']) {
    const { headers } = await get(service, target, { headers: { origin: 'https://example.org' } });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('a defect is answered 500 without a stack trace, and does not count against the limits', async () => {
  const release = makeMemoryRelease(RELEASE_ROWS, {
    before: async () => {
      throw new Error('secret');
    },
  });
  const service = await startService({ release: async () => release });
  const reply = await get(service, '/v1/metrics');
  expect([reply.status, reply.body.code]).toEqual([500, 'internal_error']);
  expect(reply.text).not.toMatch(/secret|\.ts|at /);
  expect(reply.headers.ratelimit).toMatch(/^"minute";r=60;/);
  expect(service.errors).toHaveLength(1);
});

test('a question that exceeds the deadline is answered 504, and does not count against the limits', async () => {
  const service = await startService({ release: makePausedRelease().release, deadlineMs: 30 });
  const reply = await get(service, '/v1/securities/AAPL/profile');
  expect([reply.status, reply.body.code]).toEqual([504, 'timeout']);
  expect(reply.headers.ratelimit).toMatch(/^"minute";r=60;/);
});

test('before the first release a question is answered 503, and does not count against the limits', async () => {
  const service = await startService({ release: async () => null });
  const reply = await get(service, '/v1/release');
  expect([reply.status, reply.body.code]).toEqual([503, 'unavailable']);
  expect(reply.headers.ratelimit).toMatch(/^"minute";r=60;/);
});

test('a disconnect stops further reads, counts as a request, and frees its concurrency slot', async () => {
  const { release, reads, resumeReads } = makePausedRelease();
  const service = await startService({ release, clock: () => NOW });
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  const commonHeaders = `Host: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`;
  socket.write(`GET /v1/securities/AAPL/profile HTTP/1.1\r\n${commonHeaders}`);
  await expect.poll(reads).toBe(1);
  socket.destroy();
  // The server logs the request when it notices the disconnect.
  await expect.poll(() => service.log.length).toBe(1);
  resumeReads();
  await nextTurn();
  expect(reads()).toBe(1);
  expect(service.errors).toEqual([]);
  const { headers } = await get(service, '/v1/release');
  expect(headers.ratelimit).toMatch(/^"minute";r=58;.*"concurrent";r=3$/);
});

test('a client that takes too long over its headers is refused with a problem', async () => {
  const reply = await sendRaw(
    await startService({ headersTimeoutMs: 100 }),
    'GET /v1/release HTTP/1.1\r\nHost: x\r\nX-Slow: ',
  );
  expect(reply).toMatch(/^HTTP\/1\.1 400 /);
  expect(parseBody(reply)).toMatchObject({
    code: 'bad_request',
    detail: 'The request did not arrive completely in time.',
  });
});

test('idle connections of an address are closed to admit new connections, and busy connections stay open', async () => {
  const { release, resumeReads } = makePausedRelease();
  const service = await startService({ maxConnections: 8, release });
  const { hostname, port } = new URL(service.baseUrl);
  const pendingBusyReply = get(service, '/v1/metrics');
  const idleSockets = Array.from({ length: 12 }, () => connect(Number(port), hostname).on('error', () => {}));
  onTestFinished(() => idleSockets.forEach((socket) => void socket.destroy()));
  await expect.poll(() => idleSockets.filter((socket) => socket.closed).length).toBeGreaterThanOrEqual(5);
  // Connects from another address of this machine.
  const otherSocket = connect({ host: hostname, port: Number(port), localAddress: '127.0.0.2' });
  onTestFinished(() => void otherSocket.destroy());
  otherSocket.write('GET /v1/release HTTP/1.1\r\nHost: x\r\n\r\n');
  const [reply] = await once(otherSocket, 'data');
  expect(String(reply)).toMatch(/^HTTP\/1\.1 401 /);
  expect(otherSocket.closed).toBe(false);
  resumeReads();
  expect((await pendingBusyReply).status).toBe(200);
});

test('a connection without a request is closed', async () => {
  // `sendRaw` resolves when the server has closed the connection.
  await sendRaw(await startService({ headersTimeoutMs: 100 }));
});
