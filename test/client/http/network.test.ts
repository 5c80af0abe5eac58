import { readFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTls } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { openNetwork } from '../../../src/client/http/network.ts';
import { listenUntilDone } from '../../listen.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const task of cleanUp.splice(0).reverse()) await task();
});

const fixture = (name: string) => join(import.meta.dirname, '../certificates', name);
const AUTHORITY = { FIN_CA_FILE: fixture('authority.pem') };

function network(baseUrl: string, env: Record<string, string> = {}, timeout = 10_000) {
  const opened = openNetwork({ baseUrl, timeout, env });
  cleanUp.push(() => opened.close());
  return opened;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const hello: Handler = (_, response) => response.end('hello');
const tls = (name: string, handler: Handler = hello) =>
  createTls({ key: readFileSync(fixture(`${name}.key`)), cert: readFileSync(fixture(`${name}.pem`)) }, handler);
const ask = { target: '/v1/release', headers: { authorization: 'Bearer secret' } };

test('gzip and brotli are accepted, and decoded', async () => {
  const acceptedEncodings: unknown[] = [];
  const port = await listenUntilDone(
    createHttp((request, response) => {
      acceptedEncodings.push(request.headers['accept-encoding']);
      const br = request.url?.endsWith('br') === true;
      response.setHeader('content-encoding', br ? 'br' : 'gzip');
      response.end((br ? brotliCompressSync : gzipSync)('{"ä":"1.10"}'));
    }),
  );
  const { send } = network(`http://127.0.0.1:${port}`);
  expect((await send({ ...ask, target: '/gzip' })).body).toBe('{"ä":"1.10"}');
  expect((await send({ ...ask, target: '/br' })).body).toBe('{"ä":"1.10"}');
  expect(acceptedEncodings).toEqual(['gzip, br', 'gzip, br']);
});

test('a 304 may have the Content-Length of the cached body', async () => {
  const ports = new Set<number | undefined>();
  const server = createHttp((request, response) => {
    ports.add(request.socket.remotePort);
    if (request.url !== '/plain') response.setHeader('content-length', '12345');
    response.writeHead(304, { etag: '"a"' }).end();
  });
  const { send } = network(`http://127.0.0.1:${await listenUntilDone(server)}`);
  for (let i = 0; i < 3; i++)
    expect(await send(ask)).toMatchObject({ status: 304, headers: { etag: '"a"' }, body: '' });
  ports.clear();
  for (let i = 0; i < 10; i++) await send({ ...ask, target: '/plain' });
  expect(ports.size).toBeLessThanOrEqual(2);
});

test('connections are kept open for the next request', async () => {
  const ports = new Set<number | undefined>();
  const server = createHttp((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('x');
  });
  const { send } = network(`http://127.0.0.1:${await listenUntilDone(server)}`);
  for (let i = 0; i < 10; i++) await send(ask);
  // A second connection opens if the next request starts before the first connection is free.
  expect(ports.size).toBeLessThanOrEqual(2);
});

test('an IPv6 address is accepted', async (context) => {
  let port: number;
  try {
    port = await listenUntilDone(createHttp(hello), '::1');
  } catch {
    context.skip('this machine has no IPv6');
    return;
  }
  expect((await network(`http://[::1]:${port}`).send(ask)).body).toBe('hello');
});

test('a request without a response in time is aborted', async () => {
  const port = await listenUntilDone(createHttp(() => {}));
  await expect(network(`http://127.0.0.1:${port}`, {}, 300).send(ask)).rejects.toMatchObject({
    name: 'ConnectionError',
    kind: 'timeout',
  });
});

test('a private certificate authority is trusted only where it is configured', async () => {
  const port = await listenUntilDone(tls('server'));
  expect((await network(`https://localhost:${port}`, AUTHORITY).send(ask)).body).toBe('hello');
  const untrustedRequest = network(`https://localhost:${port}`).send(ask);
  await expect(untrustedRequest).rejects.toMatchObject({ name: 'Failure', kind: 'network' });
  await expect(untrustedRequest).rejects.toThrow(/not trusted/);
});

test('an expired certificate, and one of another host, are errors', async () => {
  const expired = await listenUntilDone(tls('expired'));
  await expect(network(`https://localhost:${expired}`, AUTHORITY).send(ask)).rejects.toThrow(/CERT_HAS_EXPIRED/);
  const port = await listenUntilDone(tls('server'));
  await expect(network(`https://127.0.0.2:${port}`, AUTHORITY).send(ask)).rejects.toMatchObject({
    name: expect.stringMatching(/Failure|ConnectionError/),
  });
});

test('an invalid file of certificate authorities is reported', () => {
  expect(() =>
    openNetwork({ baseUrl: 'https://a.example', timeout: 1, env: { FIN_CA_FILE: fixture('server.key') } }),
  ).toThrow(/contains no certificate/);
  expect(() => openNetwork({ baseUrl: 'https://a.example', timeout: 1, env: { FIN_CA_FILE: '/none' } })).toThrow(
    /cannot be read/,
  );
});

/** Starts a real CONNECT proxy, which connects every host name to this machine and records the requests. */
async function startProxy(refuse = false) {
  const requestLines: string[] = [];
  const proxy = createHttp((request, response) => {
    requestLines.push(`${request.method} ${request.url}`);
    response.writeHead(500).end();
  });
  proxy.on('connect', (request, client, head) => {
    requestLines.push(`CONNECT ${request.url} ${request.headers.authorization ?? ''}`.trim());
    if (refuse) {
      client.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const port = Number(request.url?.split(':').at(-1));
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client);
      client.pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  return { asked: requestLines, url: `http://127.0.0.1:${await listenUntilDone(proxy)}` };
}

test("https uses the environment's proxy as a tunnel, so that the proxy sees neither TLS content nor key", async () => {
  const heard: unknown[] = [];
  const port = await listenUntilDone(
    tls('server', (request, response) => {
      heard.push(request.headers.authorization);
      response.end('through');
    }),
  );
  const proxy = await startProxy();
  const env = { ...AUTHORITY, HTTPS_PROXY: proxy.url };
  const response = await network(`https://localhost:${port}`, env).send(ask);
  expect(response.body).toBe('through');
  expect(proxy.asked).toEqual([`CONNECT localhost:${port}`]);
  expect(heard).toEqual(['Bearer secret']);
  await network(`https://localhost:${port}`, { ...env, NO_PROXY: 'localhost' }).send(ask);
  expect(proxy.asked).toHaveLength(1);
});

test('http to this machine never uses a proxy', async () => {
  const port = await listenUntilDone(createHttp(hello));
  const proxy = await startProxy();
  const env = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, ALL_PROXY: proxy.url };
  expect((await network(`http://127.0.0.1:${port}`, env).send(ask)).body).toBe('hello');
  expect(proxy.asked).toEqual([]);
});

test("a refusal by the proxy is reported as the proxy's", async () => {
  const proxy = await startProxy(true);
  const proxiedRequest = network('https://localhost:1', { ...AUTHORITY, HTTPS_PROXY: proxy.url }).send(ask);
  await expect(proxiedRequest).rejects.toThrow(/proxy refused the request.*407/);
});

test('if the proxy cannot be reached, the error names the proxy and not the service', async () => {
  const through = (proxy: string) => network('https://a.example', { ...AUTHORITY, HTTPS_PROXY: proxy }).send(ask);
  await expect(through('http://me:secret@127.0.0.1:1')).rejects.toMatchObject({
    name: 'ConnectionError',
    kind: 'refused',
    message:
      'The proxy 127.0.0.1:1 (HTTPS_PROXY or ALL_PROXY), on the way to https://a.example, refused the connection.',
  });
  await expect(through('http://nowhere.invalid:1')).rejects.toThrow(/proxy nowhere\.invalid:1/);
});

test('an abort rejects with the caller’s reason', async () => {
  const controller = new AbortController();
  const port = await listenUntilDone(createHttp(() => controller.abort(new Error('mine'))));
  const asking = network(`http://127.0.0.1:${port}`).send({ ...ask, signal: controller.signal });
  await expect(asking).rejects.toThrow('mine');
});
