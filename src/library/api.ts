/**
 * What the package exports, as types: `dist/library.d.cts` is this file with the operations spelled out by
 * `.ci/declarations.mjs`. So it imports nothing else.
 */
import type { Meta, Operations, Problem } from './operation-types.ts';

export type OperationId = keyof Operations;

/** The parameters of an operation, by the names of the interface. */
export type Parameters<Id extends OperationId> = Operations[Id]['parameters'];

/** One row of an answer: an item of its list; of an operation that answers with one thing, that thing. */
export type Row<Id extends OperationId> = Operations[Id]['row'];

export interface Answer<Id extends OperationId> {
  readonly data: Operations[Id]['data'];
  readonly meta: Meta;
}

/** Where to ask, and how. What is not given is as the command has it: environment, then profile, then `local:`. */
export interface Options {
  /** The address of a service, or of a directory of published releases; `local:` is the data on this machine. */
  readonly baseUrl?: string;
  /** Sent to `baseUrl` only, over https or to this machine. */
  readonly apiKey?: string;
  /** A profile of the command's settings. */
  readonly profile?: string;
  /** Takes the place of `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Ends everything at once; what was asked is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for the account's limits, in all processes of this user (90,000). */
  readonly maxWait?: number;
  /** Retries of what may succeed later (until `maxWait` is used up). */
  readonly retries?: number;
  /** Milliseconds without a byte after which a request is given up (60,000). */
  readonly timeout?: number;
  /** Milliseconds that a cached response may be old and still be used without a request. */
  readonly maxAge?: number;
  /** Confirms every cached response with the service. */
  readonly fresh?: boolean;
  /** Sends nothing: cached responses only. */
  readonly offline?: boolean;
  /** False neither uses cached responses nor caches any. */
  readonly cache?: boolean;
  /** Takes what the command prints to stderr: warnings, and that the sample answers. By default nothing is reported. */
  readonly onNotice?: (text: string) => void;
}

/** What follows the name of an operation: its parameters, which may be left out where none is required. */
export type Arguments<Id extends OperationId> =
  Record<never, never> extends Parameters<Id> ? [parameters?: Parameters<Id>] : [parameters: Parameters<Id>];

export type ArgumentsAndOptions<Id extends OperationId> =
  Record<never, never> extends Parameters<Id>
    ? [parameters?: Parameters<Id>, options?: Options]
    : [parameters: Parameters<Id>, options?: Options];

/** Keeps its connections, and the release that answers, open for several questions. */
export interface Client {
  /** Asks one operation: one page, as `limit` and `offset` say. Rejects with a FinError, or with the reason of an abort. */
  ask<Id extends OperationId>(operation: Id, ...parameters: Arguments<Id>): Promise<Answer<Id>>;
  /**
   * All pages of an answer, or its one page. All are of one release: they are fetched before the first is given, and
   * kept in a temporary file where they are many.
   */
  pages<Id extends OperationId>(operation: Id, ...parameters: Arguments<Id>): AsyncIterable<Answer<Id>>;
  /** The rows of all pages. */
  rows<Id extends OperationId>(operation: Id, ...parameters: Arguments<Id>): AsyncIterable<Row<Id>>;
  /** Ends connections. Answers already given stay valid; what is asked afterwards is rejected. */
  close(): Promise<void>;
}

/** `ask`, `pages` and `rows` of a client that is closed afterwards. */
export interface Library {
  ask<Id extends OperationId>(operation: Id, ...rest: ArgumentsAndOptions<Id>): Promise<Answer<Id>>;
  pages<Id extends OperationId>(operation: Id, ...rest: ArgumentsAndOptions<Id>): AsyncIterable<Answer<Id>>;
  rows<Id extends OperationId>(operation: Id, ...rest: ArgumentsAndOptions<Id>): AsyncIterable<Row<Id>>;
  connect(options?: Options): Client;
}

/** Whose fault it is: the caller's, the key's, a limit's, the service's, the network's, or that of data on this machine. */
export type ErrorKind = 'usage' | 'not_found' | 'key' | 'limit' | 'service' | 'network' | 'data';

/** What a FinError says beside its message, which is a whole sentence and never holds a key. */
export interface ErrorDetails {
  readonly kind: ErrorKind;
  /** The code with which the command would exit. */
  readonly exitCode: number;
  /** What to do about it: a sentence. */
  readonly hint: string | undefined;
  /** The service's own problem document, where there is one. */
  readonly problem: Problem | undefined;
  /** Seconds after which asking again may help. */
  readonly retryAfter: number | undefined;
}
