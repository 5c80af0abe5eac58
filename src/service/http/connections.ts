/**
 * The requests under way, by connection. Node tells of the end of an answer only once the answer has the connection
 * to itself: of those that wait behind it on a connection that breaks, it tells nothing.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /** A new connection, on which nothing is under way. */
  add(socket: Socket): void;
  /**
   * Takes a request in, or gives null where nothing more is answered on its connection.
   * @param over called once: when the answer has left, or when it cannot leave any more as the connection is gone
   */
  begin(incoming: IncomingMessage, outgoing: ServerResponse, over: (left: boolean) => void): PendingRequest | null;
  /**
   * Nothing more is taken in on the connection.
   * @param say called once all that is under way on it has been answered, or cannot be any more: the last word on it
   */
  endWith(socket: Socket, say: () => void): void;
  /**
   * From now on a connection closes with the last answer that was begun on it before, and an idle one at once.
   * Resolves when all of them are closed.
   */
  drain(): Promise<void>;
}

export interface PendingRequest {
  /** Whether this answer is the last of its connection. Asked when its headers are made; what comes after is ignored. */
  isLast(): boolean;
}

interface Connection {
  /** What is to be called for each request under way. */
  readonly ends: Set<(left: boolean) => void>;
  newest: ServerResponse | null;
  lastWord: (() => void) | null;
  /** The last answer is made, and what still comes is not looked at. */
  ending: boolean;
}

/** So many unanswered on one connection are enough: who asks on without reading must not fill the memory. */
const UNANSWERED_MAX = 256;

/** How long a client may take to close its side of a connection. */
const LINGER_MS = 1_000;

export function trackConnections(): Connections {
  const connections = new Map<Socket, Connection>();
  let draining = false;

  function add(socket: Socket): void {
    const connection: Connection = { ends: new Set(), newest: null, lastWord: null, ending: false };
    connections.set(socket, connection);
    closeGently(socket);
    socket.once('close', () => {
      connections.delete(socket);
      for (const end of connection.ends) end(false);
    });
  }

  function begin({ socket }: IncomingMessage, outgoing: ServerResponse, over: (left: boolean) => void) {
    const connection = connections.get(socket);
    if (connection === undefined || connection.ending) return null;
    const late = draining;
    const full = connection.ends.size >= UNANSWERED_MAX;
    if (full) connection.ending = true;
    connection.newest = outgoing;
    const end = (left: boolean) => {
      if (!connection.ends.delete(end)) return;
      over(left);
      if (connection.ends.size > 0) return;
      if (connection.lastWord !== null) connection.lastWord();
      else if (draining) {
        connection.ending = true;
        socket.destroySoon();
      }
    };
    connection.ends.add(end);
    outgoing.on('close', () => end(outgoing.writableFinished));
    return {
      isLast() {
        // What came too late is refused once for all.
        const last = full || (draining && (late || connection.newest === outgoing));
        if (last) connection.ending = true;
        return last;
      },
    };
  }

  function endWith(socket: Socket, say: () => void): void {
    const connection = connections.get(socket);
    if (connection === undefined) {
      // Closed already, or never secure.
      socket.destroy();
      return;
    }
    if (connection.ending) return;
    connection.ending = true;
    if (connection.ends.size === 0) say();
    else connection.lastWord = say;
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

  return { add, begin, endWith, drain };
}

/**
 * Where the answer is the last one, node closes both sides at once. Whatever the client has sent meanwhile would make
 * that a reset, which takes back answers that it has not read yet; so its side is left open a moment (RFC 9112, 9.6).
 */
function closeGently(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}
