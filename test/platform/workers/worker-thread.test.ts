import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import { bundleScript } from '../../client/helpers/bundle-script.ts';
import { testNeeding } from '../../needs.ts';

/** A device on which every write fails with ENOSPC (full(4)). */
const FULL_DEVICE = '/dev/full';

testNeeding('/dev/full', existsSync(FULL_DEVICE))(
  'an operation that the system refused in a thread is reported with its reason and a hint',
  async () => {
    const thread = new Worker(await bundleScript(join(import.meta.dirname, 'helpers/refused-thread.ts')));
    thread.postMessage(FULL_DEVICE);
    const [reply] = await once(thread, 'message');
    await thread.terminate();
    expect(reply).toEqual({
      failure: 'A file cannot be written: the disk is full (ENOSPC).',
      hint: 'Free some space there, then run the command again.',
    });
  },
);
