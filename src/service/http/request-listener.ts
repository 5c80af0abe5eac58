/** Handles one request of Node's server: reads it, passes it to the request handler, and sends the response. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { redactApiKeys } from '../../contract/text/quote.ts';
import { assertDefined } from '../../platform/collections.ts';
import { chooseRequestId } from '../request/request-id.ts';
import { type BodyReading, makeProblemResponse, type Service, type ServiceResponse } from '../responses/service.ts';
import { chooseEncoding, compressResponse } from './compress.ts';
import type { Connections } from './connections.ts';
import { countBodyBytes, listResponseHeaders } from './write-response.ts';

export interface ListenerOptions {
  readonly service: Service;
  readonly baseUrl: string;
  /** Whether the service listens on all interfaces, so that clients may use addresses that the service cannot know. */
  readonly isWildcardAddress: boolean;
  readonly isSecure: boolean;
  readonly connections: Connections;
  readonly onServed: (entry: LogEntry) => void;
  /** Maximum time in milliseconds for a request's body to arrive completely; default: ten seconds. */
  readonly bodyTimeoutMs?: number;
  /** Maximum time in milliseconds for a client to read a response; default: five minutes. */
  readonly sendTimeoutMs?: number;
}

/** Maximum time for a client to read a response. The longest responses have a few megabytes. */
const SEND_TIMEOUT_MS = 300_000;

export function createRequestListener(options: ListenerOptions): RequestListener {
  const { service, baseUrl, isWildcardAddress, isSecure, connections, onServed } = options;
  const { bodyTimeoutMs = BODY_TIMEOUT_MS, sendTimeoutMs = SEND_TIMEOUT_MS } = options;

  const scheme = isSecure ? 'https' : 'http';

  return async (incoming, outgoing) => {
    const start = performance.now();
    // Read before any response, because a broken connection has no address.
    const address = incoming.socket.remoteAddress ?? null;
    // Created only when the signal is read, because most responses are ready immediately.
    let controller: AbortController | undefined;
    let ended = false;
    let finish = () => {};
    // Called when the response has been sent, or when the client disconnects earlier, which aborts the work. `finish`
    // frees the concurrency slot.
    const pendingRequest = connections.begin(incoming, outgoing, (isSent) => {
      ended = true;
      if (!isSent) controller?.abort(CLIENT_CLOSED_ERROR);
      finish();
    });
    if (pendingRequest === null) return;
    // Only GET needs a path as target. For other methods, the target may be `*`; it becomes empty here, and the handler
    // refuses the method.
    const target = findTarget(incoming) ?? (incoming.method === 'GET' ? null : '');
    const fault = findRequestFault(incoming);
    const id = chooseRequestId(incoming.headers['x-request-id']?.toString());
    if (target === null || fault !== null) {
      const detail = fault ?? 'The target of the request is malformed.';
      const response = makeProblemResponse({ code: 'bad_request', detail }, { id, baseUrl });
      pendingRequest.setWaiting(true);
      sendResponse(outgoing, response, countBodyBytes(response), pendingRequest.isLast());
      return;
    }
    let hasUnreadBody = false;
    const request = {
      method: assertDefined(incoming.method),
      target,
      // Node.js keeps the first of repeated headers, or joins their values; only `set-cookie`, never read, is a list.
      headers: incoming.headers as Record<string, string | undefined>,
      id,
      baseUrl:
        isWildcardAddress && incoming.headers.host && !targetContainsHost(incoming)
          ? `${scheme}://${incoming.headers.host}`
          : baseUrl,
      body: async (maxBytes: number) => {
        const body = startReadingBody(incoming, maxBytes, bodyTimeoutMs);
        pendingRequest.setWaiting(true, body.cancel);
        const result = await body.reading;
        pendingRequest.setWaiting(false);
        hasUnreadBody = 'fault' in result;
        return result;
      },
      get signal() {
        controller ??= new AbortController();
        if (ended) controller.abort(CLIENT_CLOSED_ERROR);
        return controller.signal;
      },
    };
    const uncompressed = await service(request);
    const { account = null, finish: finishResponse = () => {} } = uncompressed;
    if (ended) finishResponse();
    else finish = finishResponse;
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const response = encoding === null ? uncompressed : await compressResponse(uncompressed, encoding);
    const length = countBodyBytes(response);
    const { method } = request;
    const { status } = response;
    const milliseconds = performance.now() - start;
    onServed({ requestId: id, account, remote: address, method, target, status, bytes: length, milliseconds });
    if (ended) return;
    pendingRequest.setWaiting(true);
    sendResponse(outgoing, response, length, pendingRequest.isLast() || hasUnreadBody || hasLongBody(incoming));
  };

  function sendResponse(outgoing: ServerResponse, response: ServiceResponse, bytes: number, isLast: boolean): void {
    outgoing.writeHead(response.status, listResponseHeaders(response, bytes, { isSecure, isLast }));
    for (const part of response.body) outgoing.write(part);
    outgoing.end();
    const timer = setTimeout(() => outgoing.destroy(), sendTimeoutMs);
    outgoing.once('close', () => clearTimeout(timer));
  }
}

const CLIENT_CLOSED_ERROR = new Error('the client closed the connection');

/**
 * Returns path and query, also for the absolute form that proxies send (`http://host/v1/…`); null for any other form.
 */
function findTarget({ url = '' }: IncomingMessage): string | null {
  if (url.startsWith('/')) return url;
  const match = /^https?:\/\/[^/?#]+/i.exec(url);
  return match === null ? null : url.slice(match[0].length) || '/';
}

/** Headers that a request must not repeat, because a proxy and this service might each use a different value. */
const SINGLE_HEADERS = ['host', 'authorization'] as const;

/** Returns the reason why a request is malformed, as a sentence; null if it is well-formed. */
function findRequestFault(incoming: IncomingMessage): string | null {
  const { httpVersionMajor: major, httpVersion, rawHeaders } = incoming;
  if (major !== 1) return `This service supports only HTTP/1.0 and HTTP/1.1, but the request uses HTTP/${httpVersion}.`;
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const repeated = SINGLE_HEADERS.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (repeated !== undefined) return `The request has several ${repeated} headers; only one is allowed.`;
  return hasValidHost(incoming) ? null : 'The Host header of the request is missing or malformed.';
}

/** A host name or an address, optionally with a port. */
const HOST_PATTERN = /^([A-Za-z0-9._~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])(:\d*)?$/;

/**
 * Whether the target contains the host, which then has precedence over the Host header
 * (https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2).
 */
const targetContainsHost = ({ url = '' }: IncomingMessage): boolean => !url.startsWith('/');

/**
 * Whether the Host header is well-formed. HTTP/1.0 requests may lack it. Always true if the target contains the host.
 */
function hasValidHost(incoming: IncomingMessage): boolean {
  const { headers, httpVersionMinor } = incoming;
  if (targetContainsHost(incoming)) return true;
  return headers.host === undefined ? httpVersionMinor === 0 : HOST_PATTERN.test(headers.host);
}

/**
 * Maximum size of an ignored request body. After a longer body, or a body of unknown length, the connection is closed.
 */
const MAX_IGNORED_BODY_BYTES = 65_536;

function hasLongBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  const { 'content-length': length } = headers;
  return length !== undefined && Number(length) > MAX_IGNORED_BODY_BYTES;
}

/** Maximum time in milliseconds for a body to arrive completely. */
const BODY_TIMEOUT_MS = 10_000;

/**
 * Starts to read a body. Discards the rest of a body that is too long, or that did not arrive in time. `cancel` ends the
 * reading early, for example because the server stops.
 */
function startReadingBody(incoming: IncomingMessage, maxBytes: number, timeoutMs: number) {
  let cancel = () => {};
  const reading = new Promise<BodyReading>((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const finish = (result: BodyReading) => {
      clearTimeout(timer);
      chunks = [];
      resolve(result);
    };
    cancel = () => finish({ fault: 'incomplete' });
    const timer = setTimeout(cancel, timeoutMs);
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else finish({ fault: 'too-long' });
    });
    incoming.once('end', () => finish({ text: Buffer.concat(chunks).toString() }));
    for (const event of ['error', 'close']) incoming.once(event, cancel);
  });
  return { reading, cancel };
}

interface LogEntry {
  readonly requestId: string;
  readonly account: string | null;
  readonly remote: string | null;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly bytes: number;
  readonly milliseconds: number;
}

/** Maximum number of logged characters of a target. */
const MAX_TARGET_LENGTH = 2_000;

/** Formats a request as one line of JSON. Texts of the client that look like a key are replaced. */
export const formatLogLine = (entry: LogEntry, now: number): string =>
  JSON.stringify({
    time: new Date(now).toISOString(),
    request_id: redactApiKeys(entry.requestId),
    account: entry.account,
    remote: entry.remote,
    method: entry.method,
    // The target is redacted before it is cut, because a part of a key would not be recognized.
    target: redactApiKeys(entry.target).slice(0, MAX_TARGET_LENGTH),
    status: entry.status,
    bytes: entry.bytes,
    ms: Math.round(entry.milliseconds * 10) / 10,
  });
