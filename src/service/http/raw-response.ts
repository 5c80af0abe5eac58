/**
 * Answers where node hands out a bare socket: what its parser refused, and CONNECT. Without this such a client
 * would get node's own 400, 408 or 431, which are no problems of the interface.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { requestIdOf } from '../request-id.ts';
import type { ServiceResponse } from '../service.ts';
import { problemResponse } from '../service.ts';
import { bodyLength, responseHeaders } from './response-headers.ts';

const DETAILS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The URL and headers of the request are too long.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The body of the request is not well-formed.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive whole in time.',
};

/** What is said of a request that node could not read. */
export function unreadableRequest(code: string | undefined, baseUrl: string): ServiceResponse {
  const detail = DETAILS[code ?? ''] ?? 'The request is not well-formed HTTP.';
  return problemResponse({ code: 'bad_request', detail }, { requestId: requestIdOf(undefined), baseUrl });
}

/** Writes the answer as it stands and closes the connection. */
export function sendRaw(socket: Socket, answer: ServiceResponse, secure: boolean): void {
  // Nobody is listening any more, or the answer before was the last.
  if (!socket.writable) return;
  const headers = [
    ...responseHeaders(answer, bodyLength(answer), { secure, last: true }),
    'date',
    new Date().toUTCString(),
  ];
  const lines = headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  const status = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n`;
  socket.write(`${status}${lines.join('')}\r\n${answer.body.join('')}`);
  socket.destroySoon();
}
