/**
 * A queue shared by all processes of one user, without a lock: a process appends an entry to a log, and may start when
 * few enough entries are ahead. The log is divided into files (generations): new entries join the newest, and an older
 * file is removed once all its entries have left.
 */
import { identifyThisProcess, isAlive } from './liveness.ts';
import {
  applyLogText,
  createEmptyLog,
  determineEntryState,
  LEASE_MS,
  parseEntries,
  type QueueEntry,
  type QueueLog,
} from './queue-log.ts';
import type { SharedFiles } from './shared-files.ts';

/** A place in the queue, from joining until release. */
export interface QueuePlace {
  /**
   * Returns the current position; null if the place was lost, because heartbeats were late or the log was removed. The
   * process must then join again.
   */
  position(): QueuePosition | null;
  /** Lets later entries start before the given entries, which missed their turn. */
  skip(entries: QueuePosition['notStartedEntries']): void;
  /** Records that the work has started. */
  start(): void;
  /** Records that the process is still running; must be called well before the lease ends. */
  heartbeat(): void;
  /**
   * Leaves the queue. If `mayContinue`, the place stays taken for a grace period, because the work, such as a request
   * at the service, may continue without this process.
   */
  release(mayContinue: boolean): void;
}

export interface QueuePosition {
  /** Number of valid entries ahead of this process's own entry. */
  readonly aheadCount: number;
  /**
   * Entries ahead that have neither started nor been skipped. This process waits for these entries, so that entries
   * start in the order of joining.
   */
  readonly notStartedEntries: readonly { readonly file: string; readonly id: string }[];
}

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
 * Joins a queue.
 * @param name the queue's name; a directory may contain several queues
 */
export function joinQueue(files: SharedFiles, name: string): QueuePlace {
  const { pid, start, host } = identifyThisProcess();
  const id = `${pid.toString(36)}.${Date.now().toString(36)}.${(serialNumber++).toString(36)}`;
  const generation = appendToNewestGeneration(
    files,
    name,
    `T ${id} ${pid} ${start} ${host} ${Date.now()}\n`,
    `R ${id}\n`,
  );
  const ownFile = formatFileName(name, generation);
  let lastSeenMs = Date.now();
  const appendLine = (line: string) => void files.appendTo(ownFile, line);
  const logByFile = new Map<string, FollowedLog>();
  let cachedPosition: { readonly size: number; readonly position: QueuePosition; readonly at: number } | null = null;
  return {
    position() {
      const now = Date.now();
      if (now - lastSeenMs > LEASE_MS / 2) return null;
      const olderFiles = listGenerations(files, name)
        .filter((number) => number < generation)
        .map((number) => formatFileName(name, number));
      const totalSize = [...olderFiles, ownFile].reduce((sum, file) => sum + files.size(file), 0);
      // If the log did not grow, the position can only change because processes died or hang.
      if (cachedPosition !== null && cachedPosition.size === totalSize && now - cachedPosition.at < POSITION_TTL_MS)
        return cachedPosition.position;
      const earlierParts = olderFiles.map((file) => ({
        file,
        entries: [...readEntries(files, file, logByFile).values()],
      }));
      const ownFileEntries = readEntries(files, ownFile, logByFile);
      if (!ownFileEntries.has(id)) return null;
      const aheadEntries: QueueEntry[] = [];
      for (const entry of ownFileEntries.values()) {
        if (entry.id === id) break;
        aheadEntries.push(entry);
      }
      const position = recordDeadAndComputePosition(files, [...earlierParts, { file: ownFile, entries: aheadEntries }]);
      for (const part of earlierParts)
        if (recordDeadAndComputePosition(files, [part]).aheadCount === 0) files.remove(part.file);
      cachedPosition = { size: totalSize, position, at: now };
      return position;
    },
    skip(entries) {
      for (const entry of entries) files.appendTo(entry.file, `P ${entry.id}\n`);
    },
    start() {
      lastSeenMs = Date.now();
      appendLine(`S ${id} ${lastSeenMs}\n`);
    },
    heartbeat() {
      lastSeenMs = Date.now();
      appendLine(`B ${id} ${lastSeenMs}\n`);
    },
    release: (mayContinue) => appendLine(mayContinue ? `D ${id} ${Date.now()}\n` : `R ${id}\n`),
  };
}

/** Returns the entries of a queue that still count as ahead of later entries. Writes nothing. */
export function listQueue(files: SharedFiles, name: string, now: number): QueueEntry[] {
  return listGenerations(files, name)
    .flatMap((generation) => [...parseEntries(files.read(formatFileName(name, generation))).values()])
    .filter((entry) => !['gone', 'abandoned'].includes(determineEntryState(entry, now, isAlive)));
}

const formatFileName = (name: string, generation: number) => `${name}.${generation}`;

function listGenerations(files: SharedFiles, name: string): number[] {
  return files
    .list()
    .flatMap((file) => (file.startsWith(`${name}.`) ? [Number(file.slice(name.length + 1))] : []))
    .filter((number) => Number.isSafeInteger(number))
    .sort((a, b) => a - b);
}

/**
 * Appends a line to the newest file of the log, and returns its number (generation). If a process added a newer file at
 * the same time, withdraws the line with `withdrawalLine` and tries again.
 */
function appendToNewestGeneration(files: SharedFiles, name: string, line: string, withdrawalLine: string): number {
  for (;;) {
    const newestGeneration = listGenerations(files, name).at(-1);
    if (newestGeneration === undefined) {
      files.createEmpty(formatFileName(name, 1));
      continue;
    }
    const file = formatFileName(name, newestGeneration);
    if (files.size(file) > MAX_GENERATION_BYTES) {
      files.createEmpty(formatFileName(name, newestGeneration + 1));
      continue;
    }
    if (!files.appendTo(file, line)) continue;
    if (listGenerations(files, name).at(-1) === newestGeneration) return newestGeneration;
    files.appendTo(file, withdrawalLine);
  }
}

interface FollowedLog {
  log: QueueLog;
  offset: number;
}

/** Returns the entries of a log. Logs only grow, so text that was read before is not read again. */
function readEntries(
  files: SharedFiles,
  file: string,
  followedLogByFile: Map<string, FollowedLog>,
): ReadonlyMap<string, QueueEntry> {
  const existingLog = followedLogByFile.get(file);
  // A file that became shorter is a new file, because the directory was emptied in the meantime.
  const followedLog =
    existingLog === undefined || files.size(file) < existingLog.offset
      ? { log: createEmptyLog(), offset: 0 }
      : existingLog;
  const text = files.read(file, followedLog.offset);
  followedLog.log = applyLogText(followedLog.log, text);
  followedLog.offset += text.length;
  followedLogByFile.set(file, followedLog);
  return followedLog.log.entries;
}

interface LogPart {
  readonly file: string;
  readonly entries: readonly QueueEntry[];
}

/** Counts valid entries. Records dead processes in the log, so that each is looked up only once. */
function recordDeadAndComputePosition(files: SharedFiles, parts: readonly LogPart[]): QueuePosition {
  const now = Date.now();
  const notStartedEntries: { file: string; id: string }[] = [];
  let aheadCount = 0;
  for (const { file, entries } of parts) {
    for (const entry of entries) {
      const state = determineEntryState(entry, now, aheadCount < MAX_CHECKED_ENTRIES ? isAlive : () => null);
      if (state === 'abandoned') files.appendTo(file, `R ${entry.id}\n`);
      if (state === 'died') files.appendTo(file, `D ${entry.id} ${now}\n`);
      if (state === 'abandoned' || state === 'gone') continue;
      aheadCount++;
      if (!entry.isStarted && !entry.isSkipped) notStartedEntries.push({ file, id: entry.id });
    }
  }
  return { aheadCount, notStartedEntries };
}
