/** Opens files for reading without blocking, because opening a pipe without a writer would block the whole process. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * Returns a file descriptor. Throws the system error, or an error if the path is a directory, pipe, device or socket.
 */
export function openRegularFile(path: string): number {
  const fd = openWithoutBlocking(path);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  // EFTYPE is the BSD code for an unsupported file type; Linux has no such code.
  throw Object.assign(new Error(NOT_REGULAR_REASON), { code: 'EFTYPE', syscall: 'open', path });
}

/** Returns a file descriptor of a file, pipe or device. Throws the system error. */
export function openWithoutBlocking(path: string): number {
  // Windows lacks this flag, and has no named pipes in directories.
  return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

/** Default of the maximum size of a file that is read as text: larger than any file of settings or any manifest. */
const MAX_TEXT_BYTES = 32 * 1024 * 1024;

/** Returns the file's text. Throws like `openRegularFile`, and an error if the file is larger than `maxBytes`. */
export const readRegularFile = (
  path: string,
  encoding: 'utf8' | 'latin1' = 'utf8',
  maxBytes: number = MAX_TEXT_BYTES,
): string => readRegularBytes(path, maxBytes).toString(encoding);

/** Returns the file's bytes. Throws like `readRegularFile`. */
export function readRegularBytes(path: string, maxBytes: number = Number.POSITIVE_INFINITY): Buffer {
  const fd = openRegularFile(path);
  try {
    const { size } = fstatSync(fd);
    if (size > maxBytes) throw new RangeError(`it has ${size} bytes, more than the allowed ${maxBytes}`);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

export const NOT_REGULAR_REASON = 'it is not a regular file';
