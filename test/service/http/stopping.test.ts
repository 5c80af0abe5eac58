import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { makePausedRelease } from '../held-release.ts';
import { get, type RunningService, startService } from './running.ts';

/** Opens a connection; `receivedText` returns the text that has arrived so far. */
async function openConnection(
  service: RunningService,
): Promise<{ socket: Socket; receivedText: () => string; closed: Promise<void> }> {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const whenClosed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, receivedText: () => text, closed: whenClosed };
}

const makeRequestText = (service: RunningService, target: string, id = '') =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.key}\r\nX-Request-Id: ${id}\r\n\r\n`;

const parseStatuses = (received: string) => [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => match[1]);

/** Returns a different target for each index, so that no two requests share one answer. */
const makeTarget = (index: number): string => `/v1/metrics?${'&'.repeat(index)}`;

test('after a stop, started pipelined requests are answered, and the connection closes after the last', async () => {
  const pausedRelease = makePausedRelease();
  const service = await startService({ release: pausedRelease.release, authentication: null });
  const { socket, receivedText, closed } = await openConnection(service);
  socket.write(
    Array.from({ length: 90 }, (_, index) => makeRequestText(service, makeTarget(index), `r${index}`)).join(''),
  );
  await expect.poll(pausedRelease.reads).toBe(90);
  const stopPromise = service.stop();
  pausedRelease.resumeReads();
  await Promise.all([stopPromise, closed]);
  expect(parseStatuses(receivedText())).toEqual(Array.from({ length: 90 }, () => '200'));
  const requestNumbers = [...receivedText().matchAll(/x-request-id: r(\d+)/gi)].map((match) => Number(match[1]));
  expect(requestNumbers).toEqual(Array.from({ length: 90 }, (_, index) => index));
  expect([...receivedText().matchAll(/connection: close/gi)]).toHaveLength(1);
});

test('a client that keeps sending requests gets "Connection: close" with the last response', async () => {
  const pausedRelease = makePausedRelease();
  const service = await startService({ release: pausedRelease.release, authentication: null });
  const { socket, receivedText, closed } = await openConnection(service);
  socket.write(
    Array.from({ length: 1000 }, (_, index) => makeRequestText(service, makeTarget(index), `r${index}`)).join(''),
  );
  await expect.poll(pausedRelease.reads).toBe(257);
  pausedRelease.resumeReads();
  await closed;
  expect(parseStatuses(receivedText())).toEqual(Array.from({ length: 257 }, () => '200'));
  expect([...receivedText().matchAll(/connection: close/gi)]).toHaveLength(1);
  expect(receivedText().lastIndexOf('HTTP/1.1 200')).toBeLessThan(receivedText().search(/connection: close/i));
  // A client that reads its responses may send any number of requests.
  const readingClient = await openConnection(service);
  for (let round = 1; round <= 3; round += 1) {
    readingClient.socket.write(makeRequestText(service, '/v1/metrics').repeat(90));
    await expect.poll(() => parseStatuses(readingClient.receivedText()).length).toBe(90 * round);
  }
});

test('of the requests after a stop, the first is answered 503, and the connection closes', async () => {
  const pausedRelease = makePausedRelease();
  const service = await startService({ release: pausedRelease.release, authentication: null });
  const { socket, receivedText, closed } = await openConnection(service);
  for (const index of [0, 1]) socket.write(makeRequestText(service, makeTarget(index)));
  await expect.poll(pausedRelease.reads).toBe(2);
  const stopPromise = service.stop();
  socket.write(makeRequestText(service, '/v1/metrics').repeat(5));
  // No event shows that the server has read the requests, but it reads this later one after them.
  expect((await get(service, '/v1/metrics')).status).toBe(503);
  pausedRelease.resumeReads();
  await Promise.all([stopPromise, closed]);
  expect(parseStatuses(receivedText())).toEqual(['200', '200', '503']);
  expect([...receivedText().matchAll(/connection: close/gi)]).toHaveLength(1);
});

test('a client that does not read its responses delays the stop until it disconnects', async () => {
  const service = await startService({ authentication: null });
  const { socket, receivedText } = await openConnection(service);
  socket.pause();
  // The requested responses have more bytes than the buffers between client and server can store.
  socket.write(makeRequestText(service, '/v1/metrics').repeat(3_000));
  await expect.poll(() => service.log.length).toBeGreaterThan(0);
  let hasStopped = false;
  const stopPromise = service.stop().then(() => {
    hasStopped = true;
  });
  // A stop that need not wait for a client has ended by then.
  await (await startService({ authentication: null })).stop();
  expect(hasStopped).toBe(false);
  expect(receivedText()).toBe('');
  socket.destroy();
  await stopPromise;
});

test('a slow reader gets all started responses completely', async () => {
  const service = await startService({ authentication: null });
  const { socket, receivedText, closed } = await openConnection(service);
  socket.pause();
  const requestCount = 2_000;
  socket.write(
    Array.from({ length: requestCount }, (_, index) => makeRequestText(service, '/v1/metrics', `r${index}`)).join(''),
  );
  await expect.poll(() => service.log.length).toBeGreaterThan(0);
  const stopPromise = service.stop();
  socket.resume();
  await Promise.all([stopPromise, closed]);
  const responses = receivedText().split(/(?=HTTP\/1\.1 \d+ )/);
  expect(responses.length).toBeGreaterThan(50);
  for (const response of responses) {
    const [head = '', body = ''] = response.split('\r\n\r\n');
    expect(body.length).toBe(Number(/content-length: (\d+)/i.exec(head)?.[1]));
  }
});

test('slots of pipelined requests are freed when the client disconnects', async () => {
  const pausedRelease = makePausedRelease();
  const service = await startService({
    release: pausedRelease.release,
  });
  const { socket } = await openConnection(service);
  for (const index of [0, 1, 2, 3]) socket.write(makeRequestText(service, makeTarget(index)));
  await expect.poll(pausedRelease.reads).toBe(4);
  socket.destroy();
  await expect.poll(() => service.log.length).toBeGreaterThan(0);
  pausedRelease.resumeReads();
  await expect.poll(async () => (await get(service, '/v1/release')).headers.ratelimit).toMatch(/"concurrent";r=3$/);
});
