/** The subject of each request of a command, such as a ticker. */
import type { RawParameters } from '../contract/question/question.ts';

export interface Input {
  /** Identifies the request in messages, as typed. */
  readonly name: string;
  readonly parameters: RawParameters;
}

export interface Inputs {
  /** Whether the answer is an array: for two or more arguments, or `-`. */
  readonly several: boolean;
  /** Whether inputs are read from stdin, where the next may take time. */
  readonly streamed: boolean;
  readonly inputs: Iterable<Input> | AsyncIterable<Input>;
}

/** The source of names for `-`. */
export interface NameSource {
  readonly inIsTerminal: boolean;
  /** Yields lines of stdin, without line ends. */
  lines(): AsyncIterable<string>;
  log(line: string): void;
}
