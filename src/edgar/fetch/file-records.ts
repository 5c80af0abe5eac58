/**
 * Records of fetched files: address, size and SHA-256. A record is written after its file, so a file that does not
 * match its record is incomplete or changed, and must not be used.
 */

import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { removeStaleTemporaryFiles, writeAtomically } from '../../platform/files/atomic-write.ts';
import { makeDirectory } from '../../platform/files/directories.ts';
import { isMissingPathError } from '../../platform/files/system-error.ts';
import { parseObject, toNonEmptyText } from '../../platform/json-object.ts';

export type FileRecord = NonNullable<ReturnType<typeof parseRecord>>;

/** Directory for records and partial files, below the directory of the public files. */
export const FETCH_FOLDER = '.fetch';
const RECORDS_FOLDER = join(FETCH_FOLDER, 'records');

const makeRecordPath = (folder: string, file: string) => join(folder, RECORDS_FOLDER, `${file}.json`);

export async function readRecord(folder: string, file: string): Promise<FileRecord | null> {
  const text = await nullIfMissing(readFile(makeRecordPath(folder, file), 'utf8'));
  return text === null ? null : parseRecord(text, file);
}

export async function writeRecord(folder: string, record: FileRecord): Promise<void> {
  const path = makeRecordPath(folder, record.file);
  makeDirectory(dirname(path));
  writeAtomically(path, `${JSON.stringify(record, null, 1)}\n`, { mode: 0o666 });
}

/** Removes temporary files of records that killed processes left. */
export async function removeStaleRecordFiles(directory: string): Promise<void> {
  const folders = new Set((await listRecordPaths(directory)).map((path) => dirname(path)));
  for (const folder of folders) removeStaleTemporaryFiles(join(directory, RECORDS_FOLDER, folder));
}

/** Removes a file and its record. */
export async function removeFetchedFile(folder: string, file: string): Promise<void> {
  await rm(join(folder, file), { force: true });
  await rm(makeRecordPath(folder, file), { force: true });
}

/** Returns all records, sorted by file. */
export async function listRecords(folder: string): Promise<readonly FileRecord[]> {
  const records: FileRecord[] = [];
  for (const name of (await listRecordPaths(folder)).filter((path) => path.endsWith('.json')).sort()) {
    const record = await readRecord(folder, name.slice(0, -'.json'.length));
    if (record !== null) records.push(record);
  }
  return records;
}

/** Returns the paths of files and folders below the directory of records, with slashes. */
async function listRecordPaths(folder: string): Promise<string[]> {
  const paths = (await nullIfMissing(readdir(join(folder, RECORDS_FOLDER), { recursive: true }))) ?? [];
  return paths.map((path) => path.replaceAll(sep, '/'));
}

type FileFault = 'missing' | 'a different size' | 'different content';

/** Returns the fault of a fetched file; null if the file matches its record. */
export async function findFileFault(folder: string, copy: FileRecord, signal?: AbortSignal): Promise<FileFault | null> {
  const path = join(folder, copy.file);
  const stats = await nullIfMissing(stat(path));
  if (stats === null) return 'missing';
  if (stats.size !== copy.bytes) return 'a different size';
  const hash = await hashStart(path, copy.bytes, signal);
  return hash.digest('hex') === copy.sha256 ? null : 'different content';
}

/** Returns a hash of the first bytes of a file. Throws the signal's reason when it aborts. */
export async function hashStart(path: string, length: number, signal?: AbortSignal): Promise<Hash> {
  const hash = createHash('sha256');
  if (length === 0) return hash;
  for await (const chunk of createReadStream(path, { end: length - 1, highWaterMark: 1 << 20 })) {
    signal?.throwIfAborted();
    hash.update(chunk as Buffer);
  }
  return hash;
}

/** Resolves to null if the file is missing; rethrows other errors. */
async function nullIfMissing<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (isMissingPathError(error)) return null;
    throw error;
  }
}

function parseRecord(text: string, file: string) {
  const value = parseObject(text);
  if (value?.file !== file) return null;
  const { url, bytes, sha256, fetched, checked } = value;
  if (typeof bytes !== 'number' || typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return null;
  return {
    file,
    url: toNonEmptyText(url) ?? '',
    bytes,
    sha256,
    etag: toNonEmptyText(value.etag),
    lastModified: toNonEmptyText(value.lastModified),
    /** Time of the download (ISO 8601). */
    fetched: toNonEmptyText(fetched) ?? '',
    /** Time when the site last confirmed that the file is the newest (ISO 8601). */
    checked: toNonEmptyText(checked) ?? '',
    /** Whether the content was checked completely before the file was moved into place; false in older records. */
    whole: value.whole === true,
  };
}
