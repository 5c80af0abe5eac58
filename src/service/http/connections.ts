/**
 * The pending requests of each connection. Node emits `close` for a response only once it has the connection to itself:
 * for pipelined responses that wait behind it when a connection breaks, it emits nothing.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /** A new connection, without requests. */
  add(socket: Socket): void;
  /**
   * Accepts a request; null where nothing more is answered on its connection.
   * @param over called once: with true when the response has been sent, with false when the connection is gone
   */
  begin(incoming: IncomingMessage, outgoing: ServerResponse, over: (sent: boolean) => void): PendingRequest | null;
  /**
   * Accepts nothing more on the connection.
   * @param send called once its pending requests are over, to write the last response
   */
  endWith(socket: Socket, send: () => void): void;
  /** Whether nothing is pending on the connection. */
  isIdle(socket: Socket): boolean;
  /**
   * From now on a connection closes after the last response that was begun on it before, and an idle one at once.
   * Resolves when all are closed.
   */
  drain(): Promise<void>;
}

export interface PendingRequest {
  /** Whether this response is the last of its connection: to be called when its headers are made. */
  isLast(): boolean;
}

interface Connection {
  /** To be called at the end of each pending request. */
  readonly ends: Set<(sent: boolean) => void>;
  newest: ServerResponse | null;
  sendLast: (() => void) | null;
  /** The last response is made; further requests are ignored. */
  ending: boolean;
}

/** Pipelined requests on one connection: a client that sends on without reading must not fill the memory. */
const MAX_PENDING = 256;

/** How long a client may take to close its side of a connection. */
const LINGER_MS = 1_000;

export function trackConnections(): Connections {
  const connections = new Map<Socket, Connection>();
  let draining = false;

  function add(socket: Socket): void {
    const connection: Connection = { ends: new Set(), newest: null, sendLast: null, ending: false };
    connections.set(socket, connection);
    closeGently(socket);
    socket.once('close', () => {
      connections.delete(socket);
      for (const end of connection.ends) end(false);
    });
  }

  function begin({ socket }: IncomingMessage, outgoing: ServerResponse, over: (sent: boolean) => void) {
    const connection = connections.get(socket);
    if (connection === undefined || connection.ending) return null;
    const late = draining;
    const full = connection.ends.size >= MAX_PENDING;
    if (full) connection.ending = true;
    connection.newest = outgoing;
    const end = (sent: boolean) => {
      if (!connection.ends.delete(end)) return;
      over(sent);
      if (connection.ends.size > 0) return;
      if (connection.sendLast !== null) connection.sendLast();
      else if (draining) {
        connection.ending = true;
        socket.destroySoon();
      }
    };
    connection.ends.add(end);
    outgoing.on('close', () => end(outgoing.writableFinished));
    return {
      isLast() {
        // The first refusal of a request that came too late is the last response.
        const last = full || (draining && (late || connection.newest === outgoing));
        if (last) connection.ending = true;
        return last;
      },
    };
  }

  function endWith(socket: Socket, send: () => void): void {
    const connection = connections.get(socket);
    if (connection === undefined) {
      // Closed already, or never secure.
      socket.destroy();
      return;
    }
    if (connection.ending) return;
    connection.ending = true;
    if (connection.ends.size === 0) send();
    else connection.sendLast = send;
  }

  async function drain(): Promise<void> {
    draining = true;
    const busy: Promise<void>[] = [];
    for (const [socket, { ends }] of connections) {
      if (ends.size === 0) socket.destroy();
      else busy.push(new Promise((resolve) => socket.once('close', () => resolve())));
    }
    await Promise.all(busy);
  }

  const isIdle = (socket: Socket) => (connections.get(socket)?.ends.size ?? 0) === 0;

  return { add, begin, endWith, isIdle, drain };
}

/**
 * After the last response node closes both sides at once. If the client has sent more meanwhile, that becomes a reset,
 * and responses that it has not read are lost; so its side stays open a moment
 * (https://www.rfc-editor.org/rfc/rfc9112#section-9.6).
 */
function closeGently(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}
