import { hasCode } from '../contract/error-code.ts';

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
