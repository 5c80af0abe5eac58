import { readFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTls } from 'node:https';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { openNetwork } from '../../../src/client/http/network.ts';
import { listenUntilDone } from '../../listen.ts';

const cleanUpTasks: (() => unknown)[] = [];
afterEach(async () => {
  for (const task of cleanUpTasks.splice(0).reverse()) await task();
});

const getCertificatePath = (name: string) => join(import.meta.dirname, '../certificates', name);
const AUTHORITY_ENV = { FIN_CA_FILE: getCertificatePath('authority.pem') };

function openTestNetwork(baseUrl: string, env: Record<string, string> = {}, timeout = 10_000) {
  const openedNetwork = openNetwork({ baseUrl, timeout, env });
  cleanUpTasks.push(() => openedNetwork.close());
  return openedNetwork;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const answerHello: Handler = (_, response) => response.end('hello');
const createTlsServer = (name: string, handler: Handler = answerHello) =>
  createTls(
    { key: readFileSync(getCertificatePath(`${name}.key`)), cert: readFileSync(getCertificatePath(`${name}.pem`)) },
    handler,
  );
const REQUEST = { target: '/v1/release', headers: { authorization: 'Bearer secret' } };

test('gzip and brotli are accepted, and decoded', async () => {
  const acceptedEncodings: unknown[] = [];
  const port = await listenUntilDone(
    createHttp((request, response) => {
      acceptedEncodings.push(request.headers['accept-encoding']);
      const isBrotli = request.url?.endsWith('br') === true;
      response.setHeader('content-encoding', isBrotli ? 'br' : 'gzip');
      response.end((isBrotli ? brotliCompressSync : gzipSync)('{"ä":"1.10"}'));
    }),
  );
  const { send } = openTestNetwork(`http://127.0.0.1:${port}`);
  expect((await send({ ...REQUEST, target: '/gzip' })).body).toBe('{"ä":"1.10"}');
  expect((await send({ ...REQUEST, target: '/br' })).body).toBe('{"ä":"1.10"}');
  expect(acceptedEncodings).toEqual(['gzip, br', 'gzip, br']);
});

test('a 304 may have the Content-Length of the cached body', async () => {
  const remotePorts = new Set<number | undefined>();
  const server = createHttp((request, response) => {
    remotePorts.add(request.socket.remotePort);
    if (request.url !== '/plain') response.setHeader('content-length', '12345');
    response.writeHead(304, { etag: '"a"' }).end();
  });
  const { send } = openTestNetwork(`http://127.0.0.1:${await listenUntilDone(server)}`);
  for (let i = 0; i < 3; i++)
    expect(await send(REQUEST)).toMatchObject({ status: 304, headers: { etag: '"a"' }, body: '' });
  remotePorts.clear();
  for (let i = 0; i < 10; i++) await send({ ...REQUEST, target: '/plain' });
  expect(remotePorts.size).toBeLessThanOrEqual(2);
});

test('connections are kept open for the next request', async () => {
  const ports = new Set<number | undefined>();
  const server = createHttp((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('x');
  });
  const { send } = openTestNetwork(`http://127.0.0.1:${await listenUntilDone(server)}`);
  for (let i = 0; i < 10; i++) await send(REQUEST);
  // A second connection opens if the next request starts before the first connection is free.
  expect(ports.size).toBeLessThanOrEqual(2);
});

test('an IPv6 address is accepted', async (context) => {
  let port: number;
  try {
    port = await listenUntilDone(createHttp(answerHello), '::1');
  } catch {
    context.skip('this machine has no IPv6');
    return;
  }
  expect((await openTestNetwork(`http://[::1]:${port}`).send(REQUEST)).body).toBe('hello');
});

test('a request without a response within the timeout fails', async () => {
  const port = await listenUntilDone(createHttp(() => {}));
  await expect(openTestNetwork(`http://127.0.0.1:${port}`, {}, 300).send(REQUEST)).rejects.toMatchObject({
    name: 'ConnectionError',
    kind: 'timeout',
  });
});

test('a private certificate authority is trusted only where it is configured', async () => {
  const port = await listenUntilDone(createTlsServer('server'));
  expect((await openTestNetwork(`https://localhost:${port}`, AUTHORITY_ENV).send(REQUEST)).body).toBe('hello');
  const untrustedResponsePromise = openTestNetwork(`https://localhost:${port}`).send(REQUEST);
  await expect(untrustedResponsePromise).rejects.toMatchObject({ name: 'Failure', kind: 'network' });
  await expect(untrustedResponsePromise).rejects.toThrow(/not trusted/);
});

test('an expired certificate, and one of another host, are errors', async () => {
  const expiredServerPort = await listenUntilDone(createTlsServer('expired'));
  await expect(openTestNetwork(`https://localhost:${expiredServerPort}`, AUTHORITY_ENV).send(REQUEST)).rejects.toThrow(
    /CERT_HAS_EXPIRED/,
  );
  const port = await listenUntilDone(createTlsServer('server'));
  await expect(openTestNetwork(`https://127.0.0.2:${port}`, AUTHORITY_ENV).send(REQUEST)).rejects.toMatchObject({
    name: expect.stringMatching(/Failure|ConnectionError/),
  });
});

test('an invalid file of certificate authorities is reported', () => {
  expect(() =>
    openNetwork({ baseUrl: 'https://a.example', timeout: 1, env: { FIN_CA_FILE: getCertificatePath('server.key') } }),
  ).toThrow(/contains no certificate/);
  expect(() => openNetwork({ baseUrl: 'https://a.example', timeout: 1, env: { FIN_CA_FILE: '/none' } })).toThrow(
    /cannot be read/,
  );
});

/** Starts a real CONNECT proxy, which connects every host name to this machine and records the requests. */
async function startProxy(isRefusing = false) {
  const requestLines: string[] = [];
  const proxy = createHttp((request, response) => {
    requestLines.push(`${request.method} ${request.url}`);
    response.writeHead(500).end();
  });
  proxy.on('connect', (request, client, head) => {
    requestLines.push(`CONNECT ${request.url} ${request.headers.authorization ?? ''}`.trim());
    if (isRefusing) {
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
  return { requestLines, url: `http://127.0.0.1:${await listenUntilDone(proxy)}` };
}

test("https uses the environment's proxy as a tunnel, so that the proxy sees neither TLS content nor key", async () => {
  const authorizationHeaders: unknown[] = [];
  const port = await listenUntilDone(
    createTlsServer('server', (request, response) => {
      authorizationHeaders.push(request.headers.authorization);
      response.end('through');
    }),
  );
  const proxy = await startProxy();
  const env = { ...AUTHORITY_ENV, HTTPS_PROXY: proxy.url };
  const response = await openTestNetwork(`https://localhost:${port}`, env).send(REQUEST);
  expect(response.body).toBe('through');
  expect(proxy.requestLines).toEqual([`CONNECT localhost:${port}`]);
  expect(authorizationHeaders).toEqual(['Bearer secret']);
  await openTestNetwork(`https://localhost:${port}`, { ...env, NO_PROXY: 'localhost' }).send(REQUEST);
  expect(proxy.requestLines).toHaveLength(1);
});

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';

test.each([
  ['one', CONTINUE],
  ['several', CONTINUE + HINTS + CONTINUE],
])('%s interim responses that nobody expected are ignored, also on a connection in use', async (_, interim) => {
  let connections = 0;
  const port = await listenUntilDone(
    createServer((socket) => {
      connections += 1;
      socket.on('data', () => socket.write(`${interim}HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello`));
    }),
  );
  const network = openTestNetwork(`http://127.0.0.1:${port}`);
  for (const expected of ['hello', 'hello', 'hello']) expect((await network.send(REQUEST)).body).toBe(expected);
  // The pool may open a second connection while the first is being returned.
  expect(connections).toBeLessThan(3);
});

test('a 100 that nobody expected is also ignored through a proxy', async () => {
  const port = await listenUntilDone(
    createTlsServer('server', (_, response) => {
      response.writeContinue();
      response.end('through');
    }),
  );
  const env = { ...AUTHORITY_ENV, HTTPS_PROXY: (await startProxy()).url };
  expect((await openTestNetwork(`https://localhost:${port}`, env).send(REQUEST)).body).toBe('through');
});

test.each([
  ['UTF-8 with a byte order mark', Buffer.from('\ufeff{"é":1}')],
  ['UTF-16', Buffer.from('\ufeff{"é":1}', 'utf16le')],
])('a body in %s is read without the mark', async (_, body) => {
  const port = await listenUntilDone(createHttp((_, response) => response.end(body)));
  expect((await openTestNetwork(`http://127.0.0.1:${port}`).send(REQUEST)).body).toBe('{"é":1}');
});

test('http to this machine never uses a proxy', async () => {
  const port = await listenUntilDone(createHttp(answerHello));
  const proxy = await startProxy();
  const env = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, ALL_PROXY: proxy.url };
  expect((await openTestNetwork(`http://127.0.0.1:${port}`, env).send(REQUEST)).body).toBe('hello');
  expect(proxy.requestLines).toEqual([]);
});

test('the error for a refusal by the proxy names the proxy and the status', async () => {
  const proxy = await startProxy(true);
  const proxiedResponsePromise = openTestNetwork('https://localhost:1', {
    ...AUTHORITY_ENV,
    HTTPS_PROXY: proxy.url,
  }).send(REQUEST);
  await expect(proxiedResponsePromise).rejects.toThrow(/proxy refused the request.*407/);
});

test('if the proxy cannot be reached, the error names the proxy and not the service', async () => {
  const sendThrough = (proxy: string) =>
    openTestNetwork('https://a.example', { ...AUTHORITY_ENV, HTTPS_PROXY: proxy }).send(REQUEST);
  await expect(sendThrough('http://me:secret@127.0.0.1:1')).rejects.toMatchObject({
    name: 'ConnectionError',
    kind: 'refused',
    message:
      'The proxy 127.0.0.1:1 (HTTPS_PROXY or ALL_PROXY), on the way to https://a.example, refused the connection.',
  });
  await expect(sendThrough('http://nowhere.invalid:1')).rejects.toThrow(/proxy nowhere\.invalid:1/);
});

test('an abort rejects with the caller’s reason', async () => {
  const controller = new AbortController();
  const port = await listenUntilDone(createHttp(() => controller.abort(new Error('mine'))));
  const pendingResponse = openTestNetwork(`http://127.0.0.1:${port}`).send({ ...REQUEST, signal: controller.signal });
  await expect(pendingResponse).rejects.toThrow('mine');
});
