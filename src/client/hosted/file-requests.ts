/** GETs of the files of a static host, whole or in ranges: bounded, retried, never with a key. */
import type { Readable } from 'node:stream';
import { Failure, isFailure } from '../../contract/failure.ts';
import type { OriginAgent } from '../../http/agent.ts';
import { ConnectionError, isConnectionError } from '../../http/connection-error.ts';
import { isRedirect, MOST_REDIRECTS, redirectTarget } from '../../http/redirects.ts';
import type { ClientEvent } from '../events.ts';
import { throwIfAborted } from '../http/deadline.ts';
import { type End, type Tried, tryUntilFinal } from '../http/try-until.ts';
import type { ClientOptions } from '../options.ts';

export interface FileRequestsSetup {
  /** The directory of published releases: https, or http on loopback; without a slash at the end. */
  readonly baseUrl: string;
  readonly options: ClientOptions;
  /** For proxies and certificates. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: (event: ClientEvent) => void;
}

export interface FileRequest {
  /** Below the base URL. */
  readonly path: string;
  readonly range?: { readonly offset: number; readonly length: number };
  /** A validator; where it still holds, the response is a 304. */
  readonly etag?: string | null;
  /** Past caches on the way. */
  readonly reload?: boolean;
  /** No longer body is read, in bytes. */
  readonly most: number;
}

/** A 200 of a whole file, a 206 of exactly the range, or another status without a body. */
export interface FileResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface FileRequests {
  /** Throws a Failure where no such response came. */
  get(request: FileRequest): Promise<FileResponse>;
  close(): Promise<void>;
}

type Attempt = Tried & ({ readonly response: FileResponse } | { readonly broken: ConnectionError });

export function openFileRequests({ baseUrl, options, env, report }: FileRequestsSetup): FileRequests {
  const base = new URL(baseUrl);
  let opened: Promise<OriginAgent> | undefined;
  const agentOf = () => {
    opened ??= import('../../http/agent.ts').then(({ openAgent }) => openAgent(base, env));
    return opened;
  };

  /** One request, redirects within the origin followed. */
  async function send(request: FileRequest, signal: AbortSignal): Promise<FileResponse> {
    const agent = await agentOf();
    const { flattenHeaders } = await import('../../http/agent.ts');
    let path = `${base.pathname.replace(/\/+$/, '')}/${request.path}`;
    for (let hop = 0; ; hop += 1) {
      const { statusCode: status, headers: raw, body } = await agent.get({ path, headers: headersOf(request), signal });
      const headers = flattenHeaders(raw);
      if (isRedirect(status) && hop < MOST_REDIRECTS) {
        discard(body);
        path = redirectOf(headers.location, baseUrl, path);
        continue;
      }
      const wanted = request.range === undefined ? 200 : 206;
      if (status !== wanted) {
        discard(body);
        return { status, headers, body: Buffer.alloc(0) };
      }
      const fault = request.range === undefined ? null : rangeFault(request, headers);
      if (fault !== null) {
        discard(body);
        throw badHost(baseUrl, fault);
      }
      return { status, headers, body: await collect(body, request, headers, baseUrl) };
    }
  }

  const broken = (error: ConnectionError): Attempt => ({
    broken: error,
    outcome: { broken: error.kind },
    why: () => error.message,
  });

  async function attempt(request: FileRequest, signal: AbortSignal | null): Promise<Attempt> {
    const clock = AbortSignal.timeout(options.timeout);
    const sent = Date.now();
    let response: FileResponse | null = null;
    try {
      response = await send(request, signal === null ? clock : AbortSignal.any([clock, signal]));
      const { status, headers } = response;
      const outcome = { status, headers, violated: [] };
      return { response, outcome, why: () => `${base.origin} answered ${status}.` };
    } catch (error) {
      throwIfAborted(signal, options);
      if (isFailure(error)) throw error;
      const { origin } = base;
      if (clock.aborted) {
        return broken(new ConnectionError('timeout', `${origin} did not answer within ${options.timeout / 1000} s.`));
      }
      const { explainNetworkError } = await import('../../http/network-errors.ts');
      const explained = explainNetworkError(error, origin, (await opened)?.proxy ?? null);
      if (!isConnectionError(explained)) throw explained;
      return broken(explained);
    } finally {
      const url = `${baseUrl}/${request.path}`;
      const bytes = response?.body.length ?? 0;
      const ms = Date.now() - sent;
      report({ type: 'request', method: 'GET', url, status: response?.status ?? null, ms, requestId: null, bytes });
    }
  }

  return {
    async get(request) {
      const { last, end, failed } = await tryUntilFinal((signal) => attempt(request, signal), options, report);
      if ('response' in last && end.end === 'final') return last.response;
      throw givenUp(last, end, failed);
    },
    close: async () => void (await (await opened?.catch(() => null))?.close()),
  };
}

/** Of a whole file that was not asked for no more is read. */
function discard(body: Readable): void {
  body.on('error', () => {}).destroy();
}

function headersOf({ range, etag, reload }: FileRequest): Record<string, string> {
  return {
    accept: '*/*',
    // Ranges are of the file as it lies, not of a compressed form of it.
    'accept-encoding': 'identity',
    ...(range === undefined ? {} : { range: `bytes=${range.offset}-${range.offset + range.length - 1}` }),
    ...(etag == null ? {} : { 'if-none-match': etag }),
    ...(reload === true ? { 'cache-control': 'no-cache' } : {}),
  };
}

/** How a 206 is not of the range that was requested, as a predicate; null where it is. */
function rangeFault({ path, range }: FileRequest, headers: FileResponse['headers']): string | null {
  const { offset = 0, length = 0 } = range ?? {};
  const { 'content-range': given = 'none', 'content-encoding': encoding = 'identity' } = headers;
  if (encoding !== 'identity') return `compresses ranges of ${path} (Content-Encoding: ${encoding})`;
  const wanted = `bytes ${offset}-${offset + length - 1}`;
  if (given.startsWith(`${wanted}/`)) return null;
  return `sent another range of ${path} than was requested (${wanted}, Content-Range: ${given})`;
}

/** The Failure for a host that published releases cannot be read from. */
export function badHost(baseUrl: string, fault: string): Failure {
  return new Failure('network', `${baseUrl} ${fault}.`, {
    hint: 'Its releases can be copied instead: fin data pull. fin doctor --network says what the host lacks.',
  });
}

async function collect(
  body: AsyncIterable<Uint8Array>,
  { path, range, most }: FileRequest,
  headers: FileResponse['headers'],
  baseUrl: string,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) throw badHost(baseUrl, `sent more than the ${most} bytes of ${path} that were requested`);
    chunks.push(chunk);
  }
  if (range !== undefined && size !== range.length) {
    throw new ConnectionError('truncated', `${baseUrl} sent ${size} of ${range.length} bytes of ${path}.`);
  }
  const bytes = Buffer.concat(chunks);
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding === 'identity') return bytes;
  if (encoding !== 'gzip') throw badHost(baseUrl, `sent ${path} in the encoding ${encoding}, which was not requested`);
  const { gunzipSync } = await import('node:zlib');
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    const fault = error instanceof RangeError ? `more than the ${most} bytes that it has` : 'what cannot be unpacked';
    throw badHost(baseUrl, `sent ${path} in the encoding gzip, and ${fault}`);
  }
}

function redirectOf(location: string | undefined, baseUrl: string, from: string): string {
  const { origin } = new URL(baseUrl);
  const to = redirectTarget(location, origin + from);
  if (to?.origin === origin) return to.pathname + to.search;
  throw new Failure('network', `${baseUrl} redirects to ${to === null ? 'no address' : to.origin}.`, {
    hint: 'Nothing is read along a redirect to elsewhere. If you trust that address, give it as the base URL.',
  });
}

function givenUp(last: Attempt, end: End, failed: number): Failure {
  const wait = end.end === 'give-up' ? end.ms : null;
  const tries = failed === 0 ? '' : ` after ${failed + 1} tries`;
  const kind = 'broken' in last ? 'network' : last.response.status === 429 ? 'limit' : 'service';
  return new Failure(kind, last.why(), {
    hint: `Given up${tries}. Try again later, or more often: --retries. fin data pull copies a release for use without its host.`,
    retryAfter: wait === null ? undefined : Math.ceil(wait / 1000),
    cause: 'broken' in last ? last.broken : undefined,
  });
}
