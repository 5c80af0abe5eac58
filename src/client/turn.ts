/** One process at a time: a turn in a directory, by the ledger's own tickets. A killed holder is passed over. */
import { setTimeout as sleep } from 'node:timers/promises';
import { diskFiles } from './ledger/files.ts';
import { takeTicket } from './ledger/slots.ts';

const LOG = '.turns';
const PAUSE_MS = 5;

/** Runs `work`, which must not wait for anything, while no other process has a turn in this directory. */
export async function takeTurn<T>(directory: string, work: () => T): Promise<T> {
  const files = diskFiles(directory);
  let ticket = takeTicket(files, LOG);
  for (;;) {
    const place = ticket.look();
    if (place?.ahead === 0) break;
    if (place === null) {
      ticket.release(false);
      ticket = takeTicket(files, LOG);
    }
    await sleep(PAUSE_MS);
  }
  try {
    return work();
  } finally {
    ticket.release(false);
  }
}
