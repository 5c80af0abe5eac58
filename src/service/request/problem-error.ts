/**
 * Thrown inside the service to answer with one of the API's problem documents; the service catches this error itself.
 */
import type { ProblemCode } from '../../contract/problems.ts';

export class ProblemError extends Error {
  /**
   * @param detail what went wrong and what to do, in complete sentences; sent to the client unchanged
   * @param unknownParameters given parameters that the operation does not have
   */
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly unknownParameters: readonly string[] = [],
  ) {
    super(detail);
  }
}
