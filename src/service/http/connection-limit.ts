/**
 * Limits the number of connections. Node.js would refuse new connections above a limit, so that one client with many
 * silent connections could lock out all others. This limit instead closes an idle connection of the address with the
 * most idle connections.
 */
import type { Socket } from 'node:net';
import { pushTo } from '../../platform/collections.ts';

export interface ConnectionLimit {
  /**
   * Admits a new connection, before TLS. If the limit is reached and no connection is idle, closes the new connection
   * immediately.
   */
  admit(socket: Socket): void;
  closeAll(): void;
}

/** @param isIdle whether a connection has no pending request */
export function limitConnections(maxConnections: number, isIdle: (socket: Socket) => boolean): ConnectionLimit {
  /** Open connections in order of arrival, each with its remote address. */
  const openSockets = new Map<Socket, string>();

  /** Returns the oldest idle connection of the address with the most idle connections. */
  function findSocketToClose(): Socket | undefined {
    const idleByAddress = new Map<string, Socket[]>();
    for (const [socket, address] of openSockets) if (isIdle(socket)) pushTo(idleByAddress, address, socket);
    const [mostIdleSockets] = [...idleByAddress.values()].sort((a, b) => b.length - a.length);
    return mostIdleSockets?.[0];
  }

  return {
    admit(socket) {
      if (openSockets.size >= maxConnections) {
        const socketToClose = findSocketToClose() ?? socket;
        openSockets.delete(socketToClose);
        socketToClose.destroy();
        if (socketToClose === socket) return;
      }
      // A connection that is already closed has no address.
      openSockets.set(socket, socket.remoteAddress ?? '-');
      socket.once('close', () => openSockets.delete(socket));
    },
    closeAll() {
      for (const socket of openSockets.keys()) socket.destroy();
    },
  };
}
