/** GETs with streamed bodies, for files of any size. Redirects, retries and ranges are the caller's. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflate } from 'node:zlib';
import { codeOf } from '../platform/system-error.ts';
import { flattenHeaders, type OriginAgent, openAgent } from './agent.ts';
import { ConnectionError } from './connection-error.ts';
import { explainNetworkError } from './network-errors.ts';

export interface DownloadRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface DownloadResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded. Leaving it early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface Downloads {
  /** Throws, as does its body, a Failure, or a ConnectionError where a retry may help. */
  get(request: DownloadRequest): Promise<DownloadResponse>;
  close(): Promise<void>;
}

export function openDownloads(env: Readonly<Record<string, string | undefined>>): Downloads {
  const agents = new Map<string, OriginAgent>();
  const agentOf = (url: URL) => {
    const agent = agents.get(url.origin) ?? openAgent(url, env);
    agents.set(url.origin, agent);
    return agent;
  };
  return {
    async get({ url: text, headers, signal }) {
      const url = new URL(text);
      const path = url.pathname + url.search;
      const agent = agentOf(url);
      try {
        const response = await agent.get({ path, headers, signal });
        const flat = flattenHeaders(response.headers);
        const decoded = decodeStream(response.body, flat['content-encoding']);
        const body = explained(decoded, agent.proxy, url.origin, signal);
        return { status: response.statusCode, headers: flat, body };
      } catch (error) {
        signal.throwIfAborted();
        throw explainNetworkError(error, url.origin, agent.proxy);
      }
    },
    close: async () => void (await Promise.all([...agents.values()].map((agent) => agent.close()))),
  };
}

async function* explained(body: AsyncIterable<Uint8Array>, proxy: string | null, origin: string, signal: AbortSignal) {
  try {
    yield* body;
  } catch (error) {
    signal.throwIfAborted();
    throw explainNetworkError(error, origin, proxy);
  }
}

type Decoder = ReturnType<typeof createGunzip> | ReturnType<typeof createInflate>;

const DECODERS: Readonly<Record<string, () => Decoder>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
};

function decodeStream(body: AsyncIterable<Uint8Array>, encoding: string | undefined): AsyncIterable<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity' || name === '') return body;
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (decoder === undefined) throw new RangeError(`the body came in the encoding ${JSON.stringify(name)}`);
  return pipedThrough(body, decoder());
}

async function* pipedThrough(body: AsyncIterable<Uint8Array>, decoder: Decoder) {
  const piped = pipeline(Readable.from(body), decoder);
  // Awaited after the last byte; a failure before that comes out of the decoder.
  piped.catch(() => undefined);
  try {
    yield* decoder as AsyncIterable<Uint8Array>;
    await piped;
  } catch (error) {
    if (codeOf(error)?.startsWith('Z_') !== true) throw error;
    throw new ConnectionError('truncated', 'The response ended before it was whole.', error);
  }
}
