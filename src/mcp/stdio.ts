/** Serves the Model Context Protocol over stdin and stdout, until stdin ends or a signal arrives. */

import { type Readable, Transform, type Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { Failure } from '../contract/failure.ts';
import { createGate } from '../platform/workers/gate.ts';
import { readMessage } from './messages.ts';
import { type AssistantSettings, createAssistantServer } from './server.ts';

/** Maximum number of simultaneous calls: the service processes that many requests of one account in parallel. */
const MAX_CONCURRENT_CALLS = 4;
const MAX_WAITING_CALLS = 1_000;
/** Maximum length of a message in bytes; a longer message ends the connection. Arguments of tools are short. */
const MAX_MESSAGE_BYTES = 1_000_000;
/** Maximum time in milliseconds to answer requests that arrived before stdin ended. */
const DRAIN_TIMEOUT_MS = 10_000;

interface StdioSettings extends Omit<AssistantSettings, 'gate'> {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/**
 * Serves one connection; resolves when it has ended. Throws a usage Failure for a message that is too long. Writes only
 * protocol messages to the output.
 */
export async function serveOverStdio({ input, output, signal, ...settings }: StdioSettings): Promise<void> {
  const gate = createGate(MAX_CONCURRENT_CALLS, MAX_WAITING_CALLS);
  const pending = new Set<unknown>();
  let onAnswer = () => {};
  let unfinished: Buffer = Buffer.alloc(0);
  let failure: Failure | null = null;
  /** Passes on a valid message. Answers an invalid message with an id; reports an invalid message without an id. */
  const readLine = (line: string): void => {
    const reading = readMessage(line);
    if ('message' in reading) {
      stream.push(`${JSON.stringify(reading.message)}\n`);
      return;
    }
    const answers = reading.answers.filter(({ id }) => id !== null);
    for (const answer of answers) output.write(`${JSON.stringify(answer)}\n`);
    // Lines that are not JSON are skipped silently: some programs print them before their messages.
    if (answers.length === 0 && !reading.isText) settings.onError(makeInvalidMessageFailure());
  };
  // Scripts write their requests and then close stdin. So this stream stays open after stdin ends, until all requests
  // are answered or `DRAIN_TIMEOUT_MS` has passed.
  const stream = new Transform({
    transform: (chunk: Buffer, _, done) => {
      let remainder = unfinished.length === 0 ? chunk : Buffer.concat([unfinished, chunk]);
      let isTooLong = false;
      for (let end = remainder.indexOf(10); end >= 0 && !isTooLong; end = remainder.indexOf(10)) {
        isTooLong = end > MAX_MESSAGE_BYTES;
        if (!isTooLong) readLine(remainder.toString('utf8', 0, end));
        remainder = remainder.subarray(end + 1);
      }
      unfinished = remainder;
      if (!isTooLong && remainder.length <= MAX_MESSAGE_BYTES) return done();
      failure = new Failure('usage', `A message on stdin is longer than ${MAX_MESSAGE_BYTES} bytes.`, {
        hint: 'Each line must be one message of the Model Context Protocol; no valid message is that long.',
      });
      done(failure);
    },
    flush: (done) => {
      if (unfinished.length > 0) readLine(unfinished.toString());
      const timer = setTimeout(done, DRAIN_TIMEOUT_MS);
      onAnswer = () => {
        if (pending.size > 0) return;
        onAnswer = () => {};
        clearTimeout(timer);
        done();
      };
      // Deferred, because the last messages must be delivered before the stream ends.
      setImmediate(() => onAnswer());
    },
  });
  // The buffer must hold the longest message, and the chunk that contains its end and the start of the next message.
  const stdio = new StdioServerTransport(stream, output, { maxBufferSize: 2 * MAX_MESSAGE_BYTES });
  const transport = createTrackingTransport(stdio, pending, () => onAnswer());
  const whenClosed = new Promise<void>((resolve) => {
    for (const event of ['close', 'error']) stream.once(event, () => resolve());
    for (const event of ['close', 'error']) output.once(event, () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  input.pipe(stream);
  input.once('error', (error) => stream.destroy(error));
  const server = serveStdio(() => createAssistantServer({ ...settings, gate }), {
    transport,
    maxSubscriptions: 0,
    // The Failure for a message that is too long is thrown instead, and the caller reports it.
    onerror: (error) => failure === null && settings.onError(error),
  });
  await whenClosed;
  await server.close();
  input.destroy();
  if (failure !== null) throw failure;
}

/** Wraps the transport to track the ids of unanswered requests in `pending`. */
function createTrackingTransport(stdio: StdioServerTransport, pending: Set<unknown>, onAnswer: () => void): Transport {
  const transport: Transport = {
    async start() {
      stdio.onmessage = (message) => {
        if ('method' in message && 'id' in message) pending.add(message.id);
        const cancelled = readCancelledId(message);
        if (cancelled !== undefined) pending.delete(cancelled);
        transport.onmessage?.(message);
      };
      stdio.onclose = () => transport.onclose?.();
      stdio.onerror = (error) => transport.onerror?.(error);
      await stdio.start();
    },
    async send(message) {
      await stdio.send(message);
      if (!('method' in message) && pending.delete(message.id)) onAnswer();
    },
    close: () => stdio.close(),
  };
  return transport;
}

const makeInvalidMessageFailure = (): Failure =>
  new Failure('usage', 'A line on stdin is not a message of the Model Context Protocol, and was skipped.', {
    hint: 'Each line must be one JSON-RPC 2.0 request, notification or response; batches are not supported.',
  });

/** Returns the id of a cancelled request, which will never be answered. */
const readCancelledId = (message: JSONRPCMessage): unknown =>
  'method' in message && message.method === 'notifications/cancelled' ? message.params?.requestId : undefined;
