/** Requests documents from the SEC's site, at the pace that all processes share, and from an allowed origin. */
import { version } from '../../../package.json';
import type { DocumentSettings } from '../../client/request/ports.ts';
import { Failure, isFailure } from '../../contract/failure.ts';
import { parseRetryAfter } from '../../contract/rate-limit.ts';
import { describeRedirect, findRedirectTarget, isRedirect } from '../../http/addresses.ts';
import { type GetResponse, openHttp, readBody } from '../../http/get.ts';
import { isConnectionError } from '../../http/network-errors.ts';
import { type AttemptOutcome, createRetryRule, tryUntilFinal } from '../../http/retry.ts';
import type { RequestSpacing } from '../../http/sec/request-spacing.ts';
import { findRequestSpacingDirectory, makePauseFailure, openRequestSpacing } from '../../http/sec/request-spacing.ts';
import { DEFAULT_PAUSE_MS, findRefusal, makeRefusedContactFailure, parseContact } from '../../http/sec/site.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { makeOriginFailure } from './addresses.ts';

/** Maximum size of a document after decoding. */
export const MAX_DOCUMENT_BYTES = 100 * 1024 * 1024;
const MAX_PAUSES = 2;
/** Number of bytes at the start of a body by which a refusal page is recognized. */
const PAGE_START_BYTES = 4096;

export type DocumentRequests = ReturnType<typeof openDocumentRequests>;

type Attempt =
  | { readonly outcome: null; readonly body: Buffer | null }
  | { readonly outcome: AttemptOutcome; readonly cause?: unknown; why(): string };

/** Result of a request that the site refused: it requires that no request is sent for `pauseMs` milliseconds. */
type Pause = { readonly pauseMs: number };

export function openDocumentRequests({ directories, options, env, contact, report }: DocumentSettings) {
  const http = openHttp(env);
  const signal = options.signal ?? new AbortController().signal;
  const onError = () =>
    report({ type: 'notice', text: 'The pace of requests cannot be shared with other processes of fin.' });
  const openSpacing = (host: string) => {
    const directory = findRequestSpacingDirectory(directories.state, host);
    return openRequestSpacing({ directory, maxPauseMs: options.maxWait, onError });
  };
  const spacings = new Map<string, RequestSpacing>();

  /** Sends one request, at the pace that its host permits. */
  async function send(url: string, userAgent: string, spacing: RequestSpacing): Promise<Attempt | Pause> {
    let start = 0;
    const log = (status: number | null) => {
      const ms = Math.round(performance.now() - start);
      report({ type: 'request', method: 'GET', url, status, ms, requestId: null });
    };
    try {
      const response = await http.get({
        ...{ url, signal, timeout: options.timeout },
        headers: { 'user-agent': userAgent, 'accept-encoding': 'gzip, deflate' },
        beforeRequest: async () => {
          await spacing.waitForSlot(signal);
          start = performance.now();
        },
      });
      const body = await readBody(response.body, MAX_DOCUMENT_BYTES, () => makeSizeFailure(url));
      log(response.status);
      return classifyResponse(response, body, userAgent);
    } catch (error) {
      signal.throwIfAborted();
      if (!isConnectionError(error)) throw isFailure(error) ? error : makeNetworkFailure(url, error);
      log(null);
      return { outcome: { broken: error.kind }, cause: error, why: () => error.message };
    }
  }

  async function attempt(url: string, userAgent: string): Promise<Attempt> {
    const { host } = new URL(url);
    const spacing = getOrInsert(spacings, host, () => openSpacing(host));
    for (let pauses = 0; ; pauses += 1) {
      const result = await send(url, userAgent, spacing);
      if ('outcome' in result) return result;
      spacing.pause(result.pauseMs);
      if (pauses === MAX_PAUSES || result.pauseMs > options.maxWait) throw makePauseFailure(result.pauseMs);
    }
  }

  return {
    /** Returns the body; null if the site has no such file. Throws the Failure of a request without an answer. */
    async get(url: string, isSec: boolean): Promise<Buffer | null> {
      // The contact is for the SEC only.
      const agent = `fin-filings/${version}`;
      const name = isSec ? `${parseContact(contact)} (${agent})` : agent;
      const { last } = await tryUntilFinal(() => attempt(url, name), {
        ...{ rule: createRetryRule(options), signal },
        report: (wait) => report({ type: 'retrying', ...wait }),
      });
      if (last.outcome === null) return last.body;
      const kind = 'broken' in last.outcome ? 'network' : 'service';
      throw new Failure(kind, `${url} could not be read: ${last.why()}`, { cause: last.cause });
    },
    close: () => http.close(),
  };
}

/** Returns the body, a pause or a status to retry. Throws the Failure of a refused contact and of any redirect. */
function classifyResponse({ status, headers, url }: GetResponse, body: Buffer, userAgent: string): Attempt | Pause {
  const { host } = new URL(url);
  if (isRedirect(status)) throw makeRedirectFailure(url, headers.location);
  const refusal = findRefusal(status, body.toString('latin1', 0, PAGE_START_BYTES));
  if (refusal === 'contact-refused') throw makeRefusedContactFailure(host, userAgent);
  if (refusal === 'rate-limited') return { pauseMs: parseRetryAfter(headers, Date.now()) ?? DEFAULT_PAUSE_MS };
  if (refusal === 'absent') return { outcome: null, body: null };
  if (status === 200) return { outcome: null, body };
  return { outcome: { status, headers, violated: [] }, why: () => `${host} answered ${status}.` };
}

export const makeSizeFailure = (url: string): Failure =>
  new Failure('data', `${url} is longer than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MB, the maximum of a document.`);

function makeRedirectFailure(url: string, location: string | undefined): Failure {
  const target = findRedirectTarget(location, url);
  if (target !== null && target.origin !== new URL(url).origin) return makeOriginFailure(target.href);
  return new Failure('service', `${describeRedirect(url, target)}, which fin does not follow.`);
}

const makeNetworkFailure = (url: string, cause: unknown): Failure =>
  new Failure('network', `${url} could not be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
