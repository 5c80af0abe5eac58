/** The shapes that pass between the client, its transports and its callers. */

/** One request on its way out. `target` is the path with its query, below the base URL. */
export interface WireRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** One answer as it came in, body whole and decoded; header names in lower case. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Carries a request to a service and its answer back: over the network, or in the process. */
export interface Transport {
  send(request: WireRequest): Promise<WireAnswer>;
  close(): Promise<void>;
}

/** Where an answer came from: asked just now, held and confirmed by a 304, or held and known to be good. */
export type AnswerSource = 'asked' | 'revalidated' | 'held';

export interface Envelope {
  readonly data: unknown;
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly envelope: Envelope;
  /** The body to the byte as the service sent it. */
  readonly text: string;
  readonly source: AnswerSource;
  readonly requestId: string | null;
}
