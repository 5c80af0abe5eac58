/**
 * Kept-alive connections to one origin, with timeouts, custom certificate authorities, and the proxy that the
 * environment sets.
 */

import type { Socket } from 'node:net';
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { Failure } from '../contract/failure.ts';
import { readInputText } from '../platform/files/input-text.ts';
import { makeSystemFailure } from '../platform/files/system-error.ts';
import { rejectOnAbort } from '../platform/workers/gate.ts';
import { ProxyRefusalError } from './network-errors.ts';

type Env = Readonly<Record<string, string | undefined>>;

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 30_000;

interface AgentRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export type OriginAgent = ReturnType<typeof openAgent>;

/** Opens connections to an origin. Throws a usage Failure for an unusable proxy or file of certificate authorities. */
export function openAgent(base: URL, env: Env) {
  const pending = trackPendingConnections();
  const proxy = findProxy(base, env);
  const dispatcher = openDispatcher(base, env, proxy, pending);
  // Called after all checks: if a check throws, nothing is closed, and so V8's flags would not be restored.
  setTierUpPrevention(true);
  return {
    /** Address of the proxy in use; null for direct connections. */
    proxy,
    /**
     * Sends a GET request. Resolves with the response's head and its unread body; rejects as soon as the signal aborts:
     * undici handles an abort only after the connection is established.
     */
    get: ({ path, headers, signal }: AgentRequest) =>
      rejectOnAbort(dispatcher.request({ origin: base.origin, path, method: 'GET', headers, signal }), signal),
    /** Closes all connections, including those being established. */
    async close() {
      const whenClosed = dispatcher.destroy();
      pending.destroy();
      await whenClosed;
      setTierUpPrevention(false);
    },
  };
}

function openDispatcher({ origin }: URL, env: Env, proxy: string | null, { watch }: PendingConnections): Dispatcher {
  const authorities = readCertificateAuthorities(env);
  const tlsOptions = { timeout: CONNECT_TIMEOUT_MS, ...(authorities === null ? {} : { ca: [...authorities] }) };
  const timeouts = { headersTimeout: IDLE_TIMEOUT_MS, bodyTimeout: IDLE_TIMEOUT_MS };
  // A Pool rather than an Agent, because an Agent opens a connection for every request after one failure.
  if (proxy === null)
    return new Pool(origin, { ...timeouts, connect: watch(withWorkarounds(buildConnector(tlsOptions))) });
  return new ProxyAgent({
    ...timeouts,
    uri: proxy,
    requestTls: tlsOptions,
    proxyTls: tlsOptions,
    factory: (origin, options) => new Pool(origin, { ...options, connect: withWorkarounds(requireConnector(options)) }),
    // Also tracks the connections that the ProxyAgent opens to the proxy.
    clientFactory: (origin, options) =>
      new ProxyPool(origin, { ...options, connect: watch(requireConnector(options)) }),
  });
}

/** Connections to a proxy. undici reports a refused tunnel only as text, so the response to CONNECT is checked here. */
class ProxyPool extends Pool {
  override connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>;
  override connect(options: Dispatcher.ConnectOptions, callback: ConnectCallback): void;
  override connect(options: Dispatcher.ConnectOptions, callback?: ConnectCallback): unknown {
    if (callback !== undefined) return super.connect(options, callback);
    return super.connect(options).then((tunnel) => {
      if (tunnel.statusCode === 200) return tunnel;
      tunnel.socket.on('error', () => {}).destroy();
      throw new ProxyRefusalError(tunnel.statusCode);
    });
  }
}

type ConnectCallback = (error: Error | null, data: Dispatcher.ConnectData) => void;

function requireConnector(options: object): buildConnector.connector {
  if ('connect' in options && typeof options.connect === 'function') return options.connect as buildConnector.connector;
  throw new Error('undici gave no connector to its proxy client');
}

type PendingConnections = ReturnType<typeof trackPendingConnections>;

/**
 * Tracks connections until they are established. If a request is abandoned, undici does not close the connection that
 * is being established for it. That connection would keep the process alive until a timeout.
 */
function trackPendingConnections() {
  const sockets = new Set<{ destroy(error: Error): unknown }>();
  return {
    /** Returns the connector, extended to record each connection until it is established. */
    watch:
      (connector: buildConnector.connector): buildConnector.connector =>
      (options, callback) => {
        // The connector returns its socket, although undici's types omit this return value.
        const socket = connector(options, (...result) => {
          sockets.delete(socket);
          callback(...result);
        }) as unknown as { destroy(error: Error): unknown };
        sockets.add(socket);
        return socket;
      },
    destroy() {
      for (const socket of sockets) socket.destroy(new Error('The request was cancelled.'));
    },
  };
}

/** Returns the connector, extended to work around two faults of undici on each of its connections. */
const withWorkarounds =
  (connector: buildConnector.connector): buildConnector.connector =>
  (options, callback) =>
    connector(options, (...result) => {
      if (result[1]) {
        acceptContinue(result[1]);
        resumeAtEnd(result[1]);
      }
      callback(...result);
    });

/** The part of undici's parser of responses that the workarounds below use. */
interface Parser {
  paused: boolean;
  readonly ptr: number | null;
  readonly llhttp: { llhttp_resume(parser: number): void };
  resume(): void;
  onHeadersComplete(status: number, ...rest: unknown[]): number;
}

/** Returns the parser of a connection; absent before undici has taken the connection over, and after its end. */
function findParser(socket: Socket): Parser | null | undefined {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  return key && (socket as unknown as Readonly<Record<symbol, Parser | null>>)[key];
}

/**
 * Makes undici ignore a 100 (Continue) like other interim responses, as a client must even if it expected none
 * (https://www.rfc-editor.org/rfc/rfc9110#section-15.2). undici would close the connection at a 100, so its
 * parser is given 102.
 */
function acceptContinue(socket: Socket): void {
  // This listener precedes undici's own, which is added once the connection is established.
  socket.once('readable', () => {
    const parser = findParser(socket);
    if (!parser) return;
    const complete = parser.onHeadersComplete;
    parser.onHeadersComplete = (status, ...rest) => complete.call(parser, status === 100 ? 102 : status, ...rest);
  });
}

/** Maximum number of resumes: after each, the rest of the last chunk may pause the parser again. */
const MAX_RESUMES = 100;

/**
 * Works around an uncaught assertion of undici 7: its parser must not be paused when a connection ends together with
 * its response. The parser is paused if the body is read more slowly than it arrives
 * (https://github.com/nodejs/undici/issues/5360).
 */
function resumeAtEnd(socket: Socket): void {
  const resume = () => {
    const parser = findParser(socket);
    if (!parser) return;
    for (let attempt = 0; parser.paused && !socket.destroyed && attempt < MAX_RESUMES; attempt += 1) parser.resume();
    // The loop gives up on a body without a length, because each chunk pauses the parser again.
    if (parser.paused && parser.ptr !== null) parser.llhttp.llhttp_resume(parser.ptr);
    parser.paused = false;
  };
  // These listeners must precede undici's own, which undici adds once connected.
  socket.once('end', resume);
  socket.once('close', resume);
}

/**
 * Prevents a second, optimizing compilation of undici's WebAssembly parser, for which Node.js would wait at exit: 45 to
 * 95 ms for a parser that reads a few responses. The flags are restored afterwards, because V8 reuses cached code only
 * under the same flags.
 */
function setTierUpPrevention(prevent: boolean): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of ['wasm-tier-up', 'wasm-dynamic-tiering']) setFlagsFromString(`--${prevent ? 'no-' : ''}${flag}`);
}

/** Returns header values by lowercase name; repeated headers are joined. */
export function flattenHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}

const PROXY_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'socks:', 'socks5:']);

/**
 * Returns the address of the proxy for a URL; null if no proxy applies, as for http:// URLs, which are on this machine.
 * Throws a usage Failure for an invalid address; its message does not quote the address, which may contain a password.
 */
export function findProxy(url: URL, env: Env): string | null {
  if (url.protocol !== 'https:') return null;
  const proxy = readEitherCase(env, 'https_proxy') ?? readEitherCase(env, 'all_proxy');
  if (proxy === undefined || isProxyExempt(url, readEitherCase(env, 'no_proxy') ?? '')) return null;
  const address = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (URL.canParse(address) && PROXY_PROTOCOLS.has(new URL(address).protocol)) return address;
  const hint =
    'Write the proxy as http://host:port, https://host:port or socks5://host:port. NO_PROXY lists hosts to connect to without a proxy.';
  throw new Failure('usage', 'The proxy in HTTPS_PROXY or ALL_PROXY cannot be used.', { hint });
}

/** Returns an environment variable in lower or upper case; an empty variable counts as missing. */
const readEitherCase = (env: Env, name: string): string | undefined =>
  [env[name], env[name.toUpperCase()]].find((text) => text !== undefined && text !== '');

/** Whether `NO_PROXY` lists the host: `*`, a domain with its subdomains, an address, or a subnet such as `10.0.0.0/8`. */
function isProxyExempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port === '' ? '443' : url.port;
  const entries = list.split(/[\s,]+/).filter((entry) => entry !== '');
  return entries.some((entry) => {
    if (entry === '*' || isInSubnet(host, entry)) return true;
    const match = /^(?:\[(?<six>[^\]]+)\]|(?<name>[^:]+|[^:]*:[^:]*:.*?))(?::(?<at>\d+))?$/.exec(entry.toLowerCase());
    const exemptHost = (match?.groups?.six ?? match?.groups?.name ?? '').replace(/^\*?\./, '');
    const isPort = (match?.groups?.at ?? port) === port;
    return exemptHost !== '' && isPort && (host === exemptHost || host.endsWith(`.${exemptHost}`));
  });
}

/** Whether a host is an address of the subnet. Host names are not resolved. */
function isInSubnet(host: string, subnet: string): boolean {
  const { BlockList, isIP } = process.getBuiltinModule('node:net');
  const [, address = '', bits = ''] = /^\[?([^[\]/]+)\]?\/(\d{1,3})$/.exec(subnet) ?? [];
  const version = isIP(address);
  if (version === 0 || isIP(host) !== version || Number(bits) > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const subnets = new BlockList();
  subnets.addSubnet(address, Number(bits), family);
  return subnets.check(host, family);
}

/**
 * Returns all certificate authorities to trust; null for Node's defaults. A custom list replaces Node's, so the result
 * includes Node's roots and those of NODE_EXTRA_CA_CERTS.
 */
function readCertificateAuthorities(env: Env): readonly string[] | null {
  const file = env.FIN_CA_FILE;
  if (file === undefined || file === '') return null;
  const extraFile = env.NODE_EXTRA_CA_CERTS;
  // Loaded on demand, because loading node:tls would double the time of a question to a service on this machine.
  const { rootCertificates } = process.getBuiltinModule('node:tls');
  const extraAuthorities = extraFile === undefined || extraFile === '' ? [] : readExtraAuthorities(extraFile);
  return [...rootCertificates, ...extraAuthorities, readAuthorityFile(file)];
}

/**
 * Returns the authorities in NODE_EXTRA_CA_CERTS. Ignores an unreadable file, like Node.js, which has already warned
 * about it.
 */
function readExtraAuthorities(file: string): string[] {
  try {
    return [readInputText(file)];
  } catch {
    return [];
  }
}

function readAuthorityFile(file: string): string {
  try {
    const text = readInputText(file);
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch (cause) {
    throw makeSystemFailure('usage', `The certificates in ${file} (FIN_CA_FILE or ca_file) cannot be read`, cause);
  }
  throw new Failure('usage', `The file ${file} (FIN_CA_FILE or ca_file) contains no certificate in PEM form.`);
}
