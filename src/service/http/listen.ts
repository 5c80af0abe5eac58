/** `fin serve`: an HTTP server that authenticates requests and passes them to the service, which reads a release. */
import type { ReleaseReader } from '../../store/reader.ts';
import { createKeyRing } from '../keys/key-ring.ts';
import type { Counters } from '../limits/counters.ts';
import type { LimitsFinder } from '../limits/limits.ts';
import { withAuthentication, withoutAuthentication } from '../middleware/authentication.ts';
import { withCrossOrigin, withKnownHosts } from '../middleware/known-hosts.ts';
import { withPublicPaths } from '../middleware/public-paths.ts';
import { chooseRequestId } from '../request/request-id.ts';
import { type MountedEndpoint, withEndpoint } from '../responses/mounted-endpoint.ts';
import { createService, makeProblemResponse, type Service } from '../responses/service.ts';
import type { AnswerThreads } from '../threads/answer-threads.ts';
import { formatLogLine } from './access-log.ts';
import { startHttp, type Tls } from './http-server.ts';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: Tls | null;
  /** The address by which clients reach this service through a proxy; null for the server's own address. */
  readonly publicUrl: string | null;
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
  /** Maximum time for a request's headers to arrive; default: ten seconds. */
  readonly headersTimeoutMs?: number;
  /** Maximum time for a request's body to arrive; default: ten seconds. */
  readonly bodyTimeoutMs?: number;
  /** Maximum time for a client to read a response; default: five minutes. */
  readonly sendTimeoutMs?: number;
  /** Maximum number of simultaneous connections; default: 1,024. */
  readonly maxConnections?: number;
  /** Receives a line of the access log; null for no log. */
  readonly log: ((line: string) => void) | null;
  /**
   * Called with the request id and each error whose cause the client does not see: a 500 or a 503. Errors contain no
   * keys.
   */
  readonly onError: (error: unknown, requestId: string) => void;
  readonly clock?: () => number;
}

interface RunningService {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** Maximum total size of cached responses. */
const MAX_CACHE_BYTES = 32_000_000;

export async function listen(options: ListenOptions): Promise<RunningService> {
  const { authentication, log, onError, release, endpoint = null, clock = Date.now } = options;
  const { deadlineMs, threads = null } = options;
  const server = await startHttp({
    ...options,
    createHandler(baseUrl, stopping) {
      const cacheBytes = MAX_CACHE_BYTES;
      const api = createService({ release, baseUrl, deadlineMs, cacheBytes, threads, onDefect: onError });
      const mounted = endpoint === null ? api : withEndpoint(api, endpoint, baseUrl, onError);
      const service = refuseWhileStopping(mounted, stopping, baseUrl);
      const authenticatedHandler =
        authentication === null
          ? withoutAuthentication(service)
          : withAuthentication(service, {
              ...authentication,
              keys: createKeyRing(authentication.keyDirectory, clock),
              baseUrl,
              onError,
            });
      const readStampIfReady = async () => (stopping() ? null : ((await release())?.manifest.stamp ?? null));
      const handler = withPublicPaths(authenticatedHandler, { baseUrl, readStampIfReady });
      return authentication === null
        ? withKnownHosts(withCrossOrigin(handler), { host: options.host, baseUrl })
        : handler;
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
const refuseWhileStopping = (service: Service, stopping: () => boolean, baseUrl: string): Service => ({
  async respond(request, id = chooseRequestId(request.headers['x-request-id'])) {
    const context = { requestId: id, baseUrl: request.baseUrl ?? baseUrl };
    return stopping() ? makeProblemResponse(STOPPING_PROBLEM, context) : service.respond(request, id);
  },
});
