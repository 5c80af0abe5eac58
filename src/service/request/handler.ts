/**
 * The type of the handler of an operation, which reads a release and returns `data` and additional fields of `meta`, or
 * throws a ProblemError.
 */
import type { DataOf, OperationId, ParametersOf } from '../../contract/operations.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import type { ReleaseDescription, ReleaseReader } from '../../store/reader.ts';

export interface HandlerRequest<Id extends OperationId> {
  readonly release: ReleaseReader;
  readonly parameters: ParametersOf<Id>;
  /** Aborted when the response is no longer needed; slow handlers check the signal. */
  readonly signal: AbortSignal;
}

export interface HandlerResult<Id extends OperationId> {
  readonly data: DataOf<Id>;
  /** Fields added to `meta`, which override echoed parameters of the same name. */
  readonly meta?: Partial<Meta>;
}

export type Handler<Id extends OperationId> = (request: HandlerRequest<Id>) => Promise<HandlerResult<Id>>;

/** Answers with one of the API's problem documents: thrown inside the service, which catches it itself. */
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

/**
 * Returns a function that reads from a release once, and keeps the result as long as the release. Only results are kept: a
 * read in progress is aborted with the request that started it.
 */
export function oncePerRelease<T>(
  read: (release: ReleaseReader) => Promise<T>,
): (release: ReleaseReader) => Promise<T> {
  const results = new WeakMap<ReleaseDescription, { readonly value: T }>();
  return async (release) => {
    const result = results.get(release.manifest) ?? { value: await read(release) };
    results.set(release.manifest, result);
    return result.value;
  };
}
