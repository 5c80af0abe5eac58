import type { Readable, Writable } from 'node:stream';
import type { Connection } from '../../client/connection.ts';

/** The Model Context Protocol for assistants. */
export interface AssistantsPort {
  /** Settles when the input has ended and what it asked is answered, or the signal aborts. */
  serveAssistants(settings: AssistantSettings): Promise<void>;
}

export interface AssistantSettings {
  readonly input: Readable;
  /** Gets messages of the protocol and nothing else. */
  readonly output: Writable;
  /** Called with each request that asks anything; a Failure is the answer to that request. */
  readonly connect: () => Promise<Connection>;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}
