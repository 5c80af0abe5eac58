/** An answer as HTTP carries it. */
import type { ServiceAnswer } from '../types.ts';
import { securityHeaders } from './security-headers.ts';

/** Bytes of the body. */
export function lengthOf({ body }: ServiceAnswer): number {
  let length = 0;
  for (const part of body) length += Buffer.byteLength(part);
  return length;
}

/**
 * All headers, name after name and value after value, which node sends as they stand.
 * @param last whether the connection ends with this answer
 */
export function headersOf(answer: ServiceAnswer, secure: boolean, last: boolean): string[] {
  const { status, headers } = answer;
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name] ?? '');
  list.push(...securityHeaders(status, secure));
  if (status !== 304) list.push('content-length', String(lengthOf(answer)));
  if (last) list.push('connection', 'close');
  return list;
}
