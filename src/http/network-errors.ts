/** Explains errors of connections (DNS, TCP, TLS, proxies) as sentences, and determines whether to retry. */

import { hasCode, isError } from '../contract/error-code.ts';
import { Failure } from '../contract/failure.ts';
import { toWordSet } from '../platform/collections.ts';
import { isAccessRefusal, makeSystemFailure } from '../platform/files/system-error.ts';
import { isLoopback } from './addresses.ts';

/** Kinds of connection errors. `absent`: nothing listens at an address on this machine. */
export type ConnectionErrorKind = 'absent' | 'refused' | 'reset' | 'timeout' | 'truncated';

/** A failed connection or an incomplete response, after which a retry may succeed. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code = 'fin:connection';

  /** @param message a full sentence that names the origin, unless `explainNetworkError` adds the origin later */
  constructor(
    readonly kind: ConnectionErrorKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

export const isConnectionError = (error: unknown): error is ConnectionError => hasCode(error, 'fin:connection');

/** A proxy responded to CONNECT with a status other than 200. */
export class ProxyRefusalError extends Error {
  override readonly name = 'ProxyRefusal';

  constructor(readonly status: number) {
    super(`the proxy answered ${status}`);
  }
}

/** Errors after which a retry may succeed, by the code of Node.js or undici: the kind, and the end of the sentence. */
const RETRYABLE_ERRORS: Readonly<Record<string, readonly [ConnectionErrorKind, string]>> = {
  ECONNREFUSED: ['refused', 'refused the connection'],
  ECONNRESET: ['reset', 'closed the connection'],
  EPIPE: ['reset', 'closed the connection'],
  UND_ERR_SOCKET: ['reset', 'closed the connection'],
  UND_ERR_CLOSED: ['reset', 'closed the connection'],
  UND_ERR_DESTROYED: ['reset', 'closed the connection'],
  ETIMEDOUT: ['timeout', 'did not accept the connection in time'],
  EHOSTUNREACH: ['refused', 'cannot be reached'],
  ENETUNREACH: ['refused', 'cannot be reached'],
  EAI_AGAIN: ['refused', 'could not be resolved (a temporary DNS failure)'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'did not accept the connection in time'],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'accepted the request but did not answer in time'],
  UND_ERR_BODY_TIMEOUT: ['timeout', 'stopped in the middle of its response'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['truncated', 'sent a response that is shorter or longer than announced'],
  UND_ERR_ABORTED: ['reset', 'closed the connection'],
};

/** Errors while connecting; if a proxy is used, they concern the proxy. */
const CONNECT_ERROR_CODES = toWordSet('ECONNREFUSED ETIMEDOUT EHOSTUNREACH ENETUNREACH EAI_AGAIN ENOTFOUND');

/**
 * Returns a ConnectionError if a retry may succeed, otherwise a `network` Failure.
 * @param proxy address of the proxy in use, or null
 */
export function explainNetworkError(error: unknown, origin: string, proxy: string | null): Error {
  if (isConnectionError(error))
    return new ConnectionError(error.kind, `${error.message.replace(/\.$/, '')} (${origin}).`, error);
  const code = findErrorCode(error);
  // Through a proxy's tunnel, either the origin or the proxy may have sent the bytes.
  const peer = proxy === null ? origin : `${origin}, or the proxy ${new URL(proxy).host} on the way,`;
  if (isParserError(error, code))
    return new ConnectionError('truncated', `${peer} sent something that is not HTTP.`, error);
  if (error instanceof ProxyRefusalError) {
    const advice = error.status === 407 ? PROXY_LOGIN_HINT : PROXY_HINT;
    return makeFailure(`The proxy refused the request to ${origin} (status ${error.status}).`, advice, error);
  }
  if (proxy !== null && CONNECT_ERROR_CODES.has(code))
    return makeProxyFailure(code, new URL(proxy).host, origin, error);
  if (code === 'ECONNREFUSED' && isLoopback(new URL(origin).hostname))
    return new ConnectionError('absent', `${origin} refused the connection: no program listens there.`, error);
  const entry = RETRYABLE_ERRORS[code];
  if (entry !== undefined) return new ConnectionError(entry[0], `${origin} ${entry[1]}.`, error);
  if (code === 'ENOTFOUND') {
    const advice = 'Check the address, and whether this machine is online.';
    return makeFailure(`The host name in ${origin} is not known.`, advice, error);
  }
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') {
    const advice = 'Check the address: its scheme (http or https) or its port may be wrong.';
    return makeFailure(`${peer} does not speak TLS correctly (${code}).`, advice, error);
  }
  if (isCertificateError(code)) {
    const advice = `Nothing was sent. ${CERTIFICATE_ADVICE_BY_CODE[code] ?? CUSTOM_AUTHORITY_ADVICE}`;
    return makeFailure(`The certificate of ${origin} is not trusted (${code}).`, advice, error);
  }
  if (code === 'EACCES' || code === 'EPERM')
    return makeFailure(`This machine does not allow a connection to ${origin} (${code}).`, FORBIDDEN_ADVICE, error);
  if (isAccessRefusal(error)) return makeSystemFailure('network', `No connection to ${origin} can be opened`, error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return makeFailure(`The response of ${origin} cannot be read: its headers are too long.`, undefined, error);
  if (isError(error) && error.name === 'RangeError')
    return makeFailure(`The response of ${origin} cannot be read: ${error.message}.`, undefined, error);
  const reason = isError(error) ? `${error.message}${code === '' ? '' : ` (${code})`}` : String(error);
  const advice = 'Check the address, the proxy and the certificates.';
  return makeFailure(`The request to ${origin} failed: ${reason}.`, advice, error);
}

/** Whether undici could not parse the response. For a status below 100, undici fails an assertion instead. */
const isParserError = (error: unknown, code: string): boolean =>
  code === 'ERR_ASSERTION' || (isError(error) && error.name === 'HTTPParserError');

function makeProxyFailure(code: string, proxy: string, origin: string, error: unknown): Error {
  const entry = RETRYABLE_ERRORS[code];
  if (entry === undefined) return makeFailure(`The host name of the proxy ${proxy} is not known.`, PROXY_HINT, error);
  const subject = `The proxy ${proxy} (HTTPS_PROXY or ALL_PROXY), on the way to ${origin},`;
  return new ConnectionError(entry[0], `${subject} ${entry[1]}.`, error);
}

const FORBIDDEN_ADVICE = 'A firewall, a sandbox or a container may forbid the connection.';
const PROXY_HINT = 'The proxy is set in HTTPS_PROXY or ALL_PROXY. NO_PROXY lists hosts to connect to without a proxy.';

const PROXY_LOGIN_HINT =
  'The proxy requires a name and a password. Set them: HTTPS_PROXY=http://name:password@host:port';

const CUSTOM_AUTHORITY_ADVICE =
  'To trust your own certificate authority, set FIN_CA_FILE to its PEM file, or: fin config set ca_file <file>';

const CERTIFICATE_ADVICE_BY_CODE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'Check the clock of this machine. If it is right, the service must renew its certificate.',
  CERT_NOT_YET_VALID: 'Check the clock of this machine.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate was issued for another host name. Check the address.',
};

const makeFailure = (message: string, hint: string | undefined, cause: unknown): Failure =>
  new Failure('network', message, { hint, cause });

function findErrorCode(error: unknown): string {
  if (!isError(error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // An AggregateError means that several addresses were tried, and none accepted the connection.
  if ('errors' in error && Array.isArray(error.errors)) return findErrorCode(error.errors[0]);
  return error.cause === undefined ? '' : findErrorCode(error.cause);
}

const isCertificateError = (code: string): boolean =>
  /CERT|VERIFY|SELF_SIGNED|ISSUER|ERR_TLS|CRL/.test(code) || code === 'HOSTNAME_MISMATCH';
