/** The service as values, as assistants ask it: what takes long to derive is answered in a thread, all else in this one. */
import { problemDocument } from '../../contract/problems.ts';
import { type Question, questionTarget } from '../../contract/question/question.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import type { ReleaseReader } from '../../store/reader.ts';
import { withDeadline } from '../deadline.ts';
import { BASE_URL, type InProcessAnswer, type InProcessService, inProcess } from '../in-process.ts';
import { ProblemError } from '../problem-error.ts';
import { newRequestId } from '../request-id.ts';
import { route } from '../route.ts';
import type { AnswerThreads } from './answer-threads.ts';
import { derivesMuch } from './derives-much.ts';

/**
 * @param open returns the release that is served now; called for each question
 * @param deadlineMs longest time for one answer of a thread, after which its thread is ended
 */
export function inThreads(
  open: () => Promise<ReleaseReader | null>,
  threads: AnswerThreads,
  deadlineMs: number,
): InProcessService {
  const inProcessService = inProcess(open);

  async function answer(release: ReleaseReader, target: string, signal: AbortSignal | null): Promise<InProcessAnswer> {
    const requestId = newRequestId();
    try {
      const { head } = await withDeadline(deadlineMs, signal ?? undefined, (endSignal) =>
        threads.answer(release, target, endSignal),
      );
      // Figures are texts in JSON, so no digit is lost.
      return JSON.parse(`${head}${requestId}"}}`) as { readonly data: unknown; readonly meta: Meta };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return { problem: problemDocument(error.code, error.detail, { requestId, baseUrl: BASE_URL }) };
    }
  }

  return {
    async ask(question: Question, signal) {
      const release = derivesMuch(question) ? await open() : null;
      return release === null
        ? inProcessService.ask(question, signal)
        : answer(release, questionTarget(question), signal);
    },
    async askPath(path, signal) {
      const release = isLongPath(path) ? await open() : null;
      return release === null ? inProcessService.askPath(path, signal) : answer(release, path, signal);
    },
    close: () => inProcessService.close(),
  };
}

/** A path that is refused is refused by the service itself. */
function isLongPath(path: string): boolean {
  try {
    return derivesMuch(route('GET', path));
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}
