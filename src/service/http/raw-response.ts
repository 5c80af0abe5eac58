/**
 * Responses where node hands out a bare socket: for what its parser refused, and for CONNECT. Node's own 400, 408 and
 * 431 have no problem document of the interface.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { newRequestId } from '../request-id.ts';
import { problemResponse, type ServiceResponse } from '../service.ts';
import { bodyLength, responseHeaders } from './response-headers.ts';

const DETAILS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The URL and headers of the request are too long.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The body of the request is not well-formed.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive whole in time.',
};

/** The problem of a request that node could not read; `code` is that of node's error. */
export function unreadableRequest(code: string | undefined, baseUrl: string): ServiceResponse {
  const detail = (code === undefined ? undefined : DETAILS[code]) ?? 'The request is not well-formed HTTP.';
  return problemResponse({ code: 'bad_request', detail }, { requestId: newRequestId(), baseUrl });
}

/** Writes the response as it stands and closes the connection. */
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
