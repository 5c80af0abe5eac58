/** A question whose answer has no rows. */
import type { OperationId } from '../../contract/operations.ts';
import type { RawParameters } from '../../contract/question/question.ts';
import type { Envelope } from '../answer.ts';
import type { LookUp } from '../command.ts';

export interface EmptyAnswer {
  readonly operation: OperationId;
  readonly parameters: RawParameters;
  readonly answer: Envelope;
  /** Whether `lookUp` answers every question, and not only cached ones. */
  readonly inProcess: boolean;
  readonly lookUp: LookUp;
}

/** The rows of an answer that is a list; none of any other. */
export const listOf = ({ data }: Envelope): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(data) ? data : [];
