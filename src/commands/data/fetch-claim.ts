/** Who works on a large file: one process at a time, by the ledger's tickets. A killed one's turn ends by itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import { joinQueue } from '../../platform/queue.ts';
import { diskFiles } from '../../platform/shared-files.ts';

const BEAT_MS = 10_000;
const LOOK_MS = 250;

/** @param waiting told once for each file that another process works on */
export function openClaims(directory: string, waiting: (name: string) => void) {
  const files = diskFiles(directory);
  return async (name: string, signal: AbortSignal): Promise<() => void> => {
    const log = name.replaceAll('/', '~');
    for (let told = false; ; ) {
      const ticket = joinQueue(files, log);
      const beat = setInterval(() => ticket.heartbeat(), BEAT_MS);
      const leave = () => {
        clearInterval(beat);
        ticket.release(false);
      };
      try {
        for (let place = ticket.position(); place !== null; place = ticket.position()) {
          if (place.ahead === 0) return leave;
          if (!told) waiting(name);
          told = true;
          await sleep(LOOK_MS, undefined, { signal });
        }
      } catch (error) {
        leave();
        throw error;
      }
      // The process was stopped for so long that its place was given away.
      leave();
    }
  };
}
