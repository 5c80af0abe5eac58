/**
 * A worker thread of a build.
 * `.ci/bundle.mjs` makes a separate bundle of every `*-worker.ts`, because a thread starts from a file.
 */
import { answerTasks } from '../../platform/workers/worker-thread.ts';
import type { BuildSource, BuildTask, DamagedOutput, ResultOf } from '../build-task.ts';
import { TaskRunner } from '../build-task.ts';

answerTasks((source: BuildSource) => new TaskRunner(source), buffersOf);

/** Encoded rows are transferred to the main thread, not copied. */
function buffersOf(result: ResultOf<BuildTask> | DamagedOutput): ArrayBuffer[] {
  const resultParts = 'parts' in result ? result.parts : 'wholeTables' in result ? result.wholeTables : [];
  // The parts of a cached result are views of one buffer, which can be transferred only once.
  return resultParts.flatMap((part) => part.groups).map(({ bytes }) => bytes.buffer);
}
