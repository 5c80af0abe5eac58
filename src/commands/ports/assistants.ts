import type { Readable, Writable } from 'node:stream';
import type { Connection } from '../../client/connection.ts';

/** The Model Context Protocol for assistants. */
export interface AssistantsPort {
  /** Resolves when the input has ended and all its requests are answered, or the signal aborts. */
  serveAssistants(settings: AssistantSettings): Promise<void>;
}

export interface AssistantSettings {
  readonly input: Readable;
  /** Receives only messages of the protocol. */
  readonly output: Writable;
  /** Called for each request that needs data; its Failure becomes the answer. */
  readonly connect: () => Promise<Connection>;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}
