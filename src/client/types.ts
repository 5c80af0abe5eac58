/** The shapes that pass between the client, its transports and its callers. */

import type { Operation } from '../contract/operations.ts';
import type { ParameterValues } from '../contract/question/question.ts';
import type { Policy, Remainder } from '../contract/rate-limit.ts';
import type { Attribution } from '../contract/resources/envelope.ts';

/** One request on its way out. `target` is the path with its query, below the base URL. */
export interface TransportRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** One answer as it came in, body whole and decoded; header names in lower case. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Carries a request to a service and its answer back: over the network, or in the process. Where no
 * whole answer came it throws a Failure of kind `network`, or a `Broken` where asking again may help.
 */
export interface Transport {
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

/** Where an answer came from: asked just now, held and confirmed by a 304, or held and known to be good. */
export type ResponseSource = 'asked' | 'revalidated' | 'held';

export interface Envelope {
  readonly data: unknown;
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface ClientResponse {
  readonly envelope: Envelope;
  /** The body to the byte as the service sent it. */
  readonly text: string;
  readonly source: ResponseSource;
  readonly requestId: string | null;
  /** Milliseconds since the service last said so; 0 for what was asked just now. */
  readonly age: number;
}

/** How to ask. Times are in milliseconds. */
export interface ClientOptions {
  /** The longest wait for a 429 or a retry that is begun (90 s). Queueing for the own budget is not bounded by it. */
  readonly maxWait: number;
  /** How often a failed request is sent again; null for four times, or once where nothing listens on this machine. */
  readonly retries: number | null;
  /** The instant (epoch) after which nothing is waited for or sent, or null. */
  readonly deadline: number | null;
  /** The longest time for one request, from sending to the body's last byte (60 s). */
  readonly timeout: number;
  /** Asks even when the held answer is good. */
  readonly fresh: boolean;
  /** Never asks: held answers only. */
  readonly offline: boolean;
  /** Takes any held answer up to this age without asking, or null. */
  readonly maxAge: number | null;
  readonly noCache: boolean;
  /** Sends parameters as they are. */
  readonly unchecked: boolean;
  /** Sent as `X-Request-Id` with every request, or null. */
  readonly requestId: string | null;
  /** Ends everything at once: Ctrl-C. */
  readonly signal: AbortSignal | null;
}

/** What happens on the way to an answer, for whoever shows it. Nothing secret is in it. */
export type ClientEvent =
  /** Queueing for a slot or a token of the account's own budget; `until` (epoch ms) where it is known. */
  | { readonly type: 'waiting'; readonly for: 'slot' | 'minute' | 'pause'; readonly until: number | null }
  /** The wait is over; `ms` is what it took. */
  | { readonly type: 'waited'; readonly ms: number }
  | {
      readonly type: 'retrying';
      /** What went wrong: a sentence. */
      readonly why: string;
      readonly ms: number;
      /** How many retries have been made, this one included. */
      readonly attempt: number;
    }
  /** A request was sent and answered, or broke (`status` null). */
  | {
      readonly type: 'request';
      readonly method: 'GET';
      readonly url: string;
      readonly status: number | null;
      readonly ms: number;
      readonly requestId: string | null;
    }
  /** A held answer was used without asking. */
  | { readonly type: 'held'; readonly url: string; readonly age: number; readonly why: ReuseReason }
  /** What the service said remains of the account's limits. */
  | { readonly type: 'remaining'; readonly remainders: readonly Remainder[]; readonly policies: readonly Policy[] }
  /** Something works less well than it could: a whole sentence. Each is said once. */
  | { readonly type: 'notice'; readonly text: string };

export interface RequestPlan {
  /** `release`: by what is held, if a question after the release shows that it still stands. */
  readonly by: 'held' | 'release' | 'asked';
  /** What is held of the answer, good or not, or null. */
  readonly envelope: Envelope | null;
}

export type ReuseReason = 'release' | 'max-age' | 'offline';

/** Parameters as typed: name and text, in order; a name may be repeated. */
export type RawParameters = readonly (readonly [name: string, text: string])[];

export interface Client {
  /** Asks one operation. Throws a Failure, whose kind says whose fault it is. */
  ask(operation: Operation, parameters: RawParameters | ParameterValues): Promise<ClientResponse>;
  /** What `ask` would do now, found out without asking anybody. Throws as `ask` does where the question is wrong. */
  plan(operation: Operation, parameters: RawParameters | ParameterValues): RequestPlan;
  /** Asks a path of the interface as it stands, query included: `/v1/release`. */
  askPath(path: string): Promise<ClientResponse>;
  /**
   * The attribution last seen from this service, for answers with prices that bring none; where none was
   * ever seen, prices of the ticker are asked for once. Null where there is none to be had.
   */
  attribution(ticker: string | null): Promise<Attribution | null>;
  /** Ends what is open. Answers already given stay good. */
  close(): Promise<void>;
}
