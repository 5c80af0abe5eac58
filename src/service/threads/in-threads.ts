/**
 * An in-process service for assistants: threads compute slow responses, and this thread computes all other responses.
 */
import { type LocalService, makeRequestTarget, type Question } from '../../contract/question.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import type { ReleaseReader } from '../../store/reader.ts';
import { openInProcessService, toProblemAnswer } from '../answers/in-process.ts';
import { withDeadline } from '../request/deadline.ts';
import { ProblemError } from '../request/handler.ts';
import { createRequestId } from '../request/request-id.ts';
import { routeRequest } from '../request/route.ts';
import { type AnswerThreads, needsThread } from './answer-threads.ts';

/**
 * @param open returns the release to read; called each time that a thread computes a response, but only once in total
 * for this thread
 * @param limitMs maximum time for one response of a thread, after which the thread is ended
 */
export function openThreadedService(
  open: () => Promise<ReleaseReader | null>,
  threads: AnswerThreads,
  limitMs: number,
): LocalService {
  const inProcessService = openInProcessService(open);

  async function answerInThread(release: ReleaseReader, target: string, signal: AbortSignal | null) {
    const id = createRequestId();
    try {
      const { head } = await withDeadline(limitMs, signal ?? undefined, (signal) =>
        threads.answer(release, target, signal),
      );
      // Figures are JSON strings, so parsing loses no digits.
      return JSON.parse(`${head}${id}"}}`) as { readonly data: unknown; readonly meta: Meta };
    } catch (error) {
      return toProblemAnswer(error, id);
    }
  }

  return {
    async ask(question: Question, signal) {
      const release = needsThread(question) ? await open() : null;
      return release === null
        ? inProcessService.ask(question, signal)
        : answerInThread(release, makeRequestTarget(question), signal);
    },
    async askPath(path, signal) {
      const release = pathNeedsThread(path) ? await open() : null;
      return release === null ? inProcessService.askPath(path, signal) : answerInThread(release, path, signal);
    },
    close: () => inProcessService.close(),
  };
}

/**
 * Whether a path needs a long derivation. Returns false for an invalid path, for which the in-process service returns
 * the problem.
 */
function pathNeedsThread(path: string): boolean {
  try {
    return needsThread(routeRequest('GET', path));
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}
