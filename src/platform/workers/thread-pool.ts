/**
 * Runs tasks on workers and yields their results in order. Workers are threads if their bundle exists, otherwise this
 * thread.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { Failure } from '../../contract/failure.ts';
import { readAsset } from '../builtins/executable.ts';
import { rejectOnAbort } from './gate.ts';
import type { WorkerReply } from './worker-thread.ts';

/** Runs one task at a time, in a worker thread or in this thread. */
export interface TaskWorker<Task, Result> {
  run(task: Task): Promise<Result>;
  close(): Promise<void>;
}

interface WaitingTask<Task, Result> {
  /** Index of the sequence to which the task belongs; tasks of a lower index run first. */
  readonly sequence: number;
  start(worker: TaskWorker<Task, Result>): void;
}

/**
 * Workers shared by several sequences of tasks. A free worker takes a task of the earliest sequence that has one
 * waiting.
 */
export class WorkerPool<Task, Result> {
  readonly size: number;
  readonly #idleWorkers: TaskWorker<Task, Result>[];
  /** Waiting tasks, ordered by sequence. */
  readonly #queue: WaitingTask<Task, Result>[] = [];
  #nextSequence = 0;

  constructor(workers: readonly TaskWorker<Task, Result>[]) {
    this.size = workers.length;
    this.#idleWorkers = [...workers];
  }

  /**
   * Runs the tasks and yields their results in order. Starts at most `maxAhead` tasks beyond the one that is awaited,
   * because finished results take memory. Tasks of earlier calls run first. Throws the error of the first failing task,
   * or the signal's reason.
   */
  async *runInOrder(tasks: Iterable<Task>, maxAhead: number, signal?: AbortSignal): AsyncGenerator<Result> {
    const sequence = this.#nextSequence++;
    const iterator = tasks[Symbol.iterator]();
    const promises: Promise<Result>[] = [];
    let hasEnded = false;
    const startNext = () => {
      while (!hasEnded && promises.length <= maxAhead) {
        const next = iterator.next();
        if (next.done === true) hasEnded = true;
        else promises.push(this.#run(next.value, sequence));
      }
    };
    try {
      signal?.throwIfAborted();
      startNext();
      for (let oldest = promises[0]; oldest !== undefined; oldest = promises[0]) {
        yield await (signal === undefined ? oldest : rejectOnAbort(oldest, signal));
        promises.shift();
        startNext();
      }
    } finally {
      this.#withdraw(sequence);
    }
  }

  #run(task: Task, sequence: number): Promise<Result> {
    const promise = new Promise<Result>((resolve, reject) => {
      const start = (worker: TaskWorker<Task, Result>) => {
        worker
          .run(task)
          .finally(() => {
            this.#idleWorkers.push(worker);
            this.#start();
          })
          .then(resolve, reject);
      };
      const index = this.#queue.findIndex((entry) => entry.sequence > sequence);
      this.#queue.splice(index < 0 ? this.#queue.length : index, 0, { sequence, start });
    });
    // The failure is thrown when the result is awaited; this handler prevents an unhandled rejection before then.
    promise.catch(() => undefined);
    this.#start();
    return promise;
  }

  #start(): void {
    for (;;) {
      const worker = this.#queue.length === 0 ? undefined : this.#idleWorkers.pop();
      if (worker === undefined) return;
      this.#queue.shift()?.start(worker);
    }
  }

  /** Removes waiting tasks of a sequence whose results are no longer needed. */
  #withdraw(sequence: number): void {
    const otherTasks = this.#queue.filter((entry) => entry.sequence !== sequence);
    this.#queue.splice(0, this.#queue.length, ...otherTasks);
  }
}

/** The code that a worker thread runs. */
export interface WorkerScript {
  /** Path of a JavaScript file, or the code itself. */
  readonly source: string;
  readonly isCode: boolean;
}

/**
 * Returns a worker's bundle from the directory of the running bundle or from the single executable. Null when running
 * from TypeScript sources (tests), so that the work runs in this thread.
 */
export function findWorkerScript(name: string): WorkerScript | null {
  const file = join(__dirname, name);
  if (existsSync(file)) return { source: file, isCode: false };
  const code = readAsset(name)?.toString('latin1');
  return code === undefined ? null : { source: code, isCode: true };
}

interface ThreadOptions {
  /** Data passed to each thread at its start. */
  readonly data?: unknown;
  /** Maximum heap size of each thread in megabytes; without a limit, V8 lets garbage grow with the available memory. */
  readonly heapMegabytes?: number;
  /** The work as a participle for messages, such as "building the release". */
  readonly work: string;
}

/** Maximum number of threads by default, because each thread needs memory for its work. */
const MAX_DEFAULT_THREADS = 8;

interface PoolOptions<Task, Result> extends ThreadOptions {
  /** Code of the worker threads; null to run the tasks in this thread. */
  readonly script: WorkerScript | null;
  /** Returns a worker that runs in this thread; called if no script exists. */
  readonly createInThread: () => TaskWorker<Task, Result>;
  /** Number of worker threads; by default one per core, at most eight. */
  readonly jobs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls `usePool` with workers and ends them afterwards, or immediately when the signal aborts. From then on, V8 keeps
 * all compiled code. Otherwise V8 would discard functions that have not run recently, and later tasks would compile
 * these functions again. The flag is never reset, because V8's flags belong to all threads, and others may still run.
 */
export async function withWorkers<Task, Result, T>(
  options: PoolOptions<Task, Result>,
  usePool: (pool: WorkerPool<Task, Result>) => Promise<T>,
): Promise<T> {
  const { script, createInThread: createWorker, jobs, signal } = options;
  if (script !== null) setFlagsFromString('--no-flush-bytecode');
  const threads = jobs ?? Math.min(availableParallelism(), MAX_DEFAULT_THREADS);
  const workers: readonly TaskWorker<Task, Result>[] =
    script === null
      ? [createWorker()]
      : Array.from({ length: threads }, () => new ThreadWorker<Task, Result>(script, options));
  // Threads are ended once, even if the signal aborts while they end.
  let closing: Promise<unknown> | undefined;
  const close = () => {
    closing ??= Promise.all(workers.map((worker) => worker.close()));
    return closing;
  };
  const closeOnAbort = () => void close();
  signal?.addEventListener('abort', closeOnAbort, { once: true });
  try {
    return await usePool(new WorkerPool(workers));
  } finally {
    signal?.removeEventListener('abort', closeOnAbort);
    await close();
  }
}

/**
 * Size of V8's young generation in megabytes. Objects of a task live as long as the task; a smaller young generation
 * would copy them repeatedly. Halved if the heap is limited.
 */
const MAX_YOUNG_GENERATION_MB = 128;

/** A single thread, whose tasks reject once the thread has ended. */
export class ThreadWorker<Task, Result> implements TaskWorker<Task, Result> {
  readonly #worker: Worker;
  readonly #work: string;
  #pendingTask: { resolve: (result: Result) => void; reject: (cause: Error) => void } | null = null;
  #endError: Error | null = null;

  constructor({ source, isCode }: WorkerScript, { data: workerData, work, heapMegabytes: heap }: ThreadOptions) {
    this.#work = work;
    const young = {
      maxYoungGenerationSizeMb: heap === undefined ? MAX_YOUNG_GENERATION_MB : MAX_YOUNG_GENERATION_MB / 2,
    };
    const resourceLimits = heap === undefined ? young : { ...young, maxOldGenerationSizeMb: heap };
    this.#worker = new Worker(source, { workerData, stdin: false, resourceLimits, eval: isCode });
    this.#worker.on('message', (reply: WorkerReply<Result>) => {
      const pending = this.#pendingTask;
      this.#pendingTask = null;
      if ('result' in reply) pending?.resolve(reply.result);
      else pending?.reject(new Failure('data', reply.failure, reply.hint === null ? {} : { hint: reply.hint }));
    });
    this.#worker.on('error', (cause: Error) => this.#stop(cause.message));
    this.#worker.on('exit', () => this.#stop('the thread ended unexpectedly'));
  }

  run(task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#endError !== null) return reject(this.#endError);
      // A worker runs one task at a time, so the next reply belongs to this task.
      this.#pendingTask = { resolve, reject };
      this.#worker.postMessage(task);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #stop(reason: string): void {
    this.#endError ??= new Failure('data', `A worker thread stopped while ${this.#work}: ${reason}.`, {
      hint: 'If the machine is short of memory, use fewer threads: --jobs 1',
    });
    this.#pendingTask?.reject(this.#endError);
    this.#pendingTask = null;
  }
}
