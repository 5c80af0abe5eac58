/** What ends a command without an answer. Each kind has one exit code; any other error is a defect, exit 1. */
import type { Problem } from './problems.ts';

export type FailureKind = 'usage' | 'not_found' | 'key' | 'limit' | 'service' | 'network' | 'data';

export const EXIT_CODES: Readonly<Record<FailureKind, number>> = {
  usage: 2,
  not_found: 3,
  key: 4,
  limit: 5,
  service: 6,
  network: 7,
  data: 9,
};

export interface FailureDetails {
  /** What to do about it: a sentence. */
  readonly hint?: string | undefined;
  /** The service's own problem document, where there is one. */
  readonly problem?: Problem | undefined;
  /** Seconds after which asking again may help. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** `message` is a whole sentence that says what went wrong, with what; it never holds a key. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly hint: string | undefined;
  readonly problem: Problem | undefined;
  readonly retryAfter: number | undefined;

  constructor(
    readonly kind: FailureKind,
    message: string,
    details: FailureDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.hint = details.hint;
    this.problem = details.problem;
    this.retryAfter = details.retryAfter;
  }
}

/** By name, not by `instanceof`: parts that are loaded on demand bring a class of their own. */
export function isFailure(error: unknown): error is Failure {
  return error instanceof Error && error.name === 'Failure' && 'kind' in error;
}
