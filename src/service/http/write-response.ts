/** Writes responses: adds headers and length; writes raw bytes if Node.js provides only a bare socket. */

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { createRequestId } from '../request/request-id.ts';
import { NOT_GET_ERROR } from '../request/route.ts';
import { makeProblemResponse, type ServiceResponse } from '../responses/service.ts';

/**
 * Headers that restrict how browsers use a response. Pages of other origins cannot read responses, unless
 * `withCrossOrigin` adds CORS headers.
 */
const SECURITY_HEADERS = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
].flat();

const SECURITY_HEADERS_OVER_TLS = [...SECURITY_HEADERS, 'strict-transport-security', 'max-age=31536000'];

export function countBodyBytes({ body }: ServiceResponse): number {
  let size = 0;
  for (const part of body) size += Buffer.byteLength(part);
  return size;
}

interface Delivery {
  /** Whether the connection uses TLS. */
  readonly isSecure: boolean;
  /** Whether the connection closes after this response. */
  readonly isLast: boolean;
}

/**
 * Returns alternating header names and values, the form that Node.js accepts.
 * @param bytes length of the body
 */
export function listResponseHeaders(
  { status, headers }: ServiceResponse,
  bytes: number,
  { isSecure, isLast }: Delivery,
): string[] {
  const list = [...Object.entries(headers).flat(), 'vary', 'accept-encoding'];
  // A 304 has neither security headers nor a body; src/service/README.md lists all headers of a 304.
  if (status !== 304)
    list.push(...(isSecure ? SECURITY_HEADERS_OVER_TLS : SECURITY_HEADERS), 'content-length', String(bytes));
  if (isLast) list.push('connection', 'close');
  return list;
}

/**
 * Problem details by Node's error code, for requests that Node.js would itself refuse (400, 408, 413 or 431) without a
 * problem document.
 */
const DETAIL_BY_ERROR_CODE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The URL and headers of the request are too long.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The chunk extensions in the body of the request are too long.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive completely in time.',
};

/** Node's error for an unreadable request, with the bytes received and the number of bytes parsed. */
export interface UnreadableRequestError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/**
 * Returns the problem for an unreadable request: 405 if the request is valid except for a method unknown to Node.js.
 */
export function makeUnreadableRequestResponse(error: UnreadableRequestError, baseUrl: string): ServiceResponse {
  const context = { id: createRequestId(), baseUrl };
  if (error.code === 'HPE_INVALID_METHOD' && isRequestLine(findUnparsedLine(error)))
    return makeProblemResponse(NOT_GET_ERROR, context);
  const detail = DETAIL_BY_ERROR_CODE[error.code ?? ''] ?? 'The request is not well-formed HTTP.';
  return makeProblemResponse({ code: 'bad_request', detail }, context);
}

/** Matches a request line whose method is any token (https://www.rfc-editor.org/rfc/rfc9110#section-9.1). */
const REQUEST_LINE_PATTERN = /^[!#$%&'*+.^_`|~\dA-Za-z-]+ \S+ HTTP\/1\.\d\r?$/;
const isRequestLine = (line: string): boolean => REQUEST_LINE_PATTERN.test(line);

/** Returns the line at which Node.js stopped parsing. */
function findUnparsedLine({ rawPacket = Buffer.alloc(0), bytesParsed = 0 }: UnreadableRequestError): string {
  const start = rawPacket.subarray(0, bytesParsed).lastIndexOf('\n') + 1;
  const end = rawPacket.indexOf('\n', start);
  return rawPacket.toString('latin1', start, end < 0 ? start : end);
}

/**
 * Writes the response to a bare socket, and closes the socket. Node.js provides a bare socket for CONNECT and for
 * unparsable requests.
 */
export function sendRaw(socket: Socket, response: ServiceResponse, secure: boolean): void {
  // Nothing can be written if the client has disconnected, or if the previous response was the connection's last.
  if (!socket.writable) return;
  const { status, body } = response;
  const responseHeaders = listResponseHeaders(response, countBodyBytes(response), { isSecure: secure, isLast: true });
  const headers = [...responseHeaders, 'date', new Date().toUTCString()];
  const parts = headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${parts.join('')}\r\n${body.join('')}`);
  socket.destroySoon();
}
