/**
 * Assembles the files of a release in a directory: links files that are also in local releases, copies equal pieces of
 * local files, and requests all other pieces. An interrupted pull continues with the files already in the directory.
 */
import { constants } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseJson } from '../platform/json-object.ts';
import { isMissingPathError } from '../platform/system-error.ts';
import { runWorkers } from '../platform/workers/run-workers.ts';
import { type FilePieces, MAX_PIECE_BYTES, type PublishedFile, type parsePieces } from './format.ts';
import { hashFile, hashLocalPieces, listPieces, type Piece, readAt, writeAt } from './pieces.ts';
import { type LocalPiece, type PieceToCopy, planCopiesAndRequests } from './plan.ts';
import type { PulledRelease } from './pulled-release.ts';

/** A local directory with files to copy from. */
export interface LocalFiles {
  readonly directory: string;
  /** Piece lengths by file. Null if all files are complete: their pieces are then determined from their content. */
  readonly lengths: ReadonlyMap<string, readonly number[]> | null;
}

export interface Assembly {
  readonly remote: PulledRelease;
  readonly files: readonly PublishedFile[];
  /** The destination directory. */
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
  const missingFiles: PublishedFile[] = [];
  for (const file of files) if (!(await linkFromLocalRelease(file, assembly))) missingFiles.push(file);
  if (missingFiles.length === 0) return;
  const { files: dividedFiles, packed } = await assembly.pieces();
  const undividedFile = missingFiles.find(({ path, bytes }) => bytes > MAX_PIECE_BYTES && !dividedFiles.has(path));
  if (undividedFile !== undefined)
    throw assembly.remote.contradictionFailure(`the list of pieces of ${undividedFile.path} is missing`);
  const listPiecesIn = (file: PublishedFile) => listPieces(file, dividedFiles.get(file.path));
  report({ type: 'planned', files: missingFiles.length });
  const unpackedPieceByContent =
    packed === null ? new Map() : await unpackNeededPieces(missingFiles.map(listPiecesIn), packed, assembly);
  await runWorkers(WORKER_COUNT, missingFiles, async (file) => {
    signal.throwIfAborted();
    await completeFile(file, listPiecesIn(file), unpackedPieceByContent, assembly);
    report({ type: 'finished', file: file.path });
  });
}

/**
 * Returns the packed pieces that the files need, by content. Empty if fetching these pieces separately takes no more
 * bytes than the packed file.
 */
async function unpackNeededPieces(
  piecesOfFiles: Iterable<readonly Piece[]>,
  packed: Pick<FilePieces, 'lengths' | 'hashes'>,
  { packedBytes, unpack }: Assembly,
): Promise<ReadonlyMap<string, LocalPiece>> {
  const packedPieces = listPieces({ bytes: 0, sha256: '' }, packed);
  const packedContentKeys = new Set(packedPieces.map(makeContentKey));
  const wantedContentKeys = new Set<string>();
  for (const pieces of piecesOfFiles) {
    for (const contentKey of pieces.map(makeContentKey))
      if (packedContentKeys.has(contentKey)) wantedContentKeys.add(contentKey);
  }
  const wantedPieces = packedPieces.filter((piece) => wantedContentKeys.has(makeContentKey(piece)));
  if (wantedPieces.reduce((sum, { length }) => sum + length, 0) <= packedBytes) return new Map();
  const file = await unpack();
  return new Map(wantedPieces.map((piece) => [makeContentKey(piece), { file, offset: piece.offset }]));
}

/** Removes files of an earlier, interrupted pull that this pull does not need. */
async function removeUnwantedFiles(directory: string, files: readonly PublishedFile[]): Promise<void> {
  const wantedPaths = new Set(files.map(({ path }) => join(directory, path)));
  for (const directoryEntry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(directoryEntry.parentPath, directoryEntry.name);
    if (!directoryEntry.isDirectory() && !wantedPaths.has(path)) await rm(path);
  }
}

/**
 * Returns whether a file is complete. If it is not, first tries to replace it with a link to an equal file of a local
 * release.
 */
async function linkFromLocalRelease(file: PublishedFile, { directory, sources, signal }: Assembly): Promise<boolean> {
  const path = join(directory, file.path);
  if (await hasPublishedContent(path, file, signal)) return true;
  for (const source of sources) {
    const sourcePath = join(source.directory, file.path);
    if (!(await hasPublishedContent(sourcePath, file, signal))) continue;
    await rm(path, { force: true });
    // If linking fails, the pieces of the file are copied instead.
    if (
      await link(sourcePath, path).then(
        () => true,
        () => false,
      )
    )
      return true;
  }
  return false;
}

/** Whether a local file has the size and hash of the published file. */
async function hasPublishedContent(
  path: string,
  { bytes, sha256 }: PublishedFile,
  signal: AbortSignal,
): Promise<boolean> {
  return (await statRegularFile(path))?.size === bytes && (await hashFile(path, signal)) === sha256;
}

/** Completes a file by copying or fetching its missing pieces. */
async function completeFile(
  file: PublishedFile,
  pieces: readonly Piece[],
  unpackedPieces: ReadonlyMap<string, LocalPiece>,
  assembly: Assembly,
): Promise<void> {
  const { remote, directory, sources, signal, report } = assembly;
  const path = join(directory, file.path);
  const existingStats = await statRegularFile(path);
  // A hard-linked file also belongs to another release, so it must not be written to.
  const isHardLinked = (existingStats?.nlink ?? 0) > 1;
  if (isHardLinked) await rm(path);
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o666);
  try {
    await handle.truncate(file.bytes);
    const pieceLengths = pieces.map(({ length }) => length);
    const isNew = existingStats === null || isHardLinked;
    const presentPieceKeys = new Set(
      isNew ? [] : (await hashLocalPieces(path, pieceLengths, signal)).map(makePieceKey),
    );
    const isPresent = (piece: Piece) => presentPieceKeys.has(makePieceKey(piece));
    const localPieceByContent = await findLocalPieces(
      file.path,
      pieces.filter((piece) => !isPresent(piece)),
      sources,
      signal,
    );
    const { copies, spans } = planCopiesAndRequests(
      pieces,
      isPresent,
      (piece) => localPieceByContent.get(makeContentKey(piece)) ?? unpackedPieces.get(makeContentKey(piece)),
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

/** Finds the wanted pieces in local files with this path; returns them by content. */
async function findLocalPieces(
  path: string,
  wantedPieces: readonly Piece[],
  sources: readonly LocalFiles[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, LocalPiece>> {
  const missingContentKeys = new Set(wantedPieces.map(makeContentKey));
  const foundPieceByContent = new Map<string, LocalPiece>();
  for (const { directory, lengths } of sources) {
    const file = join(directory, path);
    if (missingContentKeys.size === 0 || (await statRegularFile(file)) === null) continue;
    for (const piece of await hashLocalPieces(file, lengths === null ? null : (lengths.get(path) ?? []), signal)) {
      if (missingContentKeys.delete(makeContentKey(piece)))
        foundPieceByContent.set(makeContentKey(piece), { file, offset: piece.offset });
    }
  }
  return foundPieceByContent;
}

async function copyPieces(copies: readonly PieceToCopy[], target: FileHandle, signal: AbortSignal): Promise<void> {
  const handleByPath = new Map<string, FileHandle>();
  try {
    for (const { file, offset, targetPiece: piece } of copies) {
      signal.throwIfAborted();
      const sourceHandle = handleByPath.get(file) ?? (await open(file, 'r'));
      handleByPath.set(file, sourceHandle);
      const bytes = await readAt(sourceHandle, offset, piece.length);
      await writeAt(target, piece.offset, bytes);
    }
  } finally {
    for (const handle of handleByPath.values()) await handle.close();
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
