/** A question with an empty answer. */
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

/** Returns the rows of an answer that is a list; empty for others. */
export const listOf = ({ data }: Envelope): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(data) ? data : [];
