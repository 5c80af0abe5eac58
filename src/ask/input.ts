/** What each request of a command is about, such as a ticker. */
import type { RawParameters } from '../contract/question/question.ts';

export interface Input {
  /** What tells this request from the others, as typed; for messages. */
  readonly name: string;
  readonly parameters: RawParameters;
}

export interface Inputs {
  /** Whether the answer is an array: two arguments or more, or `-`. */
  readonly several: boolean;
  /** Whether they are read from stdin, where the next may take its time. */
  readonly streamed: boolean;
  readonly inputs: Iterable<Input> | AsyncIterable<Input>;
}

/** Where names are read from in the place of `-`. */
export interface NameSource {
  readonly inIsTerminal: boolean;
  /** Lines of stdin, without their ends. */
  lines(): AsyncIterable<string>;
  log(line: string): void;
}
