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

/** The error that the service answers with a problem document: handlers throw it, and the service catches it. */
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
 * Returns a function that reads from a release, and keeps the result for the last key as long as the release exists. A
 * read in progress is not shared, because it is aborted with the request that started it.
 * @param getKey returns the key of the arguments; by default, all arguments have the same key
 */
export function keepPerRelease<T, Rest extends readonly unknown[]>(
  read: (release: ReleaseReader, ...rest: Rest) => Promise<T>,
  getKey: (...rest: Rest) => string = () => '',
) {
  const results = new WeakMap<ReleaseDescription, { readonly key: string; readonly value: T }>();
  return async (release: ReleaseReader, ...rest: Rest): Promise<T> => {
    const key = getKey(...rest);
    const last = results.get(release.manifest);
    if (last?.key === key) return last.value;
    const value = await read(release, ...rest);
    results.set(release.manifest, { key, value });
    return value;
  };
}
