/** A connection that broke, or an answer that did not come whole: asking again may help. */
export type ConnectionErrorKind =
  /** Nothing listens, on this very machine. */
  'absent' | 'refused' | 'reset' | 'timeout' | 'truncated';

export class ConnectionError extends Error {
  override readonly name = 'Broken';

  /** `message` is a whole sentence that names the origin. */
  constructor(
    readonly kind: ConnectionErrorKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** By name, not by `instanceof`: the network's bundle brings a class of its own. */
export function isConnectionError(error: unknown): error is ConnectionError {
  return error instanceof Error && error.name === 'Broken' && 'how' in error;
}
