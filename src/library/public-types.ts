/**
 * Types that the package exports. `.ci/declarations.mjs` writes this file, with the types of all operations, to
 * `dist/library.d.cts`, so this file imports only those types.
 */
import type { Meta, Operations, Problem } from './operation-types.ts';

export type OperationId = keyof Operations;

/** Parameters of an operation by their names in the HTTP API, and the options that its command adds. */
export type Parameters<Id extends OperationId> = Id extends keyof OwnOptions
  ? Omit<Operations[Id]['parameters'], keyof OwnOptions[Id]> & OwnOptions[Id]
  : Operations[Id]['parameters'];

/** Options that commands have in addition to the parameters of the HTTP API. */
export interface OwnOptions {
  readonly metrics: {
    /** Statements to include: income, balance, cash-flow, ratios. */
    readonly statement?: readonly string[] | string | undefined;
    /** Number of newest fiscal years to include. */
    readonly years?: number | undefined;
    /** Number of newest quarters to include. */
    readonly quarters?: number | undefined;
    /** Whether to include the trailing twelve months. */
    readonly ttm?: boolean | undefined;
    readonly period?: 'latest' | 'annual' | 'quarterly' | 'ttm' | 'all' | undefined;
  } & FormulaOptions;
  readonly revisions: {
    /** Key of the metric to read; by default every figure that a later filing changed. */
    readonly metric_key?: string | undefined;
    readonly since?: string | undefined;
    /** Whether to send more than 240 requests for the changes of a company. */
    readonly all?: boolean | undefined;
  };
  readonly segments: { readonly years?: number | undefined; readonly quarters?: number | undefined };
  readonly screen: {
    readonly tickers?: readonly string[] | undefined;
    readonly year_ended_within?: string | undefined;
  } & FormulaOptions;
  readonly insiders: InsiderOptions;
  readonly 'insider-activity': InsiderOptions;
  readonly day: {
    readonly forms?: readonly string[] | undefined;
    readonly items?: readonly string[] | undefined;
    readonly since?: string | undefined;
    readonly tickers?: readonly string[] | undefined;
    /** Whether to request more than 92 days. */
    readonly all?: boolean | undefined;
  };
}

/** Options that compute additional figures from figures of the service. */
export interface FormulaOptions {
  /** Formulas, such as `cover=operating_income/interest_expense`. */
  readonly compute?: readonly string[] | string | undefined;
  /** Name of a file with one formula per line. */
  readonly formulas?: string | undefined;
}

/** Options that filter and sort the trades, before `limit` and `offset` are applied. */
export interface InsiderOptions {
  readonly min_value?: string | undefined;
  readonly exclude_plans?: boolean | undefined;
  readonly sort?: 'value' | undefined;
}

/** A row of an answer: an item of the list, or the single object that the operation returns. */
export type Row<Id extends OperationId> = Operations[Id]['row'];

/** One response of the service, unchanged. */
export interface Response<Id extends OperationId> {
  readonly data: Operations[Id]['data'];
  readonly meta: Meta;
}

/** The answer to a question: complete for figures, one page for lists. */
export interface Answer<Id extends OperationId> extends Response<Id> {
  /** Total number of rows, including rows on other pages; null if unknown. */
  readonly total: number | null;
  /** The question for the next rows; null if no rows remain or they cannot be requested. */
  readonly more: NextQuestion<Id> | null;
  readonly notices: readonly Notice[];
}

/**
 * The question for the next rows, in the form of arguments to `ask`. For a list without pages it has the maximum limit, and
 * returns the rows from the first on.
 */
export interface NextQuestion<Id extends OperationId> {
  readonly command: Id;
  readonly given: Parameters<Id>;
}

/** A command and its parameters, which `ask` accepts if the command is an operation. */
export interface Call {
  readonly command: string;
  readonly given: Readonly<Record<string, string | number | true | readonly string[]>>;
}

/** A notice that the command would print to stderr. */
export interface Notice {
  /** Identifies the kind of notice, such as `page_cut`. */
  readonly code: string;
  readonly severity: 'note' | 'warning';
  readonly message: string;
  /** Values that occur in the message, by name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Commands that help to resolve the condition. */
  readonly calls: readonly Call[];
}

/** Selects companies to compare. Values are aligned by the calendar period in which a company's fiscal period ends. */
export interface CompareParameters extends FormulaOptions {
  readonly ticker: readonly string[];
  readonly keys?: readonly string[] | undefined;
  readonly period?: 'annual' | 'quarterly' | 'ttm' | undefined;
  readonly years?: number | undefined;
  readonly as_of?: string | undefined;
  /** `latest` (default): as restated by later filings; `first`: as first reported. */
  readonly values?: 'latest' | 'first' | undefined;
  /** Whether per-share figures and share counts are adjusted to today's shares. */
  readonly split_adjusted?: boolean | undefined;
}

/** Selects a filing: the newest filing of a company, or the filing with an accession number. */
export interface ReadParameters {
  /** Ticker of the company, or accession number of a filing. */
  readonly ticker: string;
  /** Item to read, such as `1A`, `II.1A` or `risk factors`; by default the whole document. */
  readonly item?: string | undefined;
  /** Whether to list the items of the document instead of reading its text. */
  readonly items?: boolean | undefined;
  /** Form of the newest filing to read; by default the annual report. */
  readonly form?: string | undefined;
  readonly until?: string | undefined;
  readonly exhibit?: string | undefined;
  readonly document?: string | undefined;
  /** Printed pages, such as `46-60`. */
  readonly pages?: string | undefined;
  /** Your name and e-mail address, which the SEC asks for; by default FIN_CONTACT or the profile. */
  readonly contact?: string | undefined;
}

export interface GrepParameters extends Pick<ReadParameters, 'ticker' | 'exhibit' | 'until' | 'contact'> {
  /** Text or regular expression (RE2), of at most 1,000 characters. */
  readonly pattern: string;
  readonly fixed?: boolean | undefined;
  /** Number of words around a match. */
  readonly context?: number | undefined;
  readonly forms?: readonly string[] | undefined;
  readonly since?: string | undefined;
  /** Maximum number of filings to search. */
  readonly limit?: number | undefined;
}

export interface ChangesParameters extends Pick<ReadParameters, 'ticker' | 'form' | 'contact'> {
  readonly item: string;
  /** The earlier and the later filing: a year or an accession number. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The filing and document that was read, and the address at the SEC. */
export interface DocumentFields {
  readonly ticker: string | null;
  readonly entity_name: string;
  readonly form: string;
  readonly filed_at: string | null;
  readonly accession_number: string;
  readonly document: string;
  readonly url: string;
}

export interface Evidence {
  readonly kind: 'link' | 'heading' | 'page' | 'order' | 'end';
  readonly offset: number;
  readonly value: string;
}

export interface ItemFields {
  readonly item: string;
  readonly item_title: string;
  readonly heading: string | null;
  /**
   * `proven`: start and end of the item were found reliably. `by_reference`: the item only refers to another place.
   * Only for these two is there a text; for `by_reference`, the sentence that names the place.
   */
  readonly status: 'proven' | 'by_reference' | 'page_ranges' | 'refused';
  /** Offset of the item's start in the source, in characters; `end_offset` is the offset of the end. */
  readonly start_offset: number | null;
  readonly end_offset: number | null;
  readonly start_evidence: readonly Evidence[];
  readonly end_evidence: readonly Evidence[];
  /** Other items under the same heading. */
  readonly shared_with: readonly string[];
}

/** Text of a filing, with the requested item if there is one; or the items of the document. */
export interface Reading extends Omit<Summary, 'data'> {
  readonly data: DocumentFields &
    Partial<ItemFields> & { readonly text?: string; readonly items?: readonly ItemFields[] };
}

export interface Matches extends Omit<Summary, 'data'> {
  readonly data: readonly (DocumentFields & {
    readonly item: string | null;
    readonly page: string | null;
    readonly offset: number;
    readonly before: string;
    readonly match: string;
    readonly after: string;
  })[];
}

export interface Changes extends Omit<Summary, 'data'> {
  readonly data: DocumentFields & {
    readonly item: string;
    readonly from_accession_number: string;
    readonly from_url: string;
    readonly changes: readonly {
      readonly kind: 'added' | 'removed' | 'changed';
      readonly heading: string | null;
      readonly before: string | null;
      readonly after: string | null;
      readonly words: readonly { readonly kind: 'same' | 'added' | 'removed'; readonly text: string }[];
    }[];
  };
}

/** Selects a company (`peers_of`) and the industry to compare it with: `sic` or `industry`, or by default its own. */
export type PeerParameters = Omit<Parameters<'screen'>, 'peers_of' | 'tickers' | keyof FormulaOptions> & {
  readonly peers_of: string;
};

export type SummaryParameters = Omit<Parameters<'screen'>, keyof FormulaOptions> & {
  readonly by?: 'industry' | undefined;
};

/** A value of `metrics`, with the calendar period in which it is shown and the filing that states it. */
export interface ComparedRow
  extends Pick<
    Row<'metrics'>,
    | 'metric_key'
    | 'metric_label'
    | 'ticker'
    | 'cik'
    | 'entity_name'
    | 'value'
    | 'unit'
    | 'period_kind'
    | 'fiscal_year'
    | 'fiscal_period'
    | 'start_date'
    | 'end_date'
    | 'value_kind'
    | 'confidence'
    | 'metric_value_id'
  > {
  readonly calendar_period: string;
  readonly read_from_accession_number: string | null;
  readonly read_from_form: string | null;
  readonly read_from_filed_at: string | null;
  readonly basis_break: boolean | null;
  readonly unconfirmed: string | null;
  readonly partial_facts: boolean | null;
}

/** Cells by column name, for a row of a table that fin computes or combines from answers for several companies. */
export type DerivedRow = Readonly<Record<string, string | number | boolean | null>>;

export interface Peers extends Omit<Summary, 'data'> {
  /**
   * `standing`: rank, percentile and distribution of each figure; `companies`: the companies of the industry, largest
   * first.
   */
  readonly data: { readonly standing: readonly DerivedRow[]; readonly companies: readonly Row<'screen'>[] };
}

/** One row per figure, or per industry and figure. */
export interface Summary {
  readonly data: readonly DerivedRow[];
  readonly meta: Partial<Meta>;
  readonly notices: readonly Notice[];
}

/**
 * One row per value, with its calendar period, its company, and the fields of `metrics`. A notice `input_failed` names
 * each company that could not be compared, with its problem.
 */
export interface Comparison extends Omit<Summary, 'data' | 'meta'> {
  readonly data: readonly ComparedRow[];
  readonly meta: {
    readonly release: Meta['release'];
    readonly as_of?: string;
    readonly period: 'annual' | 'quarterly' | 'ttm';
    readonly keys: readonly string[];
    /** The calendar period in which a value is shown. */
    readonly aligned_by: string;
  };
}

/**
 * The service to use and how to reach it. Defaults are those of the command: environment, then profile, then `local:`.
 */
export interface Options {
  /** Address of a service or of a directory of published releases; `local:` means the data on this machine. */
  readonly baseUrl?: string;
  /** API key, sent only to the address of the service, and only over https or to this machine. */
  readonly apiKey?: string;
  /** Name of a profile in the command's settings. */
  readonly profile?: string;
  /** Environment variables to use instead of `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborts all questions; pending promises reject with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Maximum time in milliseconds to wait for the account's limits, which all processes of a user share (default:
   * 90,000).
   */
  readonly maxWait?: number;
  /** Maximum number of retries (default: four, or one if nothing listens at an address on this machine). */
  readonly retries?: number;
  /** Maximum time in milliseconds for a request, up to the last byte of its response (default: 60,000). */
  readonly timeout?: number;
  /** Maximum age in milliseconds of cached responses that are used without a request. */
  readonly maxAge?: number;
  /** Whether to revalidate every cached response with the service. */
  readonly fresh?: boolean;
  /** Whether to use cached responses only, and send no requests. */
  readonly offline?: boolean;
  /** False disables the cache: responses are neither read from the cache nor stored there. */
  readonly cache?: boolean;
  /**
   * Receives the notices about connections and responses that the command prints to stderr, for example that the sample
   * is used. By default, notices are discarded.
   */
  readonly onNotice?: (text: string) => void;
}

/** Arguments after the operation's name: the parameters, which may be omitted if the operation requires none, and `More`. */
export type Arguments<Id extends OperationId, More extends readonly unknown[] = []> =
  Record<never, never> extends Parameters<Id>
    ? [parameters?: Parameters<Id>, ...more: More]
    : [parameters: Parameters<Id>, ...more: More];

/** Questions to a service. `More` is the list of the arguments that follow the parameters. */
export interface Questions<More extends readonly unknown[]> {
  /** Runs the question command of this name. Rejects with a FinError, or with the reason of an abort. */
  ask<Id extends OperationId>(operation: Id, ...rest: Arguments<Id, More>): Promise<Answer<Id>>;
  /** Sends a single request with exactly the given parameters. */
  request<Id extends OperationId>(
    operation: Id,
    ...rest: [parameters?: Operations[Id]['parameters'], ...more: More]
  ): Promise<Response<Id>>;
  compare(parameters: CompareParameters, ...more: More): Promise<Comparison>;
  peers(parameters: PeerParameters, ...more: More): Promise<Peers>;
  /** Returns the distribution of each figure of a screen, one row per figure. */
  summary(...rest: [parameters?: SummaryParameters, ...more: More]): Promise<Summary>;
  /**
   * Reads a document or an item. Rejects with the kind `unproven` if start and end of the item were not found reliably.
   */
  read(parameters: ReadParameters, ...more: More): Promise<Reading>;
  grep(parameters: GrepParameters, ...more: More): Promise<Matches>;
  /** Rejects with the kind `unproven` if start and end of one of the two sections were not found reliably. */
  changes(parameters: ChangesParameters, ...more: More): Promise<Changes>;
  /**
   * Yields all pages of an answer, or its only page. All pages are fetched before the first page is yielded, so that
   * they come from one release. Many pages are stored in a temporary file.
   */
  pages<Id extends OperationId>(operation: Id, ...rest: Arguments<Id, More>): AsyncIterable<Response<Id>>;
  /** Yields the rows of all pages. */
  rows<Id extends OperationId>(operation: Id, ...rest: Arguments<Id, More>): AsyncIterable<Row<Id>>;
}

/** A client that keeps its connections and the release open for several questions. */
export interface Client extends Questions<[]> {
  /** Closes all connections. Answers received before remain valid; later questions reject. */
  close(): Promise<void>;
}

/**
 * Functions for single calls: each opens a client and closes it afterwards. For several calls, `connect` returns a
 * client that stays open.
 */
export interface Library extends Questions<[options?: Options]> {
  connect(options?: Options): Client;
}

/**
 * Cause of an error: a wrong call, a missing item, the key, a limit, the service, the network, the data on this
 * machine, or a section of a document whose start and end were not found reliably.
 */
export type ErrorKind = 'usage' | 'not_found' | 'key' | 'limit' | 'service' | 'network' | 'data' | 'unproven';

/** Details of a FinError. The error's message is a full sentence and never contains an API key. */
export interface ErrorDetails {
  readonly kind: ErrorKind;
  /** The exit code with which the command would end. */
  readonly exitCode: number;
  /** Advice to the user, if any. */
  readonly hint: string | undefined;
  /** Commands that the hint names. */
  readonly calls: readonly Call[];
  /** The problem document that the service sent, if any. */
  readonly problem: Problem | undefined;
  /** Number of seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined;
}
