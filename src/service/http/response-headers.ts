/** The headers of a response as node sends them: names and values in turn. */
import type { ServiceResponse } from '../service.ts';

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

export interface Delivery {
  /** Over TLS. */
  readonly secure: boolean;
  /** The connection closes after this response. */
  readonly last: boolean;
}

/** @param bytes of the body */
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
