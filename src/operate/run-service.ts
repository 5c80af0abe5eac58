/** Runs the server of `fin serve`: follows new releases, checks API keys, counts requests, and listens on a socket. */

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';
import { openLocalClient } from '../client/local-client.ts';
import { DEFAULT_OPTIONS } from '../client/request/client-options.ts';
import type { DocumentSettings } from '../client/request/ports.ts';
import { Failure, isFailure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import { assertDefined } from '../platform/collections.ts';
import { findDirectories } from '../platform/files/directories.ts';
import { describeCause, readErrorCode } from '../platform/files/system-error.ts';
import { findWorkerScript } from '../platform/workers/thread-pool.ts';
import { openInProcessService } from '../service/answers/in-process.ts';
import { followRelease, type ReleaseLocation } from '../service/http/follow-release.ts';
import { type ListenOptions, listen, type MountedEndpoint } from '../service/http/listen.ts';
import { getKeyDirectory, listKeyRecords } from '../service/keys/key-store.ts';
import { createEmbeddedCounters } from '../service/limits/embedded-counters.ts';
import { readLimitsFinder, STANDARD_LIMITS } from '../service/limits/limits.ts';
import { type AnswerThreads, openAnswerThreads } from '../service/threads/answer-threads.ts';
import { openThreadedService } from '../service/threads/in-threads.ts';
import { openRelease, type ReleaseReader } from '../store/reader.ts';
import {
  findSampleHome,
  findSampleRelease,
  getReleasesHome,
  listStamps,
  readCurrentStamp,
} from '../store/releases/home.ts';
import { hasLocalDocuments } from './transfers.ts';

/** Interval in milliseconds at which the server looks for a newer release. */
const RELEASE_POLL_INTERVAL_MS = 2_000;
const REQUEST_DEADLINE_MS = 10_000;
const MAX_STOP_MS = REQUEST_DEADLINE_MS + 1_000;

export interface ServerSettings {
  readonly dataDirectory: string;
  readonly stateDirectory: string;
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** Base URL that clients use, if it differs from the listening address (for example behind a proxy). */
  readonly publicUrl: string | null;
  /** A release stamp; `latest` for the newest release; null for the release chosen by `fin data use`. */
  readonly release: string | null;
  /** Whether to serve the built-in sample until a release exists. */
  readonly servesSample: boolean;
  /** Settings of authentication. If null, no key is required, and requests are not counted. */
  readonly authentication: { readonly limitsFile: string | null; readonly redis: URL | null } | null;
  /** Whether to answer assistants at /mcp. */
  readonly mcp: boolean;
  /** Fetching of documents for assistants, with the contact for the SEC; null to read files on this machine only. */
  readonly documents: Pick<DocumentSettings, 'contact' | 'site' | 'env'> | null;
  /** Receives each line of the access log; null disables the log. */
  readonly accessLog: ((line: string) => void) | null;
  readonly onRelease: (stamp: string, isSample: boolean) => void;
  /** Called when the directory of the served release is gone, so that questions are answered 503. */
  readonly onReleaseGone: (directory: string) => void;
  /**
   * Receives unexpected errors; `subject` names what failed: a request, such as `request 01J…`, or another part of the
   * server, such as `counters`.
   */
  readonly onError: (error: unknown, subject: string) => void;
}

/**
 * Throws a usage Failure for an invalid setting or address, a data Failure if the chosen release is missing or damaged.
 */
export async function startServer(settings: ServerSettings) {
  const { dataDirectory, host, port, tls, publicUrl, accessLog, onRelease, onReleaseGone, onError } = settings;
  const authentication = await openAuthentication(settings);
  const locate = createReleaseLocator(settings);
  const directories = new WeakMap<ReleaseReader, string>();
  const followed = await followRelease({
    locate,
    open: (directory) => {
      const reader = openRelease(directory);
      directories.set(reader, directory);
      return reader;
    },
    intervalMs: RELEASE_POLL_INTERVAL_MS,
    graceMs: MAX_STOP_MS,
    onChange: onRelease,
    onGone: onReleaseGone,
    onError: (error) => onError(error, 'the newer release cannot be served'),
  });
  const threads = openThreads(directories);
  const server = await listen({
    host,
    port,
    tls,
    publicUrl,
    release: followed.current,
    authentication,
    deadlineMs: REQUEST_DEADLINE_MS,
    threads,
    endpoint: settings.mcp ? await createAssistantEndpoint(followed.current, threads, settings) : null,
    log: accessLog,
    onError: (error, requestId) => onError(error, `request ${requestId}`),
  }).catch((cause) => {
    throw isFailure(cause) ? cause : explainListenError(host, port, cause);
  });
  return {
    baseUrl: server.baseUrl,
    hasRelease: (await followed.current()) !== null,
    /** Whether any API key was ever created. */
    hasKeys: listKeyRecords(getKeyDirectory(dataDirectory), null).length > 0,
    /** Maximum duration of `stop` in milliseconds, during which running requests are completed. */
    maxStopMs: MAX_STOP_MS,
    async stop() {
      await server.stop();
      await followed.stop();
    },
  };
}

/** Maximum number of worker threads, because each keeps rows of the release in memory. */
const MAX_THREADS = 4;

/**
 * Minimum number of worker threads. With a single worker, the server answered sixteen long questions more slowly than
 * without workers.
 */
const MIN_THREADS = 2;

/** Returns worker threads; null when fin runs from TypeScript sources, because worker threads need the bundle. */
function openThreads(directories: WeakMap<ReleaseReader, string>): AnswerThreads | null {
  const script = findWorkerScript('service-threads-answer-worker.cjs');
  if (script === null) return null;
  const find = (release: ReleaseReader) => assertDefined(directories.get(release));
  // Leaves one core to this thread, which does all other work. On a machine with two cores, three threads share the
  // cores.
  const count = Math.min(MAX_THREADS, Math.max(MIN_THREADS, availableParallelism() - 1));
  return openAnswerThreads({ script, count, findDirectory: find });
}

/** Maximum wait in milliseconds for the SEC's site within a call of an assistant. */
const MAX_DOCUMENT_WAIT_MS = 5000;

/** Returns the endpoint by which `fin serve --mcp` offers the Model Context Protocol. */
async function createAssistantEndpoint(
  release: ListenOptions['release'],
  threads: AnswerThreads | null,
  { dataDirectory, stateDirectory, documents, onError }: ServerSettings,
): Promise<MountedEndpoint> {
  const { createHttpEndpoint, MAX_REQUEST_BYTES } = await import('../mcp/http.ts');
  // Each request is answered from the release that is served at that time.
  const connect = async (signal: AbortSignal) => {
    const aborted = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_DEADLINE_MS)]);
    const service =
      threads === null ? openInProcessService(release) : openThreadedService(release, threads, REQUEST_DEADLINE_MS);
    const client = openLocalClient(service, { unchecked: false, signal: aborted });
    const cache = documents === null ? null : findDirectories(documents.env).cache;
    const openDocuments = async () =>
      (await import('../wiring/documents/open-documents.ts')).openDocuments({
        ...{ report: () => {}, allowedOrigin: null, localOnly: documents === null },
        directories: { config: null, cache, data: dataDirectory, state: stateDirectory },
        options: { ...DEFAULT_OPTIONS, maxWait: MAX_DOCUMENT_WAIT_MS, signal: aborted },
        ...(documents ?? { contact: null, site: null, env: {} }),
      });
    return { client, isInProcess: true, sample: null, openDocuments };
  };
  const readsDocuments = () => documents !== null || hasLocalDocuments(dataDirectory);
  const endpoint = createHttpEndpoint({ version, connect, readsDocuments, onError: (error) => onError(error, 'mcp') });
  return {
    path: '/mcp',
    async respond({ method, headers, signal, body, baseUrl }) {
      const answer = await endpoint.respond({
        ...{ method, headers, url: `${baseUrl}/mcp`, signal: signal ?? new AbortController().signal },
        body: async () => (body === undefined ? { fault: 'incomplete' } : body(MAX_REQUEST_BYTES)),
      });
      return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' }, body: [answer.body] };
    },
    close: () => endpoint.close(),
  };
}

async function openAuthentication(settings: ServerSettings): Promise<ListenOptions['authentication']> {
  const { authentication, dataDirectory, stateDirectory, onError } = settings;
  if (authentication === null) return null;
  const { limitsFile, redis } = authentication;
  const findLimits = limitsFile === null ? () => STANDARD_LIMITS : readLimitsFinder(limitsFile);
  const common = { keyDirectory: getKeyDirectory(dataDirectory), findLimits };
  if (redis === null) {
    return { ...common, counters: createEmbeddedCounters(join(stateDirectory, 'service', 'usage'), Date.now) };
  }
  const { createRedisCounters } = await import('../service/limits/redis-counters.ts');
  return { ...common, counters: createRedisCounters(redis, Date.now, (error) => onError(error, 'counters')) };
}

/**
 * Returns a function that returns the release to serve; null if there is none. The sample is returned only until the
 * user's first release: a server never falls back from a release to the sample.
 */
function createReleaseLocator({ dataDirectory, release: name, servesSample }: ServerSettings) {
  const home = getReleasesHome(dataDirectory);
  if (name !== null && name !== 'latest')
    return createPinnedLocator(home, servesSample ? findSampleHome() : null, name);
  let hadRelease = false;
  return () => {
    const userStamp = name === 'latest' ? (listStamps(home)[0] ?? null) : readCurrentStamp(home);
    hadRelease ||= userStamp !== null;
    if (userStamp !== null) return { directory: join(home, userStamp), isSample: false };
    return hadRelease || !servesSample ? null : findSampleRelease();
  };
}

function createPinnedLocator(home: string, sampleHome: string | null, stamp: string): () => ReleaseLocation {
  const homes = [home, sampleHome].flatMap((home) => (home === null ? [] : [home]));
  const homeOfRelease = homes.find((candidate) => listStamps(candidate).includes(stamp));
  if (homeOfRelease === undefined) {
    const advice = didYouMean(stamp, homes.flatMap(listStamps));
    throw new Failure('data', `There is no release ${JSON.stringify(stamp.slice(0, 60))}.${advice}`, {
      hint: 'To list the releases: fin data status',
    });
  }
  const pinned = { directory: join(homeOfRelease, stamp), isSample: homeOfRelease !== home };
  return () => pinned;
}

const REASON_BY_LISTEN_ERROR_CODE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses that port',
  EACCES: 'this user may not use that port',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'the host name is unknown',
};

function explainListenError(host: string, port: number, cause: unknown): Failure {
  const reason = REASON_BY_LISTEN_ERROR_CODE[readErrorCode(cause) ?? ''] ?? describeCause(cause);
  const isTaken = readErrorCode(cause) === 'EADDRINUSE';
  const hint = isTaken ? 'Choose another port with --port, or any free port with --port 0.' : undefined;
  return new Failure('usage', `fin cannot listen on ${host}, port ${port}: ${reason}.`, { hint, cause });
}
