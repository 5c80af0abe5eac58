/** Answers to other questions of the same release, where they cost no request: of this machine, or of what is cached. */

import type { Connection } from '../../client/connection.ts';
import { parseQuestion } from '../../contract/question/question.ts';
import type { Envelope } from '../answer.ts';
import type { LookUp } from '../command.ts';

/** @param answer another answer proves something about it only if it is of the same release */
export function lookUpBeside(
  { meta: { release } }: Pick<Envelope, 'meta'>,
  { client, inProcess, planLoad }: Pick<Connection, 'client' | 'inProcess' | 'planLoad'>,
): LookUp {
  return async (operation, parameters) => {
    const question = parseQuestion(operation, parameters);
    // Of a static host what must be loaded for it has its price: a few ranges.
    if (planLoad !== undefined && (await planLoad(question)).bytes !== 0) return null;
    const found: Envelope | null = (inProcess ? await client.ask(question) : client.plan(question)).envelope;
    return found !== null && found.meta.release?.stamp === release?.stamp ? found : null;
  };
}
