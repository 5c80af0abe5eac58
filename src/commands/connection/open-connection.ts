/** From the options and the environment to a client: which service, which key, and what is said on the way. */

import type { ClientEvent } from '../../client/events.ts';
import type { Transport } from '../../client/http/transport.ts';
import { describeKeySource, readKey } from '../../client/key.ts';
import { openLocalClient } from '../../client/local-client.ts';
import type { ClientOptions } from '../../client/options.ts';
import type { GlobalOptions } from '../command-line/global-options.ts';
import type { Io } from '../io.ts';
import type { Connection } from './connection.ts';
import type { ConnectionTarget } from './target.ts';

/** Each half brings its own code: who asks this machine loads nothing of budgets and held answers. */
export async function openConnection(
  { directories, destination }: ConnectionTarget,
  globals: GlobalOptions,
  io: Io,
  report: (event: ClientEvent) => void,
  say = io.log,
): Promise<Connection> {
  const options = clientOptions(globals, io);
  if (destination.to === 'local') {
    const { openLocal } = await import('../../wiring/local-service.ts');
    const { transport, isSample, stamp } = openLocal(directories.data, destination.sampleAllowed);
    if (isSample) say(`${SAMPLE} (${stamp}). ${MORE}`);
    const client = openLocalClient(globals.verbose ? told(transport, stamp, io) : transport, options);
    return { client, local: true, sample: isSample };
  }
  if (destination.withheld !== null) say(`Warning: ${destination.withheld}`);
  const key = destination.key === null ? null : await readKey(destination.key);
  const { baseUrl, account, addressFrom } = destination;
  const sources = { address: addressFrom, key: destination.key === null ? null : describeKeySource(destination.key) };
  const { createClient } = await import('../../client/client.ts');
  const client = createClient({ directories, options, env: io.env, report, baseUrl, key, account, sources });
  return { client, local: false, sample: false };
}

const SAMPLE = 'The sample answers: about a hundred companies';
const MORE = 'For more: fin data build, or --base-url with a key.';

/** The same, saying what was asked of which release. */
function told(transport: Transport, stamp: string, io: Io): Transport {
  return {
    async send(request) {
      const begun = performance.now();
      const answer = await transport.send(request);
      const ms = Math.round(performance.now() - begun);
      io.log(`GET ${request.target} ${answer.status}, answered by release ${stamp} in ${ms} ms`);
      return answer;
    },
    close: () => transport.close(),
  };
}

function clientOptions(
  globals: GlobalOptions,
  io: Io,
): Partial<ClientOptions> & Pick<ClientOptions, 'unchecked' | 'signal'> {
  const { maxWait, retries, timeout, deadline, fresh, offline, maxAge, cache, unchecked } = globals;
  return {
    fresh,
    offline,
    maxAge,
    noCache: !cache,
    unchecked,
    deadline: deadline === null ? null : Date.now() + deadline,
    signal: io.signal,
    ...(maxWait === null ? {} : { maxWait }),
    ...(retries === null ? {} : { retries }),
    ...(timeout === null ? {} : { timeout }),
  };
}
