/** Inputs of a command. Each input names a subject, such as a ticker, that the command asks about separately. */
import type { RawParameters } from '../contract/question/question.ts';

export interface Input {
  /** The input as the user typed it, which identifies the request in messages. */
  readonly name: string;
  readonly parameters: RawParameters;
}

export interface Inputs {
  /** Whether the output is an array, because two or more arguments or `-` were given. */
  readonly isArray: boolean;
  /** Whether inputs are read from stdin, so that the next input may arrive late. */
  readonly isStreamed: boolean;
  readonly inputs: Iterable<Input> | AsyncIterable<Input>;
}

/** Source of the names that replace the argument `-`. */
export interface NameSource {
  readonly inIsTerminal: boolean;
  /** Yields lines of stdin without line endings. */
  lines(): AsyncIterable<string>;
  log(line: string): void;
}
