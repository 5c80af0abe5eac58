/** One response to a question. */
import type { Client } from '../../client/client.ts';
import { rowsOf } from '../../contract/operations.ts';
import { changeQuestion, givenText, type Question } from '../../contract/question/question.ts';
import { type Answer, answerOf, type Envelope } from '../answer.ts';

export interface FetchCall {
  readonly client: Client;
  readonly question: Question;
  readonly progress: (line: string | null) => void;
  /** Whether this program's own service answers, whose metrics are known. */
  readonly inProcess: boolean;
}

export async function fetchOne({ client, question }: Pick<FetchCall, 'client' | 'question'>): Promise<Answer> {
  const response = await client.ask(question);
  return answerOf(question, { envelope: response.envelope as Envelope, text: () => response.text });
}

/** Maximum number of rows of a response of metrics, and of one with named and collapsed keys. */
const MAX_ROWS = '500';
const MAX_COLLAPSED_ROWS = '5000';

/** Returns a question of metrics with the largest limit that its other parameters allow. */
export function withMostRows(question: Question): Question {
  const isNarrow = givenText(question.given, 'keys') !== undefined && question.parameters.collapse === true;
  return changeQuestion(question, [['limit', isNarrow ? MAX_COLLAPSED_ROWS : MAX_ROWS]]);
}

/** Whether the answer has the maximum number of rows, so that there may be more. */
export function isFull({ operation, parameters }: Question, { data, meta }: Envelope): boolean {
  const limit = meta.limit ?? parameters.limit;
  return limit !== undefined && (rowsOf(operation, data)?.length ?? 0) >= Number(limit);
}
