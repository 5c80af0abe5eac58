/**
 * An error that ends a command without an answer. Each kind has an exit code. Known system errors, such as a full disk,
 * are converted to Failures; any other error, except a closed pipe, results in exit code 1.
 */
import { hasCode } from './error-code.ts';
import type { Problem } from './resources/envelope.ts';
import { formatForTerminal, type Text } from './text/text.ts';

export type FailureKind = 'usage' | 'not_found' | 'key' | 'limit' | 'service' | 'network' | 'data' | 'unproven';

export const EXIT_CODES: Readonly<Record<FailureKind, number>> = {
  usage: 2,
  not_found: 3,
  key: 4,
  limit: 5,
  service: 6,
  network: 7,
  data: 9,
  unproven: 10,
};

interface FailureDetails {
  /** Advice to the user, as a full sentence. */
  readonly hint?: Text | undefined;
  /** The problem document that the service sent, if any. */
  readonly problem?: Problem | undefined;
  /** Number of seconds after which a retry may succeed. */
  readonly retryAfter?: number | undefined;
  readonly responseSender?: ResponseSender | undefined;
  /** Whether the hint already states when to retry. */
  readonly statesRetryTime?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * The sender of an invalid response: the service (`service`), or another kind of server, such as a proxy (`other`). The
 * request is not retried, because a retry would get the same response.
 */
type ResponseSender = 'other' | 'service';

/**
 * An error whose `text` is a full sentence that states what failed and where, but never contains an API key. `message`
 * is the same text, worded for a terminal.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code = 'fin:failure';
  readonly hint: Text | undefined;
  readonly problem: Problem | undefined;
  readonly retryAfter: number | undefined;
  readonly responseSender: ResponseSender | undefined;
  readonly statesRetryTime: boolean;

  constructor(
    readonly kind: FailureKind,
    readonly text: Text,
    details: FailureDetails = {},
  ) {
    super(formatForTerminal(text), details.cause === undefined ? undefined : { cause: details.cause });
    this.hint = details.hint;
    this.problem = details.problem;
    this.retryAfter = details.retryAfter;
    this.responseSender = details.responseSender;
    this.statesRetryTime = details.statesRetryTime === true;
  }
}

export const withHint = (failure: Failure, hint: Text | undefined): Failure =>
  new Failure(failure.kind, failure.text, { ...failure, cause: failure.cause, hint });

/** Throws a usage Failure. */
export function failUsage(text: Text, hint?: Text): never {
  throw new Failure('usage', text, { hint });
}

export const isFailure = (error: unknown): error is Failure => hasCode(error, 'fin:failure');

/** Handles the rejection of an optional lookup: returns null for a Failure, throws any other error. */
export function nullIfFailure(error: unknown): null {
  if (isFailure(error)) return null;
  throw error;
}
