/**
 * Random access to the members of a zip file.
 *
 * Zips are foreign: a member is read only up to a bound, its size is checked against what the directory
 * promised and its bytes against their checksum, and a name that leaves the archive is not listed at all.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import yauzl from 'yauzl';

/** The largest member that is read: about ten times the largest company. */
export const LARGEST_MEMBER = 256 * 1024 * 1024;
const MOST_MEMBERS = 2_000_000;
/** Less is not taken by zlib. */
const SMALLEST_PIECE = 64;
const STORED = 0;
const DEFLATED = 8;

export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

export interface Archive {
  readonly path: string;
  /** Base names (or paths, when opened by path) as written, in the order of the archive's directory; of members that share one, the first counts. */
  readonly names: readonly string[];
  /** Member names that were not taken, with the reason. */
  readonly rejected: readonly { readonly name: string; readonly reason: string }[];
  has(name: string): boolean;
  /** The whole member, found by base name in any case; null when there is none. Throws ArchiveError on a damaged or oversized one. */
  read(name: string): Promise<Buffer | null>;
  /** The member's bytes as they are inflated, for tables too large to hold; null when there is none. Ends in an ArchiveError on a damaged one. */
  stream(name: string): Promise<AsyncIterable<Buffer> | null>;
  close(): void;
}

/** `by` says how members are named: by base name, or by path where folders tell them apart. */
export async function openArchive(
  path: string,
  largest: number = LARGEST_MEMBER,
  by: 'base' | 'path' = 'base',
): Promise<Archive> {
  const { zip, descriptor } = await openZip(path);
  const members = new Map<string, Entry>();
  const names: string[] = [];
  const rejected: { name: string; reason: string }[] = [];
  try {
    if (zip.entryCount > MOST_MEMBERS) throw new ArchiveError(`${path}: ${zip.entryCount} members are too many`);
    for await (const entry of zip.eachEntry()) {
      // Names come as bytes, so that one bad name costs one member and not the archive.
      const name = entry.fileNameRaw.toString('utf8');
      if (name.endsWith('/')) continue;
      const base = by === 'base' ? basename(name) : name;
      const reason = refusal(name, members.has(base.toLowerCase()));
      if (reason !== null) rejected.push({ name, reason });
      else {
        members.set(base.toLowerCase(), entry);
        names.push(base);
      }
    }
  } catch (cause) {
    zip.close();
    throw cause instanceof ArchiveError ? cause : new ArchiveError(`${path}: ${messageOf(cause)}`, { cause });
  }
  return {
    path,
    names,
    rejected,
    has: (name) => members.has(name.toLowerCase()),
    read: async (name) => {
      const entry = members.get(name.toLowerCase());
      return entry === undefined ? null : readMember(zip, descriptor, entry, `${path}: ${name}`, largest);
    },
    stream: async (name) => {
      const entry = members.get(name.toLowerCase());
      return entry === undefined ? null : streamMember(zip, entry, `${path}: ${name}`);
    },
    close: () => zip.close(),
  };
}

/** The descriptor is closed with the zip. */
async function openZip(path: string): Promise<{ zip: ZipFile; descriptor: number }> {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, 'r');
    const zip = await yauzl.fromFdPromise(descriptor, { autoClose: false, lazyEntries: true, decodeStrings: false });
    return { zip, descriptor };
  } catch (cause) {
    if (descriptor !== null) closeSync(descriptor);
    throw new ArchiveError(`${path}: not a readable zip file: ${messageOf(cause)}`, { cause });
  }
}

function refusal(name: string, taken: boolean): string | null {
  if (yauzl.validateFileName(name) !== null) return 'unsafe member name';
  return taken ? 'second member of the same name' : null;
}

function refuseClosed(zip: ZipFile): void {
  if (!zip.isOpen) throw new Error('the archive is closed');
}

/** Refuses what cannot be read; an error of the caller's own passes through. */
function refuseUnreadable(entry: Entry, fail: (what: string) => ArchiveError): void {
  if (entry.isEncrypted()) throw fail('is encrypted');
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw fail(`compression method ${entry.compressionMethod} is not known`);
  }
}

async function* streamMember(zip: ZipFile, entry: Entry, label: string): AsyncGenerator<Buffer> {
  const fail = (what: string, cause?: unknown) => new ArchiveError(`${label}: ${what}`, { cause });
  refuseUnreadable(entry, fail);
  let sum = 0;
  let size = 0;
  const chunks = (await zip.openReadStreamPromise(entry))[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await chunks.next().catch((cause: unknown) => {
        throw fail(`cannot be read: ${messageOf(cause)}`, cause);
      });
      if (step.done === true) break;
      const chunk: Buffer = step.value;
      sum = crc32(chunk, sum);
      size += chunk.length;
      yield chunk;
    }
  } finally {
    await chunks.return?.();
  }
  if (size !== entry.uncompressedSize || sum !== entry.crc32) throw fail('is damaged (wrong checksum)');
}

async function readMember(
  zip: ZipFile,
  descriptor: number,
  entry: Entry,
  label: string,
  largest: number,
): Promise<Buffer> {
  const fail = (what: string, cause?: unknown) => new ArchiveError(`${label}: ${what}`, { cause });
  if (entry.uncompressedSize > largest || entry.compressedSize > largest) {
    throw fail(`${entry.uncompressedSize} bytes are more than the ${largest} that are read`);
  }
  refuseUnreadable(entry, fail);
  let bytes: Buffer;
  try {
    // Its descriptor may be another file's by now; yauzl, too, would read and close it without a question.
    refuseClosed(zip);
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    refuseClosed(zip);
    const raw = readAt(descriptor, fileDataStart, entry.compressedSize);
    bytes = entry.compressionMethod === STORED ? raw : inflate(raw, entry.uncompressedSize, largest);
  } catch (cause) {
    throw fail(`cannot be read: ${messageOf(cause)}`, cause);
  }
  if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32)
    throw fail('is damaged (wrong checksum)');
  return bytes;
}

/**
 * In one call, which is twice as fast as a stream, and into one piece of memory with room for the end to show, which spares
 * the copying of pieces. The bound holds against a directory that lies.
 */
function inflate(raw: Buffer, promised: number, largest: number): Buffer {
  return inflateRawSync(raw, { maxOutputLength: largest, chunkSize: Math.max(promised + 1, SMALLEST_PIECE) });
}

/** At once: a stream of small pieces leaves a thread waiting for most of the time that reading takes. */
function readAt(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const count = readSync(descriptor, bytes, done, length - done, offset + done);
    if (count === 0) throw new Error('the archive ends too early');
    done += count;
  }
  return bytes;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
