/** An answer as HTTP carries it. */
import type { ServiceResponse } from '../service.ts';
import { securityHeaders } from './security-headers.ts';

/** Bytes of the body. */
export function bodyLength({ body }: ServiceResponse): number {
  let length = 0;
  for (const part of body) length += Buffer.byteLength(part);
  return length;
}

/** The way of an answer: over TLS or not, and whether the connection ends with it. */
export interface Delivery {
  readonly secure: boolean;
  readonly last: boolean;
}

/**
 * All headers, name after name and value after value, which node sends as they stand.
 * @param bytes of the body
 */
export function responseHeaders(
  { status, headers }: ServiceResponse,
  bytes: number,
  { secure, last }: Delivery,
): string[] {
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name] ?? '');
  list.push(...securityHeaders(status, secure));
  if (status !== 304) list.push('content-length', String(bytes));
  if (last) list.push('connection', 'close');
  return list;
}
