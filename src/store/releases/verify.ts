/** Compares the files of a release's tables with the manifest. */
import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openRegularFile } from '../../platform/files/regular-file.ts';
import { describeCause, isAccessRefusal } from '../../platform/files/system-error.ts';
import { type Manifest, makeUnreadableFailure } from './manifest.ts';

const READ_BUFFER_BYTES = 1 << 20;

/**
 * Returns the faults, one sentence per file; empty if all files match. Throws a data Failure if the system does not let
 * this process read a file.
 */
export const verifyRelease = (directory: string, manifest: Manifest): string[] =>
  Object.values(manifest.tables)
    .flatMap((table) => [table, table.index])
    .flatMap((file) => findFileFault(directory, file) ?? []);

/**
 * Returns the fault of one file as a sentence; null if the file matches the manifest. Throws a data Failure if the
 * system does not let this process read the file.
 */
export function findFileFault(
  directory: string,
  { file, bytes, sha256 }: { readonly file: string; readonly bytes: number; readonly sha256: string },
): string | null {
  const measured = measureFile(join(directory, file));
  if (typeof measured === 'string') return `${file} cannot be read: ${measured}.`;
  if (measured.bytes !== bytes) return `${file} has ${measured.bytes} bytes instead of ${bytes}.`;
  return measured.sha256 === sha256 ? null : `${file} was changed after it was written (wrong SHA-256).`;
}

function measureFile(path: string): { bytes: number; sha256: string } | string {
  let file: number | null = null;
  try {
    file = openRegularFile(path);
    const hash = createHash('sha256');
    const buffer = Buffer.alloc(READ_BUFFER_BYTES);
    let byteCount = 0;
    for (let bytesRead = readSync(file, buffer); bytesRead > 0; bytesRead = readSync(file, buffer)) {
      hash.update(buffer.subarray(0, bytesRead));
      byteCount += bytesRead;
    }
    return { bytes: byteCount, sha256: hash.digest('hex') };
  } catch (cause) {
    if (file === null && isAccessRefusal(cause)) throw makeUnreadableFailure(path, cause);
    return describeCause(cause);
  } finally {
    if (file !== null) closeSync(file);
  }
}
