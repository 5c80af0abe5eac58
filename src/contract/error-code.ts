/**
 * Codes that identify errors across bundles. Each bundle has its own copy of the error classes, so `instanceof` fails
 * for errors from other bundles.
 */
export type ErrorCode = 'fin:failure' | 'fin:connection' | 'fin:pipe-closed' | 'fin:output-lost';

/** Whether an error is one of fin's errors with this code. */
export const hasCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
