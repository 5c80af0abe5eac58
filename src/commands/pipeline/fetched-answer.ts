/** What was fetched for one question: one response, or with `--all` every page. */
import type { Client } from '../../client/client.ts';
import type { Envelope, ResponseSource } from '../../client/response.ts';
import { Failure } from '../../contract/failure.ts';
import { isList, type Operation } from '../../contract/operations.ts';
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
  readonly sources: readonly ResponseSource[];
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

/** The envelope as commands take it; throws a network Failure where it is not the interface's. */
export function answerOf(operation: Operation, { data, meta }: Envelope): Answer<unknown> {
  const fits = isList(operation)
    ? Array.isArray(data)
    : typeof data === 'object' && data !== null && !Array.isArray(data);
  if (fits) return { data, meta };
  throw new Failure('network', `What answered ${operation.path} is not of the form the interface gives it.`, {
    hint: 'Is the base URL that of a financial filings data service? --json shows the answer as it came.',
  });
}
