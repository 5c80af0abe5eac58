/** Kept-alive connections to one origin, with bounds on time, own certificate authorities and the environment's proxy. */
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { readAuthorities } from './certificates.ts';
import { proxyFor } from './proxy.ts';

type Env = Readonly<Record<string, string | undefined>>;

const CONNECT_TIMEOUT = 10_000;
const IDLE_TIMEOUT = 30_000;

export interface AgentRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface OriginAgent {
  /** The address of the proxy on the way, or null. */
  readonly proxy: string | null;
  /** The response's head, with its body to be read; rejects as soon as the signal is aborted. */
  get(request: AgentRequest): Promise<Dispatcher.ResponseData>;
  /** Ends all connections, also those that are still being made. */
  close(): Promise<void>;
}

/** Throws a usage Failure for a proxy or a file of authorities that cannot be used. */
export function openAgent(base: URL, env: Env): OriginAgent {
  const pending = pendingConnections();
  const proxy = proxyFor(base, env);
  const dispatcher = openDispatcher(env, proxy, pending);
  // Not before: what cannot be opened is not closed either.
  compileParserOnce(true);
  return {
    proxy,
    get: ({ path, headers, signal }) =>
      rejectOnAbort(dispatcher.request({ origin: base.origin, path, method: 'GET', headers, signal }), signal),
    async close() {
      const closed = dispatcher.destroy();
      pending.destroy();
      await closed;
      compileParserOnce(false);
    },
  };
}

function openDispatcher(env: Env, proxy: string | null, { watch }: PendingConnections): Dispatcher {
  const ca = readAuthorities(env);
  const tls = { timeout: CONNECT_TIMEOUT, ...(ca === null ? {} : { ca: [...ca] }) };
  const bounds = { headersTimeout: IDLE_TIMEOUT, bodyTimeout: IDLE_TIMEOUT };
  if (proxy === null) return new Agent({ ...bounds, connect: watch(buildConnector(tls)) });
  return new ProxyAgent({
    ...bounds,
    uri: proxy,
    requestTls: tls,
    proxyTls: tls,
    // Makes what connects to the proxy itself.
    clientFactory: (origin, options) => new Pool(origin, { ...options, connect: watch(connectorOf(options)) }),
  });
}

function connectorOf(options: object): buildConnector.connector {
  if ('connect' in options && typeof options.connect === 'function') return options.connect as buildConnector.connector;
  throw new Error('undici gave no connector to its proxy client');
}

interface PendingConnections {
  /** The connector, with each connection it begins remembered until it is made. */
  watch(connector: buildConnector.connector): buildConnector.connector;
  destroy(): void;
}

/**
 * undici gives up a request, but not the connection it waits for, which would keep the process alive for as long
 * as connecting may take.
 */
function pendingConnections(): PendingConnections {
  const sockets = new Set<{ destroy(error: Error): unknown }>();
  return {
    watch: (connector) => (options, callback) => {
      // The connector returns its socket, which undici's types do not say.
      const socket = connector(options, (...result) => {
        sockets.delete(socket);
        callback(...result);
      }) as unknown as { destroy(error: Error): unknown };
      sockets.add(socket);
      return socket;
    },
    destroy() {
      for (const socket of sockets) socket.destroy(new Error('The connection is no longer wanted.'));
    },
  };
}

/** undici notices an abort only once it is connected. */
function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/**
 * V8 compiles undici's WebAssembly parser a second time, optimized, in the background, and node waits for that at its
 * exit: 45 to 95 ms for a parser that reads a few responses. Compiled code that V8 caches is taken again under the
 * same flags only, so they are put back.
 */
function compileParserOnce(once: boolean): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of ['wasm-tier-up', 'wasm-dynamic-tiering']) setFlagsFromString(`--${once ? 'no-' : ''}${flag}`);
}

/** Header names in lower case, repeated ones joined. */
export function flattenHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}
