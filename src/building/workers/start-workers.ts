/**
 * The workers of a build: threads that perform tasks of any kind, and reuse cached results of the same program version.
 */
import { dirname } from 'node:path';
import { readExecutableContent } from '../../platform/builtins/executable.ts';
import { findWorkerScript, type WorkerScript, withWorkers } from '../../platform/workers/thread-pool.ts';
import { computeProgramVersion } from '../tasks/result-cache.ts';
import { DamagedSliceFailure } from '../tasks/slices.ts';
import type { BuildWorkers, ResultOf, Task } from '../tasks/task.ts';
import { type BuildSettings, type BuildTask, type DamagedOutput, TaskRunner } from './build-task.ts';

/** Maximum number of results per worker that may wait for an earlier result. */
const MAX_RESULTS_AHEAD = 6;

/** Returns the version of the program. A build uses only cached results of the same version. */
const findProgramVersion = ({ source, isCode }: WorkerScript) =>
  isCode
    ? `${readExecutableContent()?.build} ${JSON.stringify(process.versions)}`
    : computeProgramVersion(dirname(source));

export interface WorkerPoolOptions {
  /** A directory of public files, or one zip of company facts or of a statement set. */
  readonly sourceDirectory: string;
  /** Directory for files that tasks write for later tasks. */
  readonly scratchDirectory: string;
  /** Number of worker threads; default: number of cores, at most eight. */
  readonly workerCount?: number;
  /** The script of the worker threads; null runs all tasks in the main thread. Default: the bundled script. */
  readonly workerScript?: string | null;
  /** Directory of cached results. If null, or if tasks run in the main thread, nothing is cached. */
  readonly resultCacheDirectory?: string | null;
  /** Whether to verify the output files of all cached results before their use. */
  readonly verifiesOutputs?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Calls `use` with running workers, and ends the workers afterwards. When the signal aborts, ends them
 * immediately.
 */
export async function withBuildWorkers<T>(
  options: WorkerPoolOptions,
  use: (workers: BuildWorkers) => Promise<T>,
): Promise<T> {
  const { sourceDirectory: path, scratchDirectory, workerCount: jobs, workerScript, signal } = options;
  const { resultCacheDirectory: directory = null, verifiesOutputs = false } = options;
  const custom = workerScript == null ? null : { source: workerScript, isCode: false };
  const script = workerScript === undefined ? findWorkerScript('building-workers-build-worker.cjs') : custom;
  const cache = script === null || directory === null ? null : { directory, version: findProgramVersion(script) };
  const settings: BuildSettings = { path, scratchDirectory, resultCache: cache, verifiesOutputs };
  const createRunner = () => new TaskRunner(settings);
  const failure = new AbortController();
  const stopSignal = signal === undefined ? failure.signal : AbortSignal.any([signal, failure.signal]);
  return withWorkers<BuildTask, ResultOf<BuildTask> | DamagedOutput, T>(
    { script, data: settings, createInThread: createRunner, jobs, work: 'building the release', signal },
    (pool) =>
      use({
        async *runTasks<T extends Task<unknown>>(tasks: Iterable<T>): AsyncGenerator<ResultOf<T>> {
          // The cast is safe, because every task of a build has one of these kinds.
          const buildTasks = tasks as Iterable<T & BuildTask>;
          for await (const result of pool.runInOrder(buildTasks, pool.size * MAX_RESULTS_AHEAD, stopSignal)) {
            if ('damagedPath' in result) throw new DamagedSliceFailure(result.damagedPath);
            // The cast is safe, because the result has the kind of its task.
            yield result as ResultOf<T>;
          }
        },
        awaitAll: (promises) => awaitAllOrAbort(promises, failure),
      }),
  );
}

/**
 * Like `Promise.all`, but after a rejection cancels the other steps and waits until they end, because they may still
 * write to files that are then removed.
 */
async function awaitAllOrAbort<Promises extends readonly unknown[] | []>(promises: Promises, failure: AbortController) {
  const pending = promises.map((promise) => Promise.resolve(promise));
  for (const promise of pending) promise.catch((cause: unknown) => failure.abort(cause));
  await Promise.allSettled(pending);
  failure.signal.throwIfAborted();
  return (await Promise.all(pending)) as { -readonly [At in keyof Promises]: Awaited<Promises[At]> };
}
