/** What the command of a question is: data, from which options, help, requests and output are made. */
import type { DataOf, OperationId } from '../contract/operations.ts';
import type { ParameterValues, RawParameters } from '../contract/question/question.ts';
import type { Meta } from '../contract/resources/envelope.ts';
import type { MetricCatalogEntry } from '../contract/resources/metrics.ts';
import type { Block } from '../output/blocks.ts';
import type { Rows } from '../output/rows.ts';
import type { Format } from './command-line/global-options.ts';
import type { GivenOptions, OptionSpec } from './command-line/option-spec.ts';

/** A command line without the leading `fin`, and what it shows. Tests run each. */
export interface Example {
  readonly line: string;
  readonly shows: string;
}

export interface Answer<Data> {
  readonly data: Data;
  readonly meta: Partial<Meta>;
  /** All that the service gave, where a row filter has left rows out of `data`. */
  readonly unfiltered?: Data;
}

/** Asks another question of the same release: null where that would cost a request. Throws what the question fails with. */
export type LookUp = (operation: OperationId, parameters: RawParameters) => Promise<Answer<unknown> | null>;

export interface ViewContext {
  readonly parameters: ParameterValues;
  /** Columns of the terminal, or null where stdout is none and nothing may be cut. */
  readonly width: number | null;
  /** Whether this program's own service answers, whose rules are known, and whether from the built-in sample. */
  readonly local?: boolean;
  readonly sample?: boolean;
  /** The command's options as given. */
  readonly options?: GivenOptions;
  /** Why the answer is empty, in sentences, where that is known. */
  readonly emptyReason?: string | null;
}

/** One positional argument: the parameter it fills. */
export interface Argument {
  readonly parameter: string;
  /** Help of an argument that no parameter of the interface is: `rowFilter` gets it, and the request does not. */
  readonly own?: string;
  readonly optional?: boolean;
  /** Takes several, one request each; `-` reads them from stdin. */
  readonly many?: boolean;
  /** Reads the parameter from a longer text, such as an address that contains it. */
  readonly read?: (text: string) => string;
}

/** The command of one operation, whose query parameters are its options. */
export interface QuestionCommand<Data = unknown> {
  readonly operation: OperationId;
  readonly args: readonly Argument[];
  readonly examples: readonly Example[];
  /** Parameters sent where none are given, by name: defaults of this program, not of the interface. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** A paragraph of help beyond the operation's summary. */
  readonly help?: string;
  /** How to write the values of a parameter, by its name: the hint where one is refused. */
  readonly valueHints?: Readonly<Record<string, string>>;
  /** Rewrites parameters as typed into those to send (`20%` into `0.20`); throws a usage Failure. */
  readonly prepare?: (given: RawParameters, purpose: Purpose) => Prepared;
  /** What its own options change of the command. Throws a usage Failure. */
  readonly byOptions?: (
    options: GivenOptions,
  ) => Partial<QuestionCommand<Data>> | Promise<Partial<QuestionCommand<Data>>>;
  /** Has it asked for these metrics, in as many requests as it takes to have all their rows. */
  readonly byKeys?: KeyChoice;
  /** Options of its own, which no parameter of the interface is; one that every command has means something else here. */
  readonly options?: readonly OptionSpec[];
  /** The rows to keep of an answer, by these options and arguments; null for all, of several filters by each in turn. Throws a usage Failure. */
  readonly rowFilter?: (
    options: GivenOptions,
    args: readonly string[],
  ) => RowFilter<RowOf<Data>> | readonly RowFilter<RowOf<Data>>[] | null;
  /** What to leave out of an answer or sort in it, by these options; null for nothing. Throws a usage Failure. */
  readonly narrow?: (options: GivenOptions) => Narrowing<Data> | null;
  /** The day to walk back to, as typed, where one request has the filings of one day; null for one day. */
  readonly walkTo?: (options: GivenOptions) => string | null;
  /** Notices about this answer, beside those that every answer gets. `answer` is the last of `pages`, which hold the rows shown. */
  readonly notices?: (
    answer: Answer<Data>,
    context: ViewContext,
    pages: () => Iterable<Answer<Data>>,
  ) => readonly string[];
  /** Notices that need other answers of the same release; skipped where looking one up fails. */
  readonly lookUpNotices?: (
    answer: Answer<Data>,
    parameters: ParameterValues,
    lookUp: LookUp,
  ) => Promise<readonly string[]>;
  /** A sentence that names what a full page leaves out, where that is known; else null. */
  readonly notShown?: (answer: Answer<Data>, context: ViewContext) => string | null;
  /** How to get more than a full page where --limit and --offset cannot; null where they can. */
  readonly more?: (answer: Answer<Data>, context: ViewContext) => string | null;
  readonly view: (answer: Answer<Data>, context: ViewContext) => readonly Block[];
  /** Whether a spreadsheet has the tables of the view too, before the rows. */
  readonly hasSheet?: boolean;
  /** Whether the view is a table of the rows, which are of each page. */
  readonly viewsRows?: boolean;
  /** Replaces the view when the answer is drawn (`--chart`, `--svg`, `--html`). */
  readonly draw?: (answer: Answer<Data>, context: ViewContext) => readonly Block[];
  /** Parameters sent where none are given and the answer is drawn, by name. */
  readonly drawDefaults?: Readonly<Record<string, string>>;
  readonly rows: (answer: Answer<Data>, context: ViewContext) => Rows;
  /** Columns of the rows that are figures, and fields of no resource. */
  readonly figureColumns?: readonly string[];
  /** What rows may be of instead, by the names that `--rows` takes; the first is what they are of without it. */
  readonly rowChoices?: Readonly<Record<string, (answer: Answer<Data>, context: ViewContext) => Rows>>;
  /** Columns of the rows that come from the price feed: the attribution is shown with them. `all` where every row is a price. */
  readonly priceColumns?: 'all' | readonly string[];
}

/** Which metrics to ask for, where the user named none. */
export interface KeyChoice {
  /**
   * @param catalog the metrics of the service; null for this program's own
   * @returns none where the service has none of them
   */
  readonly choose: (catalog: readonly MetricCatalogEntry[] | null) => readonly string[];
  /** What is asked for, in words, to say that the service has none of it. */
  readonly name: string;
}

type RowOf<Data> = Data extends readonly (infer Row)[] ? Row : unknown;

/** Leaves rows out of an answer that is a list, after the service has given it. */
export interface RowFilter<Row = unknown> {
  /** @param rows the answer that the row is of */
  readonly keeps: (row: Row, meta: Partial<Meta>, rows: readonly Row[]) => boolean;
  /** Whether a row may be on any page: all are fetched, unless `--limit` or `--offset` names one. */
  readonly allPages?: boolean;
  /** What to report when `left` of `rows` rows were left out. */
  readonly notice: (left: number, rows: number, meta: Partial<Meta>) => readonly string[];
}

/** Leaves out and sorts parts of a whole answer, after the service has given every page of it. */
export interface Narrowing<Data = unknown> {
  readonly apply: (data: Data, meta: Partial<Meta>) => Data;
  /** What to report about what was left out. */
  readonly notice: (before: Data, after: Data) => readonly string[];
}

/** What an answer is for, and where it comes from: some commands choose their parameters by that. */
export interface Purpose {
  readonly format: Format;
  /** Whether this program's own service answers, whose limits are known and where requests cost nothing. */
  readonly local: boolean;
  /** The columns that `--fields` chooses. */
  readonly fields?: readonly string[] | null;
  /** Whether parameters are sent unchecked. */
  readonly unchecked?: boolean;
  /** The command's options as given. */
  readonly options?: GivenOptions;
}

export interface Prepared {
  readonly parameters: RawParameters;
  /** Logged even with `--quiet`: what the user probably did not mean. */
  readonly warnings: readonly string[];
  /** Whether all rows of the keys it names are wanted, in as many requests as it takes. */
  readonly whole?: boolean;
}

/** Checks a command against the data of its operation, and forgets that type for the table of commands. */
export const command = <Id extends OperationId>(
  definition: QuestionCommand<DataOf<Id>> & { readonly operation: Id },
): QuestionCommand =>
  // The pipeline passes on the operation's own answer, and never looks inside.
  definition as unknown as QuestionCommand;
