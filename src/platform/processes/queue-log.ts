/**
 * Reads the log of a queue: its entries and their order. Pure. Each line is appended by one process:
 *
 *     T id pid start host time    an entry joins the queue
 *     S id time                   it has started its work
 *     P id                        it did not start when it could, so others no longer wait for it
 *     B id time                   heartbeat: its process is running
 *     D id time                   its process has died or left, but its work may continue elsewhere
 *     R id                        it has left the queue
 *
 * Entries ahead of another can only leave, never join; so once an entry may start, it always may.
 */
import type { ProcessIdentity } from './liveness.ts';

export interface QueueEntry extends ProcessIdentity {
  readonly id: string;
  /** Time of the last sign of its process (epoch ms). */
  readonly seen: number;
  readonly started: boolean;
  /** Whether others may start before it; it keeps its place among the counted entries. */
  readonly skipped: boolean;
  /** Since when its process is known to have ended (epoch ms), or null. */
  readonly gone: number | null;
  readonly released: boolean;
}

/** Milliseconds without a heartbeat after which a process counts as hung and loses its place. */
export const LEASE = 45_000;
/** Milliseconds for which the work of a dead process may continue elsewhere, such as a request at the service. */
export const GRACE_PERIOD = 3_000;

/** The state of reading a log: its entries in order, and the beginning of an incomplete line. */
export interface QueueLog {
  readonly entries: Map<string, Mutable<QueueEntry>>;
  readonly rest: string;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export const EMPTY_LOG = (): QueueLog => ({ entries: new Map(), rest: '' });

export function parseEntries(text: string): ReadonlyMap<string, QueueEntry> {
  return followEntries(EMPTY_LOG(), text).entries;
}

/** Reads further text and updates the entries in place. Ignores incomplete and unknown lines. */
export function followEntries({ entries, rest }: QueueLog, text: string): QueueLog {
  const lines = (rest + text).split('\n');
  const open = lines.pop() ?? '';
  for (const line of lines) {
    const [letter, id = '', first = '', start = '', host = '', seen = ''] = line.split(' ');
    const entry = entries.get(id);
    if (letter === 'T') {
      if (entry !== undefined || seen === '') continue;
      const joined = { id, pid: Number(first), start, host, seen: Number(seen) };
      entries.set(id, { ...joined, started: false, skipped: false, gone: null, released: false });
    } else if (entry !== undefined) {
      if (letter === 'R') entry.released = true;
      else if (letter === 'D') entry.gone ??= Number(first);
      else if (letter === 'S' || letter === 'B') entry.seen = Number(first);
      if (letter === 'S') entry.started = true;
      if (letter === 'P') entry.skipped = true;
    }
  }
  return { entries, rest: open };
}

export type EntryState =
  /** The entry still holds its place. */
  | 'present'
  /** The entry counts, and its process has died: the log needs a `D`. */
  | 'died'
  /** Its process died before it started: the log needs an `R`. */
  | 'abandoned'
  /** The entry no longer counts. */
  | 'gone';

/** @param isAlive whether the entry's process is running; null if unknown */
export function stateOf(entry: QueueEntry, now: number, isAlive: (entry: QueueEntry) => boolean | null): EntryState {
  if (entry.released) return 'gone';
  // A time in the future comes from a wrong clock, and must not block others until then.
  if (entry.gone !== null) return Math.abs(now - entry.gone) < GRACE_PERIOD ? 'present' : 'gone';
  const alive = isAlive(entry);
  if (alive === false) return entry.started ? 'died' : 'abandoned';
  const silent = now - entry.seen;
  return silent > LEASE || (alive === null && silent < -LEASE) ? 'gone' : 'present';
}
