/** A service that refuses what comes once it is told to stop. What runs already is answered. */
import { requestIdOf } from './request-id.ts';
import { problemAnswer } from './service.ts';
import type { Service } from './types.ts';

const STOPPING = { code: 'unavailable', detail: 'The service is stopping. Ask again soon.' } as const;

export function stoppingService(service: Service, isStopping: () => boolean, baseUrl: string): Service {
  return {
    async answer(request, requestId = requestIdOf(request.headers['x-request-id'])) {
      return isStopping() ? problemAnswer(STOPPING, { requestId, baseUrl }) : service.answer(request, requestId);
    },
  };
}
