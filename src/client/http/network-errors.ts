/** What an error below HTTP means: whether it may pass, and a sentence for it. */
import { Failure } from '../../contract/failure.ts';
import { isLoopback } from '../base-url.ts';
import { ConnectionError, type ConnectionErrorKind, isConnectionError } from './transport.ts';

/** Errors that may pass, by code of node or undici. */
const PASSING: Readonly<Record<string, readonly [ConnectionErrorKind, string]>> = {
  ECONNREFUSED: ['refused', 'refused the connection'],
  ECONNRESET: ['reset', 'broke the connection off'],
  EPIPE: ['reset', 'broke the connection off'],
  UND_ERR_SOCKET: ['reset', 'broke the connection off'],
  UND_ERR_CLOSED: ['reset', 'broke the connection off'],
  UND_ERR_DESTROYED: ['reset', 'broke the connection off'],
  ETIMEDOUT: ['timeout', 'did not take the connection in time'],
  EHOSTUNREACH: ['refused', 'cannot be reached'],
  ENETUNREACH: ['refused', 'cannot be reached'],
  EAI_AGAIN: ['refused', 'could not be looked up just now'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'did not take the connection in time'],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'took the request, and did not answer in time'],
  UND_ERR_BODY_TIMEOUT: ['timeout', 'stopped in the middle of its answer'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['truncated', 'sent an answer of another length than it said'],
  UND_ERR_ABORTED: ['reset', 'broke the connection off'],
};

/** Errors of the way to whoever is connected to first: a proxy, where there is one. */
const CONNECTING: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
]);

/**
 * A Broken where asking again may help, otherwise a `network` Failure.
 * @param proxy the address of the proxy on the way to the origin, or null
 */
export function explain(error: unknown, origin: string, proxy: string | null): Error {
  if (isConnectionError(error))
    return new ConnectionError(error.kind, `${error.message.replace(/\.$/, '')} (${origin}).`, error);
  const code = codeOf(error);
  if (error instanceof Error && error.name === 'HTTPParserError') {
    return new ConnectionError('truncated', `${origin} sent something that is not HTTP.`, error);
  }
  const refused = error instanceof Error ? /^Proxy response \((\d+)\)/.exec(error.message)?.[1] : undefined;
  if (refused !== undefined) {
    return failure(
      `The proxy did not let the request through to ${origin} (it answered ${refused}).`,
      PROXY_ADVICE,
      error,
    );
  }
  if (proxy !== null && CONNECTING.has(code)) return ofProxy(code, new URL(proxy).host, origin, error);
  if (code === 'ECONNREFUSED' && isLoopback(new URL(origin).hostname)) {
    return new ConnectionError('absent', `${origin} refused the connection: nothing listens there.`, error);
  }
  const passing = PASSING[code];
  if (passing !== undefined) return new ConnectionError(passing[0], `${origin} ${passing[1]}.`, error);
  if (code === 'ENOTFOUND') {
    return failure(
      `The name in ${origin} is not known.`,
      'Check the base URL, and whether this machine is online.',
      error,
    );
  }
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') {
    return failure(`${origin} does not speak TLS as it should (${code}).`, 'Is it https, and the right port?', error);
  }
  if (isCertificate(code)) {
    return failure(
      `The certificate of ${origin} is not to be trusted (${code}).`,
      `Nothing was sent. ${CERTIFICATE_ADVICE[code] ?? OWN_AUTHORITY}`,
      error,
    );
  }
  if (error instanceof RangeError) {
    return failure(`The answer of ${origin} cannot be read: ${error.message}.`, undefined, error);
  }
  const how = error instanceof Error ? `${error.message}${code === '' ? '' : ` (${code})`}` : String(error);
  return failure(`${origin} could not be asked: ${how}.`, 'Check the address, the proxy and the certificates.', error);
}

function ofProxy(code: string, proxy: string, origin: string, error: unknown): Error {
  const passing = PASSING[code];
  if (passing === undefined) return failure(`The name of the proxy ${proxy} is not known.`, PROXY_ADVICE, error);
  const way = `The proxy ${proxy} (HTTPS_PROXY or ALL_PROXY), on the way to ${origin},`;
  return new ConnectionError(passing[0], `${way} ${passing[1]}.`, error);
}

const PROXY_ADVICE = 'HTTPS_PROXY or ALL_PROXY names the proxy; NO_PROXY lists the hosts that go past it.';

const OWN_AUTHORITY = 'A certificate authority of your own goes into FIN_CA_FILE or NODE_EXTRA_CA_CERTS.';

const CERTIFICATE_ADVICE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'Is the clock of this machine right? If it is, the service must renew its certificate.',
  CERT_NOT_YET_VALID: 'Is the clock of this machine right?',
  ERR_TLS_CERT_ALTNAME_INVALID: 'It was made out to another name: is the address right?',
};

function failure(message: string, hint: string | undefined, cause: unknown): Failure {
  return new Failure('network', message, { cause, ...(hint === undefined ? {} : { hint }) });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Several addresses were tried, and none took the connection.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error.cause === undefined ? '' : codeOf(error.cause);
}

function isCertificate(code: string): boolean {
  return /CERT|VERIFY|SELF_SIGNED|ISSUER|ERR_TLS|CRL/.test(code) || code === 'HOSTNAME_MISMATCH';
}
