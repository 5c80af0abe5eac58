import { hasCode } from '../contract/error-code.ts';

/** `absent`: nothing listens on this machine. */
export type ConnectionErrorKind = 'absent' | 'refused' | 'reset' | 'timeout' | 'truncated';

/** A failed connection or an incomplete response: a retry may help. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code = 'fin:connection';

  /** `message` is a whole sentence with the origin. */
  constructor(
    readonly kind: ConnectionErrorKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

export function isConnectionError(error: unknown): error is ConnectionError {
  return hasCode(error, 'fin:connection');
}

/** A proxy answered a CONNECT with another status than 200. */
export class ProxyRefusal extends Error {
  override readonly name = 'ProxyRefusal';

  constructor(readonly status: number) {
    super(`the proxy answered ${status}`);
  }
}
