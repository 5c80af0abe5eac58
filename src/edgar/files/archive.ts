/**
 * Reads single members of an untrusted zip. Limits the size of a member, and compares its size and checksum with the
 * zip's directory. Members whose names lead outside the archive are not listed.
 */

import { hash } from 'node:crypto';
import { close, closeSync, fstatSync, read, readSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, inflateRawSync } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import yauzl from 'yauzl';
import { openRegularFile, readInto } from '../../platform/files/regular-file.ts';
import { describeCause } from '../../platform/files/system-error.ts';

/** Maximum unpacked size of a member in bytes: about ten times the facts of the largest company. */
export const MAX_MEMBER_BYTES = 256 * 1024 * 1024;
/** Size in bytes above which a member is checked in chunks, so that other work can run in between. */
const MAX_UNCHUNKED_BYTES = 4 * 1024 * 1024;
const MAX_MEMBERS = 2_000_000;
/** Number of bytes per read of a zip's directory or of a streamed member. */
const BLOCK_BYTES = 256 * 1024;
/** Minimum `chunkSize` that zlib accepts. */
const MIN_CHUNK_BYTES = 64;
/**
 * Maximum unpacked size of all members together: `BASE_UNPACKED_BYTES` plus `MAX_PACKING_RATIO` times the zip's
 * size. Real zips are compressed by a factor of up to 15.
 */
const BASE_UNPACKED_BYTES = 1024 * 1024 * 1024;
const MAX_PACKING_RATIO = 50;
/** Layout of a local file header: section 4.3.7 of https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;
const NAME_LENGTH_OFFSET = 26;
const EXTRA_LENGTH_OFFSET = 28;
const STORED_METHOD = 0;
const DEFLATED_METHOD = 8;

export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';

  /** @param fault the problem, without the path */
  constructor(
    path: string,
    readonly fault: string,
    cause?: unknown,
  ) {
    super(`${path}: ${fault}`, { cause });
  }
}

/** Returns an ArchiveError that names the member. */
type MemberErrorFactory = (fault: string, cause?: unknown) => ArchiveError;

export type Archive = Awaited<ReturnType<typeof openArchive>>;

/** Files by name or path: those of an archive, or of the disk. */
export interface FileSource extends Pick<Archive, 'read'> {
  /** Returns a text that identifies the content of a file. */
  identify(path: string): string | Promise<string>;
}

/** Files on disk, up to the maximum size of a member. */
export const DISK_FILES: FileSource = {
  async read(path) {
    const { size } = await stat(path);
    if (size > MAX_MEMBER_BYTES)
      throw new Error(`${path} has ${size} bytes, more than the allowed ${MAX_MEMBER_BYTES}`);
    return readFile(path);
  },
  identify: async (path) => hash('sha256', await DISK_FILES.read(path), 'hex'),
};

/**
 * Opens a zip.
 * @param listedBy `base` lists members by base name; `path` by path, for zips with equal base names in several folders
 */
export async function openArchive(
  path: string,
  maxBytes: number = MAX_MEMBER_BYTES,
  listedBy: 'base' | 'path' = 'base',
) {
  const { zip, reader, descriptor } = await openZip(path);
  const byName = new Map<string, Entry>();
  const names: string[] = [];
  const rejected: { name: string; reason: string }[] = [];
  try {
    if (zip.entryCount > MAX_MEMBERS)
      throw new ArchiveError(path, `it has ${zip.entryCount} files, more than the allowed ${MAX_MEMBERS}`);
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      entries.push(entry);
      // Names are decoded here and not by yauzl, so that a bad name affects only its member and not the whole zip.
      const name = entry.fileNameRaw.toString('utf8');
      if (name.endsWith('/')) continue;
      const listedName = listedBy === 'base' ? basename(name) : name;
      if (yauzl.validateFileName(name) !== null) rejected.push({ name, reason: 'unsafe file name' });
      else if (byName.has(listedName.toLowerCase())) rejected.push({ name, reason: 'second file with the same name' });
      else {
        byName.set(listedName.toLowerCase(), entry);
        names.push(listedName);
      }
    }
    checkExtents(path, entries, fstatSync(descriptor).size);
    reader.releaseBlock();
  } catch (cause) {
    zip.close();
    throw cause instanceof ArchiveError ? cause : new ArchiveError(path, describeCause(cause), cause);
  }
  const makeFactory = (name: string) => (fault: string, cause?: unknown) =>
    new ArchiveError(path, `${name}: ${fault}`, cause);
  const getEntry = (name: string): Entry => {
    const entry = byName.get(name.toLowerCase());
    if (entry === undefined) throw new ArchiveError(path, `it does not contain ${name}`);
    return entry;
  };
  return {
    path,
    /**
     * Names of the members in the order of the zip's directory: base names, or paths (see `listedBy`). If several
     * members have the same name, only the first is listed.
     */
    names,
    /** Names of unlisted members, with the reason. */
    rejected,
    has: (name: string): boolean => byName.has(name.toLowerCase()),
    /**
     * Returns the member's content; `name` is case-insensitive. Throws ArchiveError if the member is missing, damaged
     * or too large.
     */
    read: async (name: string) => readMember(zip, descriptor, getEntry(name), makeFactory(name), maxBytes),
    /** Returns the member's sizes and checksum from the zip's directory, which identify its content. */
    identify(name: string): string {
      const { uncompressedSize, compressedSize, crc32 } = getEntry(name);
      return `${uncompressedSize} ${compressedSize} ${crc32}`;
    },
    /**
     * Yields the member's content while it is inflated. Throws ArchiveError if the member is missing or damaged; a
     * wrong checksum is detected only after the last byte.
     */
    stream: (name: string): AsyncIterable<Buffer> => streamMember(zip, getEntry(name), makeFactory(name)),
    /** Reads every member. Throws ArchiveError if a member is damaged, and the signal's reason when it aborts. */
    async check(signal: AbortSignal): Promise<void> {
      for (const [name, entry] of byName) {
        signal.throwIfAborted();
        const makeError = makeFactory(name);
        if (entry.uncompressedSize <= MAX_UNCHUNKED_BYTES) {
          await readMember(zip, descriptor, entry, makeError, MAX_UNCHUNKED_BYTES);
          await new Promise((resolve) => setImmediate(resolve));
        } else for await (const _ of streamMember(zip, entry, makeError)) signal.throwIfAborted();
      }
    },
    close: (): void => zip.close(),
  };
}

/** Opens a zip like `openArchive`, and closes it after `use`. */
export async function useArchive<T>(
  path: string,
  maxBytes: number | undefined,
  listedBy: 'base' | 'path',
  use: (archive: Archive) => Promise<T> | T,
): Promise<T> {
  const archive = await openArchive(path, maxBytes, listedBy);
  try {
    return await use(archive);
  } finally {
    archive.close();
  }
}

/**
 * Throws ArchiveError if members overlap, because with them a small zip could unpack to any size, or if their total
 * unpacked size is too large for a zip of `zipBytes` bytes.
 */
function checkExtents(path: string, entries: readonly Entry[], zipBytes: number): void {
  const maxBytes = BASE_UNPACKED_BYTES + MAX_PACKING_RATIO * zipBytes;
  const unpackedBytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpackedBytes > maxBytes) {
    const limit = `more than the ${maxBytes} allowed for a zip of its size`;
    throw new ArchiveError(path, `its files unpack to ${unpackedBytes} bytes, ${limit}`);
  }
  let end = 0;
  const inFileOrder = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  for (const { relativeOffsetOfLocalHeader: start, compressedSize, fileNameRaw: name } of inFileOrder) {
    if (start < end) throw new ArchiveError(path, `the file ${name.toString('utf8')} overlaps another file`);
    end = start + LOCAL_HEADER_BYTES + name.length + compressedSize;
  }
}

/** Opens a zip for reading. Closing the returned `zip` also closes the descriptor. */
async function openZip(path: string): Promise<{ zip: ZipFile; reader: BlockReader; descriptor: number }> {
  let fd: number | null = null;
  try {
    fd = openRegularFile(path);
    const reader = new BlockReader(fd);
    const options = { autoClose: false, lazyEntries: true, decodeStrings: false };
    const zip = await yauzl.fromRandomAccessReaderPromise(reader, findUnpaddedSize(fd), options);
    return { zip, reader, descriptor: fd };
  } catch (cause) {
    if (fd !== null) closeSync(fd);
    throw new ArchiveError(path, `it cannot be read as a zip file: ${describeCause(cause)}`, cause);
  }
}

/** Returns the size of a zip without the zeros after its end. */
function findUnpaddedSize(fd: number): number {
  const { size } = fstatSync(fd);
  const tail = Buffer.alloc(Math.min(size, MAX_ZIP_END_BYTES));
  readSync(fd, tail, 0, tail.length, size - tail.length);
  const end = findZipEndOffset(tail);
  return end === null ? size : size - tail.length + end;
}

/**
 * Reads a zip's directory in large blocks. yauzl alone would make two small reads for each entry, and a zip may have a
 * hundred thousand entries.
 */
class BlockReader extends yauzl.RandomAccessReader {
  #block = Buffer.alloc(0);
  #blockOffset = 0;

  constructor(private readonly descriptor: number) {
    super();
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (cause: Error | null, bytes?: number) => void,
  ): void {
    let bytes: Buffer;
    try {
      bytes = this.#readBytes(length, position);
    } catch (cause) {
      callback(cause as Error);
      return;
    }
    callback(null, bytes.copy(buffer, offset));
  }

  /** Returns the requested bytes, fewer at the end of the file. */
  #readBytes(length: number, position: number): Buffer {
    const isInBlock = position >= this.#blockOffset && position + length <= this.#blockOffset + this.#block.length;
    if (!isInBlock) {
      const block = Buffer.allocUnsafe(Math.max(length, BLOCK_BYTES));
      let filled = 0;
      for (let count = -1; count !== 0 && filled < block.length; filled += count)
        count = readSync(this.descriptor, block, filled, block.length - filled, position + filled);
      this.#block = block.subarray(0, filled);
      this.#blockOffset = position;
    }
    const offset = position - this.#blockOffset;
    return this.#block.subarray(offset, offset + length);
  }

  /** Releases the memory of the last block. */
  releaseBlock(): void {
    this.#block = Buffer.alloc(0);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(readChunks(this.descriptor, start, end), { objectMode: false });
  }

  override close(callback: (cause: Error | null) => void): void {
    close(this.descriptor, callback);
  }
}

const readAsync = promisify(read);

/**
 * Yields a range of the file in chunks. A file stream is not used, because it would close the descriptor at its end.
 */
async function* readChunks(fd: number, start: number, end: number): AsyncGenerator<Buffer> {
  for (let offset = start; offset < end; ) {
    const length = Math.min(BLOCK_BYTES, end - offset);
    const { bytesRead, buffer } = await readAsync(fd, Buffer.allocUnsafe(length), 0, length, offset);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    offset += bytesRead;
  }
}

function assertReadable(entry: Entry, makeError: (fault: string) => ArchiveError): void {
  if (entry.isEncrypted()) throw makeError('it is encrypted, which is not supported');
  if (entry.compressionMethod !== STORED_METHOD && entry.compressionMethod !== DEFLATED_METHOD)
    throw makeError(`it uses the unknown compression method ${entry.compressionMethod}`);
}

async function* streamMember(zip: ZipFile, entry: Entry, makeError: MemberErrorFactory): AsyncGenerator<Buffer> {
  assertReadable(entry, makeError);
  let checksum = 0;
  let bytes = 0;
  const chunks: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
  try {
    for await (const chunk of chunks) {
      checksum = crc32(chunk, checksum);
      bytes += chunk.length;
      yield chunk;
    }
  } catch (cause) {
    throw makeError(`it cannot be read: ${describeCause(cause)}`, cause);
  }
  if (bytes !== entry.uncompressedSize || checksum !== entry.crc32)
    throw makeError('it is damaged (wrong size or checksum)');
}

async function readMember(zip: ZipFile, fd: number, entry: Entry, makeError: MemberErrorFactory, maxBytes: number) {
  const byteCount = Math.max(entry.uncompressedSize, entry.compressedSize);
  if (byteCount > maxBytes) throw makeError(`it has ${byteCount} bytes, more than the allowed ${maxBytes}`);
  assertReadable(entry, makeError);
  let bytes: Buffer;
  try {
    // After the zip is closed, the system may reuse the descriptor for another file.
    if (!zip.isOpen) throw new Error('the archive is closed');
    // Reads synchronously, because a stream of small chunks would mostly wait.
    const start = findDataStart(fd, entry);
    const data = readInto(Buffer.allocUnsafe(entry.compressedSize), fd, start, createTruncatedError);
    bytes = entry.compressionMethod === STORED_METHOD ? data : inflate(data, entry.uncompressedSize, maxBytes);
  } catch (cause) {
    throw makeError(`it cannot be read: ${describeCause(cause)}`, cause);
  }
  if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32)
    throw makeError('it is damaged (wrong size or checksum)');
  return bytes;
}

const createTruncatedError = () => new Error('the zip is truncated');

/**
 * Returns the start of a member's data, which follows its local header. The lengths of names and extra fields may
 * differ between local header and directory.
 */
function findDataStart(fd: number, { relativeOffsetOfLocalHeader: start }: Entry): number {
  const header = readInto(Buffer.allocUnsafe(LOCAL_HEADER_BYTES), fd, start, createTruncatedError);
  if (header.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE)
    throw new Error('its header is not where the zip directory says');
  const [length, extraLength] = [header.readUInt16LE(NAME_LENGTH_OFFSET), header.readUInt16LE(EXTRA_LENGTH_OFFSET)];
  return start + LOCAL_HEADER_BYTES + length + extraLength;
}

/**
 * Inflates in a single call, which is twice as fast as a stream. The output has one spare byte, so that a member larger
 * than the directory states is detected.
 */
const inflate = (compressed: Buffer, declared: number, maxBytes: number): Buffer =>
  inflateRawSync(compressed, { maxOutputLength: maxBytes, chunkSize: Math.max(declared + 1, MIN_CHUNK_BYTES) });

/** Length in bytes of a zip's end-of-central-directory record without its comment of up to 0xffff bytes. */
const END_RECORD_LENGTH = 22;
const END_RECORD_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');

/**
 * Number of bytes to read at the end of a zip to find its end-of-central-directory record: enough for a comment and
 * zeros of up to 64 KB together.
 */
export const MAX_ZIP_END_BYTES = END_RECORD_LENGTH + 0xffff;

/**
 * Returns the number of bytes from the start of `tail` to the end of the end-of-central-directory record. Null if the
 * tail has no such record, or if bytes other than zeros follow the record. Some copies of filings' zips are padded with
 * zeros.
 */
export function findZipEndOffset(tail: Buffer): number | null {
  for (
    let start = tail.lastIndexOf(END_RECORD_SIGNATURE);
    start >= 0;
    start = start === 0 ? -1 : tail.lastIndexOf(END_RECORD_SIGNATURE, start - 1)
  ) {
    if (start + END_RECORD_LENGTH > tail.length) continue;
    const end = start + END_RECORD_LENGTH + tail.readUInt16LE(start + 20);
    if (end <= tail.length && tail.subarray(end).every((byte) => byte === 0)) return end;
  }
  return null;
}
