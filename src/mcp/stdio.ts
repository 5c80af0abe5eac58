/** Serves the Model Context Protocol over stdin and stdout, until stdin ends or a signal arrives. */

import type { Readable, Writable } from 'node:stream';
import { Transform } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { Failure } from '../contract/failure.ts';
import { createGate } from '../platform/workers/gate.ts';
import { type AssistantSettings, createAssistantServer } from './server.ts';

/** Maximum number of simultaneous calls: the service processes that many requests of one account in parallel. */
const MAX_CONCURRENT_CALLS = 4;
const MAX_WAITING_CALLS = 1_000;
/** Maximum length of a message in bytes; a longer message ends the connection. Arguments of tools are short. */
const MAX_MESSAGE_BYTES = 1_000_000;
/** Maximum milliseconds to answer requests that arrived before stdin ended. */
const DRAIN_TIMEOUT_MS = 10_000;

export interface StdioSettings extends Omit<AssistantSettings, 'gate'> {
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
  let unfinished = 0;
  let failure: Failure | null = null;
  // Scripts write their requests and then close stdin. So this stream stays open after stdin ends, until all requests
  // are answered or `DRAIN_TIMEOUT_MS` has passed.
  const stream = new Transform({
    transform: (chunk: Buffer, _, done) => {
      const lines = chunk.toString('latin1').split('\n');
      const lengths = lines.map((line, index) => line.length + (index === 0 ? unfinished : 0));
      unfinished = lengths.at(-1) ?? 0;
      if (Math.max(...lengths) <= MAX_MESSAGE_BYTES) return done(null, chunk);
      failure = new Failure('usage', `A message on stdin is longer than ${MAX_MESSAGE_BYTES} bytes.`, {
        hint: 'Each line must be one message of the Model Context Protocol; no valid message is that long.',
      });
      done(failure);
    },
    flush: (done) => {
      const timer = setTimeout(done, DRAIN_TIMEOUT_MS);
      onAnswer = () => {
        if (pending.size > 0) return;
        onAnswer = () => {};
        clearTimeout(timer);
        done();
      };
      // Deferred, so that the last messages are delivered before the stream ends.
      setImmediate(() => onAnswer());
    },
  });
  const stdio = new StdioServerTransport(stream, output, {
    // The longest message, and the chunk that contains its end and the start of the next message.
    maxBufferSize: 2 * MAX_MESSAGE_BYTES,
  });
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
      stdio.onerror = (error) => transport.onerror?.(isSchemaError(error) ? makeInvalidMessageFailure() : error);
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

/**
 * Whether an error reports JSON that is not a message of the protocol. Lines that are not JSON are skipped silently.
 */
const isSchemaError = (error: Error): boolean => error.name === 'ZodError' || error.name === '$ZodError';

const makeInvalidMessageFailure = (): Failure =>
  new Failure('usage', 'A line on stdin is not a message of the Model Context Protocol, and was skipped.', {
    hint: 'Each line must be one JSON-RPC 2.0 request, notification or response; batches are not supported.',
  });

/** Returns the id of a cancelled request, which will never be answered. */
const readCancelledId = (message: JSONRPCMessage): unknown =>
  'method' in message && message.method === 'notifications/cancelled' ? message.params?.requestId : undefined;
