import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { heldRelease } from '../held-release.ts';
import { get, type Running, start } from './running.ts';

const sleep = (milliseconds: number) => new Promise<void>((wake) => setTimeout(wake, milliseconds));

/** Opens a separate connection; `said` returns the text received so far. */
async function open(running: Running): Promise<{ socket: Socket; said: () => string; closed: Promise<void> }> {
  const { hostname, port } = new URL(running.baseUrl);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (part: string) => {
    text += part;
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, said: () => text, closed };
}

const asking = (running: Running, target: string, id = '') =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${running.key}\r\nX-Request-Id: ${id}\r\n\r\n`;

const statuses = (received: string) => [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => match[1]);

test('after a stop, started pipelined requests are answered, and the connection closes after the last', async () => {
  const held = heldRelease();
  const running = await start({ release: held.release, authentication: null });
  const { socket, said, closed } = await open(running);
  socket.write(Array.from({ length: 90 }, (_, index) => asking(running, '/v1/metrics', `r${index}`)).join(''));
  await expect.poll(held.reads).toBe(90);
  const stopped = running.stop();
  held.letGo();
  await Promise.all([stopped, closed]);
  expect(statuses(said())).toEqual(Array.from({ length: 90 }, () => '200'));
  const ids = [...said().matchAll(/x-request-id: r(\d+)/gi)].map((match) => Number(match[1]));
  expect(ids).toEqual(Array.from({ length: 90 }, (_, index) => index));
  expect([...said().matchAll(/connection: close/gi)]).toHaveLength(1);
});

test('a client that keeps sending requests gets "Connection: close" with the last response', async () => {
  const held = heldRelease();
  const running = await start({ release: held.release, authentication: null });
  const { socket, said, closed } = await open(running);
  socket.write(Array.from({ length: 1000 }, (_, index) => asking(running, '/v1/metrics', `r${index}`)).join(''));
  await expect.poll(held.reads).toBe(257);
  held.letGo();
  await closed;
  expect(statuses(said())).toEqual(Array.from({ length: 257 }, () => '200'));
  expect([...said().matchAll(/connection: close/gi)]).toHaveLength(1);
  expect(said().lastIndexOf('HTTP/1.1 200')).toBeLessThan(said().search(/connection: close/i));
  // A client that reads its responses may send any number of requests.
  const reader = await open(running);
  for (let turn = 1; turn <= 3; turn += 1) {
    reader.socket.write(asking(running, '/v1/metrics').repeat(90));
    await expect.poll(() => statuses(reader.said()).length).toBe(90 * turn);
  }
});

test('a request after the stop is refused once, and the connection closes', async () => {
  const held = heldRelease();
  const running = await start({ release: held.release, authentication: null });
  const { socket, said, closed } = await open(running);
  socket.write(asking(running, '/v1/metrics').repeat(2));
  await expect.poll(held.reads).toBe(2);
  const stopped = running.stop();
  socket.write(asking(running, '/v1/metrics').repeat(5));
  // Waits because no event shows that the server has read the requests.
  await sleep(50);
  held.letGo();
  await Promise.all([stopped, closed]);
  expect(statuses(said())).toEqual(['200', '200', '503']);
  expect([...said().matchAll(/connection: close/gi)]).toHaveLength(1);
});

test('unread responses delay the stop, disconnected clients do not', async () => {
  const running = await start({ authentication: null });
  const { socket, said } = await open(running);
  socket.pause();
  // The requested responses have more bytes than the buffers between client and server can store.
  socket.write(asking(running, '/v1/metrics').repeat(3_000));
  await expect.poll(() => running.log.length).toBeGreaterThan(0);
  let hasStopped = false;
  const stopped = running.stop().then(() => {
    hasStopped = true;
  });
  // A stop that did not wait for the client would have ended by now.
  await sleep(200);
  expect(hasStopped).toBe(false);
  expect(said()).toBe('');
  socket.destroy();
  // The stop would never end if it waited for the client forever.
  await stopped;
});

test('a slow reader gets all started responses completely', async () => {
  const running = await start({ authentication: null });
  const { socket, said, closed } = await open(running);
  socket.pause();
  const requests = 2_000;
  socket.write(Array.from({ length: requests }, (_, index) => asking(running, '/v1/metrics', `r${index}`)).join(''));
  await expect.poll(() => running.log.length).toBeGreaterThan(0);
  const stopped = running.stop();
  socket.resume();
  await Promise.all([stopped, closed]);
  const answers = said().split(/(?=HTTP\/1\.1 \d+ )/);
  expect(answers.length).toBeGreaterThan(50);
  for (const answer of answers) {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(body.length).toBe(Number(/content-length: (\d+)/i.exec(head)?.[1]));
  }
});

test('slots of pipelined requests are freed when the client disconnects', async () => {
  const held = heldRelease();
  const running = await start({
    release: held.release,
  });
  const { socket } = await open(running);
  socket.write(asking(running, '/v1/metrics').repeat(4));
  await expect.poll(held.reads).toBe(4);
  socket.destroy();
  await expect.poll(() => running.log.length).toBeGreaterThan(0);
  held.letGo();
  await expect.poll(async () => (await get(running, '/v1/release')).headers.ratelimit).toMatch(/"concurrent";r=3$/);
});
