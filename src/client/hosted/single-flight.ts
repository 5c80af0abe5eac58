/** One process at a time makes a file of the cache; others that want it wait for it, for a bounded time. */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivate } from '../../platform/directories.ts';
import { readRegularFile } from '../../platform/regular-file.ts';
import { sleep } from '../../platform/sleep.ts';
import { codeOf } from '../../platform/system-error.ts';

const POLL_MS = 25;

/**
 * What `look` finds, else what `make` makes while others wait. No lock is needed for it to be right: where none can be
 * had, or its holder is gone or slow, this process makes it too.
 * @param file the file of the cache; null where nothing is cached
 * @param longestWait milliseconds to wait for another process
 */
export async function singleFlight<T>(
  file: string | null,
  look: () => T | null,
  make: () => Promise<T>,
  { longestWait, signal }: { readonly longestWait: number; readonly signal: AbortSignal | null },
): Promise<T> {
  if (file === null) return make();
  // The sweep removes what ends so and was left behind.
  const lock = `${file}.lock.tmp`;
  const until = Date.now() + longestWait;
  for (;;) {
    const held = take(lock, longestWait);
    if (held !== 'by another') {
      try {
        return look() ?? (await make());
      } finally {
        if (held === 'by this process') rmSync(lock, { force: true });
      }
    }
    if (Date.now() > until) return look() ?? make();
    await sleep(POLL_MS, signal);
    const found = look();
    if (found !== null) return found;
  }
}

function take(lock: string, longestWait: number): 'by this process' | 'by another' | 'by none' {
  for (const attempt of [1, 2]) {
    try {
      writeFileSync(lock, `${process.pid}`, { flag: 'wx', mode: 0o600 });
      return 'by this process';
    } catch (error) {
      if (codeOf(error) === 'ENOENT' && attempt === 1) {
        try {
          makePrivate(dirname(lock));
        } catch {
          return 'by none';
        }
      } else if (codeOf(error) !== 'EEXIST') return 'by none';
      else if (!isAbandoned(lock, longestWait)) return 'by another';
      else rmSync(lock, { force: true });
    }
  }
  return 'by another';
}

function isAbandoned(lock: string, longestWait: number): boolean {
  const info = statSync(lock, { throwIfNoEntry: false });
  if (info === undefined) return false;
  return Date.now() - info.mtimeMs > longestWait || isGone(lock);
}

/** Whether the process that holds a lock is known to have ended. */
function isGone(lock: string): boolean {
  try {
    const pid = Number(readRegularFile(lock));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}
