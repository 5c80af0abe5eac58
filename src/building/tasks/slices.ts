/**
 * Files that tasks write for later tasks, divided into groups such as the companies of a shard. A later task receives
 * slices: ranges of these files with a hash of their bytes, so that cache keys depend on content and not on paths.
 */

import { hash } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { Failure } from '../../contract/failure.ts';
import { pushTo } from '../../platform/collections.ts';
import { readInto } from '../../platform/files/regular-file.ts';
import { explainWriteErrors, readErrorCode } from '../../platform/files/system-error.ts';

/** A range of bytes in a file. */
export interface Slice {
  readonly path: string;
  readonly from: number;
  readonly length: number;
  readonly sha256: string;
}

/** A slice of a task's output file, and its group. The slices of a group are read in order. */
interface GroupSlice extends Omit<Slice, 'path'> {
  readonly group: string;
}

/** The output file of a task. */
export interface TaskOutput {
  readonly path: string;
  readonly pieces: readonly GroupSlice[];
}

const BUFFER_BYTES = 32 * 1024;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const MAX_BYTES_PER_CODE_UNIT = 3;

/** Bytes of a group that are not yet written to the file. */
interface GroupBuffer {
  readonly bytes: Buffer;
  length: number;
}

/** Writes an output file, with one buffer per group. */
export class SliceWriter {
  readonly #descriptor: number;
  readonly #bufferByGroup = new Map<string, GroupBuffer>();
  readonly #pieces: GroupSlice[] = [];
  #fileLength = 0;

  constructor(private readonly path: string) {
    this.#descriptor = explainWriteErrors(`The file ${path}`, () => openSync(path, 'wx'));
  }

  /** Appends text or bytes to a group. */
  add(group: string, content: string | Uint8Array): void {
    const isText = typeof content === 'string';
    const maxBytes = isText ? content.length * MAX_BYTES_PER_CODE_UNIT : content.length;
    const buffer = this.#getBuffer(group, maxBytes);
    if (maxBytes > BUFFER_BYTES) this.#write(group, isText ? Buffer.from(content) : content);
    else if (isText) buffer.length += buffer.bytes.write(content, buffer.length);
    else {
      buffer.bytes.set(content, buffer.length);
      buffer.length += content.length;
    }
  }

  /**
   * Writes text immediately as a separate slice. Used for many groups with little text each, which would need too many
   * buffers.
   */
  addWholeText(group: string, text: string): void {
    this.#write(group, Buffer.from(text));
  }

  /**
   * Returns the group's buffer with at least `length` free bytes, or an empty buffer if `length` exceeds its size.
   * Flushes the buffer if necessary.
   */
  #getBuffer(group: string, length: number): GroupBuffer {
    let buffer = this.#bufferByGroup.get(group);
    if (buffer === undefined) {
      buffer = { bytes: Buffer.allocUnsafeSlow(BUFFER_BYTES), length: 0 };
      this.#bufferByGroup.set(group, buffer);
    }
    if (buffer.length + length > BUFFER_BYTES) {
      this.#write(group, buffer.bytes.subarray(0, buffer.length));
      buffer.length = 0;
    }
    return buffer;
  }

  finish(): TaskOutput {
    for (const [group, { bytes, length }] of this.#bufferByGroup) this.#write(group, bytes.subarray(0, length));
    this.close();
    return { path: this.path, pieces: this.#pieces };
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #write(group: string, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    explainWriteErrors(`The file ${this.path}`, () => {
      for (let count = 0; count < bytes.length; ) count += writeSync(this.#descriptor, bytes, count);
    });
    this.#pieces.push({ group, from: this.#fileLength, length: bytes.length, sha256: computeHash(bytes) });
    this.#fileLength += bytes.length;
  }
}

/**
 * Thrown if a task's output file is missing or damaged. The build is repeated, and verifies all cached output files.
 */
export class DamagedSliceFailure extends Failure {
  constructor(readonly path: string) {
    super('data', `The temporary file ${path} is missing or was changed during the build.`, {
      hint: 'Check the disk, and that no other program removes files there. Then build again.',
    });
  }
}

const computeHash = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex');

/** Whether the file has the original size. Throws file system errors. */
export const hasExpectedSize = ({ path, pieces }: TaskOutput): boolean =>
  statSync(path).size === pieces.reduce((sum, { length }) => sum + length, 0);

/** Whether the file has the original content. Throws file system errors. */
export function hasExpectedHash({ path, pieces }: TaskOutput): boolean {
  const bytes = readFileSync(path);
  return pieces.every(({ from, length, sha256 }) => computeHash(bytes.subarray(from, from + length)) === sha256);
}

/** Slices by group, in the order in which their files were added. */
export class SliceIndex {
  readonly #slicesByGroup = new Map<string, Slice[]>();

  add({ path, pieces }: TaskOutput): void {
    for (const { group, from, length, sha256 } of pieces)
      pushTo(this.#slicesByGroup, group, { path, from, length, sha256 });
  }

  get groups(): string[] {
    return [...this.#slicesByGroup.keys()];
  }

  getSlices(group: string): readonly Slice[] {
    return this.#slicesByGroup.get(group) ?? [];
  }

  /** Returns the slices of the groups whose names are this name and a number, by ascending number. */
  getNumberedSlices(name: string): readonly { readonly number: number; readonly slices: readonly Slice[] }[] {
    const numbers = this.groups
      .filter((group) => group.startsWith(`${name} `))
      .map((group) => Number(group.slice(name.length)));
    return numbers.sort((a, b) => a - b).map((number) => ({ number, slices: this.getSlices(`${name} ${number}`) }));
  }
}

/** Returns the concatenated text of slices. Throws DamagedSliceFailure. */
export const readSlices = (slices: readonly Slice[]): string => readSliceBytes(slices).toString('utf8');

/** Returns the concatenated bytes of slices. Throws DamagedSliceFailure. */
export function readSliceBytes(slices: readonly Slice[]): Buffer {
  const bytes = Buffer.allocUnsafe(slices.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const { path, from, length, sha256 } of slices) {
    const part = bytes.subarray(offset, offset + length);
    const fd = openOutputFile(path);
    try {
      readInto(part, fd, from, () => new DamagedSliceFailure(path));
    } finally {
      closeSync(fd);
    }
    if (computeHash(part) !== sha256) throw new DamagedSliceFailure(path);
    offset += length;
  }
  return bytes;
}

const NEWLINE_BYTE = 0x0a;

/** Yields the JSON values in the lines of slices. Throws DamagedSliceFailure. */
export function* readJsonLines<Value>(slices: readonly Slice[]): Generator<Value> {
  const bytes = readSliceBytes(slices);
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE_BYTE, start);
    yield JSON.parse(bytes.toString('utf8', start, end)) as Value;
    start = end + 1;
  }
}

/**
 * Opens an output file. Throws DamagedSliceFailure if the user or another build has removed the file from the cache.
 */
function openOutputFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw readErrorCode(cause) === 'ENOENT' ? new DamagedSliceFailure(path) : cause;
  }
}

/** Writes a value that many tasks read with `readSharedValue`. */
export function writeSharedValue(path: string, value: unknown): Slice {
  const bytes = Buffer.from(JSON.stringify(value));
  explainWriteErrors(`The file ${path}`, () => writeFileSync(path, bytes, { flag: 'wx' }));
  return { path, from: 0, length: bytes.length, sha256: computeHash(bytes) };
}

/**
 * Maximum number of shared values in memory. More than one, because a worker alternates between tasks of a few kinds,
 * each with its own shared value.
 */
const MAX_CACHED_SHARED_VALUES = 5;
const convertedByHash = new Map<string, unknown>();

/** Returns the result of `convert` for a shared value; cached for later tasks with the same value. */
export function readSharedValue<Value, Result>(slice: Slice, convert: (value: Value) => Result): Result {
  const cached = convertedByHash.get(slice.sha256);
  const result = cached === undefined ? convert(JSON.parse(readSlices([slice])) as Value) : (cached as Result);
  convertedByHash.delete(slice.sha256);
  convertedByHash.set(slice.sha256, result);
  const [oldest] = convertedByHash.keys();
  if (convertedByHash.size > MAX_CACHED_SHARED_VALUES && oldest !== undefined) convertedByHash.delete(oldest);
  return result;
}

/** Returns a task as text for its cache key: slices are represented by their hashes, without paths. */
export const serializeTask = (task: unknown): string =>
  JSON.stringify(task, (key, value: unknown) => (key === 'path' ? undefined : isSlice(value) ? value.sha256 : value));

const isSlice = (item: unknown): item is Slice => typeof item === 'object' && item !== null && 'sha256' in item;
