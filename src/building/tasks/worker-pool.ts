/** The workers of a build: threads that run any task, and use cached results of earlier builds by the same program. */
import { dirname } from 'node:path';
import { readExecutableContent } from '../../platform/executable.ts';
import { findWorkerScript, type WorkerScript, withWorkers } from '../../platform/workers/worker-pool.ts';
import type { BuildSource, BuildTask, DamagedOutput, ResultOf, RunTasks } from '../build-task.ts';
import { TaskRunner } from '../build-task.ts';
import { versionOf } from './finished-parts.ts';
import { DamagedSlice } from './slices.ts';

export interface BuildWorkers {
  /** Yields the results of tasks in their order. Tasks requested first run first; later ones use idle workers. */
  readonly runTasks: RunTasks;
  /** Waits for parts of the build that run in parallel. If one fails, ends the others and throws its cause. */
  awaitAll<Promises extends readonly unknown[] | []>(
    promises: Promises,
  ): Promise<{ -readonly [At in keyof Promises]: Awaited<Promises[At]> }>;
}

/** Maximum number of results per worker that may wait for an earlier result. */
const MAX_RESULTS_AHEAD = 6;

/** Cached results of another version of the program are not used. */
const programHash = ({ source, isCode }: WorkerScript) =>
  isCode ? `${readExecutableContent()?.build} ${JSON.stringify(process.versions)}` : versionOf(dirname(source));

export interface WorkerPoolOptions {
  readonly sourceDirectory: string;
  /** Directory for the files that tasks write for later tasks. */
  readonly scratchDirectory: string;
  /** Worker threads; by default as many as there are cores, at most eight. */
  readonly workerCount?: number;
  /** The script of the worker threads; null runs all tasks in this thread. Default: the bundled script. */
  readonly workerScript?: string | null;
  /** Directory of cached task results. Every task runs again if it is null, or if tasks run in this thread. */
  readonly partsDirectory?: string | null;
  /** Whether to verify the output files of all cached tasks before they are used. */
  readonly verifiesOutputs?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Calls `useWorkers` with workers and ends them afterwards; immediately, whatever they are doing, when the signal is
 * aborted.
 */
export async function withBuildWorkers<T>(
  {
    sourceDirectory,
    scratchDirectory,
    workerCount,
    workerScript,
    partsDirectory = null,
    verifiesOutputs = false,
    signal,
  }: WorkerPoolOptions,
  useWorkers: (workers: BuildWorkers) => Promise<T>,
): Promise<T> {
  const script =
    workerScript === undefined
      ? findWorkerScript('build-worker.cjs')
      : workerScript === null
        ? null
        : { source: workerScript, isCode: false };
  const version = script === null || partsDirectory === null ? null : programHash(script);
  const parts = version === null || partsDirectory === null ? null : { directory: partsDirectory, version };
  const data: BuildSource = { path: sourceDirectory, scratchDirectory, finishedParts: parts, verifiesOutputs };
  const inThread = () => new TaskRunner(data);
  const failureController = new AbortController();
  const stopSignal =
    signal === undefined ? failureController.signal : AbortSignal.any([signal, failureController.signal]);
  return withWorkers<BuildTask, ResultOf<BuildTask> | DamagedOutput, T>(
    { script, data, inThread, jobs: workerCount, work: 'the build', signal },
    (pool) =>
      useWorkers({
        async *runTasks<Task extends BuildTask>(tasks: Iterable<Task>): AsyncGenerator<ResultOf<Task>> {
          for await (const result of pool.inOrder(tasks, pool.size * MAX_RESULTS_AHEAD, stopSignal)) {
            if ('damagedPath' in result) throw new DamagedSlice(result.damagedPath);
            // A worker answers each task with the result of its kind.
            yield result as ResultOf<Task>;
          }
        },
        awaitAll: (promises) => awaitAllOrAbort(promises, failureController),
      }),
  );
}

/** Waits for all parts, even after one failed: they may still write to files that are about to be removed. */
async function awaitAllOrAbort<Promises extends readonly unknown[] | []>(
  promises: Promises,
  failureController: AbortController,
) {
  const pending = promises.map((part) => Promise.resolve(part));
  for (const part of pending) part.catch((cause: unknown) => failureController.abort(cause));
  await Promise.allSettled(pending);
  failureController.signal.throwIfAborted();
  return (await Promise.all(pending)) as { -readonly [At in keyof Promises]: Awaited<Promises[At]> };
}
