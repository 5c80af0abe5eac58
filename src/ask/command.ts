/** The command of a question as data, from which options, help, requests and output are made. */
import type { DataOf, OperationId } from '../contract/operations.ts';
import type { ParameterValues, RawParameters } from '../contract/question/question.ts';
import type { Notice } from '../result/notice.ts';
import type { Result } from '../result/result.ts';
import type { Answer, Envelope } from './answer.ts';
import type { KeyChoice } from './fetch/key-choice.ts';
import type { Input } from './input.ts';
import type { GivenOptions, OptionSpec } from './option-spec.ts';

/** A command line without the leading `fin`, with a description. Tests run each. */
export interface Example {
  readonly line: string;
  readonly shows: string;
}

/** A positional argument, and the parameter that it sets. */
export interface Argument {
  readonly parameter: string;
  /** Help for an argument that is not a parameter of the interface: the command reads it, and it is not sent. */
  readonly own?: string;
  readonly optional?: boolean;
  /** Whether it accepts several values, with one request each; `-` reads them from stdin. */
  readonly many?: boolean;
  /** Extracts the parameter from a longer text, such as an address. */
  readonly read?: (text: string) => string;
}

/** A command that asks one operation. Its options are the operation's query parameters, and its own. */
export interface QuestionCommand<Data = unknown> {
  readonly operation: OperationId;
  /** Default: the name of its operation. */
  readonly name?: string;
  /** The query parameters of the operation that are options; default: all. */
  readonly parameters?: readonly string[];
  readonly args: readonly Argument[];
  /** Options other than the parameters of the interface; one with the name of a parameter replaces that option. */
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly Example[];
  /** Whether the answer has every row that the question names, unless a limit is given. Other answers are a page. */
  readonly whole?: true;
  /** A paragraph of help in addition to the summary. */
  readonly help?: string;
  /** Returns what to request; default: the typed parameters. Throws a usage Failure. */
  readonly request?: (call: Typed) => Request<Data> | Promise<Request<Data>>;
  /** Whether the answer has charts. */
  readonly draws?: true;
  /** Converts the answer to one input into a result. */
  readonly result: (answer: Answer<Data>, context: Context) => Content | Promise<Content>;
  /** Combines the answers to all inputs into one result, for a command that compares them. */
  readonly compares?: (
    answers: readonly Answer<Data>[],
    context: Context,
    failedInputs: readonly FailedInput[],
  ) => Content | Promise<Content>;
}

export interface FailedInput {
  readonly input: Input;
  readonly error: unknown;
}

/** A result as a command makes it, without the parts that all answers have. */
export type Content = Pick<Result, 'tables'> &
  Partial<
    Pick<
      Result,
      'title' | 'facts' | 'rows' | 'total' | 'notices' | 'charts' | 'layout' | 'hasSheet' | 'notes' | 'document'
    >
  >;

/** The arguments and options, from the command line, a program or an assistant. */
export interface Typed {
  /** The parameters of the interface, in its order. */
  readonly givenParameters: RawParameters;
  readonly options: GivenOptions;
  readonly args: readonly string[];
  /** Kind of output of the format: blocks for people, the service's document, flat rows, or charts. */
  readonly form: 'view' | 'document' | 'rows' | 'chart';
  /** The columns of `--fields`, or null. */
  readonly fields: readonly string[] | null;
  /** Whether this program's own service answers: its rules are known, and its requests cost nothing. */
  readonly inProcess: boolean;
  readonly unchecked: boolean;
}

export interface Request<Data = unknown> {
  readonly parameters: RawParameters;
  /** Part of the data to fetch; default: every value of figures, one page of a list, or all pages with `--all`. */
  readonly extent?: Extent;
  /**
   * Filters and sorting by the client: then all pages are fetched, and limit and offset apply to the remaining rows.
   */
  readonly narrow?: Narrowing<Data> | null;
  readonly notices?: readonly Notice[];
}

export type Extent =
  /** According to limit and offset. */
  | { readonly kind: 'page' }
  /** Every page of a list. */
  | { readonly kind: 'pages' }
  /** All rows of metrics, in as many requests as needed; `hasNames`: with keys from the first request on. */
  | { readonly kind: 'metrics'; readonly choice: KeyChoice; readonly hasNames: boolean }
  /** All facts or filings of one metric; if a page is full, value by value. */
  | { readonly kind: 'values' }
  /** Every day back to this one, as typed. */
  | { readonly kind: 'days'; readonly since: string };

/** Filters and sorts a complete answer. */
export interface Narrowing<Data = unknown> {
  readonly apply: (data: Data, meta: Envelope['meta']) => Data;
  /** Returns notices of what was left out. */
  readonly notices: (before: Data, after: Data, meta: Envelope['meta']) => readonly Notice[];
}

export interface Context {
  readonly parameters: ParameterValues;
  readonly options: GivenOptions;
  readonly args: readonly string[];
  /** Whether this program's own service answers, whose rules are known; and whether from the built-in sample. */
  readonly inProcess: boolean;
  readonly sample: boolean;
  readonly form: Typed['form'];
  /** Whether notes are shown; warnings always are. */
  readonly wantsNotes: boolean;
  /** Asks another question about the same release; null if that would cost a request. */
  readonly lookUp: LookUp;
}

/** Throws the error of the question. */
export type LookUp = (operation: OperationId, parameters: RawParameters) => Promise<Envelope | null>;

/** Checks a command against the data type of its operation, and then drops that type for the table of commands. */
export const command = <Id extends OperationId>(
  definition: QuestionCommand<DataOf<Id>> & { readonly operation: Id },
): QuestionCommand =>
  // Safe: only the command itself reads the operation's answer.
  definition as unknown as QuestionCommand;
