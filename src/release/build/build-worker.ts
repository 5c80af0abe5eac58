/**
 * A build's worker thread: answers each task with its result, one at a time.
 *
 * `.ci/bundle.mjs` makes a bundle of its own of every `*-worker.ts`, because a thread starts from a file.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { BuildSource, BuildTask, ResultOf } from './build-task.ts';
import { TaskRunner } from './build-task.ts';

/** What goes back over the port: failures as text, since a thread's classes are its own. */
export type WorkerReply = { readonly result: ResultOf<BuildTask> } | { readonly failure: string };

const port = parentPort;
if (port !== null) {
  const runner = new TaskRunner(workerData as BuildSource);
  port.on('message', async (task: BuildTask) => {
    try {
      const result = await runner.run(task);
      const reply: WorkerReply = { result };
      port.postMessage(reply, buffersOf(result));
    } catch (cause) {
      const reply: WorkerReply = { failure: cause instanceof Error ? cause.message : String(cause) };
      port.postMessage(reply);
    }
  });
}

/** Encoded rows and spilled lines move to the main thread without being copied. */
function buffersOf(result: ResultOf<BuildTask>): ArrayBuffer[] {
  const groups = 'parts' in result ? result.parts.flatMap((part) => part.groups) : [];
  const spilled = 'lists' in result ? result.lists.spilled : [];
  // Those of a part that was kept are views of its file, which moves once.
  return [...new Set([...groups, ...spilled].map(({ bytes }) => bytes.buffer))];
}
