/** The service without a socket, for `local:`: takes questions and returns answers as values, not as JSON text. */
import { makeProblemDocument } from '../../contract/problems.ts';
import type { LocalAnswer, LocalService, Question } from '../../contract/question.ts';
import type { Problem } from '../../contract/resources/envelope.ts';
import type { ReleaseReader } from '../../store/reader.ts';
import { ProblemError } from '../request/handler.ts';
import { createRequestId } from '../request/request-id.ts';
import { routeRequest } from '../request/route.ts';
import { answerQuestion } from './answer-question.ts';

/** Base of the addresses of problem types, which are never fetched: `local:` has no real address. */
const BASE_URL = 'local:';

/** Returns the problem of a question that was refused; throws any other error. */
export function toProblemAnswer(error: unknown, requestId: string): { readonly problem: Problem } {
  if (!(error instanceof ProblemError)) throw error;
  const { code, detail, unknownParameters } = error;
  return { problem: makeProblemDocument(code, detail, { requestId, baseUrl: BASE_URL, unknownParameters }) };
}

/** @param open opens the release at the first request; closing the service closes the release */
export function openInProcessService(open: () => Promise<ReleaseReader | null>): LocalService {
  let reader: Promise<ReleaseReader | null> | undefined;

  async function parseAndAnswer(parse: () => Question, signal: AbortSignal | null): Promise<LocalAnswer> {
    const requestId = createRequestId();
    try {
      const question = parse();
      reader ??= open();
      const { data, meta } = await answerQuestion(await reader, question, signal ?? new AbortController().signal);
      return { data, meta: { ...meta, request_id: requestId } };
    } catch (error) {
      return toProblemAnswer(error, requestId);
    }
  }

  return {
    ask: async (question, signal) => parseAndAnswer(() => question, signal),
    askPath: async (path, signal) => parseAndAnswer(() => routeRequest('GET', path), signal),
    close: async () => (await reader)?.close(),
  };
}
