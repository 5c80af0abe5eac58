/** One process at a time: a turn in a directory, by the ledger's own tickets. A killed holder is passed over. */
import { setTimeout as sleep } from 'node:timers/promises';
import { joinQueue } from './queue.ts';
import { diskFiles } from './shared-files.ts';

const LOG = '.turns';
const PAUSE_MS = 5;

/** Runs `work`, which must not wait for anything, while no other process has a turn in this directory. */
export async function withLock<T>(directory: string, work: () => T): Promise<T> {
  const files = diskFiles(directory);
  let ticket = joinQueue(files, LOG);
  for (;;) {
    const place = ticket.position();
    if (place?.ahead === 0) break;
    if (place === null) {
      ticket.release(false);
      ticket = joinQueue(files, LOG);
    }
    await sleep(PAUSE_MS);
  }
  try {
    return work();
  } finally {
    ticket.release(false);
  }
}
