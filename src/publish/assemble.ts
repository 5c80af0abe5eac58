/**
 * Assembles the files of a release in a directory: links files that are also in local releases, copies equal pieces of
 * local files, and requests all other pieces. An interrupted pull continues with the files already in the directory.
 */
import { constants } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissingPathError } from '../platform/files/system-error.ts';
import { parseJson } from '../platform/json-object.ts';
import { runWorkers } from '../platform/workers/gate.ts';
import { type FilePieces, MAX_PIECE_BYTES, type PublishedFile, type parsePieces } from './format.ts';
import type { LocalPiece, Piece, PieceToCopy } from './pieces.ts';
import { hashFile, hashPieces, listPieces, planCopiesAndRequests, readAt, writeAt } from './pieces.ts';
import type { PulledRelease } from './pulled-release.ts';

export interface LocalFiles {
  readonly directory: string;
  /** Piece lengths by file. Null if all files are complete: their pieces are then determined from their content. */
  readonly lengths: ReadonlyMap<string, readonly number[]> | null;
}

interface Assembly {
  readonly remote: PulledRelease;
  readonly files: readonly PublishedFile[];
  readonly directory: string;
  /** Directories to copy from, in order of preference. */
  readonly sources: readonly LocalFiles[];
  /** Returns the pieces of files, and which pieces are packed. Called only if files must be fetched. */
  pieces(): Promise<ReturnType<typeof parsePieces>>;
  /** Compressed size of the packed pieces. */
  readonly packedBytes: number;
  /** Fetches the packed pieces; resolves to the path of a file with the unpacked pieces. */
  unpack(): Promise<string>;
  readonly signal: AbortSignal;
  report(event: AssemblyEvent): void;
}

export type AssemblyEvent =
  /** Number of files to complete, by copying or fetching their missing pieces. */
  | { readonly type: 'planned'; readonly files: number }
  /** Number of the file's bytes that are already on disk (`from`), and the size of the file (`total`). */
  | { readonly type: 'started'; readonly file: string; readonly from: number; readonly total: number }
  | { readonly type: 'finished'; readonly file: string };

/** Number of files fetched in parallel, with one request at a time per file. */
const WORKER_COUNT = 4;

/**
 * Assembles the files. Throws a Failure if the host sends bytes that differ from the published ones, and errors of the
 * system. Files that were completed before an error remain.
 */
export async function assembleFiles(assembly: Assembly): Promise<void> {
  const { files, directory, signal, report } = assembly;
  const folders = new Set(files.map(({ path }) => dirname(join(directory, path))));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  await removeUnwantedFiles(directory, files);
  const newFiles: PublishedFile[] = [];
  for (const file of files) if (!(await linkFromLocalRelease(file, assembly))) newFiles.push(file);
  if (newFiles.length === 0) return;
  const { files: divided, packed } = await assembly.pieces();
  const undivided = newFiles.find(({ path, bytes }) => bytes > MAX_PIECE_BYTES && !divided.has(path));
  if (undivided !== undefined)
    throw assembly.remote.contradictionFailure(`the list of pieces of ${undivided.path} is missing`);
  const piecesOf = (file: PublishedFile) => listPieces(file, divided.get(file.path));
  report({ type: 'planned', files: newFiles.length });
  const unpacked = packed === null ? new Map() : await unpackNeededPieces(newFiles.map(piecesOf), packed, assembly);
  await runWorkers(WORKER_COUNT, newFiles, async (file) => {
    signal.throwIfAborted();
    await completeFile(file, piecesOf(file), unpacked, assembly);
    report({ type: 'finished', file: file.path });
  });
}

/**
 * Returns the packed pieces that the files need, by content. Empty if fetching these pieces separately takes no more
 * bytes than the packed file.
 */
async function unpackNeededPieces(
  lists: Iterable<readonly Piece[]>,
  packed: Pick<FilePieces, 'lengths' | 'hashes'>,
  { packedBytes, unpack }: Assembly,
): Promise<ReadonlyMap<string, LocalPiece>> {
  const pieces = listPieces({ bytes: 0, sha256: '' }, packed);
  const contents = new Set(pieces.map(makeContentKey));
  const neededKeys = new Set<string>();
  for (const list of lists) {
    for (const key of list.map(makeContentKey)) if (contents.has(key)) neededKeys.add(key);
  }
  const neededPieces = pieces.filter((piece) => neededKeys.has(makeContentKey(piece)));
  if (neededPieces.reduce((sum, { length }) => sum + length, 0) <= packedBytes) return new Map();
  const file = await unpack();
  return new Map(neededPieces.map((piece) => [makeContentKey(piece), { file, offset: piece.offset }]));
}

/** Removes files of an earlier, interrupted pull that this pull does not need. */
async function removeUnwantedFiles(directory: string, files: readonly PublishedFile[]): Promise<void> {
  const paths = new Set(files.map(({ path }) => join(directory, path)));
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isDirectory() && !paths.has(path)) await rm(path);
  }
}

/**
 * Returns whether a file is complete. If it is not, first tries to replace it with a link to an equal file of a local
 * release.
 */
async function linkFromLocalRelease(file: PublishedFile, { directory, sources, signal }: Assembly): Promise<boolean> {
  const path = join(directory, file.path);
  if (await hasContent(path, file, signal)) return true;
  for (const source of sources) {
    const localFile = join(source.directory, file.path);
    if (!(await hasContent(localFile, file, signal))) continue;
    await rm(path, { force: true });
    // If linking fails, the pieces of the file are copied instead.
    const linking = link(localFile, path).then(() => true);
    if (await linking.catch(() => false)) return true;
  }
  return false;
}

const hasContent = async (path: string, { bytes, sha256 }: PublishedFile, signal: AbortSignal): Promise<boolean> =>
  (await statRegularFile(path))?.size === bytes && (await hashFile(path, signal)) === sha256;

/** Completes a file by copying or fetching its missing pieces. */
async function completeFile(
  file: PublishedFile,
  pieces: readonly Piece[],
  unpacked: ReadonlyMap<string, LocalPiece>,
  assembly: Assembly,
): Promise<void> {
  const { remote, directory, sources, signal, report } = assembly;
  const path = join(directory, file.path);
  const stats = await statRegularFile(path);
  // A hard-linked file also belongs to another release, so it must not be written to.
  const isLinked = (stats?.nlink ?? 0) > 1;
  if (isLinked) await rm(path);
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o666);
  try {
    await handle.truncate(file.bytes);
    const lengths = pieces.map(({ length }) => length);
    const isNew = stats === null || isLinked;
    const presentKeys = new Set(isNew ? [] : (await hashPieces(path, lengths, signal)).map(makePieceKey));
    const isPresent = (piece: Piece) => presentKeys.has(makePieceKey(piece));
    const missingPieces = pieces.filter((piece) => !isPresent(piece));
    const localByContent = await findLocalPieces(file.path, missingPieces, sources, signal);
    const { copies, spans } = planCopiesAndRequests(
      pieces,
      isPresent,
      (piece) => localByContent.get(makeContentKey(piece)) ?? unpacked.get(makeContentKey(piece)),
    );
    const missingBytes = spans.flat().reduce((sum, { length }) => sum + length, 0);
    report({ type: 'started', file: file.path, from: file.bytes - missingBytes, total: file.bytes });
    await copyPieces(copies, handle, signal);
    for (const span of spans)
      if (await remote.transfer.fetchSpan(remote.pointer.stamp, file, pieces, span, handle)) break;
    await handle.sync();
  } finally {
    await handle.close();
  }
  if ((await hashFile(path, signal)) === file.sha256) return;
  await rm(path, { force: true });
  throw remote.contradictionFailure(`the pieces of ${file.path} do not match the hash of the file`);
}

const makePieceKey = ({ offset, hash }: Piece) => `${offset} ${hash}`;
const makeContentKey = ({ length, hash }: Piece) => `${length} ${hash}`;

/** Returns those of the pieces that local files with this path contain, by content. */
async function findLocalPieces(
  path: string,
  pieces: readonly Piece[],
  sources: readonly LocalFiles[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, LocalPiece>> {
  const keys = new Set(pieces.map(makeContentKey));
  const byContent = new Map<string, LocalPiece>();
  for (const { directory, lengths } of sources) {
    const file = join(directory, path);
    if (keys.size === 0 || (await statRegularFile(file)) === null) continue;
    for (const piece of await hashPieces(file, lengths === null ? null : (lengths.get(path) ?? []), signal)) {
      if (keys.delete(makeContentKey(piece))) byContent.set(makeContentKey(piece), { file, offset: piece.offset });
    }
  }
  return byContent;
}

async function copyPieces(copies: readonly PieceToCopy[], target: FileHandle, signal: AbortSignal): Promise<void> {
  const handles = new Map<string, FileHandle>();
  try {
    for (const { file, offset, targetPiece: piece } of copies) {
      signal.throwIfAborted();
      const source = handles.get(file) ?? (await open(file, 'r'));
      handles.set(file, source);
      const bytes = await readAt(source, offset, piece.length);
      await writeAt(target, piece.offset, bytes);
    }
  } finally {
    for (const handle of handles.values()) await handle.close();
  }
}

/** Returns piece lengths by file from a saved list of pieces; empty if the list is missing or unreadable. */
export async function readPieceLengths(file: string): Promise<ReadonlyMap<string, readonly number[]>> {
  try {
    const { files } = parseJson(await readFile(file, 'utf8')) as { files: readonly FilePieces[] };
    return new Map(files.map(({ path, lengths }) => [path, lengths]));
  } catch {
    return new Map();
  }
}

/** Returns the status of a regular file; null if the path is missing or not a regular file. */
async function statRegularFile(path: string) {
  const stats = await stat(path).catch((error) => {
    if (isMissingPathError(error)) return null;
    throw error;
  });
  return stats?.isFile() === true ? stats : null;
}
