/** The other side of a worker pool: a thread that answers each task with its result, one at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { isFailure } from '../../contract/failure.ts';
import { terminalText } from '../../contract/text.ts';
import { explainSystemError } from '../system-error.ts';

/** What goes back over the port: failures as text, since a thread's classes are its own. */
export type WorkerReply<Result> =
  | { readonly result: Result }
  | { readonly failure: string; readonly hint: string | null };

/**
 * @param start makes what does the tasks, of what the pool was given as `data`
 * @param buffersOf the buffers of a result, which move to the other side without being copied
 */
export function answerTasks<Data, Task, Result>(
  start: (data: Data) => { run(task: Task): Promise<Result> },
  buffersOf: (result: Result) => Iterable<ArrayBuffer>,
): void {
  const port = parentPort;
  if (port === null) return;
  const runner = start(workerData as Data);
  port.on('message', async (task: Task) => {
    try {
      const result = await runner.run(task);
      const reply: WorkerReply<Result> = { result };
      port.postMessage(reply, [...new Set(buffersOf(result))]);
    } catch (cause) {
      // What the system refused is explained here: its code would not cross the port.
      const known = isFailure(cause) ? cause : explainSystemError(cause);
      const failure = known?.message ?? (cause instanceof Error ? cause.message : String(cause));
      const reply: WorkerReply<Result> = { failure, hint: known?.hint === undefined ? null : terminalText(known.hint) };
      port.postMessage(reply);
    }
  });
}
