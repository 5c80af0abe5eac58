/** What was fetched for one question: one response, or with `--all` every page. */
import type { Client } from '../../client/client.ts';
import type { Question } from '../../contract/question/question.ts';
import type { Answer } from '../command.ts';

export interface FetchedAnswer {
  /** The answer; of several pages the last, whose meta is that of all. */
  readonly answer: Answer<unknown>;
  /** Every page in order; each may be read again. */
  readonly pages: () => Iterable<Answer<unknown>>;
  /** All rows in one answer. */
  readonly whole: () => Answer<unknown>;
  /** The document, in pieces. */
  readonly text: () => Iterable<string>;
  /** Where prices came without an attribution: whether one was added, or none is known. */
  readonly attributed?: 'added' | 'missing';
  readonly close: () => void;
}

export interface FetchCall {
  readonly client: Client;
  readonly question: Question;
  /** Whether to fetch every page. */
  readonly all: boolean;
  readonly progress: (line: string | null) => void;
}
