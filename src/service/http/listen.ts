/** `fin serve`: a release, the gate before it, and a socket, put together. */
import type { ReleaseReader } from '../../release/store/reader.ts';
import { createKeyRing } from '../keys/key-ring.ts';
import type { Counters } from '../limits/counters.ts';
import type { LimitsOf } from '../limits/limits.ts';
import { withAuthentication, withoutAuthentication } from '../middleware/authentication.ts';
import { requestIdOf } from '../request-id.ts';
import { createService, problemResponse, type Service } from '../service.ts';
import { logLine } from './access-log.ts';
import { startHttp, type Tls } from './http-server.ts';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: Tls | null;
  /** What clients call this service, where that is not its own address: behind a proxy. */
  readonly publicUrl: string | null;
  readonly release: () => Promise<ReleaseReader | null>;
  /** Null: everyone may ask. */
  readonly authentication: {
    readonly keyDirectory: string;
    readonly counters: Counters;
    readonly limitsOf: LimitsOf;
  } | null;
  readonly deadlineMs: number;
  /** Time for a request to arrive; ten seconds by default. */
  readonly headersTimeoutMs?: number;
  /** Takes a line of the access log; null: none is written. */
  readonly log: ((line: string) => void) | null;
  /** Told of defects and troubles, with the request they befell. Keys never occur in them. */
  readonly onError: (error: unknown, requestId: string) => void;
  readonly clock?: () => number;
}

export interface RunningService {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** Answers kept for being asked again. */
const CACHE_BYTES = 32_000_000;

export async function listen(options: ListenOptions): Promise<RunningService> {
  const { authentication: gate, log, onError: onTrouble, deadlineMs, release, clock = Date.now } = options;
  const server = await startHttp({
    ...options,
    handlerFor(baseUrl, isStopping) {
      const whole = createService({ release, baseUrl, deadlineMs, cacheBytes: CACHE_BYTES, onDefect: onTrouble });
      const service = stoppingService(whole, isStopping, baseUrl);
      if (gate === null) return withoutAuthentication(service);
      return withAuthentication(service, {
        ...gate,
        keys: createKeyRing(gate.keyDirectory, clock),
        baseUrl,
        onError: onTrouble,
      });
    },
    onServed: (entry) => log?.(logLine(entry, clock())),
  });
  return {
    baseUrl: server.baseUrl,
    async stop() {
      await server.stop();
      await gate?.counters.close();
    },
  };
}

const STOPPING = { code: 'unavailable', detail: 'The service is stopping. Ask again soon.' } as const;

/** Refuses what comes in once the service is to stop; what runs already is answered. */
function stoppingService(service: Service, isStopping: () => boolean, baseUrl: string): Service {
  return {
    async respond(request, requestId = requestIdOf(request.headers['x-request-id'])) {
      return isStopping() ? problemResponse(STOPPING, { requestId, baseUrl }) : service.respond(request, requestId);
    },
  };
}
