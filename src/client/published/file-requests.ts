/** Requests files or byte ranges from a static host: limited in size, retried, and never with an API key. */
import { Failure } from '../../contract/failure.ts';
import { quoteShellWord } from '../../contract/text/quote.ts';
import { option, say } from '../../contract/text/text.ts';
import { describeRedirect, findRedirectTarget, isRedirect } from '../../http/addresses.ts';
import type { GetResponse, HttpClient } from '../../http/get.ts';
import { ConnectionError, isConnectionError } from '../../http/network-errors.ts';
import type { AttemptWithOutcome, FinalDecision } from '../../http/retry.ts';
import { throwIfEnded, tryBeforeDeadline } from '../http/question-deadline.ts';
import type { ClientContext } from '../request/client-options.ts';

interface FileRequest {
  /** Path below the base URL. */
  readonly path: string;
  readonly range?: { readonly offset: number; readonly length: number };
  /** Validator of a cached file; if it is still valid, the response is a 304. */
  readonly etag?: string | null;
  /** Whether to bypass intermediate caches. */
  readonly mustReload?: boolean;
  /** Value of the header `Origin`, to test whether the host permits requests from web pages of that origin. */
  readonly origin?: string;
  /** Maximum size of the body in bytes. */
  readonly maxBytes: number;
}

/** The requested file (status 200) or the requested range (206); for every other response, the body is empty. */
export interface FileResponse {
  readonly status: number;
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export type FileRequester = ReturnType<typeof openFileRequester>;

type Attempt = AttemptWithOutcome & ({ readonly response: FileResponse } | { readonly error: ConnectionError });

export function openFileRequester({ baseUrl, options, env, report }: ClientContext) {
  const { origin } = new URL(baseUrl);
  let opened: HttpClient | undefined;

  /** Sends a request, following redirects within the origin. */
  async function send(request: FileRequest, signal: AbortSignal | null): Promise<FileResponse> {
    const { openHttp, readBody } = await import('../../http/get.ts');
    opened ??= openHttp(env);
    const url = `${baseUrl}/${request.path}`;
    const response = await opened.get({ url, headers: makeHeaders(request), signal, timeout: options.timeout });
    const { status, headers, discard } = response;
    const fault = findResponseFailure(request, response);
    if (fault !== null) {
      await discard();
      throw fault;
    }
    if (status !== (request.range === undefined ? 200 : 206)) {
      await discard();
      return { status, headers, body: Buffer.alloc(0) };
    }
    const { path, range, maxBytes } = request;
    const makeError = () => makeHostFailure(baseUrl, `sent more than the requested ${maxBytes} bytes of ${path}`);
    const body = await readBody(response.body, maxBytes, makeError);
    if (range !== undefined && body.length !== range.length) {
      const text = `${baseUrl} sent only ${body.length} of ${range.length} bytes of ${path}.`;
      throw new ConnectionError('truncated', text);
    }
    return { status, headers, body };
  }

  /** Returns the Failure for a response that redirects to another host or has a wrong range; otherwise null. */
  function findResponseFailure(request: FileRequest, { status, headers, url }: GetResponse): Failure | null {
    const target = isRedirect(status) ? findRedirectTarget(headers.location, url) : null;
    if (isRedirect(status) && target?.origin !== origin) {
      return new Failure('network', `${describeRedirect(url, target)}.`, {
        hint:
          target === null
            ? 'Ask the publisher for the address of the release.'
            : 'fin does not follow redirects to other hosts. If you trust that host, set the base URL to the address of the release on that host.',
      });
    }
    const fault = status === 206 && request.range !== undefined ? findRangeFault(request, headers) : null;
    return fault === null ? null : makeHostFailure(baseUrl, fault);
  }

  async function tryRequest(request: FileRequest, signal: AbortSignal | null): Promise<Attempt> {
    const start = Date.now();
    let response: FileResponse | null = null;
    try {
      response = await send(request, signal);
      const { status, headers } = response;
      return { response, outcome: { status, headers, violated: [] }, why: () => `${origin} answered ${status}.` };
    } catch (error) {
      throwIfEnded(signal, options);
      if (!isConnectionError(error)) throw error;
      return { error, outcome: { broken: error.kind }, why: () => error.message };
    } finally {
      const requestFields = { url: `${baseUrl}/${request.path}`, ms: Date.now() - start, requestId: null };
      const responseFields = { status: response?.status ?? null, bytes: response?.body.length ?? 0 };
      report({ type: 'request', method: 'GET', ...requestFields, ...responseFields });
    }
  }

  return {
    /** Sends a request. Throws a Failure if no usable response arrives. */
    async get(request: FileRequest): Promise<FileResponse> {
      const tryOnce = (signal: AbortSignal | null) => tryRequest(request, signal);
      const { last, decision, failedAttemptCount } = await tryBeforeDeadline(tryOnce, options, report);
      if ('response' in last && decision.end === 'final') return last.response;
      throw makeGiveUpFailure(baseUrl, last, decision, failedAttemptCount);
    },
    close: async () => opened?.close(),
  };
}

const makeHeaders = ({ range, etag, mustReload, origin }: FileRequest): Record<string, string> => ({
  accept: '*/*',
  // Ranges must be ranges of the stored file, not of a compressed encoding.
  'accept-encoding': 'identity',
  ...(range === undefined ? {} : { range: `bytes=${range.offset}-${range.offset + range.length - 1}` }),
  ...(etag == null ? {} : { 'if-none-match': etag }),
  ...(origin === undefined ? {} : { origin }),
  ...(mustReload === true ? { 'cache-control': 'no-cache' } : {}),
});

/**
 * Returns what is wrong with the range in a 206 response, as the predicate of a sentence; null if the response has the
 * requested range, uncompressed.
 */
function findRangeFault({ path, range }: FileRequest, headers: FileResponse['headers']): string | null {
  const { offset = 0, length = 0 } = range ?? {};
  const { 'content-range': contentRange = 'none', 'content-encoding': encoding = 'identity' } = headers;
  if (encoding !== 'identity') return `compresses ranges of ${path} (Content-Encoding: ${encoding})`;
  const expectedRange = `bytes ${offset}-${offset + length - 1}`;
  if (contentRange.startsWith(`${expectedRange}/`)) return null;
  return `sent a range of ${path} that was not requested (requested ${expectedRange}, Content-Range: ${contentRange})`;
}

/**
 * Returns the Failure for a host that does not serve published releases correctly.
 * @param canPull whether the release can be copied despite the fault
 */
export function makeHostFailure(baseUrl: string, fault: string, canPull = true): Failure {
  const text = canPull ? `. To copy the release instead: fin data pull ${quoteShellWord(baseUrl)}` : '';
  const hint = `To see what the host lacks: fin doctor --network${text}`;
  return new Failure('network', `${baseUrl} ${fault}.`, { hint });
}

function makeGiveUpFailure(baseUrl: string, last: Attempt, decision: FinalDecision, failures: number): Failure {
  const waitMs = decision.end === 'give-up' ? decision.ms : null;
  const triesText = failures === 0 ? '' : ` after ${failures + 1} tries`;
  const kind = 'error' in last ? 'network' : last.response.status === 429 ? 'limit' : 'service';
  return new Failure(kind, last.why(), {
    hint: say`fin gave up${triesText}. Try again later, or allow more retries: ${option('retries')}. To copy the release, for use without the host: fin data pull ${quoteShellWord(baseUrl)}`,
    retryAfter: waitMs === null ? undefined : Math.ceil(waitMs / 1000),
    cause: 'error' in last ? last.error : undefined,
  });
}
