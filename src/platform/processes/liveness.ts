/** Whether a process still runs. Pids are given out again, and mean something on one machine only. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { sha256 } from '../hash.ts';
import { codeOf } from '../system-error.ts';

export interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, as the system states it; `-` where it does not. Shows whether a pid was given out again. */
  readonly start: string;
  /** The machine and the pid namespace in which the pid means something: eight hexadecimal digits. */
  readonly host: string;
}

const UNKNOWN_START = '-';

let own: ProcessIdentity | undefined;

export function thisProcess(): ProcessIdentity {
  own ??= { pid: process.pid, start: readStat(process.pid)?.start ?? UNKNOWN_START, host: hostId() };
  return own;
}

/** Null where it cannot be known from here: the process belongs to another machine or container. */
export function isAlive({ pid, start, host }: ProcessIdentity): boolean | null {
  if (host !== thisProcess().host) return null;
  if (pid === process.pid) return start === thisProcess().start;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be signalled, and lives.
    return codeOf(error) !== 'ESRCH';
  }
  const stat = readStat(pid);
  if (stat === null) return true;
  // A zombie has ended; its parent only has not asked how.
  return !stat.isZombie && (start === UNKNOWN_START || start === stat.start);
}

/** From Linux's /proc; null elsewhere, where a pid has to be enough. */
function readStat(pid: number): { readonly start: string; readonly isZombie: boolean } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name, in parentheses, may contain anything; the fields after it are fixed (proc(5)).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { start: fields[19] ?? UNKNOWN_START, isZombie: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    return null;
  }
}

function hostId(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // No namespaces here: the machine is enough.
  }
  return sha256(`${hostname()}\n${namespace}`).slice(0, 8);
}
