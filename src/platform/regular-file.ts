/** Opens a file for reading without waiting: a pipe without a writer would hold the whole process until one comes. */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** A descriptor. Throws what the system says, or that a directory, pipe, device or socket is no regular file. */
export function openRegularFile(path: string): number {
  // Windows has no such flag, and no such pipes in a directory.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error(NOT_REGULAR);
}

export const NOT_REGULAR = 'it is no regular file';
