/** The definition of a question command, from which its options, help, requests and output are derived. */

import type { DocumentChoice, FiledDocument } from '../../client/request/ports.ts';
import type { DataOf, OperationId, ParameterListOf } from '../../contract/operations.ts';
import type { ParameterValues, RawParameters } from '../../contract/question.ts';
import type { FilingSource } from '../../contract/resources/filings.ts';
import type { MetricCatalogEntry } from '../../contract/resources/metrics.ts';
import type { Notice } from '../../result/notice.ts';
import type { Result } from '../../result/result.ts';
import type { Answer, Envelope } from './answer.ts';
import type { GivenOptions, OptionSpec, ParsedArguments } from './option-spec.ts';

/** Descriptions of example command lines, by command line without the leading `fin`. Tests run every example. */
export type Examples = Readonly<Record<string, string>>;

/** A positional argument and the parameter that it sets. */
export interface Argument {
  readonly parameter: string;
  /**
   * Help text of an argument that is not a parameter of the operation. The command itself uses the argument and does
   * not send it.
   */
  readonly own?: string;
  readonly optional?: boolean;
  /** Whether the argument accepts several values, each sent in a separate request; `-` reads values from stdin. */
  readonly many?: boolean;
  /** Whether an own argument is text that may contain anything, such as a pattern. */
  readonly freeText?: true;
  /** Extracts the parameter's value from a longer text, such as a URL. */
  readonly read?: (text: string) => string;
}

/** An argument that sets a parameter with one of these names, or that the command itself uses. */
type ArgumentOf<Name extends string> = Omit<Argument, 'parameter' | 'own'> &
  ({ readonly parameter: Name; readonly own?: never } | { readonly parameter: string; readonly own: string });

export type ParameterNameOf<Id extends OperationId> = ParameterListOf<Id>[number]['name'];

/**
 * A command that requests one operation. Its options are the operation's query parameters, and the options that the
 * command adds.
 */
export interface QuestionCommand<Data = unknown, Name extends string = string> {
  readonly operation: OperationId;
  /** Name of the command; by default the name of its operation. */
  readonly name?: string;
  /** Query parameters of the operation that become options; by default all. */
  readonly parameters?: readonly Name[];
  /** Help text by parameter, for parameters whose default in this command differs from the operation's default. */
  readonly parameterHelp?: Readonly<Partial<Record<Name, string>>>;
  readonly args: readonly (string extends Name ? Argument : ArgumentOf<Name>)[];
  /** Additional options; an option with the name of a parameter replaces that parameter's option. */
  readonly options?: readonly OptionSpec[];
  readonly examples: Examples;
  /** Whether the command fetches all rows by default; other commands fetch one page. */
  readonly fetchesAllRows?: true;
  /** Whether a service in this process answers the inputs one by one, because each continues where the last ended. */
  readonly isSequential?: true;
  /** A paragraph that help shows after the summary. */
  readonly help?: string;
  /**
   * Returns another command that answers instead, and its arguments, if an option asks for more than this operation;
   * otherwise null. Throws a usage Failure for arguments that do not fit the option.
   */
  readonly delegate?: (parsed: ParsedArguments) => Promise<Delegation | null>;
  /** Returns what to request; by default the given parameters. Throws a usage Failure for invalid options. */
  readonly request?: (call: GivenArguments) => DataRequest<Data> | Promise<DataRequest<Data>>;
  /** Whether the command lists filings, of which `--new` shows only those that it has not shown before. */
  readonly listsFilings?: true;
  readonly hasCharts?: true;
  /**
   * Returns the documents that a command reads first, according to the answer; missing for commands that read none.
   * `--plan` counts the requests for these documents. Throws the Failure of an answer without a fitting filing.
   */
  readonly documents?: (data: Data, options: GivenOptions) => readonly DocumentRequest[];
  /** Whether the command chooses rows of the list itself, so that the number of other rows does not matter. */
  readonly choosesRows?: true;
  /** Makes a result from the answer for one input. */
  readonly result: (answer: Answer<Data>, context: ResultContext) => ResultMembers | Promise<ResultMembers>;
  /**
   * Returns for each answer the parameters with which to request it again, so that the answers can be combined; no
   * parameters if the answer remains. Throws a Failure if the answers cannot be combined.
   */
  readonly alignAnswers?: (answers: readonly Answer<Data>[]) => readonly RawParameters[];
  /** Combines the answers to all inputs into one result, for a command that compares the inputs. */
  readonly combineAnswers?: (
    answers: readonly Answer<Data>[],
    context: ResultContext,
    failedInputs: readonly FailedInput[],
  ) => ResultMembers | Promise<ResultMembers>;
}

export type DocumentRequest = { readonly accession: string; readonly choice: DocumentChoice };

/** A command that answers instead of another one. */
export type Delegation = { readonly command: QuestionCommand; readonly parsed: ParsedArguments };

/** An input names a subject, such as a ticker, that the command asks about separately. */
export interface Input {
  /** The input as the user typed it, which identifies the request in messages. */
  readonly name: string;
  readonly parameters: RawParameters;
}

export type FailedInput = { readonly input: Input; readonly error: unknown };

/** The part of a result that a command creates itself; `ask.ts` adds the rest. */
export type ResultMembers = Pick<Result, 'tables'> & Partial<Omit<Result, 'tables' | 'meta' | 'more' | 'attribution'>>;

/** Arguments and options, typed on a command line or passed by a program or an assistant. */
export interface GivenArguments {
  /** The given query parameters of the operation, in the order in which the operation lists them. */
  readonly givenParameters: RawParameters;
  readonly options: GivenOptions;
  readonly args: readonly string[];
  /**
   * Kind of content that the output format shows: tables for a terminal, the service's JSON document, flat rows, or
   * charts.
   */
  readonly form: 'view' | 'document' | 'rows' | 'chart';
  /** Column names of `--fields`; null without that option. */
  readonly fields: readonly string[] | null;
  /** Whether the service runs in this process, so that it has this program's version. */
  readonly inProcess: boolean;
  readonly unchecked: boolean;
}

export interface DataRequest<Data = unknown> {
  readonly parameters: RawParameters;
  /**
   * The part of the data to fetch; `chooseExtent` in plan.ts chooses the default. If the user set a limit or an offset,
   * this field is ignored, except with `narrowing` or the kind `days`.
   */
  readonly extent?: FetchExtent;
  /**
   * Client-side filtering, sorting and computing. If set, all pages are fetched, and limit and offset apply to the
   * remaining rows, unless `extent` is a page: then the service applies them.
   */
  readonly narrowing?: ClientFilter<Data> | null;
  readonly notices?: readonly Notice[];
}

export type FetchExtent =
  /** One page, determined by limit and offset. */
  | { readonly kind: 'page' }
  /** All pages of a list. */
  | { readonly kind: 'pages' }
  /**
   * All rows of metrics, in as many requests as necessary. Without `hasNames`, the first request names no metric keys.
   */
  | { readonly kind: 'metrics'; readonly choice: KeyChoice; readonly hasNames: boolean }
  /**
   * All facts (lineage) or filings (revisions) of one metric. If a response is full, each missing value is requested
   * separately.
   */
  | { readonly kind: 'values' }
  /** The values that filings since a day (null: any day) changed. `isUnlimited`: in any number of requests. */
  | { readonly kind: 'changes'; readonly since: string | null; readonly isUnlimited: boolean }
  /** All days from `since`, as the user typed it, to the requested or latest day; if `isUnlimited`, any number. */
  | { readonly kind: 'days'; readonly since: string; readonly isUnlimited: boolean };

/** Chooses the metrics to request if the user named none. */
export interface KeyChoice {
  /**
   * Returns the metric keys to request; empty if the service has none of the metrics.
   * @param catalog the service's metrics; null to use the metrics that this program knows
   */
  readonly choose: (catalog: readonly MetricCatalogEntry[] | null) => readonly string[];
  /** Name of the selection for error messages, such as `cash flow statement`. */
  readonly name: string;
}

/** A client-side filter, which may also sort rows and add fields; receives the complete data. */
export interface ClientFilter<Data = unknown> {
  readonly apply: (data: Data, meta: Envelope['meta']) => Data;
  /** Returns notices about the removed rows. */
  readonly notices: (before: Data, after: Data, meta: Envelope['meta']) => readonly Notice[];
}

export interface ResultContext {
  readonly parameters: ParameterValues;
  readonly options: GivenOptions;
  readonly args: readonly string[];
  /** Whether the service runs in this process. */
  readonly inProcess: boolean;
  /** Whether the service answers from the built-in sample. */
  readonly isSample: boolean;
  readonly form: GivenArguments['form'];
  /** Whether notes are shown; warnings are shown always. */
  readonly wantsNotes: boolean;
  /**
   * Answers a further question about the same release without a request. Returns null if that is impossible, if it
   * fails, or if notes are not shown.
   */
  readonly lookUp: LookUp;
  /** Runs `work` with a reader of filings, and closes the reader. */
  readonly withFilings: <Out>(work: (reader: FilingReader) => Promise<Out>) => Promise<Out>;
}

/** Reads filings and their documents, one after the other. */
export interface FilingReader {
  /** Asks the service where a filing and its documents are. */
  find(accession: string): Promise<FilingSource>;
  /** Throws a usage Failure for an address that may not be asked, and the Failures of requests. */
  read(filing: FilingSource, choice: DocumentChoice): Promise<FiledDocument>;
}

/**
 * Answers a question from local data, without a request; returns null if that is impossible. Throws a Failure if the
 * question fails.
 */
export type LookUp = (operation: OperationId, parameters: RawParameters) => Promise<Envelope | null>;

/**
 * Type-checks a command against its operation's data type and parameter names, then erases these types so that all
 * commands fit one table.
 */
export const defineCommand = <Id extends OperationId>(
  entry: QuestionCommand<DataOf<Id>, ParameterNameOf<Id>> & { readonly operation: Id },
): QuestionCommand =>
  // The cast is safe, because only the command itself reads the data of its operation.
  entry as unknown as QuestionCommand;
