/** How commands reach a service. `cli.ts` provides it: commands do not know what answers. */
import type { Client } from '../../client/client.ts';

export interface Connection {
  readonly client: Client;
  /** Whether this program's own service answers, in the process. */
  readonly local: boolean;
  /** Whether it answers from the sample, which holds little of some kinds. */
  readonly sample: boolean;
}

/**
 * Opens a connection, or throws a Failure: no key, no release, an address that is none.
 * @param say takes what is to be said of who answers; to stderr at once, unless it is given
 */
export type Connect = (say?: (line: string) => void) => Promise<Connection>;
