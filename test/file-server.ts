/**
 * A static host like an object store: serves the files of a directory with single ranges and validators, and simulates
 * the faults that a test requests.
 */
import { once } from 'node:events';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenUntilDone } from './listen.ts';

export interface ServedRequest {
  readonly method: string;
  /** The decoded path, relative to the root of the server. */
  readonly path: string;
  /** The Range header, such as `bytes=0-99`; null if missing. */
  readonly range: string | null;
  readonly headers: IncomingMessage['headers'];
  status: number;
  /** Number of body bytes that were sent. */
  bytes: number;
}

/** A fault in one response. */
export interface Fault {
  /** Milliseconds before the response begins. */
  readonly delay?: number;
  /** Breaks the connection after this number of body bytes. */
  readonly cutAfter?: number;
  /** Answers a range with the whole file. */
  readonly ignoreRange?: boolean;
  /** Sends this response instead of the file. */
  readonly answer?: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Buffer;
  };
  /** Additional headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Offset in the file of a byte that is changed in the response. */
  readonly corruptAt?: number;
}

export interface FileServer {
  /** Base URL of the server, without a trailing slash. */
  readonly url: string;
  readonly requests: ServedRequest[];
  /** The served directory; may be changed at any time. */
  root: string;
  /** Returns the fault of the response to a request, if any; tests replace this function. */
  fault: (request: ServedRequest) => Fault | undefined;
}

const CHUNK_BYTES = 64 * 1024;

/** Starts a server, which stops when the tests of the file are done. */
export async function startFileServer(root: string): Promise<FileServer> {
  const server: { -readonly [Key in keyof FileServer]: FileServer[Key] } = {
    url: '',
    requests: [],
    root,
    fault: () => undefined,
  };
  const port = await listenUntilDone(
    createServer((request, response) => {
      answer(server, request, response).catch(() => response.destroy());
    }),
  );
  server.url = `http://127.0.0.1:${port}`;
  return server;
}

async function answer(
  server: FileServer,
  { method = '', url = '', headers }: IncomingMessage,
  response: ServerResponse,
) {
  const path = decodeURIComponent(new URL(url, 'http://host').pathname);
  const servedRequest: ServedRequest = { method, path, range: headers.range ?? null, headers, status: 0, bytes: 0 };
  server.requests.push(servedRequest);
  const fault = server.fault(servedRequest) ?? {};
  if (fault.delay !== undefined) await sleep(fault.delay);
  const send = (status: number, fields: Readonly<Record<string, string | number>>, body?: string | Buffer) => {
    servedRequest.status = status;
    servedRequest.bytes = body === undefined ? 0 : Buffer.byteLength(body);
    response.writeHead(status, fields).end(body);
  };
  if (fault.answer !== undefined) return send(fault.answer.status, fault.answer.headers ?? {}, fault.answer.body ?? '');
  if (method !== 'GET' && method !== 'HEAD') return send(405, { allow: 'GET, HEAD' }, 'no');
  const file = join(server.root, path);
  const fileStats = statSync(file, { throwIfNoEntry: false });
  if (fileStats?.isFile() !== true) return send(404, { 'content-type': 'text/html' }, '<h1>Not Found</h1>');
  const validators = {
    etag: `"${fileStats.size.toString(16)}-${Math.round(fileStats.mtimeMs).toString(16)}"`,
    'last-modified': fileStats.mtime.toUTCString(),
  };
  if (headers['if-none-match'] === validators.etag) return send(304, validators);
  const range = fault.ignoreRange === true ? null : parseRange(servedRequest.range, fileStats.size);
  if (range === 'none') return send(416, { 'content-range': `bytes */${fileStats.size}` });
  const { start, end } = range ?? { start: 0, end: fileStats.size };
  servedRequest.status = range === null ? 200 : 206;
  response.writeHead(servedRequest.status, {
    ...validators,
    ...fault.headers,
    'accept-ranges': fault.ignoreRange === true ? 'none' : 'bytes',
    'content-type': path.endsWith('.json') ? 'application/json' : 'application/octet-stream',
    'content-length': end - start,
    ...(range === null ? {} : { 'content-range': `bytes ${start}-${end - 1}/${fileStats.size}` }),
  });
  if (method === 'HEAD') return response.end();
  await sendBytes(file, start, end, fault, servedRequest, response);
}

/** Returns the range in a Range header, 'none' if the file has no such bytes, or null for the whole file. */
function parseRange(header: string | null, size: number): { start: number; end: number } | 'none' | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size : Math.min(size, Number(to) + 1);
  return start >= end ? 'none' : { start, end };
}

async function sendBytes(
  file: string,
  start: number,
  end: number,
  { cutAfter = Number.POSITIVE_INFINITY, corruptAt }: Fault,
  served: ServedRequest,
  response: ServerResponse,
): Promise<void> {
  const whenClosed = once(response, 'close').then(() => false);
  const descriptor = openSync(file, 'r');
  try {
    for (let offset = start; offset < end; ) {
      const length = Math.min(CHUNK_BYTES, end - offset, cutAfter - served.bytes);
      if (length === 0) break;
      const chunk = Buffer.alloc(length);
      readSync(descriptor, chunk, 0, length, offset);
      if (corruptAt !== undefined && corruptAt >= offset && corruptAt < offset + length)
        chunk.writeUInt8(chunk.readUInt8(corruptAt - offset) ^ 0xff, corruptAt - offset);
      const isSent = await Promise.race([
        whenClosed,
        new Promise<boolean>((done) => response.write(chunk, () => done(true))),
      ]);
      if (!isSent) return;
      offset += length;
      served.bytes += length;
    }
    if (start + served.bytes < end) response.destroy();
    else response.end();
  } finally {
    closeSync(descriptor);
  }
}
