/**
 * An in-process service for assistants: threads compute slow responses, and this thread computes all other responses.
 */
import { type LocalAnswer, type LocalService, makeRequestTarget, type Question } from '../../contract/question.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import type { ReleaseReader } from '../../store/reader.ts';
import { openInProcessService, toProblemAnswer } from '../answers/in-process.ts';
import { withDeadline } from '../request/deadline.ts';
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
  const inProcess = openInProcessService(open);

  /** @param path the request's path and query; null to derive them from the question */
  async function answer(question: Question, path: string | null, signal: AbortSignal | null): Promise<LocalAnswer> {
    const release = needsThread(question) ? await open() : null;
    if (release === null) return inProcess.ask(question, signal);
    const target = path ?? makeRequestTarget(question);
    const id = createRequestId();
    try {
      const work = (signal: AbortSignal) => threads.answer(release, target, signal);
      const { head } = await withDeadline(limitMs, signal ?? undefined, work);
      // Figures are JSON strings, so parsing loses no digits.
      return JSON.parse(`${head}${id}"}}`) as { readonly data: unknown; readonly meta: Meta };
    } catch (error) {
      return toProblemAnswer(error, id);
    }
  }

  return {
    ask: (question, signal) => answer(question, null, signal),
    async askPath(path, signal) {
      let question: Question;
      try {
        question = routeRequest('GET', path);
      } catch (error) {
        return toProblemAnswer(error, createRequestId());
      }
      return answer(question, path, signal);
    },
    close: () => inProcess.close(),
  };
}
