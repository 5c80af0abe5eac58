/**
 * What the package exports, as types: `dist/library.d.cts` is this file with the operations spelled out by
 * `.ci/declarations.mjs`. So it imports nothing else.
 */
import type { Meta, Operations, Problem } from './operation-types.ts';

export type OperationId = keyof Operations;

/** The parameters of an operation, by the names of the interface, and the options that its command adds. */
export type Parameters<Id extends OperationId> = Id extends keyof OwnOptions
  ? Omit<Operations[Id]['parameters'], keyof OwnOptions[Id]> & OwnOptions[Id]
  : Operations[Id]['parameters'];

/** Options of commands that no parameter of the interface is. */
export interface OwnOptions {
  readonly metrics: {
    /** Statements: income, balance, cash-flow, ratios. */
    readonly statement?: readonly string[] | string | undefined;
    /** Number of the newest fiscal years, or quarters. */
    readonly years?: number | undefined;
    readonly quarters?: number | undefined;
    /** The trailing twelve months, too. */
    readonly ttm?: boolean | undefined;
    readonly period?: 'latest' | 'annual' | 'quarterly' | 'ttm' | 'all' | undefined;
  };
  readonly segments: { readonly years?: number | undefined; readonly quarters?: number | undefined };
  readonly screen: {
    readonly tickers?: readonly string[] | undefined;
    readonly year_ended_within?: string | undefined;
  };
  readonly insiders: InsiderOptions;
  readonly 'insider-activity': InsiderOptions;
  readonly day: {
    readonly forms?: readonly string[] | undefined;
    readonly items?: readonly string[] | undefined;
    readonly since?: string | undefined;
  };
}

/** What is left out and sorted of all trades; `limit` and `offset` then count what is left. */
export interface InsiderOptions {
  readonly min_value?: string | undefined;
  readonly exclude_plans?: boolean | undefined;
  readonly sort?: 'value' | undefined;
}

/** One row of an answer: an item of its list; of an operation that answers with one thing, that thing. */
export type Row<Id extends OperationId> = Operations[Id]['row'];

/** One response, as the service sent it. */
export interface Response<Id extends OperationId> {
  readonly data: Operations[Id]['data'];
  readonly meta: Meta;
}

/** The answer to a question, whole where it is of figures, a page where it is a list. */
export interface Answer<Id extends OperationId> extends Response<Id> {
  /** How many rows there are, shown or not; null where that is not known. */
  readonly total: number | null;
  /** The question for the rows behind these; null where there are none. */
  readonly more: Call | null;
  readonly notices: readonly Notice[];
}

/** A question with its parameters, as `ask` takes them. */
export interface Call {
  readonly command: string;
  readonly given: Readonly<Record<string, string | number | true | readonly string[]>>;
}

/** What the command prints to stderr. */
export interface Notice {
  /** Names the kind, such as `page_cut`. */
  readonly code: string;
  readonly severity: 'note' | 'warning';
  readonly message: string;
  /** What the message states, by name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The commands that help. */
  readonly calls: readonly Call[];
}

/** Companies to compare, by the calendar period in which their own periods end. */
export interface ComparedParameters {
  readonly ticker: readonly string[];
  readonly keys?: readonly string[] | undefined;
  readonly period?: 'annual' | 'quarterly' | 'ttm' | undefined;
  readonly years?: number | undefined;
  readonly as_of?: string | undefined;
  /** As restated since (`latest`, the default), or as first reported. */
  readonly values?: 'latest' | 'first' | undefined;
  /** Per-share figures and share counts in today's shares. */
  readonly split_adjusted?: boolean | undefined;
}

/** A row for each value: its calendar period, its company, and what `metrics` says of it. */
export interface Comparison {
  readonly data: readonly Readonly<Record<string, string | number | boolean | null>>[];
  readonly meta: Partial<Meta>;
  readonly notices: readonly Notice[];
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
  /** Takes what the command prints to stderr when it connects, such as that the sample answers. By default nothing is reported. */
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
  /** Asks as the command of that name does. Rejects with a FinError, or with the reason of an abort. */
  ask<Id extends OperationId>(operation: Id, ...parameters: Arguments<Id>): Promise<Answer<Id>>;
  /** One request of the interface, with these parameters and nothing added. */
  request<Id extends OperationId>(operation: Id, parameters?: Operations[Id]['parameters']): Promise<Response<Id>>;
  compare(parameters: ComparedParameters): Promise<Comparison>;
  /**
   * All pages of an answer, or its one page. All are of one release: they are fetched before the first is given, and
   * kept in a temporary file where they are many.
   */
  pages<Id extends OperationId>(operation: Id, ...parameters: Arguments<Id>): AsyncIterable<Response<Id>>;
  /** The rows of all pages. */
  rows<Id extends OperationId>(operation: Id, ...parameters: Arguments<Id>): AsyncIterable<Row<Id>>;
  /** Ends connections. Answers already given stay valid; what is asked afterwards is rejected. */
  close(): Promise<void>;
}

/** The functions of a client that is closed afterwards. */
export interface Library {
  ask<Id extends OperationId>(operation: Id, ...rest: ArgumentsAndOptions<Id>): Promise<Answer<Id>>;
  request<Id extends OperationId>(
    operation: Id,
    parameters?: Operations[Id]['parameters'],
    options?: Options,
  ): Promise<Response<Id>>;
  compare(parameters: ComparedParameters, options?: Options): Promise<Comparison>;
  pages<Id extends OperationId>(operation: Id, ...rest: ArgumentsAndOptions<Id>): AsyncIterable<Response<Id>>;
  rows<Id extends OperationId>(operation: Id, ...rest: ArgumentsAndOptions<Id>): AsyncIterable<Row<Id>>;
  connect(options?: Options): Client;
}

/** Whose fault it is: the caller's, the key's, a limit's, the service's, the network's, or that of data on this machine. */
export type ErrorKind = 'usage' | 'not_found' | 'key' | 'limit' | 'service' | 'network' | 'data';

/** What a FinError says in addition to its message, which is a whole sentence and never holds a key. */
export interface ErrorDetails {
  readonly kind: ErrorKind;
  /** The code with which the command would exit. */
  readonly exitCode: number;
  /** What to do about it: a sentence. */
  readonly hint: string | undefined;
  /** The commands that the hint names. */
  readonly calls: readonly Call[];
  /** The service's own problem document, where there is one. */
  readonly problem: Problem | undefined;
  /** Seconds after which asking again may help. */
  readonly retryAfter: number | undefined;
}
