/**
 * Random access to the members of a zip file.
 *
 * Zips are foreign: a member is read only up to a bound, its size is checked against what the directory
 * promised and its bytes against their checksum, and a name that leaves the archive is not listed at all.
 */
import { once } from 'node:events';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { crc32, inflateRawSync } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import yauzl from 'yauzl';

/** The largest member that is read: about ten times the largest company. */
export const LARGEST_MEMBER = 256 * 1024 * 1024;
const MOST_MEMBERS = 2_000_000;
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
  const zip = await openZip(path);
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
      return entry === undefined ? null : readMember(zip, entry, `${path}: ${name}`, largest);
    },
    stream: async (name) => {
      const entry = members.get(name.toLowerCase());
      return entry === undefined ? null : streamMember(zip, entry, `${path}: ${name}`);
    },
    close: () => zip.close(),
  };
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    return await yauzl.openPromise(path, { autoClose: false, lazyEntries: true, decodeStrings: false });
  } catch (cause) {
    throw new ArchiveError(`${path}: not a readable zip file: ${messageOf(cause)}`, { cause });
  }
}

function refusal(name: string, taken: boolean): string | null {
  if (yauzl.validateFileName(name) !== null) return 'unsafe member name';
  return taken ? 'second member of the same name' : null;
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

async function readMember(zip: ZipFile, entry: Entry, label: string, largest: number): Promise<Buffer> {
  const fail = (what: string, cause?: unknown) => new ArchiveError(`${label}: ${what}`, { cause });
  if (entry.uncompressedSize > largest || entry.compressedSize > largest) {
    throw fail(`${entry.uncompressedSize} bytes are more than the ${largest} that are read`);
  }
  refuseUnreadable(entry, fail);
  let bytes: Buffer;
  try {
    const raw = await collect(await zip.openReadStreamPromise(entry, { decodeFileData: false }), largest);
    // Inflating in one call is twice as fast as a stream; the bound holds against a directory that lies.
    bytes = entry.compressionMethod === STORED ? raw : inflateRawSync(raw, { maxOutputLength: largest });
  } catch (cause) {
    throw fail(`cannot be read: ${messageOf(cause)}`, cause);
  }
  if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32)
    throw fail('is damaged (wrong checksum)');
  return bytes;
}

async function collect(stream: Readable, largest: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > largest) stream.destroy(new Error('larger than its directory says'));
    else chunks.push(chunk);
  });
  await once(stream, 'end');
  return Buffer.concat(chunks, size);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
