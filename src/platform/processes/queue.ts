/**
 * A queue shared by all processes of one user, without a lock: a process appends an entry to a log, and may start when
 * few enough entries are ahead. The log is divided into files (generations): new entries join the newest, and an older
 * file is removed once all its entries have left.
 */
import { identifyProcess, isAlive } from './liveness.ts';
import { applyText, findState, LEASE_MS, makeLog, parseEntries, type QueueEntry, type QueueLog } from './queue-log.ts';
import type { SharedFiles } from './shared-files.ts';

type QueuePosition = ReturnType<typeof recordDeadAndComputePosition>;

/** Maximum size in bytes of a file of the log (a generation); when a file is larger, new entries go to a new file. */
const MAX_GENERATION_BYTES = 16 * 1024;
/** Milliseconds for which a computed position is reused while the log does not grow. */
const POSITION_TTL_MS = 250;
/**
 * Number of entries at the head of the queue whose processes are checked. Dead processes further back only make the
 * queue appear longer.
 */
const MAX_CHECKED_ENTRIES = 16;

let serialNumber = 0;

/**
 * Joins a queue. Returns the place in the queue, from joining until release.
 * @param name the queue's name; a directory may contain several queues
 */
export function joinQueue(files: SharedFiles, name: string) {
  const { pid, start, host } = identifyProcess();
  const id = `${pid.toString(36)}.${Date.now().toString(36)}.${(serialNumber++).toString(36)}`;
  const line = `T ${id} ${pid} ${start} ${host} ${Date.now()}\n`;
  const generation = appendToNewestGeneration(files, name, line, `R ${id}\n`);
  const ownFile = formatFileName(name, generation);
  let lastSeenMs = Date.now();
  const append = (line: string) => void files.appendTo(ownFile, line);
  const logs = new Map<string, QueueLog>();
  let cached: { readonly size: number; readonly position: QueuePosition; readonly at: number } | null = null;
  return {
    id,
    /**
     * Returns the current position; null if the place was lost, because heartbeats were late or the log was removed.
     * The process must then join again.
     */
    findPosition() {
      const now = Date.now();
      if (now - lastSeenMs > LEASE_MS / 2) return null;
      const numbers = listGenerations(files, name).filter((number) => number < generation);
      const olderFiles = numbers.map((number) => formatFileName(name, number));
      const total = [...olderFiles, ownFile].reduce((sum, file) => sum + files.size(file), 0);
      // If the log did not grow, the position can only change because processes died or hang.
      if (cached !== null && cached.size === total && now - cached.at < POSITION_TTL_MS) return cached.position;
      const olderParts = olderFiles.map((file) => ({ file, entries: [...readEntries(files, file, logs).values()] }));
      const entries = readEntries(files, ownFile, logs);
      if (!entries.has(id)) return null;
      const ahead: QueueEntry[] = [];
      for (const entry of entries.values()) {
        if (entry.id === id) break;
        ahead.push(entry);
      }
      const position = recordDeadAndComputePosition(files, [...olderParts, { file: ownFile, entries: ahead }]);
      for (const part of olderParts)
        if (recordDeadAndComputePosition(files, [part]).aheadCount === 0) files.remove(part.file);
      cached = { size: total, position, at: now };
      return position;
    },
    /** Lets later entries start before the given entries, which missed their turn. */
    skip(entries: QueuePosition['notStartedEntries']) {
      for (const entry of entries) files.appendTo(entry.file, `P ${entry.id}\n`);
    },
    /** Records that the work has started. */
    start() {
      lastSeenMs = Date.now();
      append(`S ${id} ${lastSeenMs}\n`);
    },
    /** Records that the process is still running; must be called well before the lease ends. */
    heartbeat() {
      lastSeenMs = Date.now();
      append(`B ${id} ${lastSeenMs}\n`);
    },
    /**
     * Leaves the queue. If `mayContinue`, the place stays taken for a grace period, because the work, such as a request
     * at the service, may continue without this process.
     */
    release: (mayContinue: boolean) => append(mayContinue ? `D ${id} ${Date.now()}\n` : `R ${id}\n`),
  };
}

/** Returns the entries of a queue that still count as ahead of later entries. Writes nothing. */
export const listQueue = (files: SharedFiles, name: string, now: number): QueueEntry[] =>
  listGenerations(files, name)
    .flatMap((generation) => [...parseEntries(files.read(formatFileName(name, generation))).values()])
    .filter((entry) => !['gone', 'abandoned'].includes(findState(entry, now, isAlive)));

const formatFileName = (name: string, generation: number) => `${name}.${generation}`;

const listGenerations = (files: SharedFiles, name: string): number[] =>
  files
    .list()
    .flatMap((file) => (file.startsWith(`${name}.`) ? [Number(file.slice(name.length + 1))] : []))
    .filter((number) => Number.isSafeInteger(number))
    .sort((a, b) => a - b);

/**
 * Appends a line to the newest file of the log, and returns its number (generation). If a process added a newer file at
 * the same time, withdraws the line with `withdrawal` and tries again.
 */
function appendToNewestGeneration(files: SharedFiles, name: string, line: string, withdrawal: string): number {
  for (;;) {
    const newest = listGenerations(files, name).at(-1);
    if (newest === undefined) {
      files.createEmpty(formatFileName(name, 1));
      continue;
    }
    const file = formatFileName(name, newest);
    if (files.size(file) > MAX_GENERATION_BYTES) {
      files.createEmpty(formatFileName(name, newest + 1));
      continue;
    }
    if (!files.appendTo(file, line)) continue;
    if (listGenerations(files, name).at(-1) === newest) return newest;
    files.appendTo(file, withdrawal);
  }
}

/** Returns the entries of a log. Logs only grow, so text that was read before is not read again. */
function readEntries(files: SharedFiles, file: string, logs: Map<string, QueueLog>) {
  let log = logs.get(file);
  // A file that became shorter is a new file, because the directory was emptied in the meantime.
  if (log === undefined || files.size(file) < log.length) log = makeLog();
  logs.set(file, log);
  return applyText(log, files.read(file, log.length)).entries;
}

interface LogPart {
  readonly file: string;
  readonly entries: readonly QueueEntry[];
}

/**
 * Returns the number of valid entries, and the entries that have neither started nor been skipped. Records dead
 * processes in the log, so that each is looked up only once.
 */
function recordDeadAndComputePosition(files: SharedFiles, parts: readonly LogPart[]) {
  const now = Date.now();
  const waiting: { file: string; id: string }[] = [];
  let ahead = 0;
  for (const { file, entries } of parts) {
    for (const entry of entries) {
      const state = findState(entry, now, ahead < MAX_CHECKED_ENTRIES ? isAlive : () => null);
      if (state === 'abandoned') files.appendTo(file, `R ${entry.id}\n`);
      if (state === 'died') files.appendTo(file, `D ${entry.id} ${now}\n`);
      if (state === 'abandoned' || state === 'gone') continue;
      ahead++;
      if (!entry.isStarted && !entry.isSkipped) waiting.push({ file, id: entry.id });
    }
  }
  return { aheadCount: ahead, notStartedEntries: waiting };
}
