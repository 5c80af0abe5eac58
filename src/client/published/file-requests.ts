/** GETs of files on a static host, whole or in ranges: limited in size, retried, and never with a key. */
import { Failure } from '../../contract/failure.ts';
import { ConnectionError, isConnectionError } from '../../http/connection-error.ts';
import type { GetResponse, Http } from '../../http/get.ts';
import { isRedirect, redirectTarget } from '../../http/redirects.ts';
import type { End, JudgedAttempt } from '../../http/try-until-final.ts';
import type { ClientEvent } from '../events.ts';
import { throwIfAborted, tryInTime } from '../http/deadline.ts';
import type { ClientOptions } from '../options.ts';

export interface FileRequestsSetup {
  /** The directory of published releases: https, or http on loopback; without a trailing slash. */
  readonly baseUrl: string;
  readonly options: ClientOptions;
  /** For proxies and certificates. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: (event: ClientEvent) => void;
}

export interface FileRequest {
  /** Path below the base URL. */
  readonly path: string;
  readonly range?: { readonly offset: number; readonly length: number };
  /** A validator; if it is still valid, the response is a 304. */
  readonly etag?: string | null;
  /** Whether to bypass intermediate caches. */
  readonly reload?: boolean;
  /** The origin of a web page on whose behalf the file is requested. */
  readonly origin?: string;
  /** Maximum size of the body, in bytes. */
  readonly most: number;
}

/** A 200 with a whole file, a 206 with exactly the range, or another status without a body. */
export interface FileResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface FileRequests {
  /** Throws a Failure if there is no such response. */
  get(request: FileRequest): Promise<FileResponse>;
  close(): Promise<void>;
}

type Attempt = JudgedAttempt & ({ readonly response: FileResponse } | { readonly broken: ConnectionError });

export function openFileRequests({ baseUrl, options, env, report }: FileRequestsSetup): FileRequests {
  const { origin } = new URL(baseUrl);
  let openedHttp: Http | undefined;

  /** Follows redirects within the origin. */
  async function send(request: FileRequest, signal: AbortSignal | null): Promise<FileResponse> {
    const { openHttp, readBody } = await import('../../http/get.ts');
    openedHttp ??= openHttp(env);
    const url = `${baseUrl}/${request.path}`;
    const response = await openedHttp.get({ url, headers: headersOf(request), signal, timeout: options.timeout });
    const { status, headers, discard } = response;
    const fault = faultOf(request, response);
    if (fault !== null) {
      await discard();
      throw fault;
    }
    if (status !== (request.range === undefined ? 200 : 206)) {
      await discard();
      return { status, headers, body: Buffer.alloc(0) };
    }
    const { path, range, most } = request;
    const tooLong = () => badHost(baseUrl, `sent more than the requested ${most} bytes of ${path}`);
    const body = await readBody(response.body, most, tooLong);
    if (range !== undefined && body.length !== range.length) {
      throw new ConnectionError(
        'truncated',
        `${baseUrl} sent only ${body.length} of ${range.length} bytes of ${path}.`,
      );
    }
    return { status, headers, body };
  }

  /** Returns the fault that makes a response unusable, whatever its status; null for none. */
  function faultOf(request: FileRequest, { status, headers, url }: GetResponse): Failure | null {
    const to = isRedirect(status) ? redirectTarget(headers.location, url) : null;
    if (isRedirect(status) && to?.origin !== origin) {
      return new Failure('network', `${baseUrl} redirects to ${to === null ? 'no address' : to.origin}.`, {
        hint: 'fin does not follow redirects to other hosts. If you trust that address, give it as the base URL.',
      });
    }
    const fault = status === 206 && request.range !== undefined ? rangeFault(request, headers) : null;
    return fault === null ? null : badHost(baseUrl, fault);
  }

  const broken = (error: ConnectionError): Attempt => ({
    broken: error,
    outcome: { broken: error.kind },
    why: () => error.message,
  });

  async function attempt(request: FileRequest, signal: AbortSignal | null): Promise<Attempt> {
    const sent = Date.now();
    let response: FileResponse | null = null;
    try {
      response = await send(request, signal);
      const { status, headers } = response;
      const outcome = { status, headers, violated: [] };
      return { response, outcome, why: () => `${origin} answered ${status}.` };
    } catch (error) {
      throwIfAborted(signal, options);
      if (!isConnectionError(error)) throw error;
      return broken(error);
    } finally {
      const url = `${baseUrl}/${request.path}`;
      const bytes = response?.body.length ?? 0;
      const ms = Date.now() - sent;
      report({ type: 'request', method: 'GET', url, status: response?.status ?? null, ms, requestId: null, bytes });
    }
  }

  return {
    async get(request) {
      const { last, end, failed } = await tryInTime((signal) => attempt(request, signal), options, report);
      if ('response' in last && end.end === 'final') return last.response;
      throw givenUp(last, end, failed);
    },
    close: async () => void (await openedHttp?.close()),
  };
}

function headersOf({ range, etag, reload, origin }: FileRequest): Record<string, string> {
  return {
    accept: '*/*',
    // Ranges are of the stored file, not of a compressed encoding.
    'accept-encoding': 'identity',
    ...(range === undefined ? {} : { range: `bytes=${range.offset}-${range.offset + range.length - 1}` }),
    ...(etag == null ? {} : { 'if-none-match': etag }),
    ...(origin === undefined ? {} : { origin }),
    ...(reload === true ? { 'cache-control': 'no-cache' } : {}),
  };
}

/** Returns how a 206 differs from the requested range, as the predicate of a sentence; null if it does not. */
function rangeFault({ path, range }: FileRequest, headers: FileResponse['headers']): string | null {
  const { offset = 0, length = 0 } = range ?? {};
  const { 'content-range': given = 'none', 'content-encoding': encoding = 'identity' } = headers;
  if (encoding !== 'identity') return `compresses ranges of ${path} (Content-Encoding: ${encoding})`;
  const wanted = `bytes ${offset}-${offset + length - 1}`;
  if (given.startsWith(`${wanted}/`)) return null;
  return `sent a range of ${path} that was not requested (requested ${wanted}, Content-Range: ${given})`;
}

/** The Failure for a host that does not serve published releases correctly. */
export function badHost(baseUrl: string, fault: string): Failure {
  return new Failure('network', `${baseUrl} ${fault}.`, {
    hint: 'Its releases can be copied instead: fin data pull. To see what the host lacks: fin doctor --network',
  });
}

function givenUp(lastAttempt: Attempt, end: End, failed: number): Failure {
  const wait = end.end === 'give-up' ? end.ms : null;
  const tries = failed === 0 ? '' : ` after ${failed + 1} tries`;
  const kind = 'broken' in lastAttempt ? 'network' : lastAttempt.response.status === 429 ? 'limit' : 'service';
  return new Failure(kind, lastAttempt.why(), {
    hint: `fin gave up${tries}. Try again later, or allow more retries: --retries. To copy the release and use it without the host: fin data pull`,
    retryAfter: wait === null ? undefined : Math.ceil(wait / 1000),
    cause: 'broken' in lastAttempt ? lastAttempt.broken : undefined,
  });
}
