/** The workers of a build: threads that run any task, and use cached results of earlier builds by the same program. */
import { dirname } from 'node:path';
import { executableContent } from '../../platform/executable.ts';
import { findWorkerScript, type WorkerScript, withWorkers } from '../../platform/workers/worker-pool.ts';
import type { BuildSource, BuildTask, Damaged, ResultOf, Results } from '../build-task.ts';
import { TaskRunner } from '../build-task.ts';
import { versionOf } from './finished-parts.ts';
import { DamagedSlice } from './slices.ts';

export interface BuildWorkers {
  /** Yields the results of tasks in their order. Tasks requested first run first; later ones use idle workers. */
  readonly results: Results;
  /** Waits for parts of the build that run in parallel. If one fails, ends the others and throws its cause. */
  all<Parts extends readonly unknown[] | []>(
    parts: Parts,
  ): Promise<{ -readonly [At in keyof Parts]: Awaited<Parts[At]> }>;
}

/** Maximum number of results per worker that may wait for an earlier result. */
const AHEAD = 6;

/** Cached results of another version of the program are not used. */
const programOf = ({ source, isCode }: WorkerScript) =>
  isCode ? `${executableContent()?.build} ${JSON.stringify(process.versions)}` : versionOf(dirname(source));

export interface WorkerPoolOptions {
  readonly from: string;
  /** Directory for the files that tasks write for later tasks. */
  readonly scratch: string;
  /** Worker threads; by default as many as there are cores, at most eight. */
  readonly jobs?: number;
  /** The script of the worker threads; null runs all tasks in this thread. Default: the bundled script. */
  readonly workerScript?: string | null;
  /** Where task results are cached; null, or running in this thread, runs every task again. */
  readonly partsDirectory?: string | null;
  /** Whether to verify the output files of all cached tasks before they are used. */
  readonly checked?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Calls `work` with workers and ends them afterwards; immediately, whatever they are doing, when the signal is
 * aborted.
 */
export async function withBuildWorkers<T>(
  { from, scratch, jobs, workerScript, partsDirectory = null, checked = false, signal }: WorkerPoolOptions,
  work: (workers: BuildWorkers) => Promise<T>,
): Promise<T> {
  const script =
    workerScript === undefined
      ? findWorkerScript('build-worker.cjs')
      : workerScript === null
        ? null
        : { source: workerScript, isCode: false };
  const version = script === null || partsDirectory === null ? null : programOf(script);
  const parts = version === null || partsDirectory === null ? null : { directory: partsDirectory, version };
  const data: BuildSource = { path: from, scratch, parts, checked };
  const inThread = () => new TaskRunner(data);
  const failed = new AbortController();
  const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  return withWorkers<BuildTask, ResultOf<BuildTask> | Damaged, T>(
    { script, data, inThread, jobs, work: 'the build', signal },
    (pool) =>
      work({
        async *results<Task extends BuildTask>(tasks: Iterable<Task>): AsyncGenerator<ResultOf<Task>> {
          for await (const result of pool.inOrder(tasks, pool.size * AHEAD, stop)) {
            if ('damaged' in result) throw new DamagedSlice(result.damaged);
            // A worker answers each task with the result of its kind.
            yield result as ResultOf<Task>;
          }
        },
        all: (promises) => allOf(promises, failed),
      }),
  );
}

/** Waits for all parts, even after one failed: they may still write to files that are about to be removed. */
async function allOf<Parts extends readonly unknown[] | []>(parts: Parts, failed: AbortController) {
  const going = parts.map((part) => Promise.resolve(part));
  for (const part of going) part.catch((cause: unknown) => failed.abort(cause));
  await Promise.allSettled(going);
  failed.signal.throwIfAborted();
  return (await Promise.all(going)) as { -readonly [At in keyof Parts]: Awaited<Parts[At]> };
}
