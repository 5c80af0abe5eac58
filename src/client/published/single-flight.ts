/** Lets one process at a time create a cached file; other processes that need the file wait for a limited time. */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sleep } from '../../platform/builtins/loaded-on-use.ts';
import { makePrivateDirectory, setTimesIfPossible } from '../../platform/files/directories.ts';
import { readRegularFile } from '../../platform/files/regular-file.ts';
import { readErrorCode } from '../../platform/files/system-error.ts';
import { identifyProcess, isAlive } from '../../platform/processes/liveness.ts';

const POLL_MS = 25;
/** Interval in milliseconds at which the lock's holder touches the lock. */
const HEARTBEAT_MS = 1000;
/** Milliseconds without a heartbeat after which a holder on another machine or in another container counts as ended. */
const GRACE_MS = 5000;

/**
 * Returns the result of `readExisting`; if it is null, calls `make` while other processes wait. The lock only avoids
 * duplicate work: if it is unavailable, or its holder has ended or is slow, this process calls `make` too.
 * @param file path of the cached file; null if caching is disabled
 * @param longestWait maximum milliseconds to wait for another process
 */
export async function runSingleFlight<T>(
  file: string | null,
  readExisting: () => T | null,
  make: () => Promise<T>,
  { longestWait, signal }: { readonly longestWait: number; readonly signal: AbortSignal | null },
): Promise<T> {
  if (file === null) return make();
  // The name ends like a temporary file's name, so that the cache's sweep removes abandoned locks.
  const lock = `${file}.lock.tmp`;
  const deadlineMs = Date.now() + longestWait;
  for (;;) {
    const holder = takeLock(lock, longestWait);
    if (holder !== 'by another') {
      const heartbeat =
        holder === 'by this process' ? setInterval(() => setTimesIfPossible(lock), HEARTBEAT_MS).unref() : null;
      try {
        return readExisting() ?? (await make());
      } finally {
        if (heartbeat !== null) {
          clearInterval(heartbeat);
          rmSync(lock, { force: true });
        }
      }
    }
    if (Date.now() > deadlineMs) return readExisting() ?? make();
    await sleep(POLL_MS, signal);
    const result = readExisting();
    if (result !== null) return result;
  }
}

/** Returns which process holds the lock now: `by none` if the lock cannot be created. */
function takeLock(lock: string, longestWait: number): 'by this process' | 'by another' | 'by none' {
  try {
    // First, because its first call takes long: meanwhile another process may replace an abandoned lock, which this
    // process would then remove.
    const { host, pid, start } = identifyProcess();
    if (!existsSync(dirname(lock))) makePrivateDirectory(dirname(lock));
    if (isAbandoned(lock, longestWait)) rmSync(lock, { force: true });
    writeFileSync(lock, `${host} ${pid} ${start}`, { flag: 'wx', mode: 0o600 });
    return 'by this process';
  } catch (error) {
    return readErrorCode(error) === 'EEXIST' ? 'by another' : 'by none';
  }
}

function isAbandoned(lock: string, longestWait: number): boolean {
  const stat = statSync(lock, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  const age = Date.now() - stat.mtimeMs;
  const isRunning = isHolderAlive(lock);
  return isRunning === false || age > (isRunning === null ? GRACE_MS : longestWait);
}

/** Returns whether the lock's holder runs; null if the holder is on another machine or in another container. */
function isHolderAlive(lock: string): boolean | null {
  try {
    const [host = '', pid = '', start = ''] = readRegularFile(lock).split(' ');
    return isAlive({ host, pid: Number(pid), start });
  } catch {
    // The holder counts as alive: the file is probably unreadable because the holder has just removed it.
    return true;
  }
}
