/** The client of the service in this very process: no account, no budget, nothing held, nothing of the network loaded. */
import { answered, failureOf, readEnvelope } from './answer.ts';
import { LOCAL } from './destination.ts';
import { spellPath, spellQuestion } from './question.ts';
import type { Answer, Client, ClientOptions, Transport } from './types.ts';

export function openLocalClient(
  transport: Transport,
  { unchecked, signal }: Pick<ClientOptions, 'unchecked' | 'signal'>,
): Client {
  const ask = async (target: string): Promise<Answer> => {
    const answer = await transport.send({ target, headers: {}, ...(signal === null ? {} : { signal }) });
    if (answer.status !== 200) throw failureOf(answer, LOCAL);
    return answered(readEnvelope(answer, LOCAL), answer.body, 'asked', 0);
  };
  return {
    ask: async (operation, parameters) => ask(spellQuestion(operation, parameters, { local: true, unchecked }).target),
    foresee: (operation, parameters) => {
      spellQuestion(operation, parameters, { local: true, unchecked });
      return { by: 'asked', envelope: null };
    },
    askPath: async (path) => ask(spellPath(path)),
    // This program's own service sends one with every answer that needs one.
    attribution: async () => null,
    close: () => transport.close(),
  };
}
