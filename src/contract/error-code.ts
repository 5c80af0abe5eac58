/**
 * Codes that identify errors across bundles. Each bundle has its own copy of the error classes, so `instanceof` fails
 * for errors from other bundles.
 */
type ErrorCode = 'fin:failure' | 'fin:connection' | 'fin:pipe-closed' | 'fin:output-lost';

/**
 * Whether a value is an error, even of another realm: Jest runs programs in a separate realm, whose class `Error` is
 * not the one that modules of Node.js use.
 */
export const isError = (value: unknown): value is Error =>
  value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';

/** Whether an error is one of fin's errors with this code. */
export const hasCode = (error: unknown, code: ErrorCode): boolean =>
  isError(error) && 'code' in error && error.code === code;
