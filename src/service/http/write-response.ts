/** A response as bytes: its headers and length, and the whole of it where node hands out a bare socket. */

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { newRequestId } from '../request-id.ts';
import { NOT_GET } from '../route.ts';
import { problemResponse, type ServiceResponse } from '../service.ts';

/** Keep a JSON response from being anything else in a browser. There are none that open it to other origins. */
const SECURITY = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
].flat();

const SECURITY_OVER_TLS = [...SECURITY, 'strict-transport-security', 'max-age=31536000'];

/** Bytes of the body. */
export function bodyLength({ body }: ServiceResponse): number {
  let length = 0;
  for (const part of body) length += Buffer.byteLength(part);
  return length;
}

interface Delivery {
  /** Over TLS. */
  readonly secure: boolean;
  /** The connection closes after this response. */
  readonly last: boolean;
}

/**
 * Names and values in turn, as node takes them.
 * @param bytes of the body
 */
export function responseHeaders(
  { status, headers }: ServiceResponse,
  bytes: number,
  { secure, last }: Delivery,
): string[] {
  const list = Object.entries(headers).flat();
  // A 304 has exactly the headers that the contract's README lists, and so none of these.
  if (status !== 304) list.push(...(secure ? SECURITY_OVER_TLS : SECURITY), 'content-length', String(bytes));
  if (last) list.push('connection', 'close');
  return list;
}

/** Node's own 400, 408 and 431 have no problem document of the interface. */
const DETAILS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The URL and headers of the request are too long.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The body of the request is not well-formed.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive whole in time.',
};

/** Node's error for a request that it could not read: the bytes that came with it, and how many of them it could. */
export interface UnreadableRequest extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** The problem of such a request: 405 where all that node does not know is the method. */
export function unreadableRequest(error: UnreadableRequest, baseUrl: string): ServiceResponse {
  const context = { requestId: newRequestId(), baseUrl };
  if (error.code === 'HPE_INVALID_METHOD' && isRequestLine(lineOf(error))) return problemResponse(NOT_GET, context);
  const detail = DETAILS[error.code ?? ''] ?? 'The request is not well-formed HTTP.';
  return problemResponse({ code: 'bad_request', detail }, context);
}

/** A method is any token (https://www.rfc-editor.org/rfc/rfc9110#section-9.1). */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~\dA-Za-z-]+ \S+ HTTP\/1\.\d\r?$/;
const isRequestLine = (line: string): boolean => REQUEST_LINE.test(line);

/** The line in which node stopped. */
function lineOf({ rawPacket = Buffer.alloc(0), bytesParsed = 0 }: UnreadableRequest): string {
  const begin = rawPacket.subarray(0, bytesParsed).lastIndexOf('\n') + 1;
  const end = rawPacket.indexOf('\n', begin);
  return rawPacket.toString('latin1', begin, end < 0 ? begin : end);
}

/** Writes the response to a bare socket, which node gives for CONNECT and for what its parser refused, and closes it. */
export function sendRaw(socket: Socket, response: ServiceResponse, secure: boolean): void {
  // The client has gone, or the response before was the last.
  if (!socket.writable) return;
  const delivery = { secure, last: true };
  const headers = [...responseHeaders(response, bodyLength(response), delivery), 'date', new Date().toUTCString()];
  const lines = headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  socket.write(
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n${lines.join('')}\r\n${response.body.join('')}`,
  );
  socket.destroySoon();
}
