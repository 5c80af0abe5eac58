/** Node's HTTP server around the request listener: bounds on what it accepts, and a stop that finishes what runs. */
import { createServer as createClear, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { RequestHandler } from '../middleware/authentication.ts';
import { limitConnections } from './connection-limit.ts';
import { trackConnections } from './connections.ts';
import { type ListenerOptions, requestListener } from './request-listener.ts';
import { sendRaw, type UnreadableRequest, unreadableRequest } from './write-response.ts';

export interface Tls {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

export interface HttpOptions extends Pick<ListenerOptions, 'onServed'> {
  /** Makes the handler of requests to this address, which may ask whether the server is stopping. */
  readonly handlerFor: (baseUrl: string, isStopping: () => boolean) => RequestHandler;
  /** What clients call this service, where that is not its own address: behind a proxy. */
  readonly publicUrl: string | null;
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly tls: Tls | null;
  /** Time for the headers of a request to arrive, and half as much again for all of it; ten seconds by default. */
  readonly headersTimeoutMs?: number;
  /** At a time; 1,024 by default. */
  readonly maxConnections?: number;
}

export interface HttpServer {
  /** Without a slash at the end; also where the addresses of problem types begin. */
  readonly baseUrl: string;
  /** Refuses new requests with 503, and resolves once all that runs has been answered. */
  stop(): Promise<void>;
}

const BOUNDS = {
  // Enough for the longest URL that is answered, and headers as well.
  maxHeaderSize: 32_768,
  // How long a connection may be idle between two requests.
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  // The request listener checks it and answers with a problem; node would answer without one.
  requireHostHeader: false,
  noDelay: true,
} as const;
const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
const HEADERS_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 1_024;
/** A client that does not read its response in this time has lost it. */
const SEND_TIMEOUT_MS = 30_000;

export async function startHttp(options: HttpOptions): Promise<HttpServer> {
  const secure = options.tls !== null;
  const { headersTimeoutMs: headersTimeout = HEADERS_TIMEOUT_MS, maxConnections = MAX_CONNECTIONS } = options;
  const bounds = { ...BOUNDS, headersTimeout, requestTimeout: headersTimeout * 1.5 };
  const server: Server = secure ? createSecure({ ...bounds, ...options.tls }) : createClear(bounds);
  server.setTimeout(SEND_TIMEOUT_MS);
  const address = await listen(server, options.port, options.host);
  const baseUrl = options.publicUrl ?? urlOf(address, secure);

  let stopping = false;
  const handler = options.handlerFor(baseUrl, () => stopping);
  const connections = trackConnections();
  const anyAddress = options.publicUrl === null && ANY_ADDRESS.has(address.address);
  const listener = requestListener({ handler, baseUrl, anyAddress, secure, connections, onServed: options.onServed });
  const secured = new Map<string, Socket>();
  const limit = limitConnections(maxConnections, (socket) =>
    connections.isIdle(secure ? (secured.get(peerOf(socket)) ?? socket) : socket),
  );
  server.on('connection', limit.admit);
  if (!secure) server.on('connection', connections.add);
  server.on('secureConnection', (socket: Socket) => {
    const peer = peerOf(socket);
    secured.set(peer, socket);
    socket.once('close', () => secured.delete(peer));
    connections.add(socket);
  });
  server.on('request', listener);
  // Node refuses an unknown Expect header with a bare 417; this service ignores the header.
  server.on('checkExpectation', listener);
  server.on('clientError', (error: UnreadableRequest, stream) => {
    const socket = stream as Socket;
    if (error.code === 'ECONNRESET') socket.destroy();
    else connections.endWith(socket, () => sendRaw(socket, unreadableRequest(error, baseUrl), secure));
  });
  server.on('connect', async ({ headers }, stream) => {
    const socket = stream as Socket;
    // Node has let go of the socket: an error without a listener would end the process.
    for (const event of ['error', 'timeout']) socket.on(event, () => socket.destroy());
    const request = { method: 'CONNECT', target: '', headers: headers as Record<string, string> };
    const { response, finish } = await handler.handle(request);
    finish();
    connections.endWith(socket, () => sendRaw(socket, response, secure));
  });

  return {
    baseUrl,
    async stop() {
      stopping = true;
      await connections.drain();
      const closed = new Promise((resolve) => server.close(resolve));
      // What is left is refusals, and connections that never became secure.
      limit.closeAll();
      await closed;
    },
  };
}

/** What a connection and the one over TLS on it have in common. */
const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

function urlOf({ address, family, port }: AddressInfo, secure: boolean): string {
  return `${secure ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
