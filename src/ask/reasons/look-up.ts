/** Answers further questions about the same release from a local release or the cache, without sending requests. */

import type { Connection } from '../../client/connection.ts';
import { parseQuestion } from '../../contract/question.ts';
import type { Envelope } from '../command/answer.ts';
import type { LookUp } from '../command/command.ts';

/**
 * Returns a lookup function.
 * @param answer the answer whose release all further answers must come from
 */
export const createLookUp =
  (
    { meta: { release } }: Pick<Envelope, 'meta'>,
    { client, isInProcess, planLoad }: Pick<Connection, 'client' | 'isInProcess' | 'planLoad'>,
  ): LookUp =>
  async (operation, parameters) => {
    const question = parseQuestion(operation, parameters);
    // Skips questions for which data would have to be loaded from a static host.
    if (planLoad !== undefined && (await planLoad(question)).bytes !== 0) return null;
    const envelope: Envelope | null = (isInProcess ? await client.ask(question) : client.plan(question)).envelope;
    return envelope !== null && envelope.meta.release?.stamp === release?.stamp ? envelope : null;
  };
