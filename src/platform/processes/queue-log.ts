/**
 * Reads the log of a queue: its entries and their order. Pure. Each line is appended by one process:
 *
 *     T id pid start host time    an entry joins the queue
 *     S id time                   the entry has started its work
 *     P id                        the entry did not start when it could, so other entries no longer wait for it
 *     B id time                   heartbeat: its process is running
 *     D id time                   its process has died or left, but its work may continue elsewhere
 *     R id                        the entry has left the queue
 *
 * Entries ahead of an entry can leave, but none can join, so an entry that may start now may also start later.
 */
import type { ProcessIdentity } from './liveness.ts';

export interface QueueEntry extends ProcessIdentity {
  readonly id: string;
  /** Epoch milliseconds at which the entry joined, started or last sent a heartbeat, whichever was last. */
  readonly lastSeen: number;
  readonly isStarted: boolean;
  /**
   * Whether the entry missed its turn, so that later entries may start first. It still keeps its place in the queue.
   */
  readonly isSkipped: boolean;
  /** Epoch milliseconds at which the process died, or left while its work may continue; null before. */
  readonly goneAt: number | null;
  readonly isReleased: boolean;
}

/** Milliseconds without a heartbeat after which a process counts as hung, and loses its place. */
export const LEASE_MS = 45_000;
/** Milliseconds for which a dead process's work may continue elsewhere, such as a request at the service. */
export const GRACE_PERIOD_MS = 3_000;

/** State of reading a log: its entries in order, the incomplete last line, and the number of characters read. */
export interface QueueLog {
  readonly entries: Map<string, Mutable<QueueEntry>>;
  unfinishedLine: string;
  length: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export const makeLog = (): QueueLog => ({ entries: new Map(), unfinishedLine: '', length: 0 });

export const parseEntries = (text: string): ReadonlyMap<string, QueueEntry> => applyText(makeLog(), text).entries;

/** Reads additional text of a log, and updates it in place. Ignores incomplete and unknown lines. */
export function applyText(log: QueueLog, text: string): QueueLog {
  const { entries } = log;
  const lines = (log.unfinishedLine + text).split('\n');
  log.unfinishedLine = lines.pop() ?? '';
  log.length += text.length;
  for (const line of lines) {
    const [letter = '', id = '', first = '', start = '', host = '', time = ''] = line.split(' ');
    const entry = entries.get(id);
    if (entry !== undefined) applyLogLine(entry, letter, first);
    else if (letter === 'T' && time !== '') {
      const newEntry = { id, pid: Number(first), start, host, lastSeen: Number(time) };
      entries.set(id, { ...newEntry, isStarted: false, isSkipped: false, goneAt: null, isReleased: false });
    }
  }
  return log;
}

function applyLogLine(entry: Mutable<QueueEntry>, letter: string, time: string): void {
  if (letter === 'R') entry.isReleased = true;
  if (letter === 'P') entry.isSkipped = true;
  if (letter === 'D') entry.goneAt ??= Number(time);
  if (letter === 'S') entry.isStarted = true;
  if (letter === 'S' || letter === 'B') entry.lastSeen = Number(time);
}

type EntryState =
  /** The entry has its place in the queue: later entries count it as ahead of them. */
  | 'present'
  /**
   * The entry's process died after it started. The entry keeps its place for a grace period; a `D` line must be
   * appended.
   */
  | 'died'
  /** The entry's process died before it started; an `R` line must be appended. */
  | 'abandoned'
  /** The entry no longer counts as ahead of later entries. */
  | 'gone';

/**
 * Returns the state of an entry.
 * @param isAlive returns whether the entry's process is running; null if unknown
 */
export function findState(entry: QueueEntry, now: number, isAlive: (entry: QueueEntry) => boolean | null): EntryState {
  if (entry.isReleased) return 'gone';
  // A time in the future comes from a wrong clock, and must not block other entries until that time.
  if (entry.goneAt !== null) return Math.abs(now - entry.goneAt) < GRACE_PERIOD_MS ? 'present' : 'gone';
  const isOwnerAlive = isAlive(entry);
  if (isOwnerAlive === false) return entry.isStarted ? 'died' : 'abandoned';
  const age = now - entry.lastSeen;
  return age > LEASE_MS || (isOwnerAlive === null && age < -LEASE_MS) ? 'gone' : 'present';
}
