/**
 * The messages to and from a thread. Errors are sent as plain objects, because a message does not preserve their
 * classes.
 */
import { Failure, isFailure } from '../../contract/failure.ts';
import { TableFailure } from '../../store/releases/manifest.ts';
import { ProblemError } from '../request/handler.ts';

export interface ThreadTask {
  readonly directory: string;
  /** Path and query of the request. */
  readonly target: string;
}

export type ThreadReply =
  | { readonly entityTag: string; readonly head: Uint8Array<ArrayBuffer> }
  | { readonly error: SerializedError };

type SerializedError =
  | ({ readonly kind: 'problem' } & Pick<ProblemError, 'code' | 'detail' | 'unknownParameters'>)
  | { readonly kind: 'damage'; readonly table: string; readonly path: string; readonly reason: string }
  | { readonly kind: 'failure'; readonly failure: Pick<Failure, 'kind' | 'text' | 'hint'> }
  | { readonly kind: 'defect'; readonly message: string; readonly stack: string | undefined };

export function toThreadError(error: unknown): SerializedError {
  if (error instanceof ProblemError) {
    const { code, detail, unknownParameters } = error;
    return { kind: 'problem', code, detail, unknownParameters };
  }
  if (error instanceof TableFailure) {
    const { table, path, reason } = error;
    return { kind: 'damage', table, path, reason };
  }
  if (isFailure(error)) {
    const { kind, text, hint } = error;
    return { kind: 'failure', failure: { kind, text, hint } };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'defect', message, stack: error instanceof Error ? error.stack : undefined };
}

/** Returns the error that the computation would have thrown in this thread. */
export function fromThreadError(error: SerializedError): Error {
  switch (error.kind) {
    case 'problem':
      return new ProblemError(error.code, error.detail, {}, error.unknownParameters);
    case 'damage':
      return new TableFailure(error.table, error.path, error.reason);
    case 'failure': {
      const { kind, text, hint } = error.failure;
      return new Failure(kind, text, { hint });
    }
    case 'defect':
      return Object.assign(new Error(error.message), { stack: error.stack ?? error.message });
  }
}
