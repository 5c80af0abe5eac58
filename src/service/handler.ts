/** What answers one operation: parsed parameters and a release in, `data` and additions to `meta` out. */
import type { DataOf, OperationId, ParametersOf } from '../contract/operations.ts';
import type { Meta } from '../contract/resources/envelope.ts';
import type { ReleaseReader } from '../store/reader.ts';

export interface HandlerRequest<Id extends OperationId> {
  readonly release: ReleaseReader;
  readonly parameters: ParametersOf<Id>;
  /** Aborted when the answer is no longer wanted; a long handler checks it. */
  readonly signal: AbortSignal;
}

export interface HandlerResult<Id extends OperationId> {
  readonly data: DataOf<Id>;
  /** What it adds to the echoes of `meta`, or corrects in them. */
  readonly meta?: Partial<Meta>;
}

export type Handler<Id extends OperationId> = (request: HandlerRequest<Id>) => Promise<HandlerResult<Id>>;
