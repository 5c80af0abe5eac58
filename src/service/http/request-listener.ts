/** One question on the wire and its answer: from node's request to the front, and back. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RequestHandler } from '../middleware/authentication.ts';
import { requestIdOf } from '../request-id.ts';
import type { ServiceResponse } from '../service.ts';
import { problemResponse } from '../service.ts';
import type { LogEntry } from './access-log.ts';
import type { Connections } from './connections.ts';
import { hasHost, hasLongBody, targetOf } from './request-line.ts';
import { bodyLength, responseHeaders } from './response-headers.ts';

export interface ListenerOptions {
  readonly handler: RequestHandler;
  readonly baseUrl: string;
  readonly secure: boolean;
  readonly connections: Connections;
  readonly onServed: (entry: LogEntry) => void;
}

export function requestListener(options: ListenerOptions): RequestListener {
  const { handler: front, baseUrl, secure, connections, onServed } = options;

  return async (incoming, outgoing) => {
    const begun = performance.now();
    // Made only where it is asked for: most answers are there at once.
    let gone: AbortController | undefined;
    let over = false;
    let finish = () => {};
    // Also when the client hangs up before the answer: then the work is stopped, and its slot free once it has.
    const underWay = connections.begin(incoming, outgoing, (left) => {
      over = true;
      if (!left) gone?.abort(HUNG_UP);
      finish();
    });
    if (underWay === null) return;
    const target = targetOf(incoming);
    if (target === null || !hasHost(incoming)) {
      const answer = malformed(baseUrl);
      send(outgoing, answer, bodyLength(answer), underWay.isLast());
      return;
    }
    const request = {
      method: incoming.method ?? '',
      target,
      headers: plain(incoming.headers),
      get signal() {
        gone ??= new AbortController();
        if (over) gone.abort(HUNG_UP);
        return gone.signal;
      },
    };
    const { response: answer, requestId, account, finish: served } = await front.handle(request);
    if (over) served();
    else finish = served;
    const bytes = bodyLength(answer);
    onServed({
      requestId,
      account,
      remote: incoming.socket.remoteAddress ?? null,
      method: request.method,
      target,
      status: answer.status,
      bytes,
      milliseconds: performance.now() - begun,
    });
    if (!over) send(outgoing, answer, bytes, underWay.isLast() || hasLongBody(incoming));
  };

  function send(outgoing: ServerResponse, answer: ServiceResponse, bytes: number, last: boolean): void {
    outgoing.writeHead(answer.status, responseHeaders(answer, bytes, { secure, last }));
    for (const part of answer.body) outgoing.write(part);
    outgoing.end();
  }
}

const HUNG_UP = new Error('the client hung up');

/** Of a header given several times node has kept the first or joined them; lists are for cookies only. */
function plain(headers: IncomingMessage['headers']): Record<string, string | undefined> {
  return headers as Record<string, string | undefined>;
}

function malformed(baseUrl: string): ServiceResponse {
  const detail = 'The target or the Host header of the request is malformed.';
  return problemResponse({ code: 'bad_request', detail }, { requestId: requestIdOf(undefined), baseUrl });
}
