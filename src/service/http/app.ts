/** The service behind Hono: from node's request to the front, and the answer back. */
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Front } from '../front.ts';
import type { LogEntry } from './access-log.ts';
import { securityHeaders } from './security-headers.ts';

export interface AppOptions {
  readonly front: Front;
  readonly secure: boolean;
  /** True once the server is stopping: connections are then closed after their answer. */
  readonly isStopping: () => boolean;
  readonly onServed: (entry: LogEntry) => void;
}

/** A body on a question is not read; one longer than this is not even waited for. */
const IGNORED_BODY_MAX = 65_536;

export function createApp(options: AppOptions): Hono<{ Bindings: HttpBindings }> {
  const { front, secure } = options;
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.all('*', async (context) => {
    const { incoming, outgoing } = context.env;
    const begun = performance.now();
    // Made only where it is asked for: most answers are there at once.
    let gone: AbortController | undefined;
    let finish = () => {};
    // Also when the client hangs up before the answer: then the work is stopped, and its slot free once it has.
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) gone?.abort(new Error('the client hung up'));
      finish();
    });
    const request = {
      method: incoming.method ?? '',
      target: withoutOrigin(incoming.url ?? ''),
      headers: plain(incoming.headers),
      get signal() {
        gone ??= new AbortController();
        if (outgoing.destroyed) gone.abort(new Error('the client hung up'));
        return gone.signal;
      },
    };
    const served = await front.serve(request);
    const { answer } = served;
    if (outgoing.destroyed) served.finish();
    else finish = served.finish;
    options.onServed({
      requestId: served.requestId,
      account: served.account,
      remote: incoming.socket.remoteAddress ?? null,
      method: request.method,
      target: request.target,
      status: answer.status,
      body: answer.body,
      milliseconds: performance.now() - begun,
    });
    const closing = options.isStopping() || hasLongBody(incoming.headers) ? { connection: 'close' } : undefined;
    const headers = { ...answer.headers, ...securityHeaders(answer.status, secure), ...closing };
    // Made here and not by the context, which would copy every header several times.
    return new Response(answer.status === 304 ? null : answer.body, { status: answer.status, headers });
  });
  return app;
}

/** Of a header given several times node has kept the first or joined them; lists are for cookies only. */
function plain(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string | undefined> {
  return headers as Record<string, string | undefined>;
}

/** The absolute form of a target, as proxies send it: `http://host/v1/…`. */
function withoutOrigin(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*(?=\/|$)/i, '');
}

function hasLongBody(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > IGNORED_BODY_MAX;
}
