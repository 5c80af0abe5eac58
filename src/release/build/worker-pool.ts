/** The workers of a build, and their results in order: worker threads where their bundle is there, else this thread. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Failure } from '../../contract/failure.ts';
import { executableContent, readAsset } from '../../platform/executable.ts';
import type { BuildSource, BuildTask, ResultOf } from './build-task.ts';
import { TaskRunner } from './build-task.ts';
import type { WorkerReply } from './build-worker.ts';
import { versionOf } from './finished-parts.ts';

/** Something that does one task at a time: a worker thread, or this very thread. */
export interface TaskWorker<Task, Result> {
  run(task: Task): Promise<Result>;
  close(): Promise<void>;
}

/**
 * The results of all tasks, in the order of the tasks, which are made as they are begun. At most `ahead` tasks are begun beyond the one whose
 * result is waited for, so that results that came early never fill the memory.
 * Throws what the first failing task throws, and what `signal` was aborted with.
 */
export async function* inOrder<Task, Result>(
  tasks: Iterable<Task>,
  workers: readonly TaskWorker<Task, Result>[],
  ahead: number,
  signal?: AbortSignal,
): AsyncGenerator<Result> {
  const idle = [...workers];
  const waiting = tasks[Symbol.iterator]();
  const begun: Promise<Result>[] = [];
  let isLast = false;
  const begin = () => {
    while (!isLast && begun.length <= ahead && signal?.aborted !== true) {
      const worker = idle.pop();
      if (worker === undefined) return;
      const task = waiting.next();
      if (task.done === true) {
        isLast = true;
        idle.push(worker);
        return;
      }
      const result = worker.run(task.value).finally(() => {
        idle.push(worker);
        begin();
      });
      // It is awaited in order; a failure before that must not go unhandled.
      result.catch(() => undefined);
      begun.push(result);
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
    isLast = true;
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

export interface BuildWorker {
  run<Task extends BuildTask>(task: Task): Promise<ResultOf<Task>>;
  close(): Promise<void>;
}

/** So many results may wait for an earlier one, for each worker. */
const AHEAD = 2;

/** The results of tasks in their order, done side by side. */
export function resultsOf<Task extends BuildTask>(
  tasks: Iterable<Task>,
  workers: readonly BuildWorker[],
  signal: AbortSignal | undefined,
): AsyncGenerator<ResultOf<Task>> {
  const own = workers.map(
    (worker): TaskWorker<Task, ResultOf<Task>> => ({
      run: (task) => worker.run(task),
      close: () => worker.close(),
    }),
  );
  return inOrder(tasks, own, workers.length * AHEAD, signal);
}

/** What a worker thread runs. */
interface WorkerScript {
  /** The path of a file of JavaScript, or the code itself. */
  readonly source: string;
  readonly isCode: boolean;
  /** The version of the program: parts of builds by another are not used. */
  readonly version: () => string;
}

const SCRIPT = 'build-worker.cjs';

/**
 * The worker beside the running bundle, or in the single executable. When this runs from its TypeScript source (tests)
 * there is none, and the same work is done in this thread.
 */
function ownScript(): WorkerScript | null {
  const file = join(__dirname, SCRIPT);
  if (existsSync(file)) return scriptFile(file);
  const content = executableContent();
  const code = readAsset(SCRIPT)?.toString('latin1');
  if (content === null || code === undefined) return null;
  return { source: code, isCode: true, version: () => `${content.build} ${JSON.stringify(process.versions)}` };
}

const scriptFile = (path: string): WorkerScript => ({
  source: path,
  isCode: false,
  version: () => versionOf(dirname(path)),
});

/** Each thread holds a company's files in memory, so more cores than this make no more threads. */
const MOST_JOBS = 8;

function defaultJobs(): number {
  return Math.min(availableParallelism(), MOST_JOBS);
}

export interface WorkerPoolOptions {
  readonly from: string;
  /** Worker threads; by default as many as there are cores, at most eight. */
  readonly jobs?: number;
  /** The script of the worker threads, or null to work in this thread; found by itself unless given. */
  readonly workerScript?: string | null;
  /** Where parts of earlier builds are, and this one's are kept; null, or work in this thread, makes all anew. */
  readonly partsDirectory?: string | null;
  readonly signal?: AbortSignal;
}

/** Runs `work` with workers and ends them afterwards; at once, whatever they are doing, when the signal is aborted. */
export async function withWorkers<T>(
  options: WorkerPoolOptions,
  work: (workers: readonly BuildWorker[]) => Promise<T>,
): Promise<T> {
  const { from, jobs = defaultJobs(), workerScript, partsDirectory = null, signal } = options;
  const script = workerScript === undefined ? ownScript() : workerScript === null ? null : scriptFile(workerScript);
  const parts =
    script === null || partsDirectory === null ? null : { directory: partsDirectory, version: script.version() };
  const source: BuildSource = { path: from, parts };
  const workers =
    script === null ? [new TaskRunner(source)] : Array.from({ length: jobs }, () => new ThreadWorker(source, script));
  const close = () => Promise.all(workers.map((worker) => worker.close()));
  const stop = () => void close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await work(workers);
  } finally {
    signal?.removeEventListener('abort', stop);
    await close();
  }
}

/** A company's facts live for as long as it is worked on: room for them spares the moving of what is soon thrown away. */
const YOUNG = { maxYoungGenerationSizeMb: 64 };

class ThreadWorker implements BuildWorker {
  readonly #worker: Worker;
  #settle: { resolve: (result: ResultOf<BuildTask>) => void; reject: (cause: Error) => void } | null = null;
  #end: Error | null = null;

  constructor(source: BuildSource, script: WorkerScript) {
    const options = { workerData: source, stdin: false, resourceLimits: YOUNG, eval: script.isCode };
    this.#worker = new Worker(script.source, options);
    this.#worker.on('message', (reply: WorkerReply) => {
      const settle = this.#settle;
      this.#settle = null;
      if ('result' in reply) settle?.resolve(reply.result);
      else settle?.reject(new Failure('data', reply.failure));
    });
    this.#worker.on('error', (cause: Error) => this.#stop(cause.message));
    this.#worker.on('exit', () => this.#stop('it ended'));
  }

  run<Task extends BuildTask>(task: Task): Promise<ResultOf<Task>> {
    return new Promise((resolve, reject) => {
      if (this.#end !== null) return reject(this.#end);
      // A worker does one task at a time, so that the next reply is this one's.
      this.#settle = { resolve: (result) => resolve(result as ResultOf<Task>), reject };
      this.#worker.postMessage(task);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #stop(why: string): void {
    this.#end ??= new Failure('data', `A thread of the build stopped: ${why}.`, {
      hint: 'If the machine is short of memory, build with fewer threads: --jobs 1.',
    });
    this.#settle?.reject(this.#end);
    this.#settle = null;
  }
}
