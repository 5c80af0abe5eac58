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
  const pendingRequestIds = new Set<unknown>();
  let onAnswered = () => {};
  let unfinishedLineLength = 0;
  let tooLongFailure: Failure | null = null;
  // Scripts write their requests and then close stdin. So this stream stays open after stdin ends, until all requests
  // are answered or `DRAIN_TIMEOUT_MS` has passed.
  const requestStream = new Transform({
    transform: (chunk: Buffer, _, done) => {
      const lines = chunk.toString('latin1').split('\n');
      const lineLengths = lines.map((line, index) => line.length + (index === 0 ? unfinishedLineLength : 0));
      unfinishedLineLength = lineLengths.at(-1) ?? 0;
      if (Math.max(...lineLengths) <= MAX_MESSAGE_BYTES) return done(null, chunk);
      tooLongFailure = new Failure('usage', `A message on stdin is longer than ${MAX_MESSAGE_BYTES} bytes.`, {
        hint: 'Each line must be one message of the Model Context Protocol; no valid message is that long.',
      });
      done(tooLongFailure);
    },
    flush: (done) => {
      const timer = setTimeout(done, DRAIN_TIMEOUT_MS);
      onAnswered = () => {
        if (pendingRequestIds.size > 0) return;
        onAnswered = () => {};
        clearTimeout(timer);
        done();
      };
      // Deferred, so that the last messages are delivered before the stream ends.
      setImmediate(() => onAnswered());
    },
  });
  const stdioTransport = new StdioServerTransport(requestStream, output, {
    // The longest message, and the chunk that contains its end and the start of the next message.
    maxBufferSize: 2 * MAX_MESSAGE_BYTES,
  });
  const transport = createTrackingTransport(stdioTransport, pendingRequestIds, () => onAnswered());
  const whenClosed = new Promise<void>((resolve) => {
    for (const event of ['close', 'error']) requestStream.once(event, () => resolve());
    for (const event of ['close', 'error']) output.once(event, () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  input.pipe(requestStream);
  input.once('error', (error) => requestStream.destroy(error));
  const serverHandle = serveStdio(() => createAssistantServer({ ...settings, gate }), {
    transport,
    maxSubscriptions: 0,
    // The Failure for a message that is too long is thrown instead, and the caller reports it.
    onerror: (error) => tooLongFailure === null && settings.onError(error),
  });
  await whenClosed;
  await serverHandle.close();
  input.destroy();
  if (tooLongFailure !== null) throw tooLongFailure;
}

/** Wraps the transport to track the ids of unanswered requests in `pendingIds`. */
function createTrackingTransport(
  stdioTransport: StdioServerTransport,
  pendingIds: Set<unknown>,
  onAnswered: () => void,
): Transport {
  const transport: Transport = {
    async start() {
      stdioTransport.onmessage = (message) => {
        if ('method' in message && 'id' in message) pendingIds.add(message.id);
        const cancelledRequestId = readCancelledId(message);
        if (cancelledRequestId !== undefined) pendingIds.delete(cancelledRequestId);
        transport.onmessage?.(message);
      };
      stdioTransport.onclose = () => transport.onclose?.();
      stdioTransport.onerror = (error) =>
        transport.onerror?.(isSchemaError(error) ? makeInvalidMessageFailure() : error);
      await stdioTransport.start();
    },
    async send(message) {
      await stdioTransport.send(message);
      if (!('method' in message) && pendingIds.delete(message.id)) onAnswered();
    },
    close: () => stdioTransport.close(),
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
