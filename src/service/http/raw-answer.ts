/**
 * Answers where node hands out a bare socket: what its parser refused, and CONNECT. Without this such a client
 * would get node's own 400, 408 or 431, which are no problems of the interface.
 */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { requestIdOf } from '../request-id.ts';
import { problemAnswer } from '../service.ts';
import type { ServiceAnswer } from '../types.ts';
import { headersOf, lengthOf } from './wire-answer.ts';

const DETAILS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The URL and headers of the request are too long.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The body of the request is not well-formed.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive whole in time.',
};

/** For the server's `clientError`. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex, baseUrl: string, secure: boolean): void {
  // Nobody is listening any more, or an answer is on its way already and cannot be followed by another.
  if (error.code === 'ECONNRESET' || !socket.writable || hasAnswerUnderWay(socket)) {
    socket.destroy();
    return;
  }
  const detail = DETAILS[error.code ?? ''] ?? 'The request is not well-formed HTTP.';
  sendRaw(
    socket,
    problemAnswer({ code: 'bad_request', detail }, { requestId: requestIdOf(undefined), baseUrl }),
    secure,
  );
}

/** Writes the answer as it stands and closes the connection. */
export function sendRaw(socket: Duplex, answer: ServiceAnswer, secure: boolean): void {
  const headers = [...headersOf(answer, lengthOf(answer), { secure, last: true }), 'date', new Date().toUTCString()];
  const lines = headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  const status = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n`;
  socket.end(`${status}${lines.join('')}\r\n${answer.body.join('')}`);
  // A client that neither reads nor hangs up must not keep the socket.
  const timer = setTimeout(() => socket.destroy(), 1_000);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Node keeps the response under way on its socket, under a name that it has promised nobody. */
function hasAnswerUnderWay(socket: Duplex): boolean {
  const { _httpMessage: message } = socket as Duplex & { readonly _httpMessage?: { readonly headersSent?: boolean } };
  return message?.headersSent === true;
}
