/** Reads the documents of reports from a zip or from disk. */
import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { type Archive, MAX_MEMBER_BYTES } from '../files/archive.ts';

export interface ReportFileSource {
  /** Path of the zip; null for files on disk. */
  readonly archive: string | null;
  read(path: string): Promise<Buffer>;
  /** Returns a text that changes if the file changes. */
  identify(path: string): Promise<string>;
}

export const makeZipFileSource = (archive: Archive): ReportFileSource => ({
  archive: archive.path,
  read: (path) => archive.read(path),
  identify: async (path) => `${path} ${archive.identify(path)}`,
});

/** Reads files on disk. Throws if a file exceeds the maximum size of a zip member. */
export const DISK_FILE_SOURCE: ReportFileSource = {
  archive: null,
  read: readDiskFile,
  identify: async (path) => `${path} ${hash('sha256', await readDiskFile(path), 'hex')}`,
};

async function readDiskFile(path: string): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > MAX_MEMBER_BYTES) throw new Error(`${path} has ${size} bytes, more than the allowed ${MAX_MEMBER_BYTES}`);
  return readFile(path);
}
