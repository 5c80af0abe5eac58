/** Runs inside the threads of a worker pool: replies to each task with its result, one task at a time. */

import { parentPort, workerData } from 'node:worker_threads';
import { isError } from '../../contract/error-code.ts';
import { isFailure } from '../../contract/failure.ts';
import { formatForTerminal } from '../../contract/text/text.ts';
import { explainSystemError } from '../files/system-error.ts';

/** The reply of a thread. Failures are sent as text, because each thread has its own copies of the error classes. */
export type WorkerReply<Result> =
  | { readonly result: Result }
  | { readonly failure: string; readonly hint: string | null };

/**
 * Replies to tasks from the main thread.
 * @param start returns the function that runs tasks, given the pool's `data`
 * @param listBuffers returns the buffers of a result, which are transferred instead of copied
 */
export function answerTasks<Data, Task, Result>(
  start: (data: Data) => { run(task: Task): Promise<Result> },
  listBuffers: (result: Result) => Iterable<ArrayBuffer>,
): void {
  const port = parentPort;
  if (port === null) return;
  const runner = start(workerData as Data);
  port.on('message', async (task: Task) => {
    try {
      const result = await runner.run(task);
      const reply: WorkerReply<Result> = { result };
      port.postMessage(reply, [...new Set(listBuffers(result))]);
    } catch (cause) {
      // System errors are explained here, because errors lose their codes between threads.
      const failure = isFailure(cause) ? cause : explainSystemError(cause);
      const text = failure?.message ?? (isError(cause) ? cause.message : String(cause));
      const hint = failure?.hint === undefined ? null : formatForTerminal(failure.hint);
      const reply: WorkerReply<Result> = { failure: text, hint };
      port.postMessage(reply);
    }
  });
}
