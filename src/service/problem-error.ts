/** Thrown inside the service where a request ends in a problem of the interface; never thrown out of it. */
import type { ProblemCode } from '../contract/problems.ts';

export class ProblemError extends Error {
  /** @param detail what went wrong and what to do, in whole sentences; it is sent as it is */
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }
}
