/** Connections to one origin by undici's parts, with bounds on time, authorities and proxies of the environment. */
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import buildConnector from 'undici/lib/core/connect.js';
import DirectAgent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { readAuthorities } from './certificates.ts';
import { type Dialer, openDialer } from './dialer.ts';
import { proxyFor } from './proxy.ts';

type Env = Readonly<Record<string, string | undefined>>;

const CONNECT_TIMEOUT = 10_000;
const QUIET_TIMEOUT = 30_000;

/**
 * Node compiles the HTTP parser a second time, better, in the background, and waits for that at its exit:
 * 45 to 95 ms of work for a parser that reads a few answers. What V8 has compiled is kept, and taken again,
 * under the same flags only; so they are put back.
 */
function spareCompiler(spare: boolean): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of ['wasm-tier-up', 'wasm-dynamic-tiering']) setFlagsFromString(`--${spare ? 'no-' : ''}${flag}`);
}

type Asked = Parameters<typeof request>[0];

export interface Agent {
  /** The address of the proxy on the way, or null. */
  readonly proxy: string | null;
  /** The answer's head, with its body to be read; rejects as soon as the signal is aborted. */
  get(asked: Asked): ReturnType<typeof request>;
  /** Ends all connections, those too that are not through yet. */
  close(): Promise<void>;
}

/** Kept-alive connections to one origin, through the environment's proxy where there is one. */
export function openAgent(base: URL, env: Env): Agent {
  const dialer = openDialer();
  const proxy = proxyFor(base, env);
  const dispatcher = openDispatcher(env, proxy, dialer);
  // Not before: what cannot be opened is not closed either.
  spareCompiler(true);
  return {
    proxy,
    get: (asked) => unlessAborted(request.call(dispatcher, asked), asked.signal),
    async close() {
      const closed = dispatcher.destroy();
      dialer.hangUp();
      await closed;
      spareCompiler(false);
    },
  };
}

function openDispatcher(env: Env, proxy: string | null, { watch }: Dialer) {
  const ca = readAuthorities(env);
  const secure = { timeout: CONNECT_TIMEOUT, ...(ca === null ? {} : { ca }) };
  const bounds = { headersTimeout: QUIET_TIMEOUT, bodyTimeout: QUIET_TIMEOUT };
  if (proxy === null) return new DirectAgent({ ...bounds, connect: watch(buildConnector(secure)) });
  // undici's index gives its methods to every dispatcher; a proxy's tunnel needs this one.
  Object.assign(Dispatcher.prototype, { connect });
  return new EnvHttpProxyAgent({
    ...bounds,
    requestTls: secure,
    proxyTls: secure,
    httpProxy: '',
    httpsProxy: proxy,
    // Already decided: what comes here goes through the proxy.
    noProxy: '',
    clientFactory: (origin, { connect: dial }) => new Pool(origin, { connect: watch(dial) }),
  });
}

/** undici hears of an abort only once it is connected. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
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
