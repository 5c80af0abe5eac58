/**
 * Threads that answer what takes long to derive, so that meanwhile this one answers everything else. Each opens the
 * release by itself and answers one question at a time; questions that are asked again while they wait are answered once.
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
   * Rejects with what the answer fails with, and with the signal's reason. A question that nobody waits for is taken from
   * the queue, and one that has taken too long ends its thread.
   */
  answer(release: ReleaseReader, target: string, signal: AbortSignal): Promise<SealedResponse>;
  close(): Promise<void>;
}

export interface AnswerThreadsOptions {
  readonly script: WorkerScript;
  /** Number of threads at most; each is started when it is first needed. */
  readonly count: number;
  readonly directoryOf: (release: ReleaseReader) => string;
}

type Thread = TaskWorker<ThreadTask, ThreadReply>;

/** Number of questions that wait at most; more are answered 503. */
const MAX_WAITING = 1000;
/** V8 ends a thread whose heap grows beyond it; this process goes on. */
const HEAP_MEGABYTES = 512;

const BUSY = new ProblemError('unavailable', 'The service has too much to compute just now. Ask again later.');

export function openAnswerThreads({ script, count, directoryOf }: AnswerThreadsOptions): AnswerThreads {
  const gate = createGate(count, MAX_WAITING);
  const idle: Thread[] = [];
  const all = new Set<Thread>();
  const underWay = new Map<string, Shared>();

  function start(): Thread {
    const thread = startThread<ThreadTask, ThreadReply>(script, { work: 'the service', heapMegabytes: HEAP_MEGABYTES });
    all.add(thread);
    return thread;
  }

  async function run(task: ThreadTask, signal: AbortSignal): Promise<SealedResponse> {
    const thread = idle.pop() ?? start();
    // Nothing else ends a derivation. One that a client no longer waits for is let finish.
    const end = () => void (isDeadline(signal.reason) && thread.close());
    signal.addEventListener('abort', end, { once: true });
    try {
      const reply = await thread.run(task);
      idle.push(thread);
      if ('error' in reply) throw fromThreadError(reply.error);
      const { tag, head } = reply;
      return { tag, head: Buffer.from(head.buffer, head.byteOffset, head.byteLength) };
    } catch (error) {
      if (!idle.includes(thread)) all.delete(thread);
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
    // Those who wait for it reject by themselves.
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
        // The next one to ask begins anew: this one may be ended.
        if (underWay.get(key) === shared) underWay.delete(key);
        shared.controller.abort(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      return shared.response.finally(() => signal.removeEventListener('abort', leave));
    },
    close: async () => void (await Promise.all([...all].map((thread) => thread.close()))),
  };
}

/** An answer that several requests wait for. */
interface Shared {
  readonly response: Promise<SealedResponse>;
  readonly controller: AbortController;
  waiters: number;
}
