/** How commands reach a service. `cli.ts` provides it: commands do not know what answers. */
import type { Client } from '../../client/types.ts';

export interface Connection {
  readonly client: Client;
  /** Whether this program's own service answers, in the process. */
  readonly local: boolean;
}

/** Opens a connection, or throws a Failure: no key, no release, an address that is none. */
export type Connect = () => Promise<Connection>;
