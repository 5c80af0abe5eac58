/** What a command is: data. The shared machinery turns it into options, help, requests and output. */

import type { OperationId } from '../contract/operations.ts';
import type { ParameterValues, RawParameters } from '../contract/question/question.ts';
import type { Meta } from '../contract/resources/envelope.ts';
import type { Block } from '../output/blocks.ts';
import type { Rows } from '../output/rows.ts';
import type { Format } from './command-line/global-options.ts';

/** The command line without the leading `fin`, and what it shows. It must run as it stands. */
export interface Example {
  readonly line: string;
  readonly shows: string;
}

export interface Answer<Data> {
  readonly data: Data;
  readonly meta: Partial<Meta>;
}

export interface ViewContext {
  readonly parameters: ParameterValues;
  /** Columns of the terminal, or null where the output is no terminal and nothing is to be cut. */
  readonly width: number | null;
  /** Whether this program's own service answers, whose rules are known, and whether it does from the sample. */
  readonly local?: boolean;
  readonly sample?: boolean;
  /** Why the answer is empty, in sentences, where that is known. */
  readonly emptyReason?: string | null;
}

/** One positional argument: the parameter it fills. */
export interface Argument {
  readonly parameter: string;
  readonly optional?: boolean;
  /** Takes several, one request each; `-` reads them from stdin. */
  readonly many?: boolean;
  /** What is asked for by a text that is more than the name, such as an address with the name in it. */
  readonly read?: (text: string) => string;
}

/** A command that asks one of the nineteen operations. Its options are the operation's query parameters. */
export interface QuestionCommand<Data = unknown> {
  readonly operation: OperationId;
  readonly args: readonly Argument[];
  readonly examples: readonly Example[];
  /** Parameters sent when nothing else is said, by name; a default of this program, not of the interface. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** A paragraph of help beyond the operation's summary. */
  readonly help?: string;
  /** How the values of a parameter may be written, by its name: said where one is refused. */
  readonly valueHints?: Readonly<Record<string, string>>;
  /** Rewrites what was typed into what is asked (`20%` into `0.20`); throws a usage Failure. */
  readonly prepare?: (given: RawParameters, purpose: Purpose) => Prepared;
  /** What is worth saying on stderr about this answer, beyond what every answer's notices say. */
  readonly notices?: (answer: Answer<Data>, context: ViewContext) => readonly string[];
  /** What a full page shows nothing of, as far as can be known: a sentence; null where that is nothing. */
  readonly unshown?: (answer: Answer<Data>, context: ViewContext) => string | null;
  /** How to get more than a full page of this answer, where --limit and --offset cannot; null where they can. */
  readonly more?: (answer: Answer<Data>, context: ViewContext) => string | null;
  readonly view: (answer: Answer<Data>, context: ViewContext) => readonly Block[];
  /** What stands in the place of the view when the answer is drawn (`--chart`, `--svg`, `--html`). */
  readonly draw?: (answer: Answer<Data>, context: ViewContext) => readonly Block[];
  /** Parameters sent when it is to be drawn and nothing else is said, by name. */
  readonly drawDefaults?: Readonly<Record<string, string>>;
  readonly rows: (answer: Answer<Data>, context: ViewContext) => Rows;
}

export type { RawParameters };

/** What an answer is wanted for, and from whom: some questions are better asked otherwise. */
export interface Purpose {
  readonly format: Format;
  /** Whether this program's own service answers, whose limits and keys are known and cost nothing. */
  readonly local: boolean;
  /** Whether it is sent as it is, whatever may be wrong with it. */
  readonly unchecked?: boolean;
}

export interface Prepared {
  readonly parameters: RawParameters;
  /** Said on stderr whatever happens: what the person probably did not mean. */
  readonly warnings: readonly string[];
}

/** A definition with its data's type checked, ready for the table of commands. */
export const command = <Data>(definition: QuestionCommand<Data>): QuestionCommand =>
  // The machinery passes on what the operation answered, and never looks inside.
  definition as unknown as QuestionCommand;
