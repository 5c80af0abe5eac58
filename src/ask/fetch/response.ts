/** One response to a question. */
import type { Client } from '../../client/client.ts';
import { rowsOf } from '../../contract/operations.ts';
import type { Question } from '../../contract/question/question.ts';
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

/** Whether the answer has the maximum number of rows, so that there may be more. */
export function isFull({ operation, parameters }: Question, { data, meta }: Envelope): boolean {
  const limit = meta.limit ?? parameters.limit;
  return limit !== undefined && (rowsOf(operation, data)?.length ?? 0) >= Number(limit);
}
