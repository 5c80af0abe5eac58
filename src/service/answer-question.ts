/** One question answered from a release, as values: what `fin serve` writes as JSON and `local:` takes as it is. */
import type { OperationId } from '../contract/operations.ts';
import type { Question } from '../contract/question/question.ts';
import type { Meta } from '../contract/resources/envelope.ts';
import type { ReleaseReader } from '../release/store/reader.ts';
import type { HandlerRequest, HandlerResult } from './handler.ts';
import { HANDLERS } from './handlers/index.ts';
import { interruptible } from './interruptible-release.ts';
import { metaOf } from './meta.ts';
import { ProblemError } from './problem-error.ts';

export interface Answer {
  readonly data: unknown;
  readonly meta: Omit<Meta, 'request_id'>;
}

/**
 * @param release null before the first one
 * @throws {ProblemError} what the caller did wrong, or cannot have; any other error is a defect, or the signal's reason
 */
export async function answerQuestion(
  release: ReleaseReader | null,
  question: Question,
  signal: AbortSignal,
): Promise<Answer> {
  const { operation, parameters, faults } = question;
  if (faults.length > 0) throw new ProblemError('bad_request', faults.map(({ detail }) => detail).join(' '));
  if (release === null) {
    throw new ProblemError('unavailable', 'There is no release yet: ask again once one is published.');
  }
  // A question without faults has the parameters of its operation, which is how the handler of that operation takes them.
  const handler = HANDLERS[operation.id] as unknown as (
    request: Omit<HandlerRequest<OperationId>, 'parameters'> & Pick<Question, 'parameters'>,
  ) => Promise<HandlerResult<OperationId>>;
  const { data, meta = {} } = await handler({ release: interruptible(release, signal), parameters, signal });
  signal.throwIfAborted();
  return { data, meta: metaOf(question, release.manifest, meta) };
}
