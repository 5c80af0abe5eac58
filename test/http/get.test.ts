import { createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openHttp } from '../../src/http/get.ts';
import { listenUntilDone } from '../listen.ts';

const BODY = Buffer.alloc(300_000, 'a');

test.each([
  ['with a length', `Content-Length: ${BODY.length}\r\nConnection: close\r\n`],
  ['without a length', 'Connection: close\r\n'],
])('a slow reader gets the complete body of a response %s, even after the connection has ended', async (_, headers) => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const port = await listenUntilDone(
    createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n`);
        socket.write(BODY);
        socket.end(end);
      });
    }),
  );
  const httpClient = openHttp({});
  const signal = AbortSignal.timeout(5000);
  const { body } = await httpClient.get({ url: `http://127.0.0.1:${port}/`, headers: {}, signal });
  let receivedLength = 0;
  // The reader is slow, so that the connection ends before the body has been read.
  await ended;
  for await (const chunk of body) {
    receivedLength += chunk.length;
    await nextTurn();
  }
  expect(receivedLength).toBe(BODY.length);
  await httpClient.close();
});
