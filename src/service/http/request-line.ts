/** What a request line and its headers say before the service is asked. */
import type { IncomingMessage } from 'node:http';

/** Path and query, also of the absolute form that proxies send (`http://host/v1/…`); null where it is neither. */
export function targetOf({ url = '' }: IncomingMessage): string | null {
  if (url.startsWith('/')) return url;
  const absolute = /^https?:\/\/[^/?#]+/i.exec(url);
  return absolute === null ? null : url.slice(absolute[0].length) || '/';
}

/** Whether the one Host header that HTTP asks for is there, and is a host (RFC 9112, 3.2). */
export function hasHost({ headers: { host = '' }, url = '' }: IncomingMessage): boolean {
  return HOST.test(host) || !url.startsWith('/');
}

/** A name or an address, and perhaps a port. */
const HOST = /^([A-Za-z0-9._~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])(:\d*)?$/;

/** A body on a question is not read; one longer than this is not even waited for. */
const IGNORED_BODY_MAX = 65_536;

export function hasLongBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > IGNORED_BODY_MAX;
}
