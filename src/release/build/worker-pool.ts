/** The workers of a build: threads that do any of its tasks, and use parts of earlier builds by the same program. */
import { dirname } from 'node:path';
import { executableContent } from '../../platform/executable.ts';
import {
  findWorkerScript,
  inOrder,
  type TaskWorker,
  type WorkerScript,
  withWorkers,
} from '../../platform/worker-pool.ts';
import type { BuildSource, BuildTask, Damaged, ResultOf } from './build-task.ts';
import { TaskRunner } from './build-task.ts';
import { versionOf } from './finished-parts.ts';
import { DamagedSlice } from './slices.ts';

export interface BuildWorker {
  run<Task extends BuildTask>(task: Task): Promise<ResultOf<Task> | Damaged>;
  close(): Promise<void>;
}

/** So many results may wait for an earlier one, for each worker. */
const AHEAD = 6;

/** The results of tasks in their order, done side by side. Throws DamagedSlice. */
export function resultsOf<Task extends BuildTask>(
  tasks: Iterable<Task>,
  workers: readonly BuildWorker[],
  signal: AbortSignal | undefined,
): AsyncGenerator<ResultOf<Task>> {
  const own = workers.map(
    (worker): TaskWorker<Task, ResultOf<Task>> => ({
      run: async (task) => {
        const result = await worker.run(task);
        if ('damaged' in result) throw new DamagedSlice(result.damaged);
        return result;
      },
      close: () => worker.close(),
    }),
  );
  return inOrder(tasks, own, workers.length * AHEAD, signal);
}

/** Parts of builds by another version of the program are not used. */
const programOf = ({ source, isCode }: WorkerScript) =>
  isCode ? `${executableContent()?.build} ${JSON.stringify(process.versions)}` : versionOf(dirname(source));

export interface WorkerPoolOptions {
  readonly from: string;
  /** A directory for what tasks leave for each other. */
  readonly scratch: string;
  /** Worker threads; by default as many as there are cores, at most eight. */
  readonly jobs?: number;
  /** The script of the worker threads, or null to work in this thread; found by itself unless given. */
  readonly workerScript?: string | null;
  /** Where parts of earlier builds are, and this one's are kept; null, or work in this thread, makes all anew. */
  readonly partsDirectory?: string | null;
  /** Whether all that kept tasks left is looked at. */
  readonly checked?: boolean;
  readonly signal?: AbortSignal;
}

/** Runs `work` with workers and ends them afterwards; at once, whatever they are doing, when the signal is aborted. */
export async function withBuildWorkers<T>(
  { from, scratch, jobs, workerScript, partsDirectory = null, checked = false, signal }: WorkerPoolOptions,
  work: (workers: readonly BuildWorker[]) => Promise<T>,
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
  return withWorkers<BuildTask, ResultOf<BuildTask> | Damaged, T>(
    { script, data, inThread, jobs, work: 'the build', signal },
    // A worker answers each task with the result of its kind.
    (workers) => work(workers as readonly BuildWorker[]),
  );
}
