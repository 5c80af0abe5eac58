/** Workers that do one task each at a time, and their results in order: worker threads where their bundle is there, else this thread. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { Failure } from '../../contract/failure.ts';
import { readAsset } from '../executable.ts';
import type { WorkerReply } from './worker-thread.ts';

/** Something that does one task at a time: a worker thread, or this very thread. */
export interface TaskWorker<Task, Result> {
  run(task: Task): Promise<Result>;
  close(): Promise<void>;
}

/** A task that waits for a worker. */
interface QueueEntry<Task, Result> {
  /** The sequence that it is of. */
  readonly sequence: number;
  start(worker: TaskWorker<Task, Result>): void;
}

/** Workers that several sequences of tasks share: one that has no task to begin leaves no worker idle that another could use. */
export class WorkerPool<Task, Result> {
  readonly size: number;
  readonly #idle: TaskWorker<Task, Result>[];
  /** In order of sequence. */
  readonly #queue: QueueEntry<Task, Result>[] = [];
  #sequences = 0;

  constructor(workers: readonly TaskWorker<Task, Result>[]) {
    this.size = workers.length;
    this.#idle = [...workers];
  }

  /**
   * The results of all tasks, in the order of the tasks. At most `ahead` tasks are begun beyond the one whose result is waited for, so
   * that results that came early never fill the memory. Of several sequences the one begun first goes first.
   * Throws what the first failing task throws, and what `signal` was aborted with.
   */
  async *inOrder(tasks: Iterable<Task>, ahead: number, signal?: AbortSignal): AsyncGenerator<Result> {
    const sequence = this.#sequences++;
    const waiting = tasks[Symbol.iterator]();
    const begun: Promise<Result>[] = [];
    let isLast = false;
    const begin = () => {
      while (!isLast && begun.length <= ahead) {
        const task = waiting.next();
        if (task.done === true) isLast = true;
        else begun.push(this.#run(task.value, sequence));
      }
    };
    try {
      signal?.throwIfAborted();
      begin();
      for (let first = begun[0]; first !== undefined; first = begun[0]) {
        yield await unlessAborted(first, signal);
        begun.shift();
        begin();
      }
    } finally {
      this.#withdraw(sequence);
    }
  }

  #run(task: Task, sequence: number): Promise<Result> {
    const result = new Promise<Result>((resolve, reject) => {
      const start = (worker: TaskWorker<Task, Result>) => {
        worker
          .run(task)
          .finally(() => {
            this.#idle.push(worker);
            this.#start();
          })
          .then(resolve, reject);
      };
      const after = this.#queue.findIndex((entry) => entry.sequence > sequence);
      this.#queue.splice(after < 0 ? this.#queue.length : after, 0, { sequence, start });
    });
    // It is awaited in order; a failure before that must not go unhandled.
    result.catch(() => undefined);
    this.#start();
    return result;
  }

  #start(): void {
    for (;;) {
      const worker = this.#queue.length === 0 ? undefined : this.#idle.pop();
      if (worker === undefined) return;
      this.#queue.shift()?.start(worker);
    }
  }

  /** Takes back the tasks of a sequence that wait; nobody will take their results. */
  #withdraw(sequence: number): void {
    const others = this.#queue.filter((entry) => entry.sequence !== sequence);
    this.#queue.splice(0, this.#queue.length, ...others);
  }
}

/**
 * What a promise comes to, unless the signal is aborted before. Not Promise.race with a promise that waits for the signal: that
 * would keep every result for as long as it waits.
 */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  });
}

/** What a worker thread runs. */
export interface WorkerScript {
  /** The path of a file of JavaScript, or the code itself. */
  readonly source: string;
  readonly isCode: boolean;
}

/**
 * A worker's bundle beside the running one, or in the single executable. When this runs from its TypeScript source (tests)
 * there is none, and the same work is done in this thread.
 */
export function findWorkerScript(name: string): WorkerScript | null {
  const file = join(__dirname, name);
  if (existsSync(file)) return { source: file, isCode: false };
  const code = readAsset(name)?.toString('latin1');
  return code === undefined ? null : { source: code, isCode: true };
}

/** Each thread holds what it works on in memory, so more cores than this make no more threads. */
const MAX_JOBS = 8;

export interface PoolOptions<Task, Result> {
  /** Null to work in this thread. */
  readonly script: WorkerScript | null;
  /** What each thread is started with. */
  readonly data?: unknown;
  /** The worker where there is no script. */
  readonly inThread: () => TaskWorker<Task, Result>;
  /** Worker threads; by default as many as there are cores, at most eight. */
  readonly jobs?: number | undefined;
  /** The most a thread's heap may grow to, where less is known to do: V8 lets garbage grow with the room that there is. */
  readonly heapMegabytes?: number;
  /** What they work on, for messages: "the build". */
  readonly work: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `use` with workers and ends them afterwards; at once, whatever they are doing, when the signal is aborted. Meanwhile V8 keeps the
 * code of functions that have not run for a few collections: it would compile and optimize most of a task's again in a later one.
 */
export async function withWorkers<Task, Result, T>(
  { script, data, inThread, jobs, heapMegabytes, work, signal }: PoolOptions<Task, Result>,
  use: (pool: WorkerPool<Task, Result>) => Promise<T>,
): Promise<T> {
  if (script !== null) setFlagsFromString('--no-flush-bytecode');
  const length = jobs ?? Math.min(availableParallelism(), MAX_JOBS);
  const workers: readonly TaskWorker<Task, Result>[] =
    script === null ? [inThread()] : Array.from({ length }, () => new ThreadWorker(script, data, work, heapMegabytes));
  const close = () => Promise.all(workers.map((worker) => worker.close()));
  const stop = () => void close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await use(new WorkerPool(workers));
  } finally {
    signal?.removeEventListener('abort', stop);
    await close();
    if (script !== null) setFlagsFromString('--flush-bytecode');
  }
}

/** One thread by itself, started now; Its tasks reject once it has ended. */
export function startThread<Task, Result>(
  script: WorkerScript,
  { work, data, heapMegabytes }: Pick<PoolOptions<Task, Result>, 'work' | 'data' | 'heapMegabytes'>,
): TaskWorker<Task, Result> {
  return new ThreadWorker(script, data, work, heapMegabytes);
}

/** What a task makes lives as long as the task: room for it spares the moving of what is soon thrown away. Half where the heap is bounded. */
const YOUNG_MEGABYTES = 128;

class ThreadWorker<Task, Result> implements TaskWorker<Task, Result> {
  readonly #worker: Worker;
  readonly #work: string;
  #settle: { resolve: (result: Result) => void; reject: (cause: Error) => void } | null = null;
  #end: Error | null = null;

  constructor({ source, isCode }: WorkerScript, workerData: unknown, work: string, heapMegabytes?: number) {
    this.#work = work;
    const resourceLimits =
      heapMegabytes === undefined
        ? { maxYoungGenerationSizeMb: YOUNG_MEGABYTES }
        : { maxYoungGenerationSizeMb: YOUNG_MEGABYTES / 2, maxOldGenerationSizeMb: heapMegabytes };
    this.#worker = new Worker(source, { workerData, stdin: false, resourceLimits, eval: isCode });
    this.#worker.on('message', (reply: WorkerReply<Result>) => {
      const settle = this.#settle;
      this.#settle = null;
      if ('result' in reply) settle?.resolve(reply.result);
      else settle?.reject(new Failure('data', reply.failure, reply.hint === null ? {} : { hint: reply.hint }));
    });
    this.#worker.on('error', (cause: Error) => this.#stop(cause.message));
    this.#worker.on('exit', () => this.#stop('it ended'));
  }

  run(task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#end !== null) return reject(this.#end);
      // A worker does one task at a time, so that the next reply is this one's.
      this.#settle = { resolve, reject };
      this.#worker.postMessage(task);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #stop(why: string): void {
    this.#end ??= new Failure('data', `A thread of ${this.#work} stopped: ${why}.`, {
      hint: 'If the machine is short of memory, use fewer threads: --jobs 1.',
    });
    this.#settle?.reject(this.#end);
    this.#settle = null;
  }
}
