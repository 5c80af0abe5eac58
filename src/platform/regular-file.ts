/** Opens a file for reading without blocking: a pipe without a writer would block the whole process. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * Returns a descriptor. Throws the system's error, or one that a directory, pipe, device or socket is not a regular
 * file.
 */
export function openRegularFile(path: string): number {
  // Windows has neither this flag nor named pipes in directories.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  // The BSD error code for an unsupported kind of file; Linux has no such code.
  throw Object.assign(new Error(NOT_REGULAR_REASON), { code: 'EFTYPE', syscall: 'open', path });
}

/** Returns the whole text. Throws as `openRegularFile`. */
export function readRegularFile(path: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  return readRegularBytes(path).toString(encoding);
}

/** Returns all bytes. Throws as `openRegularFile`. */
export function readRegularBytes(path: string): Buffer {
  const descriptor = openRegularFile(path);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export const NOT_REGULAR_REASON = 'it is not a regular file';
