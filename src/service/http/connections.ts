/**
 * Limits the number of connections, and tracks the pending requests of each. When a connection breaks, Node.js emits `close` only for the
 * response that is being sent, not for pipelined responses waiting after it.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pushTo } from '../../platform/collections.ts';

export type Connections = ReturnType<typeof trackConnections>;

interface Connection {
  readonly endCallbacks: Set<(isSent: boolean) => void>;
  /** Number of pending requests that do not wait for the client. */
  workCount: number;
  /** Callbacks that end the reading of a body. */
  readonly cancelCallbacks: Set<() => void>;
  newestResponse: ServerResponse | null;
  sendLast: (() => void) | null;
  /** Whether the connection ignores further requests. */
  isEnding: boolean;
}

/**
 * Number of pending requests after which a connection accepts only one more. The number is limited because responses
 * that a client never reads would fill the memory.
 */
const MAX_PENDING_REQUESTS = 256;

/** Maximum time to wait until a client closes its side of a connection. */
const LINGER_MS = 1_000;

export function trackConnections() {
  const connections = new Map<Socket, Connection>();
  let draining = false;

  function add(socket: Socket): void {
    const connection: Connection = {
      endCallbacks: new Set(),
      workCount: 0,
      cancelCallbacks: new Set(),
      newestResponse: null,
      sendLast: null,
      isEnding: false,
    };
    connections.set(socket, connection);
    replaceDestroySoon(socket);
    socket.once('close', () => {
      connections.delete(socket);
      for (const end of connection.endCallbacks) end(false);
    });
  }

  /**
   * Accepts a request; returns null if the connection no longer accepts requests.
   * @param onEnd called once: with true when the response has been sent, with false if the connection closes
   * earlier
   */
  function begin({ socket }: IncomingMessage, outgoing: ServerResponse, onEnd: (isSent: boolean) => void) {
    const connection = connections.get(socket);
    if (connection === undefined || connection.isEnding) return null;
    const beganWhileDraining = draining;
    const isFull = connection.endCallbacks.size >= MAX_PENDING_REQUESTS;
    if (isFull) connection.isEnding = true;
    connection.newestResponse = outgoing;
    connection.workCount += 1;
    let isWaiting = false;
    let cancelWait: (() => void) | null = null;
    /**
     * Records whether the request waits for its client, which sends the body or reads the response.
     * @param cancel ends the wait
     */
    const setWaiting = (waits: boolean, cancel?: () => void) => {
      if (cancelWait !== null) connection.cancelCallbacks.delete(cancelWait);
      cancelWait = cancel ?? null;
      if (cancel !== undefined) connection.cancelCallbacks.add(cancel);
      if (cancel !== undefined && draining) cancel();
      if (waits === isWaiting) return;
      isWaiting = waits;
      connection.workCount += waits ? -1 : 1;
    };
    const end = (isSent: boolean) => {
      if (!connection.endCallbacks.delete(end)) return;
      setWaiting(true);
      onEnd(isSent);
      if (connection.endCallbacks.size > 0) return;
      if (connection.sendLast !== null) connection.sendLast();
      else if (draining) {
        connection.isEnding = true;
        socket.destroySoon();
      }
    };
    connection.endCallbacks.add(end);
    outgoing.on('close', () => end(outgoing.writableFinished));
    return {
      /**
       * Whether this response is the last of its connection, which then accepts no more requests. Call when writing
       * headers.
       */
      isLast() {
        // While the server stops, a connection ends after the response to its newest request, or to the first request
        // that arrived since the stop began.
        const isLast = isFull || (draining && (beganWhileDraining || connection.newestResponse === outgoing));
        if (isLast) connection.isEnding = true;
        return isLast;
      },
      setWaiting,
    };
  }

  /**
   * Stops accepting requests on the connection.
   * @param send writes the last response, after the responses to all pending requests; not called if the connection
   * is closed or already ending
   */
  function endWith(socket: Socket, send: () => void): void {
    const connection = connections.get(socket);
    if (connection === undefined) {
      // The connection is already closed, or its TLS handshake failed.
      socket.destroy();
      return;
    }
    if (connection.isEnding) return;
    connection.isEnding = true;
    if (connection.endCallbacks.size === 0) send();
    else connection.sendLast = send;
    // Nothing more arrives on this connection, so a body that is being read stays incomplete.
    for (const cancel of connection.cancelCallbacks) cancel();
  }

  /**
   * Closes idle connections immediately, and every other connection after the response to its last pending request.
   * Requests whose body has not arrived completely are ended. Resolves when all connections are closed.
   */
  async function drain(): Promise<void> {
    draining = true;
    const closePromises: Promise<void>[] = [];
    for (const [socket, { endCallbacks, cancelCallbacks }] of connections) {
      for (const cancel of cancelCallbacks) cancel();
      if (endCallbacks.size === 0) socket.destroy();
      else closePromises.push(new Promise((resolve) => socket.once('close', () => resolve())));
    }
    await Promise.all(closePromises);
  }

  const isIdle = (socket: Socket) => (connections.get(socket)?.endCallbacks.size ?? 0) === 0;

  /** Whether all pending requests of the connection wait for its client. */
  const isWaiting = (socket: Socket) => (connections.get(socket)?.workCount ?? 0) === 0;

  return { add, begin, endWith, isIdle, isWaiting, drain };
}

/**
 * Makes `destroySoon` close only the sending direction at first. Node.js would close both directions. That resets the
 * connection if the client has sent more data, and the client loses unread responses
 * (https://www.rfc-editor.org/rfc/rfc9112#section-9.6).
 */
function replaceDestroySoon(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}

/**
 * Limits the number of connections. At the limit, a new connection replaces an idle connection of the address with the
 * most idle connections; without idle connections, a connection that waits for its client. Refusing the new connection,
 * as Node.js does, would let one client with many silent or slow connections lock out all others.
 * @param isIdle whether a connection has no pending request
 * @param isWaiting whether all pending requests of a connection wait for its client
 */
export function limitConnections(max: number, isIdle: (socket: Socket) => boolean, isWaiting: typeof isIdle) {
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
    /**
     * Admits a new connection, before TLS. If the limit is reached and the service works on a request of every
     * connection, closes the new connection immediately.
     */
    admit(socket: Socket): void {
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
    closeAll(): void {
      for (const socket of addresses.keys()) socket.destroy();
    },
  };
}
