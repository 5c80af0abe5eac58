/** A question whose answer has no rows. */

import { type Operation, type OperationId, rowsOf } from '../../contract/operations.ts';
import type { RawParameters } from '../../contract/question/question.ts';
import type { Answer, LookUp } from '../command.ts';

export interface EmptyAnswer {
  readonly operation: OperationId;
  readonly parameters: RawParameters;
  readonly answer: Answer<unknown>;
  /** Whether `lookUp` answers every question, and not only cached ones. */
  readonly local: boolean;
  readonly lookUp: LookUp;
}

export const isEmpty = (operation: Operation, { data }: Answer<unknown>): boolean =>
  operation.rows?.partial !== true && rowsOf(operation, data)?.length === 0;

/** The rows of an answer that is a list; none of any other. */
export const listOf = ({ data }: Answer<unknown>): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(data) ? data : [];
