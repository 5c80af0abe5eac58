/**
 * Ways in which a service, or a proxy before it, may send one answer: all are allowed by HTTP, or common. A client must
 * get the same answer from each.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

/** A request to answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Headers of the plain answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON text of the answer. */
  readonly body: string;
  /** Number of requests for this target so far, including this one. */
  readonly count: number;
}

export type Transfer = (exchange: Exchange) => unknown;

export const sendPlainly: Transfer = ({ response, headers, body }) => response.writeHead(200, headers).end(body);

/** Sends the answer with other headers; undefined removes a header. */
const withHeaders =
  (changes: Readonly<Record<string, string | string[] | undefined>>): Transfer =>
  ({ response, headers, body }) => {
    const changed = Object.entries({ ...headers, ...changes }).filter(([, value]) => value !== undefined);
    response.writeHead(200, Object.fromEntries(changed) as Record<string, string | string[]>).end(body);
  };

const withBody =
  (encode: (body: string) => Buffer | string, extra: Readonly<Record<string, string>> = {}): Transfer =>
  ({ response, headers, body }) =>
    response.writeHead(200, { ...headers, ...extra }).end(encode(body));

/** Sends the body in pieces of so many bytes, each in a chunk of its own. */
const inPieces =
  (size: number, encode = (body: string): Buffer => Buffer.from(body), extra = {}): Transfer =>
  async ({ response, headers, body }) => {
    response.writeHead(200, { ...headers, ...extra });
    const bytes = encode(body);
    for (let start = 0; start < bytes.length; start += size) {
      response.write(bytes.subarray(start, start + size));
      await nextTurn();
    }
    response.end();
  };

/** Answers the first request for a target with an error, and closes the connection. */
const afterStatus =
  (status: number, extra: Readonly<Record<string, string>> = {}): Transfer =>
  (exchange) => {
    if (exchange.count > 1) return sendPlainly(exchange);
    return exchange.response.writeHead(status, { connection: 'close', ...extra }).end();
  };

/** Redirects a request so many times, each time to a path with one more `/moved`, which the service ignores. */
const afterRedirects =
  (status: number, hops: number, isAbsolute: boolean): Transfer =>
  (exchange) => {
    const { request, response } = exchange;
    const moves = (request.url ?? '').split('/moved').length - 1;
    if (moves >= hops) return sendPlainly(exchange);
    const origin = isAbsolute ? `http://${request.headers.host}` : '';
    return response.writeHead(status, { location: `${origin}/moved${request.url}` }).end('Moved');
  };

/** Writes bytes instead of a response of Node.js. */
const writeRaw =
  (format: (exchange: Exchange) => string | Buffer, ends = true): Transfer =>
  (exchange) => {
    const { socket } = exchange.request;
    socket.write(format(exchange));
    if (ends) socket.end();
  };

const formatHead = ({ headers }: Exchange, status = 'HTTP/1.1 200 OK'): string =>
  [status, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), ''].join('\r\n');

const addWhitespace = (body: string): string =>
  `\r\n\t ${JSON.stringify(JSON.parse(body), null, '\t').replaceAll('\n', '\r\n')}\r\n \n`;

const escapeLetters = (body: string): string =>
  body.replace(/[A-Z]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const TRANSFERS: Readonly<Record<string, Transfer>> = {
  'with a byte order mark': withBody((body) => `\ufeff${body}`),
  'in UTF-16': withBody((body) => Buffer.from(`\ufeff${body}`, 'utf16le'), {
    'content-type': 'application/json; charset=utf-16',
  }),
  'with white space around and between values': withBody(addWhitespace),
  'with escaped letters': withBody(escapeLetters),
  'compressed with gzip': withBody((body) => gzipSync(body), { 'content-encoding': 'gzip' }),
  'compressed with X-GZIP, in capitals': withBody((body) => gzipSync(body), { 'content-encoding': 'X-GZIP' }),
  'compressed with br': withBody((body) => brotliCompressSync(body), { 'content-encoding': 'br' }),
  'compressed with deflate': withBody((body) => deflateSync(body), { 'content-encoding': 'deflate' }),
  'compressed in two gzip members': withBody(
    (body) => Buffer.concat([gzipSync(body.slice(0, 99)), gzipSync(body.slice(99))]),
    { 'content-encoding': 'gzip' },
  ),
  'with the encoding identity': withHeaders({ 'content-encoding': 'identity' }),
  'dripping, one byte at a time': inPieces(1),
  'dripping and compressed': inPieces(3, (body) => gzipSync(body), { 'content-encoding': 'gzip' }),
  'after a 100 that nobody asked for': (exchange) => {
    exchange.response.writeContinue();
    sendPlainly(exchange);
  },
  'after several interim responses': (exchange) => {
    exchange.response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    exchange.response.writeProcessing();
    exchange.response.writeContinue();
    sendPlainly(exchange);
  },
  'until the end of the connection, as HTTP/1.0': writeRaw(
    (exchange) => `${formatHead(exchange, 'HTTP/1.0 200 OK')}\r\n${exchange.body}`,
  ),
  'without a reason phrase, in chunks with extensions and trailers': writeRaw((exchange) => {
    const bytes = Buffer.from(exchange.body);
    const chunk = `${bytes.length.toString(16).toUpperCase()};name="value"\r\n${exchange.body}\r\n0\r\nX-Trailer: 1\r\n\r\n`;
    return `${formatHead(exchange, 'HTTP/1.1 200 ')}Transfer-Encoding: CHUNKED\r\n\r\n${chunk}`;
  }),
  'on a connection that closes after each response': withHeaders({ connection: 'close' }),
  'on a connection that may stay open for no time': withHeaders({ 'keep-alive': 'timeout=0' }),
  'with long headers and cookies': withHeaders({ 'x-long': 'a'.repeat(8000), 'set-cookie': ['a=1', 'b=2; Secure'] }),
  'without a type and a tag': withHeaders({ 'content-type': undefined, etag: undefined }),
  'as text': withHeaders({ 'content-type': 'text/plain' }),
  'with an empty tag': withHeaders({ etag: '""' }),
  'with limits in three headers': withHeaders({
    ...{ ratelimit: undefined, 'ratelimit-policy': undefined },
    ...{ 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '599', 'x-ratelimit-reset': '42' },
  }),
  'with limits in one header': withHeaders({
    ratelimit: 'limit=600, remaining=599, reset=42',
    'ratelimit-policy': '600;w=60',
  }),
  'with repeated lines of limits': withHeaders({ ratelimit: ['"minute";r=59;t=42', '"month";r=9;t=9'] }),
  'with limits that cannot be read': withHeaders({
    ratelimit: '"minute";r=-1;t=1e9, ;;;, "month";r=99999999999999999999;t=x, "',
    'ratelimit-policy': '"minute";q=0;w=0, "concurrent";q=0, "\\',
    'retry-after': 'soon',
  }),
  'with nothing remaining for a second': withHeaders({ ratelimit: '"minute";r=0;t=1' }),
  'after a redirect (302) to a path': afterRedirects(302, 1, false),
  'after a redirect (307) to an address': afterRedirects(307, 1, true),
  'after five redirects (308)': afterRedirects(308, 5, false),
  'after 408': afterStatus(408),
  'after 421': afterStatus(421),
  'after 425': afterStatus(425),
  'after 503 with Retry-After: 0': afterStatus(503, { 'retry-after': '0' }),
  'after 520': afterStatus(520),
  'after a connection that broke in the middle': (exchange) => {
    if (exchange.count > 1) return sendPlainly(exchange);
    const { socket } = exchange.request;
    socket.write(
      `${formatHead(exchange)}Content-Length: ${Buffer.byteLength(exchange.body)}\r\n\r\n${exchange.body.slice(0, 20)}`,
    );
    return socket.resetAndDestroy();
  },
  'after a connection that was closed without an answer': (exchange) =>
    exchange.count > 1 ? sendPlainly(exchange) : exchange.request.socket.destroy(),
};
