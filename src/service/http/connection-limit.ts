/**
 * Limits the number of connections. Node.js would refuse new ones above the limit, so that one client with many
 * silent connections could keep out all others. Here, an idle connection of the address with the most connections is
 * closed instead.
 */
import type { Socket } from 'node:net';
import { pushTo } from '../../platform/collections.ts';

export interface ConnectionLimit {
  /** Admits a new connection, before TLS; closes it immediately if all others are busy. */
  admit(socket: Socket): void;
  /** Closes all open connections. */
  closeAll(): void;
}

/** @param isIdle whether a connection has no pending request */
export function limitConnections(most: number, isIdle: (socket: Socket) => boolean): ConnectionLimit {
  /** In order of arrival, each with its remote address. */
  const open = new Map<Socket, string>();

  /** Returns the oldest idle connection of the address with the most idle ones. */
  function mostDispensable(): Socket | undefined {
    const idle = new Map<string, Socket[]>();
    for (const [socket, address] of open) if (isIdle(socket)) pushTo(idle, address, socket);
    const [most] = [...idle.values()].sort((a, b) => b.length - a.length);
    return most?.[0];
  }

  return {
    admit(socket) {
      if (open.size >= most) {
        const idle = mostDispensable() ?? socket;
        open.delete(idle);
        idle.destroy();
        if (idle === socket) return;
      }
      // A connection that is already closed has no address.
      open.set(socket, socket.remoteAddress ?? '-');
      socket.once('close', () => open.delete(socket));
    },
    closeAll() {
      for (const socket of open.keys()) socket.destroy();
    },
  };
}
