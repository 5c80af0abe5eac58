/** The thread's side of a worker pool: answers each task with its result, one at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { isFailure } from '../../contract/failure.ts';
import { terminalText } from '../../contract/text/text.ts';
import { explainSystemError } from '../system-error.ts';

/** The reply of a thread. Failures are sent as text, because threads have their own copies of classes. */
export type WorkerReply<Result> =
  | { readonly result: Result }
  | { readonly failure: string; readonly hint: string | null };

/**
 * @param start makes the function that runs tasks, from the pool's `data`
 * @param buffersOf returns the buffers of a result, which are transferred and not copied
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
      // Errors of the system are explained here, because their codes are lost between threads.
      const knownFailure = isFailure(cause) ? cause : explainSystemError(cause);
      const failure = knownFailure?.message ?? (cause instanceof Error ? cause.message : String(cause));
      const reply: WorkerReply<Result> = {
        failure,
        hint: knownFailure?.hint === undefined ? null : terminalText(knownFailure.hint),
      };
      port.postMessage(reply);
    }
  });
}
