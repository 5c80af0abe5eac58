/** Answers other questions about the same release without a request: from a local release, or from the cache. */

import type { Connection } from '../../client/connection.ts';
import { parseQuestion } from '../../contract/question/question.ts';
import type { Envelope } from '../answer.ts';
import type { LookUp } from '../command.ts';

/** @param answer other answers are only used if they are of the same release */
export function lookUpBeside(
  { meta: { release } }: Pick<Envelope, 'meta'>,
  { client, isInProcess, planLoad }: Pick<Connection, 'client' | 'isInProcess' | 'planLoad'>,
): LookUp {
  return async (operation, parameters) => {
    const question = parseQuestion(operation, parameters);
    // Skips questions for which a static host would have to load data.
    if (planLoad !== undefined && (await planLoad(question)).bytes !== 0) return null;
    const foundEnvelope: Envelope | null = (isInProcess ? await client.ask(question) : client.plan(question)).envelope;
    return foundEnvelope !== null && foundEnvelope.meta.release?.stamp === release?.stamp ? foundEnvelope : null;
  };
}
