/** GETs whose bodies are streamed, for files of any size. Redirects, retries and ranges are the caller's. */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflate } from 'node:zlib';
import { codeOf } from '../../platform/system-error.ts';
import { flattenHeaders, openAgent } from './agent.ts';
import { explain } from './network-errors.ts';
import { ConnectionError } from './transport.ts';

export interface DownloadRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface DownloadResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Without its content coding. Leaving it early lets go of the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface Downloads {
  /** Throws, as does its body: a Failure for what will not get better, a Broken for what may. */
  get(asked: DownloadRequest): Promise<DownloadResponse>;
  close(): Promise<void>;
}

export function openDownloads(env: Readonly<Record<string, string | undefined>>): Downloads {
  const agents = new Map<string, ReturnType<typeof openAgent>>();
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
        const answered = await agent.get({ path, headers, signal });
        const flat = flattenHeaders(answered.headers);
        const plain = withoutCoding(answered.body, flat['content-encoding']);
        return { status: answered.statusCode, headers: flat, body: explained(plain, agent.proxy, url.origin, signal) };
      } catch (error) {
        signal.throwIfAborted();
        throw explain(error, url.origin, agent.proxy);
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
    throw explain(error, origin, proxy);
  }
}

function withoutCoding(body: AsyncIterable<Uint8Array>, coding: string | undefined): AsyncIterable<Uint8Array> {
  const name = coding?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity' || name === '') return body;
  const decoder = DECODERS[name];
  if (decoder === undefined) throw new RangeError(`the body came in the encoding ${JSON.stringify(name)}`);
  return decoded(body, decoder());
}

const DECODERS: Readonly<Record<string, () => ReturnType<typeof createGunzip> | ReturnType<typeof createInflate>>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
};

async function* decoded(body: AsyncIterable<Uint8Array>, decoder: ReturnType<typeof createGunzip>) {
  const fed = pipeline(Readable.from(body), decoder);
  // It is awaited after the last byte; a failure before that comes out of the decoder.
  fed.catch(() => undefined);
  try {
    yield* decoder as AsyncIterable<Uint8Array>;
    await fed;
  } catch (error) {
    const code = codeOf(error) ?? '';
    throw code.startsWith('Z_')
      ? new ConnectionError('truncated', 'The answer ended before it was whole.', error)
      : error;
  }
}
