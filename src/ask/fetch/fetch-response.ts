/** Fetches one response, and detects responses with the maximum number of rows. */
import type { Client } from '../../client/client.ts';
import { findRows } from '../../contract/operations.ts';
import { changeQuestion, findGivenText, type Question } from '../../contract/question.ts';
import { type Answer, type Envelope, makeAnswer } from '../command/answer.ts';

export interface FetchCall {
  readonly client: Client;
  readonly question: Question;
  readonly progress: (line: string | null) => void;
  /** Whether the service runs in this process, so that it has exactly the metrics of this version of fin. */
  readonly inProcess: boolean;
  /** Whether the user set the limit of the question; otherwise the plan may have set it to the maximum. */
  readonly isLimitGiven: boolean;
}

export async function fetchOnePage({ client, question }: Pick<FetchCall, 'client' | 'question'>): Promise<Answer> {
  const response = await client.ask(question);
  return makeAnswer(question, response.envelope as Envelope, () => response.text);
}

/** Returns all answers. After each, the progress line is the text that `format` makes of their number. */
export async function collect(items: AsyncIterable<Answer>, { progress }: FetchCall, format: (done: number) => string) {
  const parts: Answer[] = [];
  try {
    for await (const answer of items) progress(format(parts.push(answer)));
    return parts;
  } finally {
    progress(null);
  }
}

/** Maximum number of rows in a response of `metrics`: 500, or 5,000 if the question names keys and collapses rows. */
const MAX_ROWS_TEXT = '500';
const MAX_COLLAPSED_ROWS_TEXT = '5000';

/** Returns a metrics question with the largest limit that its other parameters permit. */
export function withMaximumLimit(question: Question): Question {
  const isLarge = findGivenText(question.rawParameters, 'keys') !== undefined && question.parameters.collapse === true;
  return changeQuestion(question, [['limit', isLarge ? MAX_COLLAPSED_ROWS_TEXT : MAX_ROWS_TEXT]]);
}

/** Whether a response has as many rows as its limit allows, so that more rows may exist. */
export function isPageFull({ operation, parameters }: Question, { data, meta }: Envelope): boolean {
  const limit = meta.limit ?? parameters.limit;
  return limit !== undefined && (findRows(operation, data)?.length ?? 0) >= Number(limit);
}
