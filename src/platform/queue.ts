/**
 * Slots that all processes of one user share: a ticket is appended to a log, and its turn comes when
 * fewer tickets than there are slots stand before it. No lock, so nothing to break.
 *
 * The log is cut into generations. Whoever appends looks for a newer generation afterwards, and if
 * there is one, takes its ticket back and goes there; so once a generation has a successor, no ticket
 * that counts is added to it, and when all its tickets have vanished it is removed.
 */

import { isAlive, thisProcess } from './liveness.ts';
import { followEntries, LEASE, type QueueEntry, type QueueLog, stateOf } from './queue-log.ts';
import type { SharedFiles } from './shared-files.ts';

export interface QueuePlace {
  /** Where it stands; null when the ticket was lost and another must be taken. */
  position(): Position | null;
  /** Those before it were called and did not begin: from here on nobody waits for them. */
  skip(late: Position['late']): void;
  /** Its turn has come: what is under way is marked as such. */
  start(): void;
  /** Says that its owner lives; to be called well within the lease. */
  heartbeat(): void;
  /** Gives it back. With a request still under way at the service, the slot is free only after a grace. */
  release(underWay: boolean): void;
}

export interface Position {
  /** How many stand before it. */
  readonly ahead: number;
  /** Those of them that have not begun, and are waited for, so that all begin in the order of their tickets. */
  readonly late: readonly { readonly file: string; readonly id: string }[];
}

const GENERATION_MAX = 16 * 1024;
/** How long a count is believed while the log does not grow. */
const STALE = 250;
/** Of so many at the head of the line it matters whether they live: further back they only make it look longer. */
const NEAR = 16;

let serial = 0;

/** @param name of the log within the ledger's directory */
export function joinQueue(files: SharedFiles, name: string): QueuePlace {
  const { pid, start, place } = thisProcess();
  const id = `${pid.toString(36)}.${Date.now().toString(36)}.${(serial++).toString(36)}`;
  const generation = enter(files, name, `T ${id} ${pid} ${start} ${place} ${Date.now()}\n`, `R ${id}\n`);
  const own = fileOf(name, generation);
  let seen = Date.now();
  const say = (line: string) => void files.appendTo(own, line);
  const logs = new Map<string, Followed>();
  let known: { readonly size: number; readonly place: Position; readonly at: number } | null = null;
  return {
    position() {
      const now = Date.now();
      if (now - seen > LEASE / 2) return null;
      const older = generations(files, name)
        .filter((number) => number < generation)
        .map((number) => fileOf(name, number));
      const size = [...older, own].reduce((sum, file) => sum + files.size(file), 0);
      // A log that did not grow tells nothing new, but of owners that died.
      if (known !== null && known.size === size && now - known.at < STALE) return known.place;
      const before = older.map((file) => ({ file, tickets: [...follow(files, file, logs).values()] }));
      const tickets = follow(files, own, logs);
      if (!tickets.has(id)) return null;
      const ahead: QueueEntry[] = [];
      for (const ticket of tickets.values()) {
        if (ticket.id === id) break;
        ahead.push(ticket);
      }
      const line = [...before, { file: own, tickets: ahead }];
      const place = whoStands(files, line);
      for (const { file, tickets } of before) {
        if (whoStands(files, [{ file, tickets }]).ahead === 0) files.remove(file);
      }
      known = { size, place, at: now };
      return place;
    },
    skip(late) {
      for (const { file, id } of late) files.appendTo(file, `P ${id}\n`);
    },
    start() {
      seen = Date.now();
      say(`S ${id} ${seen}\n`);
    },
    heartbeat() {
      seen = Date.now();
      say(`B ${id} ${seen}\n`);
    },
    release: (underWay) => say(underWay ? `D ${id} ${Date.now()}\n` : `R ${id}\n`),
  };
}

const fileOf = (name: string, generation: number) => `${name}.${generation}`;

function generations(files: SharedFiles, name: string): number[] {
  return files
    .list()
    .flatMap((file) => (file.startsWith(`${name}.`) ? [Number(file.slice(name.length + 1))] : []))
    .filter((number) => Number.isSafeInteger(number))
    .sort((a, b) => a - b);
}

/** Appends to the newest generation, and makes sure that it still was the newest afterwards. */
function enter(files: SharedFiles, name: string, line: string, takeBack: string): number {
  for (;;) {
    const newest = generations(files, name).at(-1);
    if (newest === undefined) {
      files.make(fileOf(name, 1));
      continue;
    }
    const file = fileOf(name, newest);
    if (files.size(file) > GENERATION_MAX) {
      files.make(fileOf(name, newest + 1));
      continue;
    }
    if (!files.appendTo(file, line)) continue;
    if (generations(files, name).at(-1) === newest) return newest;
    files.appendTo(file, takeBack);
  }
}

interface Followed {
  log: QueueLog;
  offset: number;
}

/** The tickets of a log that only ever grows: what was read before is not read again. */
function follow(files: SharedFiles, file: string, logs: Map<string, Followed>): ReadonlyMap<string, QueueEntry> {
  const known = logs.get(file);
  // A shorter file is another: the directory was swept away in between.
  const followed =
    known === undefined || files.size(file) < known.offset
      ? { log: { tickets: new Map(), rest: '' }, offset: 0 }
      : known;
  const text = files.read(file, followed.offset);
  followed.log = followEntries(followed.log, text);
  followed.offset += text.length;
  logs.set(file, followed);
  return followed.log.tickets;
}

interface Part {
  readonly file: string;
  readonly tickets: readonly QueueEntry[];
}

/** Of the first in line it is looked whether they live, and written down who does not, so that it is looked once. */
function whoStands(files: SharedFiles, line: readonly Part[]): Position {
  const now = Date.now();
  const late: { file: string; id: string }[] = [];
  let ahead = 0;
  for (const { file, tickets } of line) {
    for (const ticket of tickets) {
      const state = stateOf(ticket, now, ahead < NEAR ? isAlive : () => null);
      if (state === 'left') files.appendTo(file, `R ${ticket.id}\n`);
      if (state === 'died') files.appendTo(file, `D ${ticket.id} ${now}\n`);
      if (state === 'left' || state === 'vanished') continue;
      ahead++;
      if (!ticket.started && !ticket.skipped) late.push({ file, id: ticket.id });
    }
  }
  return { ahead, late };
}
