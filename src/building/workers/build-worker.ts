/**
 * Entry point of a build's worker threads. `.ci/bundle.mjs` bundles every `*-worker.ts` separately, because a thread
 * starts from a file.
 */
import { answerTasks } from '../../platform/workers/worker-thread.ts';
import type { ResultOf } from '../tasks/task.ts';
import { type BuildSettings, type BuildTask, type DamagedOutput, TaskRunner } from './build-task.ts';

answerTasks((settings: BuildSettings) => new TaskRunner(settings), listBuffers);

/** Returns the buffers of encoded rows, which are transferred to the main thread without copying. */
function listBuffers(result: ResultOf<BuildTask> | DamagedOutput): ArrayBuffer[] {
  const parts =
    'parts' in result ? result.parts : 'wholeTables' in result ? result.wholeTables.map(({ part }) => part) : [];
  // Parts of a cached result share one buffer; `answerTasks` removes the duplicates.
  return parts.flatMap((part) => part.groups).map(({ bytes }) => bytes.buffer);
}
