/**
 * A queue that all processes of one user share: each appends an entry to a log, and may start when few enough
 * entries are ahead of its own. There is no lock, so none can be left behind.
 *
 * The log is cut into generations. A process that appended looks for a newer generation afterwards, and if there is
 * one, takes its entry back and joins that; so once a generation has a successor, no entry that counts is added to
 * it, and when all of its entries are gone its file is removed.
 */
import { isAlive, thisProcess } from './liveness.ts';
import { EMPTY_LOG, followEntries, LEASE, parseEntries, type QueueEntry, type QueueLog, stateOf } from './queue-log.ts';
import type { SharedFiles } from './shared-files.ts';

/** A place in the queue, from joining until it is released. */
export interface QueuePlace {
  /** Null when the place was lost, because no heartbeat came in time: join again. */
  position(): Position | null;
  /** Lets others start before entries that could have started and did not. */
  skip(entries: Position['notStarted']): void;
  /** Marks the work as started. */
  start(): void;
  /** States that the process lives; to be called well within the lease. */
  heartbeat(): void;
  /** Leaves the queue: at once, or after a grace period where what was started may still go on elsewhere. */
  release(goesOn: boolean): void;
}

export interface Position {
  /** How many entries count that joined before. */
  readonly ahead: number;
  /** Those of them that have not started. They are waited for, so that all start in the order in which they joined. */
  readonly notStarted: readonly { readonly file: string; readonly id: string }[];
}

/** Bytes. A longer log gets a successor. */
const MAX_GENERATION_BYTES = 16 * 1024;
/** How long a position is believed while the log does not grow (ms). */
const POSITION_TTL_MS = 250;
/** How many entries at the head are checked for a living process: further back, dead ones only make the queue look longer. */
const CHECKED_ENTRIES = 16;

let serial = 0;

/** @param name of the queue within the directory; several queues may share it */
export function joinQueue(files: SharedFiles, name: string): QueuePlace {
  const { pid, start, host } = thisProcess();
  const id = `${pid.toString(36)}.${Date.now().toString(36)}.${(serial++).toString(36)}`;
  const generation = append(files, name, `T ${id} ${pid} ${start} ${host} ${Date.now()}\n`, `R ${id}\n`);
  const own = fileOf(name, generation);
  let seen = Date.now();
  const log = (line: string) => void files.appendTo(own, line);
  const logs = new Map<string, FollowedLog>();
  let last: { readonly size: number; readonly position: Position; readonly at: number } | null = null;
  return {
    position() {
      const now = Date.now();
      if (now - seen > LEASE / 2) return null;
      const older = generations(files, name)
        .filter((number) => number < generation)
        .map((number) => fileOf(name, number));
      const size = [...older, own].reduce((sum, file) => sum + files.size(file), 0);
      // A log that did not grow has no news, except of processes that died.
      if (last !== null && last.size === size && now - last.at < POSITION_TTL_MS) return last.position;
      const before = older.map((file) => ({ file, entries: [...follow(files, file, logs).values()] }));
      const entries = follow(files, own, logs);
      if (!entries.has(id)) return null;
      const ahead: QueueEntry[] = [];
      for (const entry of entries.values()) {
        if (entry.id === id) break;
        ahead.push(entry);
      }
      const position = countEntries(files, [...before, { file: own, entries: ahead }]);
      for (const part of before) if (countEntries(files, [part]).ahead === 0) files.remove(part.file);
      last = { size, position, at: now };
      return position;
    },
    skip(entries) {
      for (const entry of entries) files.appendTo(entry.file, `P ${entry.id}\n`);
    },
    start() {
      seen = Date.now();
      log(`S ${id} ${seen}\n`);
    },
    heartbeat() {
      seen = Date.now();
      log(`B ${id} ${seen}\n`);
    },
    release: (goesOn) => log(goesOn ? `D ${id} ${Date.now()}\n` : `R ${id}\n`),
  };
}

/** All entries of a queue that count, for a report: nothing is written. */
export function listQueue(files: SharedFiles, name: string, now: number): QueueEntry[] {
  return generations(files, name)
    .flatMap((generation) => [...parseEntries(files.read(fileOf(name, generation))).values()])
    .filter((entry) => stateOf(entry, now, isAlive) !== 'gone');
}

const fileOf = (name: string, generation: number) => `${name}.${generation}`;

function generations(files: SharedFiles, name: string): number[] {
  return files
    .list()
    .flatMap((file) => (file.startsWith(`${name}.`) ? [Number(file.slice(name.length + 1))] : []))
    .filter((number) => Number.isSafeInteger(number))
    .sort((a, b) => a - b);
}

/** Appends to the newest generation, and makes sure that it still was the newest afterwards. Returns its number. */
function append(files: SharedFiles, name: string, line: string, takeBack: string): number {
  for (;;) {
    const newest = generations(files, name).at(-1);
    if (newest === undefined) {
      files.make(fileOf(name, 1));
      continue;
    }
    const file = fileOf(name, newest);
    if (files.size(file) > MAX_GENERATION_BYTES) {
      files.make(fileOf(name, newest + 1));
      continue;
    }
    if (!files.appendTo(file, line)) continue;
    if (generations(files, name).at(-1) === newest) return newest;
    files.appendTo(file, takeBack);
  }
}

interface FollowedLog {
  log: QueueLog;
  offset: number;
}

/** The entries of a log that only ever grows: what was read before is not read again. */
function follow(files: SharedFiles, file: string, logs: Map<string, FollowedLog>): ReadonlyMap<string, QueueEntry> {
  const known = logs.get(file);
  // A shorter file is another one: the directory was emptied in between.
  const followed = known === undefined || files.size(file) < known.offset ? { log: EMPTY_LOG(), offset: 0 } : known;
  const text = files.read(file, followed.offset);
  followed.log = followEntries(followed.log, text);
  followed.offset += text.length;
  logs.set(file, followed);
  return followed.log.entries;
}

interface LogPart {
  readonly file: string;
  readonly entries: readonly QueueEntry[];
}

/** Counts the entries that still count. That a process died is logged, so that it is looked up only once. */
function countEntries(files: SharedFiles, parts: readonly LogPart[]): Position {
  const now = Date.now();
  const notStarted: { file: string; id: string }[] = [];
  let ahead = 0;
  for (const { file, entries } of parts) {
    for (const entry of entries) {
      const state = stateOf(entry, now, ahead < CHECKED_ENTRIES ? isAlive : () => null);
      if (state === 'abandoned') files.appendTo(file, `R ${entry.id}\n`);
      if (state === 'died') files.appendTo(file, `D ${entry.id} ${now}\n`);
      if (state === 'abandoned' || state === 'gone') continue;
      ahead++;
      if (!entry.started && !entry.skipped) notStarted.push({ file, id: entry.id });
    }
  }
  return { ahead, notStarted };
}
