/**
 * Divides files into pieces that a later release is likely to contain unchanged, such as the row groups of a Parquet
 * file. A pull copies equal pieces from local releases, requests the others, and resumes piece by piece.
 */
import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { parseRowGroupBounds } from '../store/parquet/read/row-group-bounds.ts';
import { computeMaxPieces, type FileIdentity, type FilePieces, MAX_PIECE_BYTES, PIECE_HASH_DIGITS } from './format.ts';

/** Minimum size of files that are divided. */
const MIN_DIVIDED_BYTES = 128 * 1024;
/**
 * Length of the pieces into which a row group or other part above {@link MAX_PIECE_BYTES} is cut; short, so that an
 * interrupted pull loses little.
 */
const CUT_PIECE_BYTES = 4 * 1024 * 1024;

interface MeasuredFile extends FileIdentity {
  /** The pieces of the file; null if the file is not divided. */
  readonly pieces: Omit<FilePieces, 'path'> | null;
}

export interface Piece {
  readonly offset: number;
  readonly length: number;
  readonly hash: string;
}

export const hashPiece = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex').slice(0, PIECE_HASH_DIGITS);

/** Returns the pieces of a published file; the whole file as one piece if it is not divided. */
export function listPieces(file: FileIdentity, division: Pick<FilePieces, 'lengths' | 'hashes'> | undefined): Piece[] {
  const { lengths, hashes } = division ?? { lengths: [file.bytes], hashes: file.sha256.slice(0, PIECE_HASH_DIGITS) };
  let offset = 0;
  return lengths.map((length, index) => {
    const hashStart = index * PIECE_HASH_DIGITS;
    const piece = { offset, length, hash: hashes.slice(hashStart, hashStart + PIECE_HASH_DIGITS) };
    offset += length;
    return piece;
  });
}

/** Returns the size, hash and pieces of a file. Throws the system's error, and the signal's reason. */
export async function measureFile(path: string, signal: AbortSignal): Promise<MeasuredFile> {
  const fileHash = createHash('sha256');
  const lengths: number[] = [];
  const hashes: string[] = [];
  const size = await readPieces(path, null, signal, ({ hash }, bytes) => {
    fileHash.update(bytes);
    lengths.push(bytes.length);
    hashes.push(hash);
  });
  const pieces = lengths.length > 1 ? { lengths, hashes: hashes.join('') } : null;
  return { bytes: size, sha256: fileHash.digest('hex'), pieces };
}

const READ_BUFFER_BYTES = 1024 * 1024;
/** Minimum size of a piece that is worth packing. */
const MIN_PACKED_BYTES = 2048;

/**
 * Returns the part of a file that differs in every release and compresses well: of a divided file, the last piece (a
 * table's footer); of other files except tables, the whole file. Null if the part is too small to be worth packing, or
 * larger than MAX_PIECE_BYTES.
 */
export async function readPackablePart(path: string, { bytes, pieces }: MeasuredFile): Promise<Buffer | null> {
  const part = pieces === null && !path.endsWith('.parquet') ? bytes : (pieces?.lengths.at(-1) ?? 0);
  if (part < MIN_PACKED_BYTES || part > MAX_PIECE_BYTES) return null;
  const file = await open(path, 'r');
  try {
    return await readAt(file, bytes - part, part);
  } finally {
    await file.close();
  }
}

/** Returns the SHA-256 of a file, in hex. Throws the signal's reason, unlike a stream with the signal. */
export async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const fileHash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BUFFER_BYTES })) {
    signal.throwIfAborted();
    fileHash.update(chunk as Buffer);
  }
  return fileHash.digest('hex');
}

/**
 * Returns the pieces of a local file. Omits an incomplete last piece.
 * @param sizes piece lengths; null if the content of the file determines the pieces
 */
export async function hashPieces(path: string, sizes: readonly number[] | null, signal: AbortSignal): Promise<Piece[]> {
  const pieces: Piece[] = [];
  await readPieces(path, sizes, signal, (piece) => pieces.push(piece));
  return pieces;
}

/** Reads the complete pieces of a file, which may end within a piece; returns the size of the file. */
async function readPieces(
  path: string,
  sizes: readonly number[] | null,
  signal: AbortSignal,
  onPiece: (piece: Piece, bytes: Buffer) => void,
): Promise<number> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    let offset = 0;
    for (const length of sizes ?? (await divideFile(file, path, size))) {
      signal.throwIfAborted();
      const bytes = await readAt(file, offset, length);
      if (bytes.length < length) break;
      onPiece({ offset, length, hash: hashPiece(bytes) }, bytes);
      offset += length;
    }
    return size;
  } finally {
    await file.close();
  }
}

export async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let bytesRead = 0;
  for (let count = -1; count !== 0 && bytesRead < length; bytesRead += count)
    count = (await file.read(bytes, bytesRead, length - bytesRead, offset + bytesRead)).bytesRead;
  return bytes.subarray(0, bytesRead);
}

/** Writes all bytes at an offset: a single write may be short, for example on a nearly full disk. */
export async function writeAt(file: FileHandle, offset: number, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; )
    written += (await file.write(bytes, written, bytes.length - written, offset + written)).bytesWritten;
}

/** Returns the lengths of a file's pieces. */
async function divideFile(file: FileHandle, path: string, size: number): Promise<number[]> {
  if (size < MIN_DIVIDED_BYTES) return [size];
  const bounds = path.endsWith('.parquet') ? await readRowGroupBounds(file, size) : [];
  const sorted = [...new Set([0, ...bounds, size])].sort((a, b) => a - b);
  return sorted.slice(1).flatMap((end, index) => cutIfLong(end - (sorted[index] ?? 0)));
}

function cutIfLong(length: number): number[] {
  if (length <= MAX_PIECE_BYTES) return [length];
  const fullCount = Math.floor(length / CUT_PIECE_BYTES);
  const restBytes = length - fullCount * CUT_PIECE_BYTES;
  return [...Array<number>(fullCount).fill(CUT_PIECE_BYTES), ...(restBytes === 0 ? [] : [restBytes])];
}

const PARQUET_TAIL_BYTES = 8;

/**
 * Returns the row group boundaries in the footer; empty if the footer is unreadable or has too many row groups: the
 * file is then cut by size.
 */
async function readRowGroupBounds(file: FileHandle, size: number): Promise<number[]> {
  const tail = await readAt(file, size - PARQUET_TAIL_BYTES, PARQUET_TAIL_BYTES);
  const length = tail.length === PARQUET_TAIL_BYTES ? tail.readUInt32LE() + PARQUET_TAIL_BYTES : 0;
  if (tail.toString('latin1', 4) !== 'PAR1' || length > size) return [];
  const footer = await readAt(file, size - length, length - PARQUET_TAIL_BYTES);
  try {
    const bounds = parseRowGroupBounds(footer).filter((end) => Number.isSafeInteger(end) && end > 0 && end < size);
    return bounds.length < computeMaxPieces(size) ? bounds : [];
  } catch {
    return [];
  }
}

export interface LocalPiece {
  readonly file: string;
  readonly offset: number;
}

export interface PieceToCopy extends LocalPiece {
  readonly targetPiece: Piece;
}

/** Consecutive pieces that are requested together. */
export type PieceSpan = readonly [first: Piece, ...rest: Piece[]];

/**
 * Maximum gap between two pieces of one request. Requesting the bytes of such a gap, too, costs less than a second
 * request.
 */
const MAX_GAP_BYTES = 16 * 1024;

/**
 * Returns the pieces to copy, and the spans of pieces to request.
 * @param pieces all pieces of the file, in order
 * @param isPresent whether the target file already has a piece
 * @param findLocal returns a local piece with the same content, or undefined
 * @param maxGap maximum gap within a span
 */
export function planCopiesAndRequests(
  pieces: readonly Piece[],
  isPresent: (piece: Piece) => boolean,
  findLocal: (piece: Piece) => LocalPiece | undefined,
  maxGap = MAX_GAP_BYTES,
): { readonly copies: readonly PieceToCopy[]; readonly spans: readonly PieceSpan[] } {
  const copies: PieceToCopy[] = [];
  const spans: [Piece, ...Piece[]][] = [];
  /**
   * Pieces after the last span that are present or local. A short gap is requested anyway, so that the next missing
   * piece joins the span.
   */
  let gapPieces: Piece[] = [];
  for (const piece of pieces) {
    const localPiece = isPresent(piece) ? null : findLocal(piece);
    if (localPiece !== undefined) {
      if (localPiece !== null) copies.push({ ...localPiece, targetPiece: piece });
      gapPieces.push(piece);
      continue;
    }
    const lastSpan = spans.at(-1);
    const gapBytes = gapPieces.reduce((sum, { length }) => sum + length, 0);
    if (lastSpan === undefined || gapBytes > maxGap) spans.push([piece]);
    else lastSpan.push(...gapPieces, piece);
    gapPieces = [];
  }
  return { copies, spans };
}

export const findSpanStart = ([first]: PieceSpan): number => first.offset;

export function findSpanEnd(span: PieceSpan): number {
  const lastPiece = span.at(-1) ?? span[0];
  return lastPiece.offset + lastPiece.length;
}
