/** Opens a file for reading without waiting: a pipe without a writer would hold the whole process until one comes. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** A descriptor. Throws what the system says, or that a directory, pipe, device or socket is no regular file. */
export function openRegularFile(path: string): number {
  // Windows has no such flag, and no such pipes in a directory.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  // As the BSDs name it; Linux has no error for a kind of file that a program does not take.
  throw Object.assign(new Error(NOT_REGULAR), { code: 'EFTYPE', syscall: 'open', path });
}

/** The whole text. Throws as opening does. */
export function readRegularFile(path: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  return readRegularBytes(path).toString(encoding);
}

/** All bytes. Throws as opening does. */
export function readRegularBytes(path: string): Buffer {
  const descriptor = openRegularFile(path);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export const NOT_REGULAR = 'it is no regular file';
