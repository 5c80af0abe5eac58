/** Node's HTTP server with limits on requests and connections; stopping it completes running requests. */
import { once } from 'node:events';
import { createServer as createClear, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { chooseRequestId } from '../request/request-id.ts';
import type { Service } from '../responses/service.ts';
import { limitConnections, trackConnections } from './connections.ts';
import { createRequestListener, type ListenerOptions } from './request-listener.ts';
import { makeUnreadableRequestResponse, sendRaw, type UnreadableRequestError } from './write-response.ts';

export interface HttpOptions extends Pick<ListenerOptions, 'onServed' | 'bodyTimeoutMs' | 'sendTimeoutMs'> {
  /** Returns the service at this address. `isStopping` returns whether the server is stopping. */
  readonly createService: (baseUrl: string, isStopping: () => boolean) => Service;
  /** The address by which clients reach this service through a proxy; null for the server's own address. */
  readonly publicUrl: string | null;
  readonly host: string;
  /** The port to listen on; 0 for any free port. */
  readonly port: number;
  readonly tls: { readonly cert: string | Buffer; readonly key: string | Buffer } | null;
  /**
   * Maximum time until a request's headers have arrived; the whole request may take 1.5 times as long. Default: 10 s.
   */
  readonly headersTimeoutMs?: number;
  /** Maximum number of simultaneous connections; default: 1,024. */
  readonly maxConnections?: number;
}

const SERVER_LIMITS = {
  // Maximum bytes of a request's head: enough for the longest accepted URL and all headers.
  maxHeaderSize: 32_768,
  // Maximum idle time of a connection between two requests.
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  // The request listener checks the Host header instead, because a refusal by Node.js has no problem document.
  requireHostHeader: false,
  noDelay: true,
} as const;
const WILDCARD_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
const DEFAULT_HEADERS_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_CONNECTIONS = 1_024;
/** Maximum time without activity on a connection, for example of a client that does not read its response. */
const INACTIVITY_TIMEOUT_MS = 30_000;

export async function startHttp(options: HttpOptions) {
  const secure = options.tls !== null;
  const { headersTimeoutMs: headersTimeout = DEFAULT_HEADERS_TIMEOUT_MS, maxConnections = DEFAULT_MAX_CONNECTIONS } =
    options;
  const limits = { ...SERVER_LIMITS, headersTimeout, requestTimeout: headersTimeout * 1.5 };
  const server: Server = secure
    ? createSecure({ ...limits, ...options.tls, handshakeTimeout: headersTimeout })
    : createClear(limits);
  server.setTimeout(INACTIVITY_TIMEOUT_MS);
  // Rejects with the server's error.
  await once(server.listen(options.port, options.host), 'listening');
  const address = server.address() as AddressInfo;
  const baseUrl = options.publicUrl ?? formatUrl(address, secure);

  let stopping = false;
  const service = options.createService(baseUrl, () => stopping);
  const connections = trackConnections();
  const wildcard = options.publicUrl === null && WILDCARD_ADDRESSES.has(address.address);
  const listener = createRequestListener({
    ...options,
    ...{ service, baseUrl, isWildcardAddress: wildcard, isSecure: secure, connections },
  });
  const byPeer = new Map<string, Socket>();
  // Requests belong to the TLS connection, which is another object than the admitted TCP connection.
  const findCounterpart = (socket: Socket) => (secure ? (byPeer.get(formatPeer(socket)) ?? socket) : socket);
  const connectionLimit = limitConnections(
    maxConnections,
    (socket) => connections.isIdle(findCounterpart(socket)),
    (socket) => connections.isWaiting(findCounterpart(socket)),
  );
  server.on('connection', connectionLimit.admit);
  if (!secure) server.on('connection', connections.add);
  server.on('secureConnection', (socket: Socket) => {
    const peer = formatPeer(socket);
    byPeer.set(peer, socket);
    socket.once('close', () => byPeer.delete(peer));
    connections.add(socket);
  });
  server.on('request', listener);
  // By default, Node.js refuses an unknown Expect header with a bare 417; this service ignores the header instead.
  server.on('checkExpectation', listener);
  server.on('clientError', (error: UnreadableRequestError, stream) => {
    const socket = stream as Socket;
    if (error.code === 'ECONNRESET') socket.destroy();
    else connections.endWith(socket, () => sendRaw(socket, makeUnreadableRequestResponse(error, baseUrl), secure));
  });
  server.on('connect', async ({ headers }, stream) => {
    const socket = stream as Socket;
    // Needed because Node.js removed its listeners from this socket: an error event without a listener would end the
    // process.
    for (const event of ['error', 'timeout']) socket.on(event, () => socket.destroy());
    const id = chooseRequestId(headers['x-request-id']?.toString());
    const plainHeaders = headers as Record<string, string>;
    const response = await service({ method: 'CONNECT', target: '', headers: plainHeaders, id, baseUrl });
    response.finish?.();
    connections.endWith(socket, () => sendRaw(socket, response, secure));
  });

  return {
    /** The address by which clients reach this service, without a trailing slash. */
    baseUrl,
    /** Refuses new requests with 503; resolves when the responses to all running requests have been sent. */
    async stop(): Promise<void> {
      stopping = true;
      await connections.drain();
      const whenClosed = new Promise((resolve) => server.close(resolve));
      // Closes the remaining connections: refused connections, and connections without a completed TLS handshake.
      connectionLimit.closeAll();
      await whenClosed;
    },
  };
}

/** Returns the remote address and port, which a TCP connection and the TLS connection on top of it have in common. */
const formatPeer = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

const formatUrl = ({ address, family, port }: AddressInfo, secure: boolean): string =>
  `${secure ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
