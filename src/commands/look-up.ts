/** Answers to other questions of the same release, where they cost no request. */
import type { Client } from '../client/client.ts';
import { parseQuestion } from '../contract/question/question.ts';
import type { Answer, LookUp } from './command.ts';

/** @param answer another answer proves something about it only if it is of the same release */
export function lookUpBeside(
  { meta: { release } }: Answer<unknown>,
  { client, local }: { readonly client: Client; readonly local: boolean },
): LookUp {
  return async (operation, parameters) => {
    const question = parseQuestion(operation, parameters);
    const found: Answer<unknown> | null = (local ? await client.ask(question) : client.plan(question)).envelope;
    return found !== null && found.meta.release?.stamp === release?.stamp ? found : null;
  };
}
