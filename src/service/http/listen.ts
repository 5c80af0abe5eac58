/** `fin serve`: an HTTP server that authenticates requests and passes them to the service, which reads a release. */
import type { ReleaseReader } from '../../store/reader.ts';
import { createKeyRing } from '../keys/key-ring.ts';
import type { Counters } from '../limits/counters.ts';
import type { LimitsFinder } from '../limits/limits.ts';
import { withAuthentication } from '../middleware/authentication.ts';
import { withCrossOrigin, withKnownHosts } from '../middleware/known-hosts.ts';
import { withPublicPaths } from '../middleware/public-paths.ts';
import { createService, DEFECT_PROBLEM, makeProblemResponse, type Service } from '../responses/service.ts';
import type { AnswerThreads } from '../threads/answer-threads.ts';
import { type HttpOptions, startHttp } from './http-server.ts';
import { formatLogLine } from './request-listener.ts';

export interface ListenOptions extends Omit<HttpOptions, 'createService' | 'onServed'> {
  readonly release: () => Promise<ReleaseReader | null>;
  /** Key checks and request limits; null if requests need no key and are not counted. */
  readonly authentication: {
    readonly keyDirectory: string;
    readonly counters: Counters;
    readonly findLimits: LimitsFinder;
  } | null;
  readonly deadlineMs: number;
  /** Threads for responses that would delay other requests; null or absent to use only this thread. */
  readonly threads?: AnswerThreads | null;
  /** An additional path with the same keys and limits, such as `/mcp`; null for no additional path. */
  readonly endpoint?: MountedEndpoint | null;
  /** Receives a line of the access log; null for no log. */
  readonly log: ((line: string) => void) | null;
  /**
   * Called with the request id and each error whose cause the client does not see: a 500 or a 503. Errors contain no
   * keys.
   */
  readonly onError: (error: unknown, requestId: string) => void;
  readonly clock?: () => number;
}

/** An endpoint at a path outside the HTTP API, with the keys and limits of the HTTP API. */
export interface MountedEndpoint {
  readonly path: string;
  readonly respond: Service;
  close(): Promise<void>;
}

/** Maximum total size of cached responses. */
const MAX_CACHE_BYTES = 32_000_000;

export async function listen(options: ListenOptions) {
  const { authentication, log, onError, release, endpoint = null, clock = Date.now } = options;
  const { deadlineMs, threads = null } = options;
  const server = await startHttp({
    ...options,
    createService(baseUrl, stopping) {
      const api = createService({ release, deadlineMs, cacheBytes: MAX_CACHE_BYTES, threads, onDefect: onError });
      const mounted = endpoint === null ? api : withEndpoint(api, endpoint, onError);
      const running = refuseWhileStopping(mounted, stopping);
      const authenticated =
        authentication === null
          ? running
          : withAuthentication(running, {
              ...authentication,
              keys: createKeyRing(authentication.keyDirectory, clock),
              onError,
            });
      const readStamp = async () => (stopping() ? null : ((await release())?.manifest.stamp ?? null));
      const service = withPublicPaths(authenticated, readStamp);
      if (authentication !== null) return service;
      return withKnownHosts(withCrossOrigin(service), { host: options.host, baseUrl });
    },
    onServed: (entry) => log?.(formatLogLine(entry, clock())),
  });
  return {
    baseUrl: server.baseUrl,
    async stop() {
      await server.stop();
      await endpoint?.close();
      await threads?.close();
      await authentication?.counters.close();
    },
  };
}

const STOPPING_PROBLEM = { code: 'unavailable', detail: 'The service is stopping. Try again soon.' } as const;

/** Refuses requests once the service is stopping; requests that are already running still complete. */
const refuseWhileStopping =
  (service: Service, stopping: () => boolean): Service =>
  async (request) =>
    stopping() ? makeProblemResponse(STOPPING_PROBLEM, request) : service(request);

/**
 * Returns a service that passes requests for the endpoint's path to the endpoint. If the endpoint rejects, the error is
 * reported as a defect, unless the request was aborted.
 */
const withEndpoint =
  (service: Service, { path, respond }: MountedEndpoint, onDefect: ListenOptions['onError']): Service =>
  async (request) => {
    if (request.target.split('?', 1)[0] !== path) return service(request);
    try {
      const { headers, ...response } = await respond(request);
      return { ...response, headers: { ...headers, 'x-request-id': request.id } };
    } catch (error) {
      if (request.signal?.aborted !== true) onDefect(error, request.id);
      return makeProblemResponse(DEFECT_PROBLEM, request);
    }
  };
