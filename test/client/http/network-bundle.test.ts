/** The built network bundle, which omits the parts of undici that a client of GETs does not need. */
import { statSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { registerCleanUp } from '../../clean-up.ts';
import { listenUntilDone } from '../../listen.ts';

const DIST = resolve(import.meta.dirname, '../../../dist');
const { openNetwork }: typeof import('../../../src/client/http/network.ts') = createRequire(import.meta.url)(
  join(DIST, 'client-http-network.cjs'),
);

/**
 * Maximum size. With undici's fetch, WebSocket, HTTP/2, mocks and caches the bundle would be twice as large and load
 * half as fast.
 */
const MAX_BUNDLE_BYTES = 250_000;

test('the bundle is smaller than with the omitted parts of undici', () => {
  expect(statSync(join(DIST, 'client-http-network.cjs')).size).toBeLessThan(MAX_BUNDLE_BYTES);
});

async function openBundledSender(answer: RequestListener, timeout = 30_000) {
  const server = createServer(answer);
  const network = openNetwork({ baseUrl: `http://127.0.0.1:${await listenUntilDone(server)}`, timeout, env: {} });
  registerCleanUp(() => network.close());
  return (target: string, signal?: AbortSignal) =>
    network.send({ target, headers: { accept: 'application/json' }, ...(signal === undefined ? {} : { signal }) });
}

test('the bundle reads every kind of body, follows redirects and reuses its connection', async () => {
  const remotePorts = new Set<number | undefined>();
  const send = await openBundledSender((request, reply) => {
    remotePorts.add(request.socket.remotePort);
    const responseText = JSON.stringify({ at: request.url });
    if (request.url === '/moved') reply.writeHead(308, { location: '/plain' }).end('elsewhere');
    else if (request.url === '/same') reply.writeHead(304, { etag: '"a"' }).end();
    else if (request.url === '/gzip') reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(responseText));
    else if (request.url === '/br')
      reply.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(responseText));
    else if (request.url === '/chunked') {
      reply.write(responseText.slice(0, 3));
      reply.end(responseText.slice(3));
    } else reply.end(responseText);
  });
  for (const path of ['/plain', '/gzip', '/br', '/chunked'])
    expect(await send(path)).toMatchObject({ status: 200, body: `{"at":"${path}"}` });
  expect(await send('/moved')).toMatchObject({ status: 200, body: '{"at":"/plain"}' });
  expect(await send('/same')).toMatchObject({ status: 304, body: '' });
  // undici may open a second connection if a request starts before the end of the previous body has arrived.
  expect(remotePorts.size).toBeLessThanOrEqual(2);
});

test('broken, late and aborted responses are errors of different kinds', async () => {
  const send = await openBundledSender((request, reply) => {
    if (request.url === '/cut') {
      reply.writeHead(200, { 'content-length': '100' });
      reply.write('x', () => reply.destroy());
    } else if (request.url === '/reset') reply.destroy();
  }, 300);
  for (const [path, kind] of [
    ['/cut', /truncated|reset/],
    ['/reset', /reset/],
    ['/late', /timeout/],
  ] as const)
    await expect(send(path)).rejects.toMatchObject({ code: 'fin:connection', kind: expect.stringMatching(kind) });
  const abortReason = new Error('mine');
  await expect(send('/late', AbortSignal.abort(abortReason))).rejects.toBe(abortReason);
});
