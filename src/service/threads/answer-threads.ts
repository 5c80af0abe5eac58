/**
 * Threads for answers that take long to derive, so that the main thread answers everything else. Each thread opens
 * the release itself and answers one question at a time; equal waiting questions are answered once.
 */
import { isFailure } from '../../contract/failure.ts';
import { createGate } from '../../platform/workers/gate.ts';
import { startThread, type TaskWorker, type WorkerScript } from '../../platform/workers/worker-pool.ts';
import type { ReleaseReader } from '../../store/reader.ts';
import { isDeadline } from '../deadline.ts';
import { ProblemError } from '../problem-error.ts';
import type { SealedResponse } from '../sealed-response.ts';
import { fromThreadError, type ThreadReply, type ThreadTask } from './thread-reply.ts';

export interface AnswerThreads {
  /**
   * Rejects with the error of the answer, or with the signal's reason. A question without waiting requests is removed
   * from the queue; one that takes too long ends its thread.
   */
  answer(release: ReleaseReader, target: string, signal: AbortSignal): Promise<SealedResponse>;
  close(): Promise<void>;
}

export interface AnswerThreadsOptions {
  readonly script: WorkerScript;
  /** Maximum number of threads; each is started when it is first needed. */
  readonly count: number;
  readonly directoryOf: (release: ReleaseReader) => string;
}

type Thread = TaskWorker<ThreadTask, ThreadReply>;

/** Maximum number of waiting questions; further ones are answered with 503. */
const MAX_WAITING = 1000;
/** V8 ends a thread with a larger heap; the process continues. */
const HEAP_MEGABYTES = 512;

const BUSY = new ProblemError('unavailable', 'The service is overloaded at the moment. Try again later.');

export function openAnswerThreads({ script, count, directoryOf }: AnswerThreadsOptions): AnswerThreads {
  const gate = createGate(count, MAX_WAITING);
  const idle: Thread[] = [];
  const allThreads = new Set<Thread>();
  const underWay = new Map<string, Shared>();

  function start(): Thread {
    const thread = startThread<ThreadTask, ThreadReply>(script, { work: 'the service', heapMegabytes: HEAP_MEGABYTES });
    allThreads.add(thread);
    return thread;
  }

  async function run(task: ThreadTask, signal: AbortSignal): Promise<SealedResponse> {
    const thread = idle.pop() ?? start();
    // Only ending its thread stops a derivation. If only the client has gone, the derivation is finished.
    const end = () => void (isDeadline(signal.reason) && thread.close());
    signal.addEventListener('abort', end, { once: true });
    try {
      const reply = await thread.run(task);
      idle.push(thread);
      if ('error' in reply) throw fromThreadError(reply.error);
      const { tag, head } = reply;
      return { tag, head: Buffer.from(head.buffer, head.byteOffset, head.byteLength) };
    } catch (error) {
      if (!idle.includes(thread)) allThreads.delete(thread);
      throw error;
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  function begin(key: string, task: ThreadTask): Shared {
    const controller = new AbortController();
    const response = gate(() => run(task, controller.signal), controller.signal)
      .catch((error) => {
        throw isFailure(error) && error.kind === 'limit' ? BUSY : error;
      })
      .finally(() => {
        if (underWay.get(key) === shared) underWay.delete(key);
      });
    // The waiting requests handle the rejection themselves.
    response.catch(() => undefined);
    const shared: Shared = { response, controller, waiters: 0 };
    underWay.set(key, shared);
    return shared;
  }

  return {
    answer(release, target, signal) {
      const directory = directoryOf(release);
      const key = `${directory}\n${target}`;
      const shared = underWay.get(key) ?? begin(key, { directory, target });
      shared.waiters += 1;
      const leave = () => {
        shared.waiters -= 1;
        if (shared.waiters > 0) return;
        // The next request starts a new answer, because this one may be stopped.
        if (underWay.get(key) === shared) underWay.delete(key);
        shared.controller.abort(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      return shared.response.finally(() => signal.removeEventListener('abort', leave));
    },
    close: async () => void (await Promise.all([...allThreads].map((thread) => thread.close()))),
  };
}

/** An answer that several requests wait for. */
interface Shared {
  readonly response: Promise<SealedResponse>;
  readonly controller: AbortController;
  waiters: number;
}
