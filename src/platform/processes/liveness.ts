/** Determines whether a process is running. Process ids are reused, and are valid on one machine only. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { sha256 } from '../builtins/loaded-on-use.ts';
import { readErrorCode } from '../files/system-error.ts';

export interface ProcessIdentity {
  readonly pid: number;
  /** Start time of the process in the system's own format, or `-` if unavailable; detects a reused process id. */
  readonly start: string;
  /** Identifies the machine and pid namespace in which the process id is valid: eight hexadecimal digits. */
  readonly host: string;
}

const UNKNOWN_START = '-';

let ownIdentity: ProcessIdentity | undefined;

export function identifyProcess(): ProcessIdentity {
  ownIdentity ??= { pid: process.pid, start: readStat(process.pid)?.start ?? UNKNOWN_START, host: computeHostId() };
  return ownIdentity;
}

/**
 * Returns whether a process is running; null if that is unknown, because the process is on another machine or in
 * another container.
 */
export function isAlive({ pid, start, host }: ProcessIdentity): boolean | null {
  if (host !== identifyProcess().host) return null;
  if (pid === process.pid) return start === identifyProcess().start;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Any error but ESRCH means that the process exists; it may belong to another user.
    return readErrorCode(error) !== 'ESRCH';
  }
  const stat = readStat(pid);
  if (stat === null) return true;
  // A zombie process has ended; only its exit status has not been read.
  return !stat.isZombie && (start === UNKNOWN_START || start === stat.start);
}

/** Reads a process's state from /proc on Linux; null elsewhere, where only the process id is compared. */
function readStat(pid: number): { readonly start: string; readonly isZombie: boolean } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name in parentheses may contain any character; the fields after it are fixed (proc(5)).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { start: fields[19] ?? UNKNOWN_START, isZombie: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    return null;
  }
}

function computeHostId(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Ignored: the system has no pid namespaces, so the machine alone identifies the host.
  }
  return sha256(`${hostname()}\n${namespace}`).slice(0, 8);
}
