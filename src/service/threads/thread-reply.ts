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

type SerializedError = ReturnType<typeof toThreadError>;

export function toThreadError(error: unknown) {
  if (error instanceof ProblemError) {
    const { code, detail, unknownParameters } = error;
    return { problem: { code, detail, unknownParameters } };
  }
  if (error instanceof TableFailure) {
    const { table, path, reason } = error;
    return { damage: { table, path, reason } };
  }
  if (isFailure(error)) {
    const { kind, text, hint } = error;
    return { failure: { kind, text, hint } };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { defect: { message, stack } };
}

/** Returns the error that the computation would have thrown in this thread. */
export function fromThreadError({ problem, damage, failure, defect }: SerializedError): Error {
  if (problem) return new ProblemError(problem.code, problem.detail, {}, problem.unknownParameters);
  if (damage) return new TableFailure(damage.table, damage.path, damage.reason);
  if (failure) return new Failure(failure.kind, failure.text, { hint: failure.hint });
  return Object.assign(new Error(defect.message), { stack: defect.stack ?? defect.message });
}
