/**
 * A build's worker thread.
 *
 * `.ci/bundle.mjs` makes a bundle of its own of every `*-worker.ts`, because a thread starts from a file.
 */
import { answerTasks } from '../../platform/workers/worker-thread.ts';
import type { BuildSource, BuildTask, Damaged, ResultOf } from '../build-task.ts';
import { TaskRunner } from '../build-task.ts';

answerTasks((source: BuildSource) => new TaskRunner(source), buffersOf);

/** Encoded rows move to the main thread without being copied. */
function buffersOf(result: ResultOf<BuildTask> | Damaged): ArrayBuffer[] {
  const made = 'parts' in result ? result.parts : 'whole' in result ? result.whole : [];
  // Those of a part that was kept are views of its file, which moves once.
  return made.flatMap((part) => part.groups).map(({ bytes }) => bytes.buffer);
}
