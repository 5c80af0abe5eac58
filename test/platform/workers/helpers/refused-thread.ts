/** A worker thread whose task writes to a device that is always full. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { answerTasks } from '../../../../src/platform/workers/worker-thread.ts';

answerTasks<null, string, null>(
  () => ({
    run: async (path) => {
      const descriptor = openSync(path, 'w');
      try {
        writeSync(descriptor, 'x');
      } finally {
        closeSync(descriptor);
      }
      return null;
    },
  }),
  () => [],
);
