/** Thrown inside the service when a request results in a problem of the interface; never leaves the service. */
import type { ProblemCode } from '../contract/problems.ts';

export class ProblemError extends Error {
  /** @param detail what went wrong and what to do, in whole sentences; sent unchanged */
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }
}
