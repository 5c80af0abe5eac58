import type { Readable, Writable } from 'node:stream';
import type { Connection } from '../../client/connection.ts';

/** Serves assistants by the Model Context Protocol. */
export interface AssistantsPort {
  /** Resolves when the input has ended and all its requests are answered, or when the signal aborts. */
  serveAssistants(settings: AssistantSettings): Promise<void>;
}

export interface AssistantSettings {
  readonly input: Readable;
  /** A stream that receives only protocol messages. */
  readonly output: Writable;
  /** Called for each request that needs data. A thrown Failure is sent as the answer. */
  readonly connect: () => Promise<Connection>;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}
