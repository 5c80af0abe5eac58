/** Requests over the network to one origin, bounded in time and size. Loaded with the first request. */
import type { InputType, ZlibOptions } from 'node:zlib';
import { flattenHeaders, openAgent } from '../../http/agent.ts';
import { ConnectionError } from '../../http/connection-error.ts';
import { explainNetworkError } from '../../http/network-errors.ts';
import { isRedirect, MOST_REDIRECTS, redirectTarget } from '../../http/redirects.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

export interface NetworkOptions {
  /** https, or http on loopback; may have a path. */
  readonly baseUrl: string;
  /** The longest time for one request, in milliseconds. */
  readonly timeout: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** No response of the interface comes near it; an endless one must not fill the memory. */
const BODY_MAX = 64 * 1024 * 1024;

export function openNetwork(options: NetworkOptions): Transport {
  const base = new URL(options.baseUrl);
  const agent = openAgent(base, options.env);
  const prefix = base.pathname.replace(/\/+$/, '');

  async function sendOnce(path: string, request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    const response = await agent.get({
      path,
      headers: { 'accept-encoding': 'gzip, br', ...request.headers },
      signal,
    });
    const headers = flattenHeaders(response.headers);
    if (response.statusCode === 304) {
      // It has no body, but may announce the length of the 200's (RFC 9110, 8.6), which undici takes for a truncated one.
      response.body.on('error', () => {}).resume();
      return { status: 304, headers, body: '' };
    }
    const body = await collect(response.body, base.origin);
    return { status: response.statusCode, headers, body: await decode(body, headers['content-encoding']) };
  }

  return {
    async send(request) {
      const clock = AbortSignal.timeout(options.timeout);
      const signal = request.signal === undefined ? clock : AbortSignal.any([clock, request.signal]);
      try {
        let path = prefix + request.target;
        let response = await sendOnce(path, request, signal);
        for (let hop = 0; hop < MOST_REDIRECTS; hop++) {
          const next = redirectWithin(response, base.origin, path);
          if (next === null) break;
          path = next;
          response = await sendOnce(path, request, signal);
        }
        return response;
      } catch (error) {
        // The caller knows why it aborted.
        if (request.signal?.aborted === true) throw request.signal.reason;
        if (clock.aborted) {
          const way = agent.proxy === null ? '' : ` by way of the proxy ${new URL(agent.proxy).host}`;
          const message = `${base.origin} did not answer${way} within ${options.timeout / 1000} s.`;
          throw new ConnectionError('timeout', message, error);
        }
        throw explainNetworkError(error, base.origin, agent.proxy);
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

type Decoder = (input: InputType, options: ZlibOptions, done: (error: Error | null, result: Buffer) => void) => void;

/** The body as text. One that ends too early is a ConnectionError; an encoding that was not accepted, a RangeError. */
async function decode(body: Buffer, encoding: string | undefined): Promise<string> {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name === '' || name === 'identity' || body.length === 0) return body.toString('utf8');
  const zlib = await import('node:zlib');
  const decoders: Readonly<Record<string, Decoder>> = {
    gzip: zlib.gunzip,
    'x-gzip': zlib.gunzip,
    br: zlib.brotliDecompress,
  };
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (decoder === undefined) throw new RangeError(`the body came in the encoding ${JSON.stringify(name)}`);
  return new Promise((resolve, reject) => {
    decoder(body, { maxOutputLength: BODY_MAX }, (error, result) => {
      if (error === null) resolve(result.toString('utf8'));
      else if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
        reject(new RangeError(`the body is longer than ${BODY_MAX} bytes`));
      } else reject(new ConnectionError('truncated', 'The response ended before it was whole.', error));
    });
  });
}

/** The path of a redirect within the same origin, else null: a key goes nowhere else. */
function redirectWithin(response: TransportResponse, origin: string, from: string): string | null {
  const to = isRedirect(response.status) ? redirectTarget(response.headers.location, origin + from) : null;
  return to?.origin === origin ? to.pathname + to.search : null;
}
