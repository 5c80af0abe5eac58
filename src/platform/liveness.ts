/** Which process is which: pids are given out again, and mean something on one machine only. */
import { hash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { QueueEntry } from './queue-log.ts';

export interface ProcessIdentity {
  readonly pid: number;
  readonly start: string;
  readonly place: string;
}

let own: ProcessIdentity | undefined;

export function thisProcess(): ProcessIdentity {
  own ??= { pid: process.pid, start: readStat(process.pid)?.start ?? '-', place: findPlace() };
  return own;
}

/** Whether the owner of a ticket lives; null where it cannot be known from here. */
export function isAlive(ticket: Pick<QueueEntry, 'pid' | 'start' | 'place'>): boolean | null {
  if (ticket.place !== thisProcess().place) return null;
  if (ticket.pid === process.pid) return ticket.start === thisProcess().start;
  try {
    process.kill(ticket.pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    return true;
  }
  const stat = readStat(ticket.pid);
  if (stat === null) return true;
  // A zombie is dead already; its parent only has not looked.
  return !stat.zombie && (ticket.start === '-' || ticket.start === stat.start);
}

/** From Linux's /proc; elsewhere null, and a pid is believed. */
function readStat(pid: number): { readonly start: string; readonly zombie: boolean } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may hold anything; what follows its last one is fixed.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { start: fields[19] ?? '-', zombie: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    return null;
  }
}

function findPlace(): string {
  let space = '';
  try {
    space = readlinkSync('/proc/self/ns/pid');
  } catch {
    // No namespaces here: the machine is the place.
  }
  return hash('sha256', `${hostname()}\n${space}`).slice(0, 8);
}
