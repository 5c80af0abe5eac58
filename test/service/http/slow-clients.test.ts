/** Clients that send or read too slowly: they end in time, and never lock others out. */
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { MountedEndpoint } from '../../../src/service/http/listen.ts';
import { get, type RunningService, startService } from './running.ts';

/** An endpoint that reads the body of its requests. */
const endpoint: MountedEndpoint = {
  path: '/mcp',
  respond: async ({ body }) => ({ status: 200, headers: {}, body: [JSON.stringify(await body?.(1_000))] }),
  close: async () => {},
};

/** Opens a connection and sends text; `closed` resolves to everything received. */
function open(service: RunningService, text: string): { socket: Socket; closed: Promise<string> } {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
  });
  socket.on('error', () => {});
  return { socket, closed: new Promise((resolve) => socket.once('close', () => resolve(received))) };
}

const makeHead = ({ key }: RunningService, length: number) =>
  `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${length}\r\n\r\n`;

/** Sends a byte of a body every few milliseconds, until the connection is closed. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), 20);
  socket.once('close', () => clearInterval(timer));
}

test('a body that drips is answered when its time is over, the connection closes, and its slot is free', async () => {
  const service = await startService({ endpoint, bodyTimeoutMs: 200 });
  // Four requests are all that an account may have at a time.
  const clients = Array.from({ length: 4 }, () => open(service, makeHead(service, 900)));
  for (const { socket } of clients) drip(socket);
  for (const { closed } of clients) expect(await closed).toContain('{"fault":"incomplete"}');
  expect((await get(service, '/v1/release')).status).toBe(200);
});

test('a body that is too long is refused, and a body in pieces is read', async () => {
  const service = await startService({ endpoint });
  const post = (body: string) => get(service, '/mcp', { method: 'POST', body });
  expect((await post('x'.repeat(1_001))).text).toBe('{"fault":"too-long"}');
  expect((await post('{}')).text).toBe('{"text":"{}"}');
});

test('connections whose bodies drip lock nobody out', async () => {
  const service = await startService({ endpoint, authentication: null, maxConnections: 8 });
  const clients = Array.from({ length: 12 }, () => open(service, makeHead(service, 900)));
  for (const { socket } of clients) drip(socket);
  for (const path of ['/livez', '/v1/release', '/v1/metrics']) expect((await get(service, path)).status).toBe(200);
});

test('a stop does not wait for a body that drips', async () => {
  const service = await startService({ endpoint, bodyTimeoutMs: 3_600_000 });
  const { socket, closed } = open(service, makeHead(service, 900));
  drip(socket);
  // The request has begun once another request, sent later, is answered.
  expect((await get(service, '/v1/release')).status).toBe(200);
  await service.stop();
  await closed;
});

test('a response that is not read in time ends with its connection', async () => {
  const service = await startService({
    endpoint: { ...endpoint, respond: async () => ({ status: 200, headers: {}, body: ['x'.repeat(20_000_000)] }) },
    sendTimeoutMs: 200,
  });
  const { socket, closed } = open(service, makeHead(service, 0));
  socket.pause();
  // A paused socket learns of the end only by writing.
  drip(socket);
  expect((await closed).length).toBeLessThan(20_000_000);
});
