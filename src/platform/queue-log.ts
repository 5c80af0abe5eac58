/**
 * A log of tickets, read. Pure: who stands in it, and before whom.
 *
 *     T id pid start place time   a ticket is taken
 *     S id time                   its turn has come, and it is about to send
 *     P id                        its turn came and it did not begin: nobody waits for it any more
 *     B id time                   its owner is still there
 *     D id time                   its owner was found dead, or went away, while a request was under way
 *     R id                        it is given back
 *
 * Whoever stands before a ticket can only vanish, never appear; so once its turn has come, it stays.
 */

export interface QueueEntry {
  readonly id: string;
  readonly pid: number;
  /** When its process started, as the system says it; tells a pid that was given out again. */
  readonly start: string;
  /** The machine and the namespace in which its pid means something. */
  readonly place: string;
  /** The last sign of its owner (epoch ms). */
  readonly seen: number;
  readonly started: boolean;
  /** Its turn may pass to those behind it; its slot stays its own. */
  readonly skipped: boolean;
  /** Since when its owner is known to be gone, or null. */
  readonly gone: number | null;
  readonly released: boolean;
}

/** A holder that gave no sign for so long is hung, and its slot is another's. */
export const LEASE = 45_000;
/** A request whose sender died may still be at work at the service. */
export const GRACE = 3_000;

export function parseEntries(text: string): ReadonlyMap<string, QueueEntry> {
  return followEntries({ tickets: new Map(), rest: '' }, text).tickets;
}

/** A log as far as it was read: its tickets, and what of a line had not come yet. */
export interface QueueLog {
  readonly tickets: Map<string, Mutable<QueueEntry>>;
  readonly rest: string;
}

/** Reads on: the tickets of the log are brought up to date, and given back with the new rest. */
export function followEntries({ tickets, rest }: QueueLog, text: string): QueueLog {
  const lines = (rest + text).split('\n');
  // What follows the last line's end is torn, or empty.
  const open = lines.pop() ?? '';
  for (const line of lines) {
    const [letter, id = '', first = '', start = '', place = '', seen = ''] = line.split(' ');
    const ticket = tickets.get(id);
    if (letter === 'T') {
      if (ticket !== undefined || seen === '') continue;
      const own = { id, pid: Number(first), start, place, seen: Number(seen) };
      tickets.set(id, { ...own, started: false, skipped: false, gone: null, released: false });
    } else if (ticket !== undefined) {
      if (letter === 'R') ticket.released = true;
      else if (letter === 'D') ticket.gone ??= Number(first);
      else if (letter === 'S' || letter === 'B') ticket.seen = Number(first);
      if (letter === 'S') ticket.started = true;
      if (letter === 'P') ticket.skipped = true;
    }
  }
  return { tickets, rest: open };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type EntryState =
  | 'stands'
  /** It stands, and its owner is dead: that wants a `D`. */
  | 'died'
  /** Its owner died before it began: that wants an `R`. */
  | 'left'
  | 'vanished';

/** @param alive whether the ticket's owner lives; null where that cannot be known from here */
export function stateOf(ticket: QueueEntry, now: number, alive: (ticket: QueueEntry) => boolean | null): EntryState {
  if (ticket.released) return 'vanished';
  if (ticket.gone !== null) return now - ticket.gone < GRACE ? 'stands' : 'vanished';
  const lives = alive(ticket);
  if (lives === false) return ticket.started ? 'died' : 'left';
  return now - ticket.seen > LEASE ? 'vanished' : 'stands';
}
