/**
 * The way over the network: one origin, kept-alive connections, bounds on time and size. Loaded only
 * when something is asked.
 */

import { flattenHeaders, openAgent } from './agent.ts';
import { decode } from './decode.ts';
import { explain } from './network-errors.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';
import { ConnectionError } from './transport.ts';

export interface NetworkOptions {
  /** https, or http on loopback; may carry a path. */
  readonly baseUrl: string;
  /** The longest time for one request, in milliseconds. */
  readonly timeout: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** No answer of the interface comes near it; an endless one must not fill the memory. */
const BODY_MAX = 64 * 1024 * 1024;
const REDIRECTS_MAX = 5;

/** `send` throws a Failure for what will not get better, a Broken for what may. */
export function openNetwork(options: NetworkOptions): Transport {
  const base = new URL(options.baseUrl);
  const agent = openAgent(base, options.env);
  const prefix = base.pathname.replace(/\/+$/, '');

  async function once(path: string, asked: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    const answered = await agent.get({
      path,
      headers: { 'accept-encoding': 'gzip, br', ...asked.headers },
      signal,
    });
    const headers = flattenHeaders(answered.headers);
    const body = await collect(answered.body, base.origin);
    return { status: answered.statusCode, headers, body: await decode(body, headers['content-encoding'], BODY_MAX) };
  }

  return {
    async send(asked) {
      const clock = AbortSignal.timeout(options.timeout);
      const signal = asked.signal === undefined ? clock : AbortSignal.any([clock, asked.signal]);
      try {
        let path = prefix + asked.target;
        let answer = await once(path, asked, signal);
        for (let hop = 0; hop < REDIRECTS_MAX; hop++) {
          const next = followable(answer, base.origin, path);
          if (next === null) break;
          path = next;
          answer = await once(path, asked, signal);
        }
        return answer;
      } catch (error) {
        // The caller's own abort is the caller's to explain.
        if (asked.signal?.aborted === true) throw asked.signal.reason;
        if (clock.aborted) {
          throw new ConnectionError(
            'timeout',
            `${base.origin} did not answer within ${options.timeout / 1000} s.`,
            error,
          );
        }
        throw explain(error, base.origin, agent.proxy);
      }
    },
    close: () => agent.close(),
  };
}

async function collect(body: AsyncIterable<Uint8Array>, origin: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > BODY_MAX) throw new RangeError(`${origin} sent more than ${BODY_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const MOVED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The path to go on to, where an answer sends us on within the same origin. */
function followable(answer: TransportResponse, origin: string, from: string): string | null {
  const { location } = answer.headers;
  if (!MOVED.has(answer.status) || location === undefined || !URL.canParse(location, origin + from)) return null;
  const to = new URL(location, origin + from);
  return to.origin === origin ? to.pathname + to.search : null;
}
