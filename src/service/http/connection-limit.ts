/**
 * The most connections at a time. Node would refuse each new one beyond them, so that one client that opens them all and sends
 * nothing keeps all others out; here an idle one of the address with the most of them makes room instead.
 */
import type { Socket } from 'node:net';
import { pushTo } from '../../platform/collections.ts';

export interface ConnectionLimit {
  /** Takes a new connection, before TLS; where all are busy it is closed at once. */
  admit(socket: Socket): void;
  /** Closes all that are open. */
  closeAll(): void;
}

/** @param isIdle whether nothing is pending on a connection */
export function limitConnections(most: number, isIdle: (socket: Socket) => boolean): ConnectionLimit {
  /** In order of arrival, with the address they come from. */
  const open = new Map<Socket, string>();

  /** The oldest idle connection of the address that has the most idle ones. */
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
      // A connection that is gone already has no address.
      open.set(socket, socket.remoteAddress ?? '-');
      socket.once('close', () => open.delete(socket));
    },
    closeAll() {
      for (const socket of open.keys()) socket.destroy();
    },
  };
}
