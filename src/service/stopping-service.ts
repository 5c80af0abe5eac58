/** A service that refuses what comes once it is told to stop. What runs already is answered. */
import { requestIdOf } from './request-id.ts';
import { problemResponse } from './service.ts';
import type { Service } from './types.ts';

const STOPPING = { code: 'unavailable', detail: 'The service is stopping. Ask again soon.' } as const;

export function stoppingService(service: Service, isStopping: () => boolean, baseUrl: string): Service {
  return {
    async respond(request, requestId = requestIdOf(request.headers['x-request-id'])) {
      return isStopping() ? problemResponse(STOPPING, { requestId, baseUrl }) : service.respond(request, requestId);
    },
  };
}
