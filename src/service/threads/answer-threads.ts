/**
 * Threads that compute slow responses, so that the main thread stays free for all other requests. Each thread opens the
 * release itself and computes one response at a time. Concurrent requests for the same target share one response.
 */

import { Failure, isFailure } from '../../contract/failure.ts';
import type { Question } from '../../contract/question.ts';
import { isDerivedOnRequest } from '../../figures/derived/formulas.ts';
import { listInputMetrics } from '../../figures/figure-values.ts';
import { createGate } from '../../platform/workers/gate.ts';
import { ThreadWorker, type WorkerScript } from '../../platform/workers/thread-pool.ts';
import type { ReleaseReader } from '../../store/reader.ts';
import { TableFailure } from '../../store/releases/manifest.ts';
import type { SerializedResponse } from '../answers/answer-question.ts';
import { isLatestFiguresRequest } from '../handlers/metrics/company-figures.ts';
import { isDeadlineError } from '../request/deadline.ts';
import { ProblemError } from '../request/handler.ts';
import { createWorkSharer } from '../request/share-work.ts';

export type AnswerThreads = ReturnType<typeof openAnswerThreads>;

interface AnswerThreadsOptions {
  readonly script: WorkerScript;
  /** Maximum number of threads; each is started when it is first needed. */
  readonly count: number;
  readonly findDirectory: (release: ReleaseReader) => string;
}

type Thread = ThreadWorker<ThreadTask, ThreadReply>;

/** Thrown when a thread ended before it had computed its response, for example because it needed too much memory. */
export class ThreadEndedError extends Error {}

/** Maximum number of waiting targets; a request for a further target gets a 503. */
const MAX_WAITING_TARGETS = 1000;
/** Maximum heap of a thread: V8 ends a thread that needs more, and the process continues. */
const MAX_HEAP_MB = 512;

const BUSY_PROBLEM = new ProblemError('unavailable', 'The service is overloaded at the moment. Try again later.');

export function openAnswerThreads({ script, count, findDirectory }: AnswerThreadsOptions) {
  const queueTask = createGate(count, MAX_WAITING_TARGETS);
  const idle: Thread[] = [];
  const threads = new Set<Thread>();
  const share = createWorkSharer<SerializedResponse>();

  function startNewThread(): Thread {
    const options = { work: 'computing a response', heapMegabytes: MAX_HEAP_MB };
    const thread: Thread = new ThreadWorker(script, options);
    threads.add(thread);
    return thread;
  }

  async function runTask(task: ThreadTask, signal: AbortSignal): Promise<SerializedResponse> {
    const thread = idle.pop() ?? startNewThread();
    // Ends the thread only at the deadline; if the client disconnects, the thread completes the response and is reused.
    const closeIfLate = () => void (isDeadlineError(signal.reason) && thread.close());
    signal.addEventListener('abort', closeIfLate, { once: true });
    try {
      const reply = await thread.run(task).catch((error: Error) => {
        throw new ThreadEndedError(error.message);
      });
      idle.push(thread);
      if ('error' in reply) throw fromThreadError(reply.error);
      const { entityTag, head } = reply;
      return { entityTag, head: Buffer.from(head.buffer, head.byteOffset, head.byteLength) };
    } catch (error) {
      if (!idle.includes(thread)) threads.delete(thread);
      throw error;
    } finally {
      signal.removeEventListener('abort', closeIfLate);
    }
  }

  return {
    /**
     * Returns the response computed by a thread. Rejects with the error of the computation, or with the signal's reason
     * if all requests for the target were aborted before the computation began. Ends the thread of a computation that
     * takes too long.
     */
    answer(release: ReleaseReader, target: string, signal: AbortSignal): Promise<SerializedResponse> {
      const directory = findDirectory(release);
      return share(`${directory}\n${target}`, signal, (sharedSignal) =>
        queueTask(() => runTask({ directory, target }, sharedSignal), sharedSignal).catch((error) => {
          throw isFailure(error) && error.kind === 'limit' ? BUSY_PROBLEM : error;
        }),
      );
    },
    close: async () => void (await Promise.all([...threads].map((thread) => thread.close()))),
  };
}

/**
 * Whether the response takes long for a large company: 20 to 50 ms (measured). All other responses take at most 10 ms.
 */
export function needsThread({ operation, parameters, faults }: Question): boolean {
  if (faults.length > 0) return false;
  switch (operation.id) {
    case 'metrics':
      return derivesManyFigures(parameters);
    case 'lineage':
    case 'revisions':
      return true;
    case 'screen':
      return parameters.as_of !== undefined || parameters.split_adjusted === true;
    default:
      return false;
  }
}

/**
 * Maximum number of metrics for which the main thread derives figures; requests for more metrics go to a thread.
 * Figures that the release stores need no derivation.
 */
const MAX_MAIN_THREAD_KEYS = 4;

function derivesManyFigures(parameters: Question['parameters']): boolean {
  const { keys, period } = parameters;
  const names = Array.isArray(keys) ? keys.map(String) : null;
  if (isLatestFiguresRequest(parameters)) return names?.some(isDerivedOnRequest) === true;
  return names === null || names.length > MAX_MAIN_THREAD_KEYS || period === 'all' || listInputMetrics(names) === null;
}

/** A message to a thread. */
export interface ThreadTask {
  readonly directory: string;
  /** Path and query of the request. */
  readonly target: string;
}

/** A message from a thread. Errors are plain objects, because a message does not preserve their classes. */
export type ThreadReply =
  | { readonly entityTag: string; readonly head: Uint8Array<ArrayBuffer> }
  | { readonly error: SerializedError };

type SerializedError = ReturnType<typeof toThreadError>;

export function toThreadError(error: unknown) {
  if (error instanceof ProblemError) {
    const { code, detail, unknownParameters } = error;
    return { problem: { code, detail, unknownParameters } };
  }
  if (error instanceof TableFailure) {
    const { table, path, reason } = error;
    return { damage: { table, path, reason } };
  }
  if (isFailure(error)) {
    const { kind, text, hint } = error;
    return { failure: { kind, text, hint } };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { defect: { message, stack } };
}

/** Returns the error that the computation would have thrown in this thread. */
export function fromThreadError({ problem, damage, failure, defect }: SerializedError): Error {
  if (problem) return new ProblemError(problem.code, problem.detail, {}, problem.unknownParameters);
  if (damage) return new TableFailure(damage.table, damage.path, damage.reason);
  if (failure) return new Failure(failure.kind, failure.text, { hint: failure.hint });
  return Object.assign(new Error(defect.message), { stack: defect.stack ?? defect.message });
}
