/**
 * Sends GET requests: keep-alive, redirects that the caller permits, limits on time and transfer rate, content
 * decoding, and errors with explanations. Does not retry.
 */
import { pipeline, type Readable } from 'node:stream';
import { getOrInsert } from '../platform/collections.ts';
import { readErrorCode } from '../platform/files/system-error.ts';
import { findRedirectTarget, isRedirect, MAX_REDIRECTS } from './addresses.ts';
import { flattenHeaders, type OriginAgent, openAgent } from './agent.ts';
import { ConnectionError, explainNetworkError } from './network-errors.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface GetRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | null;
  /** Maximum milliseconds for the whole response including redirects; null for no limit. */
  readonly timeout?: number | null;
  /** Maximum time and minimum transfer rate of each request, including redirects; null for neither. */
  readonly pace?: Pace | null;
  /**
   * Returns whether to follow a redirect to an address, to which the same headers are then sent. By default, only
   * redirects within the origin are followed.
   */
  readonly mayFollow?: (to: URL) => boolean;
  /** Called before each request, including redirects, to count requests or to delay them. */
  readonly beforeRequest?: () => Promise<void> | void;
}

export interface GetResponse {
  /**
   * Status of the response. A redirect status means that the redirect was refused by `mayFollow`, had an unusable
   * address, or was one too many.
   */
  readonly status: number;
  /** Header values by lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Address of the response after redirects. */
  readonly url: string;
  /** The decoded body, which must be read or discarded. If iteration stops early, the connection is closed. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * Discards the body: reads the rest of a short body, so that the connection can be reused; closes the connection if
   * the body is long.
   */
  discard(): Promise<void>;
}

export type HttpClient = ReturnType<typeof openHttp>;

/**
 * Opens connections.
 * @param urls origins whose proxy and certificates are checked immediately; throws a usage Failure if they are
 * unusable
 */
export function openHttp(env: Env, urls: readonly URL[] = []) {
  const agents = new Map<string, OriginAgent>();
  const getAgent = (url: URL) => getOrInsert(agents, url.origin, () => openAgent(url, env));
  for (const url of urls) getAgent(url);
  return {
    /**
     * Sends a request. The call and the iteration of the body throw a ConnectionError if a retry may succeed, otherwise
     * a Failure. Both throw the signal's reason if the signal aborts, and an Error with a full sentence if the transfer
     * is too slow.
     */
    get: (request: GetRequest): Promise<GetResponse> => followRedirects(request, getAgent),
    close: async () => void (await Promise.all([...agents.values()].map((agent) => agent.close()))),
  };
}

async function followRedirects(request: GetRequest, getAgent: (url: URL) => OriginAgent): Promise<GetResponse> {
  const { timeout = null, beforeRequest, mayFollow } = request;
  const signal = timeout === null ? null : AbortSignal.timeout(timeout);
  let url = new URL(request.url);
  for (let count = 0; ; count += 1) {
    await beforeRequest?.();
    const response = await send(url, request, signal, getAgent(url));
    const target = isRedirect(response.status) ? findRedirectTarget(response.headers.location, url.href) : null;
    if (target === null || count === MAX_REDIRECTS) return response;
    if (!(mayFollow?.(target) ?? target.origin === url.origin)) return response;
    await response.discard();
    url = target;
  }
}

async function send(url: URL, request: GetRequest, deadline: AbortSignal | null, agent: OriginAgent) {
  const { href, origin, pathname, search } = url;
  const { headers, signal = null, timeout = null, pace = null } = request;
  const watchdog = pace === null ? null : startRequestWatchdog(pace);
  const explain = (error: unknown): unknown => {
    if (signal?.aborted === true) return signal.reason;
    if (deadline?.aborted === true) return makeTimeoutError(origin, timeout ?? 0, agent.proxy, error);
    if (watchdog?.signal.aborted === true) return watchdog.signal.reason;
    return explainNetworkError(error, origin, agent.proxy);
  };
  async function* readDecodedBody(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body) {
        watchdog?.recordBytes(chunk.length);
        yield chunk;
      }
    } catch (error) {
      throw explain(error);
    } finally {
      watchdog?.stop();
    }
  }
  try {
    const signals = [signal, deadline, watchdog?.signal ?? null].filter((candidate) => candidate !== null);
    const response = await agent.get({ path: pathname + search, headers, signal: AbortSignal.any(signals) });
    const { statusCode: status, body } = response;
    const flatHeaders = flattenHeaders(response.headers);
    const head = { status, headers: flatHeaders, url: href };
    if (status === 304) {
      watchdog?.stop();
      // A 304 has no body, but its Content-Length may be that of the 200 (RFC 9110, 8.6). undici then reports a
      // truncated body.
      body.on('error', () => {}).resume();
      return { ...head, body: EMPTY_BODY, discard: async () => {} };
    }
    const discard = async () => {
      watchdog?.stop();
      await drain(body);
    };
    return { ...head, body: readDecodedBody(decompressBody(body, flatHeaders['content-encoding'])), discard };
  } catch (error) {
    watchdog?.stop();
    throw explain(error);
  }
}

const EMPTY_BODY: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };

function makeTimeoutError(origin: string, timeout: number, proxy: string | null, cause: unknown): ConnectionError {
  const routeText = proxy === null ? '' : ` through the proxy ${new URL(proxy).host}`;
  return new ConnectionError('timeout', `${origin} did not answer${routeText} within ${timeout / 1000} s.`, cause);
}

/** Maximum number of bytes of an unused body that are read so that its connection can be reused. */
const MAX_DRAINED_BYTES = 64 * 1024;

async function drain(body: Readable): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > MAX_DRAINED_BYTES) return;
    }
  } catch {
    // Ignored: the connection is closed instead of reused.
  }
}

/** Decodes a body. Throws a RangeError for an encoding other than gzip, deflate and br. */
function decompressBody(body: Readable, encoding: string | undefined): AsyncIterable<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name === '' || name === 'identity') return body;
  const zlib = process.getBuiltinModule('node:zlib');
  const factories: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
    gzip: zlib.createGunzip,
    'x-gzip': zlib.createGunzip,
    deflate: zlib.createInflate,
    br: zlib.createBrotliDecompress,
  };
  const create = Object.hasOwn(factories, name) ? factories[name] : undefined;
  if (create !== undefined) return decodeWith(create(), body, name);
  body.on('error', () => {}).destroy();
  throw new RangeError(`the body has the unexpected encoding ${JSON.stringify(name)}`);
}

async function* decodeWith(decoder: NodeJS.ReadWriteStream, body: Readable, name: string): AsyncGenerator<Uint8Array> {
  // The callback is empty, because the decoder reports a broken connection.
  pipeline(body, decoder, () => {});
  try {
    yield* decoder as unknown as AsyncIterable<Uint8Array>;
  } catch (error) {
    const code = readErrorCode(error) ?? '';
    if (code === 'Z_BUF_ERROR')
      throw new ConnectionError('truncated', 'The response ended before it was complete.', error);
    if (!/^Z_|^ERR_.*BROTLI|^ERR__/.test(code)) throw error;
    throw new RangeError(`the body has the encoding ${name} but cannot be decompressed`);
  }
}

/** Reads a complete body. Throws the result of `makeError` if the body exceeds the maximum length. */
export async function readBody(body: AsyncIterable<Uint8Array>, max: number, makeError: () => Error): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > max) throw makeError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Bounds of a request: it is aborted if it takes too long, or receives so little that it might never end. */
export interface Pace {
  /** Maximum milliseconds for a request including its body; null for no limit while data arrives. */
  readonly timeout: number | null;
  /** Minimum number of bytes per `period` milliseconds. */
  readonly minBytes: number;
  readonly period: number;
}

/**
 * Requests that receive less than this are aborted: only dead connections are so slow. At this rate, a bulk zip of 1.4
 * GB would take two weeks.
 */
export const MIN_TRANSFER_RATE = { minBytes: 64 * 1024, period: 60_000 } as const;

/** Starts the watchdog of a request, whose signal aborts if the request exceeds its bounds. The reason is an Error. */
function startRequestWatchdog({ timeout, minBytes, period }: Pace) {
  const controller = new AbortController();
  const abort = (message: string) => controller.abort(new Error(message));
  const format = (ms: number) => `${ms / 1000} s`;
  let bytes = 0;
  const abortLate = (ms: number) => abort(`The response was not complete within ${format(ms)}.`);
  const timer = timeout === null ? undefined : setTimeout(abortLate, timeout, timeout);
  const paceTimer = setInterval(() => {
    if (bytes < minBytes) abort(`The response came too slowly: ${bytes} bytes in ${format(period)}.`);
    bytes = 0;
  }, period);
  return {
    signal: controller.signal,
    recordBytes(count: number): void {
      bytes += count;
    },
    stop() {
      clearTimeout(timer);
      clearInterval(paceTimer);
    },
  };
}
