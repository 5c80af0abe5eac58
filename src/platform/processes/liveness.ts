/** Whether a process is still running. Pids are reused, and are only valid on one machine. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { sha256 } from '../hash.ts';
import { codeOf } from '../system-error.ts';

export interface ProcessIdentity {
  readonly pid: number;
  /** Start time of the process according to the system, `-` if unavailable. Detects a reused pid. */
  readonly start: string;
  /** The machine and pid namespace in which the pid is valid: eight hexadecimal digits. */
  readonly host: string;
}

const UNKNOWN_START = '-';

let ownIdentity: ProcessIdentity | undefined;

export function thisProcess(): ProcessIdentity {
  ownIdentity ??= { pid: process.pid, start: readStat(process.pid)?.start ?? UNKNOWN_START, host: hostId() };
  return ownIdentity;
}

/** Null if unknown: the process belongs to another machine or container. */
export function isAlive({ pid, start, host }: ProcessIdentity): boolean | null {
  if (host !== thisProcess().host) return null;
  if (pid === process.pid) return start === thisProcess().start;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of another user cannot be signalled, but is running.
    return codeOf(error) !== 'ESRCH';
  }
  const stat = readStat(pid);
  if (stat === null) return true;
  // A zombie has ended; its parent has not yet read its status.
  return !stat.isZombie && (start === UNKNOWN_START || start === stat.start);
}

/** Read from Linux's /proc; null elsewhere, where the pid must be enough. */
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
    // The system has no namespaces: the machine is enough.
  }
  return sha256(`${hostname()}\n${namespace}`).slice(0, 8);
}
