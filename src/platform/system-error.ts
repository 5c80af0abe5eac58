/** What the operating system's errors mean to the user: the only place that turns their codes into sentences. */
import { Failure, type FailureKind } from '../contract/failure.ts';

const MAKE_ROOM = 'Free some space there, then run the command again.';
const PERMISSIONS = 'Check its permissions and who owns it.';
const TOO_MANY = 'Close other programs, or raise the limit with "ulimit -n".';
const CHECK_PATH = 'Check the path.';
const MORE_MEMORY = 'Close other programs, or allow this one more memory.';

/** What is wrong, and what to do about it. */
const MEANINGS: Readonly<Record<string, readonly [reason: string, advice: string]>> = {
  ENOSPC: ['the disk is full', MAKE_ROOM],
  EDQUOT: ['the disk quota is used up', MAKE_ROOM],
  EFBIG: ['the file would be too large', 'Raise the limit with "ulimit -f", or choose a directory on another disk.'],
  EACCES: ['permission denied', PERMISSIONS],
  EPERM: ['the operation is not permitted', PERMISSIONS],
  EROFS: ['the file system is read-only', 'Choose a directory on another one.'],
  EMFILE: ['too many files are open', TOO_MANY],
  ENFILE: ['too many files are open', TOO_MANY],
  ENOMEM: ['there is not enough memory', MORE_MEMORY],
  EIO: ['the disk reports an error', 'Check the disk.'],
  ENOENT: ['no such file or directory', CHECK_PATH],
  ENOTDIR: ['a part of the path is not a directory', CHECK_PATH],
  EISDIR: ['it is a directory', CHECK_PATH],
  EEXIST: ['it exists already', CHECK_PATH],
  EFTYPE: ['it is no regular file', 'Move it away, or check the path.'],
  ENXIO: ['it is a pipe that nobody reads', CHECK_PATH],
  ELOOP: ['too many symbolic links', CHECK_PATH],
  ENAMETOOLONG: ['the path is too long', CHECK_PATH],
};

/** Returns the code of a system error (`ENOENT`), or null for any other error, also for one with a code of ours. */
export function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && !code.startsWith('fin:') ? code : null;
}

/**
 * Whether an error is one of this machine's files, beside those of the network: the client's connections give these without the
 * name of a system call.
 */
export function isOfSystem(error: unknown): boolean {
  return codeOf(error) !== null && error instanceof Error && 'syscall' in error;
}

/** Whether nothing is there: below a path such as /dev/null, which daemons are given as a home, there is nothing either. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

const REFUSALS: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EACCES', 'EPERM', 'ENOMEM']);

/** Whether the system refused this process, for want of file handles, permission or memory: the file itself may be whole. */
export function isRefusal(error: unknown): boolean {
  return REFUSALS.has(systemCodeOf(error));
}

const FAULTS_OF_MACHINE: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO']);

/**
 * Throws a data Failure where the machine, and not what is read, is at fault: another try may read it, so that nothing may be
 * left out because of it. Does nothing for any other error.
 * @param name of what was read
 */
export function throwMachineFault(name: string, error: unknown): void {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (FAULTS_OF_MACHINE.has(codeOf(cause) ?? '')) throw systemFailure('data', `${name} cannot be read`, cause);
  }
}

/** What V8 throws where a buffer finds no room; a full heap of objects ends the process instead. */
const isOutOfMemory = (error: unknown): boolean =>
  error instanceof RangeError && /allocation failed|out of memory/i.test(error.message);

/** The code, or that of the system for what V8 says in words. */
const systemCodeOf = (error: unknown): string => codeOf(error) ?? (isOutOfMemory(error) ? 'ENOMEM' : '');

/**
 * The Failure for something that the file system refused.
 * @param what the start of the sentence, which names the path: `The settings in /x cannot be read`
 * @param advice added to what the system's error suggests
 */
export function systemFailure(kind: FailureKind, what: string, cause: unknown, advice?: string): Failure {
  const known = MEANINGS[systemCodeOf(cause)];
  const hint = [known?.[1], advice].filter((text) => text !== undefined).join(' ');
  return new Failure(kind, `${what}: ${reasonOf(cause)}.`, { hint: hint === '' ? undefined : hint, cause });
}

/**
 * Writes to a file by its descriptor, whose errors do not name it: what `write` returns, or a data Failure with the name.
 * @param file the start of the sentence: `The file /x`
 */
export function writingTo<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    throw systemFailure('data', `${file} cannot be written`, cause);
  }
}

/** Why the system refused, as the end of a sentence: `the disk is full (ENOSPC)`. */
export function reasonOf(cause: unknown): string {
  const code = systemCodeOf(cause);
  const known = MEANINGS[code];
  if (known !== undefined) return `${known[0]} (${code})`;
  return cause instanceof Error ? cause.message.replace(/[.\s]+$/, '') : String(cause);
}

const READING: ReadonlySet<string> = new Set(['read', 'scandir', 'stat', 'lstat', 'fstat', 'access', 'readlink']);
const WRITING: ReadonlySet<string> = new Set([
  ...['write', 'open', 'mkdir', 'mkdtemp', 'rename', 'unlink', 'rmdir', 'fsync', 'ftruncate', 'copyfile'],
  ...['chmod', 'fchmod', 'utime', 'link', 'symlink'],
]);
/** Opening is for reading as well, but only writing needs room. */
const isUnclear = (syscall: string, code: string): boolean =>
  syscall === 'open' && !['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS'].includes(code);

/** A missing file is expected wherever files are read; one that gets this far is a defect of the program. */
const UNEXPECTED: ReadonlySet<string> = new Set(['ENOENT', 'EEXIST']);

/** A `data` Failure for an error of the file system that nothing nearer has explained; null for every other error. */
export function explainSystemError(error: unknown): Failure | null {
  if (isOutOfMemory(error)) return systemFailure('data', 'This cannot be done', error);
  const code = codeOf(error);
  if (code === null || UNEXPECTED.has(code) || MEANINGS[code] === undefined) return null;
  const { syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === undefined || !(READING.has(syscall) || WRITING.has(syscall))) return null;
  const verb = READING.has(syscall) || code === 'EISDIR' ? 'read' : isUnclear(syscall, code) ? 'opened' : 'written';
  return systemFailure('data', `${path ?? 'A file'} cannot be ${verb}`, error);
}
