/**
 * The types that the package exports: `dist/library.d.cts` is this file with the operations written out by
 * `.ci/declarations.mjs`, so it has no other imports.
 */
import type { Meta, Operations, Problem } from './operation-types.ts';

export type OperationId = keyof Operations;

/** The parameters of an operation, by the names of the interface, and the options that its command adds. */
export type Parameters<Id extends OperationId> = Id extends keyof OwnOptions
  ? Omit<Operations[Id]['parameters'], keyof OwnOptions[Id]> & OwnOptions[Id]
  : Operations[Id]['parameters'];

/** Options of commands other than the parameters of the interface. */
export interface OwnOptions {
  readonly metrics: {
    /** Statements: income, balance, cash-flow, ratios. */
    readonly statement?: readonly string[] | string | undefined;
    /** Number of the newest fiscal years, or quarters. */
    readonly years?: number | undefined;
    readonly quarters?: number | undefined;
    /** Includes the trailing twelve months. */
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

/** Filters and sorting of all trades; `limit` and `offset` then apply to the remaining ones. */
export interface InsiderOptions {
  readonly min_value?: string | undefined;
  readonly exclude_plans?: boolean | undefined;
  readonly sort?: 'value' | undefined;
}

/** One row of an answer: an item of its list, or the single object that the operation returns. */
export type Row<Id extends OperationId> = Operations[Id]['row'];

/** One response of the service, unchanged. */
export interface Response<Id extends OperationId> {
  readonly data: Operations[Id]['data'];
  readonly meta: Meta;
}

/** The answer to a question: complete for figures, a page for lists. */
export interface Answer<Id extends OperationId> extends Response<Id> {
  /** Total number of rows, shown or not; null if unknown. */
  readonly total: number | null;
  /** The question for the next rows; null if there are none. */
  readonly more: Call | null;
  readonly notices: readonly Notice[];
}

/** A question with its parameters, as arguments of `ask`. */
export interface Call {
  readonly command: string;
  readonly given: Readonly<Record<string, string | number | true | readonly string[]>>;
}

/** A message that the command prints to stderr. */
export interface Notice {
  /** Identifies the kind, such as `page_cut`. */
  readonly code: string;
  readonly severity: 'note' | 'warning';
  readonly message: string;
  /** The values in the message, by name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Commands that help. */
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

/** A company to compare with its industry, or with the one that `sic` or `industry` names. */
export type PeerParameters = Omit<Parameters<'screen'>, 'peers_of' | 'tickers'> & { readonly peers_of: string };

export type SummaryParameters = Parameters<'screen'> & { readonly by?: 'industry' | undefined };

/** A row of a derived table, by its columns. */
export type DerivedRow = Readonly<Record<string, string | number | boolean | null>>;

export interface Peers extends Omit<Comparison, 'data'> {
  /** Rank, percentile and distribution of each figure, and the companies by size. */
  readonly data: { readonly standing: readonly DerivedRow[]; readonly companies: readonly Row<'screen'>[] };
}

/** A row per value: its calendar period, its company, and the fields of `metrics`. */
export interface Comparison {
  readonly data: readonly DerivedRow[];
  readonly meta: Partial<Meta>;
  readonly notices: readonly Notice[];
}

/** The service and how to reach it. Defaults are those of the command: environment, then profile, then `local:`. */
export interface Options {
  /** The address of a service, or of a directory of published releases; `local:` is the data on this machine. */
  readonly baseUrl?: string;
  /** Sent only to `baseUrl`, over https or to this machine. */
  readonly apiKey?: string;
  /** A profile in the command's settings. */
  readonly profile?: string;
  /** Replaces `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborts everything; pending questions are rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Maximum milliseconds to wait for the account's limits, in all processes of this user (90,000). */
  readonly maxWait?: number;
  /** Maximum number of retries (default: until `maxWait` is used up). */
  readonly retries?: number;
  /** Milliseconds without a byte after which a request fails (60,000). */
  readonly timeout?: number;
  /** Maximum age in milliseconds of cached responses that are used without a request. */
  readonly maxAge?: number;
  /** Revalidates every cached response with the service. */
  readonly fresh?: boolean;
  /** Sends nothing: uses cached responses only. */
  readonly offline?: boolean;
  /** False neither uses cached responses nor stores any. */
  readonly cache?: boolean;
  /**
   * Receives what the command prints to stderr when it connects, for example that the sample is used. Default:
   * nothing is reported.
   */
  readonly onNotice?: (text: string) => void;
}

/** The arguments after the name of an operation: its parameters, optional if none is required. */
export type Arguments<Id extends OperationId> =
  Record<never, never> extends Parameters<Id> ? [parameters?: Parameters<Id>] : [parameters: Parameters<Id>];

export type ArgumentsAndOptions<Id extends OperationId> =
  Record<never, never> extends Parameters<Id>
    ? [parameters?: Parameters<Id>, options?: Options]
    : [parameters: Parameters<Id>, options?: Options];

/** Keeps its connections and the release open for several questions. */
export interface Client {
  /** Asks the same question as the command with that name. Rejects with a FinError, or with the reason of an abort. */
  ask<Id extends OperationId>(operation: Id, ...parameters: Arguments<Id>): Promise<Answer<Id>>;
  /** Sends one request of the interface, with only these parameters. */
  request<Id extends OperationId>(operation: Id, parameters?: Operations[Id]['parameters']): Promise<Response<Id>>;
  compare(parameters: ComparedParameters): Promise<Comparison>;
  peers(parameters: PeerParameters): Promise<Peers>;
  /** How each figure of a screen is distributed: a row per figure. */
  summary(parameters?: SummaryParameters): Promise<Comparison>;
  /**
   * Yields all pages of an answer, or its only page. All are from one release: they are fetched before the first is
   * yielded, and stored in a temporary file if there are many.
   */
  pages<Id extends OperationId>(operation: Id, ...parameters: Arguments<Id>): AsyncIterable<Response<Id>>;
  /** Yields the rows of all pages. */
  rows<Id extends OperationId>(operation: Id, ...parameters: Arguments<Id>): AsyncIterable<Row<Id>>;
  /** Closes connections. Earlier answers stay valid; later questions are rejected. */
  close(): Promise<void>;
}

/** The same functions with a client that is closed afterwards. */
export interface Library {
  ask<Id extends OperationId>(operation: Id, ...rest: ArgumentsAndOptions<Id>): Promise<Answer<Id>>;
  request<Id extends OperationId>(
    operation: Id,
    parameters?: Operations[Id]['parameters'],
    options?: Options,
  ): Promise<Response<Id>>;
  compare(parameters: ComparedParameters, options?: Options): Promise<Comparison>;
  peers(parameters: PeerParameters, options?: Options): Promise<Peers>;
  summary(parameters?: SummaryParameters, options?: Options): Promise<Comparison>;
  pages<Id extends OperationId>(operation: Id, ...rest: ArgumentsAndOptions<Id>): AsyncIterable<Response<Id>>;
  rows<Id extends OperationId>(operation: Id, ...rest: ArgumentsAndOptions<Id>): AsyncIterable<Row<Id>>;
  connect(options?: Options): Client;
}

/** The cause: the caller, the key, a limit, the service, the network, or the data on this machine. */
export type ErrorKind = 'usage' | 'not_found' | 'key' | 'limit' | 'service' | 'network' | 'data';

/** Details of a FinError in addition to its message, which is a whole sentence and never contains a key. */
export interface ErrorDetails {
  readonly kind: ErrorKind;
  /** The exit code that the command would have. */
  readonly exitCode: number;
  /** Advice to the user, as a sentence. */
  readonly hint: string | undefined;
  /** The commands in the hint. */
  readonly calls: readonly Call[];
  /** The service's own problem document, if it sent one. */
  readonly problem: Problem | undefined;
  /** Seconds after which a retry may help. */
  readonly retryAfter: number | undefined;
}
