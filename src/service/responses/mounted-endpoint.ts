/** An endpoint at a path outside the HTTP API, with the keys and limits of the HTTP API. */
import { makeProblemResponse, type Service, type ServiceRequest, type ServiceResponse } from './service.ts';

export interface MountedEndpoint {
  readonly path: string;
  /** @param baseUrl the address by which the client reaches this service */
  respond(request: ServiceRequest, baseUrl: string): Promise<ServiceResponse>;
  close(): Promise<void>;
}

/**
 * Returns a service that passes requests for the endpoint's path to the endpoint. If the endpoint rejects, the error is
 * reported as a defect, unless the request was aborted.
 */
export const withEndpoint = (
  service: Service,
  endpoint: MountedEndpoint,
  baseUrl: string,
  onDefect: (error: unknown, requestId: string) => void,
): Service => ({
  async respond(request, id) {
    const [path] = request.target.split('?', 1);
    if (path !== endpoint.path || id === undefined) return service.respond(request, id);
    const base = request.baseUrl ?? baseUrl;
    try {
      const { headers, ...response } = await endpoint.respond(request, base);
      return { ...response, headers: { ...headers, 'x-request-id': id } };
    } catch (error) {
      if (request.signal?.aborted !== true) onDefect(error, id);
      return makeProblemResponse(INTERNAL_ERROR_PROBLEM, { requestId: id, baseUrl: base });
    }
  },
});

const INTERNAL_ERROR_PROBLEM = {
  code: 'internal_error',
  detail: 'The service failed because of an internal error. Try again later. To report the error, give the request id.',
} as const;
