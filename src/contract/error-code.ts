/**
 * Codes of errors that pass between bundles. Each bundle has its own copy of the classes, so that `instanceof` does
 * not recognize them.
 */
export type ErrorCode = 'fin:failure' | 'fin:connection' | 'fin:pipe-closed' | 'fin:output-lost';

/** Whether an error is one of fin's with this code. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
