/** Reads the body of a request, within limits of size and time. */
import type { IncomingMessage } from 'node:http';
import type { BodyReading } from '../responses/service.ts';

/** Maximum time in milliseconds for a body to arrive completely. */
export const BODY_TIMEOUT_MS = 10_000;

export interface PendingBody {
  readonly reading: Promise<BodyReading>;
  /** Ends the reading early, for example because the server stops. */
  cancel(): void;
}

/** Starts to read a body. Discards the rest of a body that is too long, or that did not arrive in time. */
export function startReadingBody(incoming: IncomingMessage, maxBytes: number, timeoutMs: number): PendingBody {
  let cancel = () => {};
  const reading = new Promise<BodyReading>((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const finish = (result: BodyReading) => {
      clearTimeout(timer);
      chunks = [];
      resolve(result);
    };
    cancel = () => finish({ fault: 'incomplete' });
    const timer = setTimeout(cancel, timeoutMs);
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else finish({ fault: 'too-long' });
    });
    incoming.once('end', () => finish({ text: Buffer.concat(chunks).toString() }));
    for (const event of ['error', 'close']) incoming.once(event, cancel);
  });
  return { reading, cancel };
}
