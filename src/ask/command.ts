/** The command of a question as data: options, help, requests and output are made from it. */
import type { DataOf, OperationId } from '../contract/operations.ts';
import type { ParameterValues, RawParameters } from '../contract/question/question.ts';
import type { Notice } from '../result/notice.ts';
import type { Result } from '../result/result.ts';
import type { Answer, Envelope } from './answer.ts';
import type { KeyChoice } from './fetch/key-choice.ts';
import type { Input } from './input.ts';
import type { GivenOptions, OptionSpec } from './option-spec.ts';

/** A command line without the leading `fin`, and what it shows. Tests run each. */
export interface Example {
  readonly line: string;
  readonly shows: string;
}

/** One positional argument: the parameter it fills. */
export interface Argument {
  readonly parameter: string;
  /** Help of an argument that no parameter of the interface is: the command reads it, and the request lacks it. */
  readonly own?: string;
  readonly optional?: boolean;
  /** Takes several, one request each; `-` reads them from stdin. */
  readonly many?: boolean;
  /** Reads the parameter from a longer text, such as an address that contains it. */
  readonly read?: (text: string) => string;
}

/** The command of one operation, whose query parameters are its options unless `owns` says that it has its own. */
export interface QuestionCommand<Data = unknown> {
  readonly operation: OperationId;
  readonly args: readonly Argument[];
  /** Options that no parameter of the interface is; one with the name of a parameter replaces that option. */
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly Example[];
  /** A paragraph of help beyond the summary. */
  readonly help?: string;
  /** What to ask for; by default the parameters as typed, and one page. Throws a usage Failure. */
  readonly request?: (call: Typed) => Request<Data> | Promise<Request<Data>>;
  /** Whether it can be drawn as charts. */
  readonly draws?: true;
  /** How the answer to one input becomes a result. */
  readonly result: (answer: Answer<Data>, context: Context) => Content | Promise<Content>;
  /** How the answers to all inputs become one result, where a command compares them. */
  readonly compares?: (
    answers: readonly Answer<Data>[],
    context: Context,
    failed: readonly FailedInput[],
  ) => Content | Promise<Content>;
}

export interface FailedInput {
  readonly input: Input;
  readonly error: unknown;
}

/** A result as a command makes it; what every answer has is added. */
export type Content = Pick<Result, 'tables'> &
  Partial<
    Pick<Result, 'title' | 'facts' | 'rows' | 'notices' | 'charts' | 'layout' | 'hasSheet' | 'notes' | 'document'>
  >;

/** What was typed, or given by a program or an assistant. */
export interface Typed {
  /** The parameters of the interface, in its order. */
  readonly given: RawParameters;
  readonly options: GivenOptions;
  readonly args: readonly string[];
  /** What the format shows: blocks for people, the service's document, or flat rows. */
  readonly form: 'view' | 'document' | 'rows' | 'chart';
  /** The columns that `--fields` chooses, or null. */
  readonly fields: readonly string[] | null;
  /** Whether this program's own service answers, whose rules are known and where requests cost nothing. */
  readonly inProcess: boolean;
  readonly unchecked: boolean;
}

export interface Request<Data = unknown> {
  readonly parameters: RawParameters;
  /** How much is fetched; by default a page of a list, or what `--all` says. */
  readonly extent?: Extent;
  /** What the client leaves out or sorts: then all pages are fetched, and limit and offset count what is left. */
  readonly narrow?: Narrowing<Data> | null;
  readonly notices?: readonly Notice[];
}

export type Extent =
  /** As limit and offset say. */
  | { readonly kind: 'page' }
  /** Every page of a list. */
  | { readonly kind: 'pages' }
  /** All rows of metrics, in as many requests as it takes; `named` asks with the keys from the start. */
  | { readonly kind: 'metrics'; readonly choice: KeyChoice; readonly named: boolean }
  /** All facts or statements of one metric: where a page is full, value by value. */
  | { readonly kind: 'values' }
  /** Every day back to this one, as typed. */
  | { readonly kind: 'days'; readonly since: string };

/** Leaves out and sorts parts of a whole answer. */
export interface Narrowing<Data = unknown> {
  readonly apply: (data: Data, meta: Envelope['meta']) => Data;
  /** What to report about what was left out. */
  readonly notices: (before: Data, after: Data, meta: Envelope['meta']) => readonly Notice[];
}

export interface Context {
  readonly parameters: ParameterValues;
  readonly options: GivenOptions;
  readonly args: readonly string[];
  /** Whether this program's own service answers, whose rules are known, and whether from the built-in sample. */
  readonly inProcess: boolean;
  readonly sample: boolean;
  readonly form: Typed['form'];
  /** Asks another question of the same release; null where that would cost a request. */
  readonly lookUp: LookUp;
}

/** Throws what the question fails with. */
export type LookUp = (operation: OperationId, parameters: RawParameters) => Promise<Envelope | null>;

/** Checks a command against the data of its operation, and forgets that type for the table of commands. */
export const command = <Id extends OperationId>(
  definition: QuestionCommand<DataOf<Id>> & { readonly operation: Id },
): QuestionCommand =>
  // The operation's own answer is passed on, and nothing else looks inside.
  definition as unknown as QuestionCommand;
