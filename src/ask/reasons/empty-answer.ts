/** The input of the functions that explain why an answer is empty. */
import type { OperationId } from '../../contract/operations.ts';
import type { RawParameters } from '../../contract/question/question.ts';
import type { Envelope } from '../answer.ts';
import type { LookUp } from '../command.ts';

export interface EmptyAnswer {
  readonly operation: OperationId;
  readonly parameters: RawParameters;
  readonly answer: Envelope;
  /**
   * Whether the service runs in this process. If so, `lookUp` reads release data on this machine, otherwise only cached
   * answers.
   */
  readonly inProcess: boolean;
  readonly lookUp: LookUp;
}

/** Returns the rows of an answer; empty if the answer is not a list. */
export const readRows = ({ data }: Envelope): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(data) ? data : [];
