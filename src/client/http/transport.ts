/** What carries a request and its response, apart from how: the network implements it, and tests may. */
import { hasCode } from '../../contract/error-code.ts';

export interface TransportRequest {
  /** The path with its query, below the base URL. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whole and decoded. */
  readonly body: string;
}

export interface Transport {
  /** Throws a `network` Failure where no whole response came, or a ConnectionError where a retry may help. */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

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
