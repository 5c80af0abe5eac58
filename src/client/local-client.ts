/**
 * The client of the in-process service: no account, limits or cache. A response is serialized only if its text is read.
 */
import type { LocalAnswer, LocalService, Question } from '../contract/question.ts';
import type { Client } from './client.ts';
import type { ClientOptions } from './request/client-options.ts';
import { checkPath, findMetaAdditions, refuseFaults, withMetaAdditions } from './request/request.ts';
import { type ClientResponse, makeProblemFailure } from './request/response.ts';

export function openLocalClient(service: LocalService, options: Pick<ClientOptions, 'unchecked' | 'signal'>): Client {
  const { unchecked, signal } = options;
  const checkQuestion = (question: Question): void => {
    if (!unchecked) refuseFaults(question, true);
  };
  return {
    async ask(question) {
      checkQuestion(question);
      return toResponse(await service.ask(withMetaAdditions(question, findMetaAdditions(question)), signal));
    },
    plan(question) {
      checkQuestion(question);
      return { by: 'network', envelope: null };
    },
    askPath: async (path) => toResponse(await service.askPath(checkPath(path), signal)),
    // The in-process service sends an attribution whenever one is needed, so no further request is necessary.
    attribution: async () => null,
    close: () => service.close(),
  };
}

function toResponse(answer: LocalAnswer): ClientResponse {
  if ('problem' in answer) throw makeProblemFailure(answer.problem);
  const { data, meta } = answer;
  return {
    envelope: { data, meta },
    get text() {
      return JSON.stringify({ data, meta });
    },
    source: 'network',
    requestId: meta.request_id,
    age: 0,
  };
}
