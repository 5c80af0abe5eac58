/**
 * Codes of errors that cross between bundles. Each bundle has classes of its own, so that `instanceof` does not recognize
 * them.
 */
export type ErrorCode = 'fin:failure' | 'fin:connection' | 'fin:pipe-closed' | 'fin:output-lost';

/** Whether an error is one of ours with this code. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
