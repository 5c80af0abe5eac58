/**
 * Connections under way, let go of at once when they are no longer wanted: undici gives up a request, but
 * not the connection it waits for, which would keep the process for as long as connecting may take.
 */
import type { Connector } from 'undici/lib/core/connect.js';

export interface Dialer {
  /** The connector, watched. */
  watch(connector: Connector): Connector;
  /** Ends what is not connected yet. */
  hangUp(): void;
}

export function openDialer(): Dialer {
  const underWay = new Set<ReturnType<Connector>>();
  return {
    watch: (connector) => (asked, done) => {
      const socket = connector(asked, (error, connected) => {
        underWay.delete(socket);
        done(error, connected);
      });
      underWay.add(socket);
      return socket;
    },
    hangUp() {
      for (const socket of underWay) socket.destroy(new Error('The connection is no longer wanted.'));
    },
  };
}
