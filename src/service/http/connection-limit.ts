/**
 * Limits the number of connections. At the limit, a new connection replaces an idle connection of the address with the
 * most idle connections; without idle connections, a connection that waits for its client. Refusing it, as Node.js
 * does, would let one client with many silent or slow connections lock out all others.
 */
import type { Socket } from 'node:net';
import { pushTo } from '../../platform/collections.ts';

interface ConnectionLimit {
  /**
   * Admits a new connection, before TLS. If the limit is reached and the service works on a request of every
   * connection, closes the new connection immediately.
   */
  admit(socket: Socket): void;
  closeAll(): void;
}

/**
 * @param isIdle whether a connection has no pending request
 * @param isWaiting whether all pending requests of a connection wait for its client
 */
export function limitConnections(
  max: number,
  isIdle: (socket: Socket) => boolean,
  isWaiting: (socket: Socket) => boolean,
): ConnectionLimit {
  /** Open connections in order of arrival, each with its remote address. */
  const addresses = new Map<Socket, string>();

  /** Returns the oldest matching connection of the address with the most matching connections. */
  function findSocketToClose(matches: (socket: Socket) => boolean): Socket | undefined {
    const byAddress = new Map<string, Socket[]>();
    for (const [socket, address] of addresses) if (matches(socket)) pushTo(byAddress, address, socket);
    const [sockets] = [...byAddress.values()].sort((a, b) => b.length - a.length);
    return sockets?.[0];
  }

  return {
    admit(socket) {
      if (addresses.size >= max) {
        const socketToClose = findSocketToClose(isIdle) ?? findSocketToClose(isWaiting) ?? socket;
        addresses.delete(socketToClose);
        socketToClose.destroy();
        if (socketToClose === socket) return;
      }
      // A connection that is already closed has no address.
      addresses.set(socket, socket.remoteAddress ?? '-');
      socket.once('close', () => addresses.delete(socket));
    },
    closeAll() {
      for (const socket of addresses.keys()) socket.destroy();
    },
  };
}
