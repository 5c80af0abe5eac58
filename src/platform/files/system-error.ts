/** Explains errors of the file system and of memory as sentences. */
import { isError } from '../../contract/error-code.ts';
import { Failure, type FailureKind } from '../../contract/failure.ts';

const MAKE_ROOM_ADVICE = 'Free some space there, then run the command again.';
const PERMISSIONS_ADVICE = 'Check the owner and the permissions.';
const TOO_MANY_OPEN_FILES_ADVICE = 'Raise the limit with "ulimit -n".';
const CHECK_PATH_ADVICE = 'Check the path.';
const MORE_MEMORY_ADVICE = 'Close other programs, or give this program more memory.';

const REASONS_BY_CODE: Readonly<Record<string, readonly [reason: string, advice: string]>> = {
  ENOSPC: ['the disk is full', MAKE_ROOM_ADVICE],
  EDQUOT: ['the disk quota is used up', MAKE_ROOM_ADVICE],
  EFBIG: ['the file would be too large', 'Raise the limit with "ulimit -f", or choose a directory on another disk.'],
  EACCES: ['permission denied', PERMISSIONS_ADVICE],
  EPERM: ['the operation is not permitted', PERMISSIONS_ADVICE],
  EROFS: ['the file system is read-only', 'Choose a directory on another file system.'],
  EMFILE: ['too many files are open', TOO_MANY_OPEN_FILES_ADVICE],
  ENFILE: ['all programs together have too many files open', 'Close other programs.'],
  ENOMEM: ['there is not enough memory', MORE_MEMORY_ADVICE],
  EIO: ['the disk reports an error', 'Check the disk.'],
  ENOENT: ['no such file or directory', CHECK_PATH_ADVICE],
  ENOTDIR: ['a part of the path is not a directory', CHECK_PATH_ADVICE],
  EISDIR: ['it is a directory', CHECK_PATH_ADVICE],
  EEXIST: ['it exists already', CHECK_PATH_ADVICE],
  EFTYPE: ['it is not a regular file', 'Move the file away, or check the path.'],
  ENXIO: ['it is a pipe that no program reads', CHECK_PATH_ADVICE],
  ELOOP: ['too many symbolic links', CHECK_PATH_ADVICE],
  ENAMETOOLONG: ['the path is too long', CHECK_PATH_ADVICE],
};

/**
 * Returns the code of an error of the system or of Node.js, such as `ENOENT` or `Z_BUF_ERROR`; null for other errors,
 * even if fin gave them a code.
 */
export function readErrorCode(error: unknown): string | null {
  const code = isError(error) && 'code' in error ? error.code : null;
  return typeof code === 'string' && !code.startsWith('fin:') ? code : null;
}

/** Whether an error comes from the local file system. Such errors name a system call; fin's network errors do not. */
export const isSystemError = (error: unknown) => readErrorCode(error) !== null && isError(error) && 'syscall' in error;

/**
 * Whether an error means that a file is missing, including paths below a file such as /dev/null, the home directory
 * of some daemons.
 */
export function isMissingPathError(error: unknown): boolean {
  const code = readErrorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Whether an error is the reason of an `AbortSignal.timeout`. */
export const isTimeoutError = (error: unknown): boolean =>
  Object(error).name === 'TimeoutError' && Object(error).code === DOMException.TIMEOUT_ERR;

const ACCESS_REFUSAL_CODES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EACCES', 'EPERM', 'ENOMEM']);

/**
 * Whether the system refused the operation for lack of descriptors, permissions or memory, so that the file itself may
 * be intact.
 */
export const isAccessRefusal = (error: unknown): boolean => ACCESS_REFUSAL_CODES.has(findSystemCode(error));

const MACHINE_FAULT_CODES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO']);

/**
 * Throws a data Failure if the machine is at fault rather than the file's content. A later attempt may succeed, so the
 * data must not be skipped. Ignores other errors.
 * @param name name of the file
 */
export function throwIfMachineFault(name: string, error: unknown): void {
  for (let cause = error; isError(cause); cause = cause.cause) {
    if (MACHINE_FAULT_CODES.has(readErrorCode(cause) ?? ''))
      throw makeSystemFailure('data', `${name} cannot be read`, cause);
  }
}

/** Whether V8 could not allocate a buffer. A full heap would end the process instead. */
const isOutOfMemory = (error: unknown): boolean =>
  isError(error) && error.name === 'RangeError' && /allocation failed|out of memory/i.test(error.message);

/** Returns the error's code, or the equivalent system code for an error that V8 describes only as text. */
const findSystemCode = (error: unknown): string => readErrorCode(error) ?? (isOutOfMemory(error) ? 'ENOMEM' : '');

/**
 * Returns the Failure for an operation that the file system refused.
 * @param sentence the start of the sentence, including the path: `The settings in /x cannot be read`
 * @param advice appended to the advice for the system error
 */
export function makeSystemFailure(kind: FailureKind, sentence: string, cause: unknown, advice?: string): Failure {
  const meaning = REASONS_BY_CODE[findSystemCode(cause)];
  const hint = [meaning?.[1], advice].filter((text) => text !== undefined).join(' ');
  return new Failure(kind, `${sentence}: ${describeCause(cause)}.`, { hint: hint === '' ? undefined : hint, cause });
}

/**
 * Returns the result of `read`, or `fallback` if the file or directory does not exist. Throws a Failure for any
 * other error.
 * @param sentence as for `makeSystemFailure`
 */
export function readIfPresent<T, Fallback>(fallback: Fallback, kind: FailureKind, sentence: string, read: () => T) {
  try {
    return read();
  } catch (cause) {
    if (isMissingPathError(cause)) return fallback;
    throw makeSystemFailure(kind, sentence, cause);
  }
}

/**
 * Returns the result of `write`. Errors of `write` do not name the file, so a data Failure with the name is thrown
 * instead.
 * @param file the start of the sentence: `The file /x`
 */
export function explainWriteErrors<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    throw makeSystemFailure('data', `${file} cannot be written`, cause);
  }
}

/** Returns the reason for a system error as the end of a sentence: `the disk is full (ENOSPC)`. */
export function describeCause(cause: unknown): string {
  const code = findSystemCode(cause);
  const meaning = REASONS_BY_CODE[code];
  if (meaning !== undefined) return `${meaning[0]} (${code})`;
  return isError(cause) ? cause.message.replace(/[.\s]+$/, '') : String(cause);
}

const READ_SYSCALLS: ReadonlySet<string> = new Set(['read', 'scandir', 'stat', 'lstat', 'fstat', 'access', 'readlink']);
const WRITE_SYSCALLS: ReadonlySet<string> = new Set([
  ...['write', 'open', 'mkdir', 'mkdtemp', 'rename', 'unlink', 'rmdir', 'fsync', 'ftruncate', 'copyfile'],
  ...['chmod', 'fchmod', 'utime', 'link', 'symlink'],
]);
/** Whether a failed `open` may have been for reading or for writing, because the error is possible in both cases. */
const mayBeReadOrWrite = (syscall: string, code: string): boolean =>
  syscall === 'open' && !['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS'].includes(code);

/**
 * Error codes that functions handle where they open or create files. Everywhere else, these codes indicate a defect.
 */
const UNEXPECTED_CODES: ReadonlySet<string> = new Set(['ENOENT', 'EEXIST']);

/**
 * Returns a `data` Failure that explains an error of the file system or a lack of memory; null for any other error,
 * such as a defect.
 */
export function explainSystemError(error: unknown): Failure | null {
  if (isOutOfMemory(error)) return makeSystemFailure('data', 'fin cannot continue', error);
  const code = readErrorCode(error);
  if (code === null || UNEXPECTED_CODES.has(code) || REASONS_BY_CODE[code] === undefined) return null;
  const { syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === undefined || !(READ_SYSCALLS.has(syscall) || WRITE_SYSCALLS.has(syscall))) return null;
  const verb =
    READ_SYSCALLS.has(syscall) || code === 'EISDIR' ? 'read' : mayBeReadOrWrite(syscall, code) ? 'opened' : 'written';
  return makeSystemFailure('data', `${path ?? 'A file'} cannot be ${verb}`, error);
}
