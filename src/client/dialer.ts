/**
 * Connections under way, let go of at once when they are no longer wanted: undici gives up a request, but
 * not the connection it waits for, which would keep the process for as long as connecting may take.
 */
import buildConnector from 'undici/lib/core/connect.js';

type Connector = ReturnType<typeof buildConnector>;

export interface Dialer {
  readonly connect: Connector;
  /** Ends what is not connected yet. */
  hangUp(): void;
}

export function openDialer(options: Parameters<typeof buildConnector>[0]): Dialer {
  const underWay = new Set<ReturnType<Connector>>();
  const dial = buildConnector(options);
  return {
    connect(asked, done) {
      const socket = dial(asked, (error, connected) => {
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
