/** The hands of a build: worker threads where their bundle is at hand, else this thread. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Failure } from '../../contract/failure.ts';
import type { BatchResult, BuildSource, BuildTask } from './build-task.ts';
import { TaskRunner } from './build-task.ts';
import type { WorkerReply } from './build-worker.ts';
import type { TaskWorker } from './ordered-tasks.ts';

export type BuildWorker = TaskWorker<BuildTask, BatchResult>;

/**
 * Node runs a thread from a file of JavaScript. Beside the running bundle there is one; when this runs from
 * its TypeScript source (tests) there is none, and the same work is done in this thread.
 */
function ownScript(): string | null {
  const script = join(__dirname, 'build-worker.cjs');
  return existsSync(script) ? script : null;
}

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
  readonly signal?: AbortSignal;
}

/** Has lanes for as long as the work goes on. When the signal is aborted they are ended at once, whatever they are at. */
export async function withWorkers<T>(
  options: WorkerPoolOptions,
  work: (lanes: readonly BuildWorker[]) => Promise<T>,
): Promise<T> {
  const { from, jobs = defaultJobs(), workerScript: script = ownScript(), signal } = options;
  const source: BuildSource = { path: from };
  const lanes =
    script === null ? [new TaskRunner(source)] : Array.from({ length: jobs }, () => new ThreadWorker(source, script));
  const close = () => Promise.all(lanes.map((lane) => lane.close()));
  const stop = () => void close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await work(lanes);
  } finally {
    signal?.removeEventListener('abort', stop);
    await close();
  }
}

/** A company's facts live for as long as it is worked on: room for them spares the moving of what is soon thrown away. */
const YOUNG = { maxYoungGenerationSizeMb: 64 };

class ThreadWorker implements BuildWorker {
  readonly #worker: Worker;
  #settle: { resolve: (result: BatchResult) => void; reject: (cause: Error) => void } | null = null;
  #end: Error | null = null;

  constructor(source: BuildSource, script: string) {
    this.#worker = new Worker(script, { workerData: source, stdin: false, resourceLimits: YOUNG });
    this.#worker.on('message', (reply: WorkerReply) => {
      const settle = this.#settle;
      this.#settle = null;
      if ('result' in reply) settle?.resolve(reply.result);
      else settle?.reject(new Failure('data', reply.failure));
    });
    this.#worker.on('error', (cause: Error) => this.#stop(cause.message));
    this.#worker.on('exit', () => this.#stop('it ended'));
  }

  run(task: BuildTask): Promise<BatchResult> {
    return new Promise((resolve, reject) => {
      if (this.#end !== null) return reject(this.#end);
      this.#settle = { resolve, reject };
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
