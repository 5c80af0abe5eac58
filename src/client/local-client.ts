/** The client of the service in this very process: no account, no budget, nothing held, nothing of the network loaded. */

import type { Client } from './client.ts';
import { LOCAL } from './destination.ts';
import type { Transport } from './http/transport.ts';
import type { ClientOptions } from './options.ts';
import { buildRequest, checkPath } from './request.ts';
import type { ClientResponse } from './response.ts';
import { failureOf, readEnvelope, toClientResponse } from './response.ts';

export function openLocalClient(
  transport: Transport,
  { unchecked, signal }: Pick<ClientOptions, 'unchecked' | 'signal'>,
): Client {
  const ask = async (target: string): Promise<ClientResponse> => {
    const answer = await transport.send({ target, headers: {}, ...(signal === null ? {} : { signal }) });
    if (answer.status !== 200) throw failureOf(answer, LOCAL);
    return toClientResponse(readEnvelope(answer, LOCAL), answer.body, 'network', 0);
  };
  return {
    ask: async (operation, parameters) => ask(buildRequest(operation, parameters, { local: true, unchecked }).target),
    plan: (operation, parameters) => {
      buildRequest(operation, parameters, { local: true, unchecked });
      return { by: 'network', envelope: null };
    },
    askPath: async (path) => ask(checkPath(path)),
    // This program's own service sends one with every answer that needs one.
    attribution: async () => null,
    close: () => transport.close(),
  };
}
