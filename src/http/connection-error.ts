import { hasCode } from '../contract/error-code.ts';

/** `absent`: nothing listens, on this very machine. */
export type ConnectionErrorKind = 'absent' | 'refused' | 'reset' | 'timeout' | 'truncated';

/** A connection that failed, or a response that did not come whole: a retry may help. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code = 'fin:connection';

  /** `message` is a whole sentence that names the origin. */
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
