/**
 * Publishes a release to a directory that a static host can serve. Files are first written to a temporary directory,
 * which is then renamed to the release's stamp (its date and hash); the pointer, a file that names the latest release,
 * is replaced last.
 */

import { hash, type KeyObject } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants as zlib } from 'node:zlib';
import { Failure } from '../contract/failure.ts';
import { findAnalyticsFaults } from '../export/analytics-manifest.ts';
import { syncDirectory, writeDurably } from '../platform/files/atomic-write.ts';
import { readRegularFile } from '../platform/files/regular-file.ts';
import { isMissingPathError, readErrorCode } from '../platform/files/system-error.ts';
import { isSafePath } from '../platform/safe-path.ts';
import { listStamps } from '../store/releases/home.ts';
import { MANIFEST_FILE, type Manifest, readManifest } from '../store/releases/manifest.ts';
import { keepTouching, makeStagingDirectory } from '../store/releases/staging.ts';
import { describeRowGroups } from './describe-row-groups.ts';
import type { FileList, FilePieces, PublishedFile, ReleasePointer } from './format.ts';
import {
  encodeSignedFields,
  FILE_LIST_FILE,
  FormatError,
  MAX_BYTES_BY_FILE,
  MAX_UNPACKED_BYTES,
  PACKED_FILE,
  PIECES_FILE,
  POINTER_FILE,
  PUBLISHED_FORMAT,
  parsePointer,
  parseReleasePointers,
  RELEASES_FILE,
  serializePublishedFile,
} from './format.ts';
import { hashPiece, measureFile, readPackablePart } from './pieces.ts';
import { ROW_GROUPS_FILE } from './release-index.ts';
import { signPointer } from './signing.ts';

export interface PublishReport {
  readonly stamp: string;
  readonly state: 'published' | 'unchanged' | 'replaced_damaged';
  readonly root: string;
  readonly files: number;
  readonly bytes: number;
  /** Number of published files that are hard links to files of the local release. */
  readonly linked: number;
  /** Id of the key that signed the name of the current release; null if it is unsigned. */
  readonly signedWith: string | null;
  /** The release that was published before this one; null if there was none, or if it was this release. */
  readonly before: { readonly stamp: string; readonly signedWith: string | null } | null;
  readonly pruned: readonly string[];
}

/**
 * The window is the largest that every Brotli decoder supports. A higher quality would take ten times as long and save
 * only a few percent.
 */
const PACKING_OPTIONS = { params: { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_LGWIN]: 24 } };

export { readPrivateKey } from './signing.ts';

export interface PublishRequest {
  readonly directory: string;
  /** The directory to publish to. */
  readonly root: string;
  readonly signKey: KeyObject | null;
  /** Number of newest releases that remain in the directory; null for all. */
  readonly keep: number | null;
  /** Whether to publish a release even if it failed its checks. */
  readonly publishFailed: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Publishes a release. Throws a data Failure if the release is damaged or incomplete, or failed its checks and
 * `publishFailed` is false. Also throws errors of the system.
 */
export async function publishRelease(request: PublishRequest): Promise<PublishReport> {
  const { directory, root, signKey, keep, signal } = request;
  const manifest = readManifest(directory);
  requirePublishable(manifest, request.publishFailed);
  requireIntactAnalytics(directory, manifest);
  const staging = await makeStagingDirectory(root);
  const stop = keepTouching(staging);
  try {
    const { files, pieces, packable } = await measureRelease(request, manifest);
    const packed = { lengths: packable.map(({ length }) => length), hashes: packable.map(hashPiece).join('') };
    const text = `${JSON.stringify({ format: PUBLISHED_FORMAT, files: pieces, packed })}\n`;
    const { opening, pages } = await describeRowGroups(directory, manifest);
    const companions = [
      writeAndMeasure(staging, PACKED_FILE, brotliCompressSync(Buffer.concat(packable), PACKING_OPTIONS)),
      writeAndMeasure(staging, PIECES_FILE, text),
    ];
    if (pages.length > 0) companions.push(writeAndMeasure(staging, ROW_GROUPS_FILE, pages));
    // JSON without spaces, because everyone who reads the release by HTTP ranges downloads it.
    const list = `${JSON.stringify({ format: PUBLISHED_FORMAT, stamp: manifest.stamp, files, companions, opening })}\n`;
    const { path: _, ...identity } = writeAndMeasure(staging, FILE_LIST_FILE, list);
    signal.throwIfAborted();
    const { stamp, date, layout } = manifest;
    const latest = readPublishedFile(root, POINTER_FILE, parsePointer);
    const previous = latest?.stamp === stamp ? null : latest;
    const listedPointers = readPublishedFile(root, RELEASES_FILE, parseReleasePointers) ?? [];
    const unsigned = { format: PUBLISHED_FORMAT, stamp, date, layout, files: identity } as const;
    const pointer = signOrReuseSignature(unsigned, signKey, [latest, ...listedPointers]);
    const { state, linked } = await placeFiles(request, staging, stamp, { files, companions, list });
    const otherPointers = listedPointers.filter((pointer) => pointer.stamp !== stamp);
    const { kept, pruned } = selectPointers(root, [pointer, ...otherPointers], stamp, keep);
    writeIfChanged(join(root, RELEASES_FILE), serializePublishedFile({ format: PUBLISHED_FORMAT, releases: kept }));
    writeIfChanged(join(root, POINTER_FILE), serializePublishedFile(pointer));
    for (const old of pruned) await removeRelease(join(root, old), `${staging}-pruned`);
    return {
      stamp,
      state,
      root,
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      linked,
      signedWith: pointer.signature?.key ?? null,
      before: previous && { stamp: previous.stamp, signedWith: previous.signature?.key ?? null },
      pruned,
    };
  } finally {
    stop();
    await rm(staging, { recursive: true, force: true });
  }
}

function requirePublishable({ stamp, checks, absent }: Manifest, allowsFailed: boolean): void {
  if (checks === 'failed' && !allowsFailed) {
    throw new Failure('data', `Release ${stamp} failed its checks and was not published.`, {
      hint: 'Publish a release that passed: --release <stamp>. To publish this one anyway: --publish-failed',
    });
  }
  if (absent !== undefined) {
    const text = `Release ${stamp} is incomplete, because only a part of it was pulled; it was not published.`;
    throw new Failure('data', text, { hint: 'Pull the complete release first: fin data pull <url>' });
  }
}

/** Throws a data Failure if the release's typed tables, which are published with it, are damaged. */
function requireIntactAnalytics(directory: string, { stamp }: Manifest): void {
  const [fault] = findAnalyticsFaults(directory, stamp);
  if (fault === undefined) return;
  throw new Failure('data', `The typed tables of release ${stamp} are damaged, so it was not published: ${fault}`, {
    hint: `To write the typed tables again: fin data analytics ${stamp}`,
  });
}

/** Returns the files, pieces and packable parts of a release. Throws a data Failure for a damaged file. */
async function measureRelease({ directory, signal, onProgress }: PublishRequest, manifest: Manifest) {
  const tableFiles = Object.values(manifest.tables).flatMap((table) => [table, table.index]);
  const hashes = new Map(tableFiles.map(({ file, sha256 }) => [file, sha256]));
  const paths = await listFilePaths(directory);
  const missingPath = [...hashes.keys(), MANIFEST_FILE].find((path) => !paths.includes(path));
  if (missingPath !== undefined) throw makeDamagedReleaseFailure(manifest, `${missingPath} is missing`);
  const files: PublishedFile[] = [];
  const divided: FilePieces[] = [];
  const packable: Buffer[] = [];
  let unpacked = 0;
  for (const [index, path] of paths.entries()) {
    onProgress(index, paths.length);
    const measured = await measureFile(join(directory, path), signal);
    const { pieces: division, ...identity } = measured;
    const hash = hashes.get(path);
    if (hash !== undefined && hash !== identity.sha256)
      throw makeDamagedReleaseFailure(manifest, `${path} was changed after it was written`);
    files.push({ path, ...identity });
    if (division !== null) divided.push({ path, ...division });
    // The manifest is not packed, because readers need the manifest first.
    const part = path === MANIFEST_FILE ? null : await readPackablePart(join(directory, path), measured);
    if (part === null || unpacked + part.length > MAX_UNPACKED_BYTES) continue;
    unpacked += part.length;
    packable.push(part);
  }
  return { files, pieces: divided, packable };
}

const makeDamagedReleaseFailure = ({ stamp }: Manifest, reason: string) =>
  new Failure('data', `Release ${stamp} is damaged and was not published: ${reason}.`, {
    hint: 'Build or pull the release again: "fin data build" or "fin data pull".',
  });

/** Returns the paths of the files in a directory, in order. Omits hidden files, which do not belong to a release. */
async function listFilePaths(directory: string, folder = ''): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(join(directory, folder), { withFileTypes: true })) {
    const path = `${folder}${entry.name}`;
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) paths.push(...(await listFilePaths(directory, `${path}/`)));
    else if (isSafePath(path)) paths.push(path);
    else
      throw new Failure('data', `${join(directory, path)} has a name that cannot be published.`, {
        hint: 'Remove or rename the file.',
      });
  }
  return paths.sort();
}

function writeAndMeasure(folder: string, path: string, content: string | Buffer): PublishedFile {
  const maxBytes = (MAX_BYTES_BY_FILE as Partial<Record<string, number>>)[path] ?? Number.POSITIVE_INFINITY;
  if (content.length > maxBytes) {
    throw new Failure('data', `The release is too large to be published: ${path} has ${content.length} bytes.`, {
      hint: `The maximum is ${maxBytes} bytes. Build the release from fewer companies or sources.`,
    });
  }
  writeDurably(join(folder, path), content);
  return { path, bytes: Buffer.byteLength(content), sha256: hash('sha256', content, 'hex') };
}

/**
 * Returns the pointer with a new signature by the key. Without a key, returns it with the signature of an already
 * published pointer whose signed fields are equal, if there is one.
 */
function signOrReuseSignature(
  pointer: ReleasePointer,
  key: KeyObject | null,
  published: readonly (ReleasePointer | null)[],
): ReleasePointer {
  if (key !== null) return signPointer(pointer, key);
  const fields = encodeSignedFields(pointer);
  const signed = published.find((other) => other?.signature !== undefined && encodeSignedFields(other).equals(fields));
  return signed?.signature === undefined ? pointer : { ...pointer, signature: signed.signature };
}

/**
 * Returns a parsed published file; null if the file is missing or malformed, so that it is replaced. Throws if the file
 * cannot be read.
 */
function readPublishedFile<T>(root: string, name: string, parse: (text: string) => T): T | null {
  const text = readTextOrNull(join(root, name));
  try {
    return text === null ? null : parse(text);
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

function readTextOrNull(file: string): string | null {
  try {
    return readRegularFile(file);
  } catch (error) {
    if (isMissingPathError(error)) return null;
    throw error;
  }
}

interface PublishedFiles extends Pick<FileList, 'files' | 'companions'> {
  /** Content of `files.json`. */
  readonly list: string;
}

async function placeFiles(
  { directory, root, signal }: PublishRequest,
  staging: string,
  stamp: string,
  published: PublishedFiles,
): Promise<Pick<PublishReport, 'state' | 'linked'>> {
  const target = join(root, stamp);
  const state = await compareWithPublishedFiles(target, directory, published, signal);
  if (state === 'whole') return { state: 'unchanged', linked: 0 };
  let linked = 0;
  for (const { path } of published.files) {
    signal.throwIfAborted();
    const staged = join(staging, path);
    await mkdir(dirname(staged), { recursive: true });
    if (await linkOrCopy(join(directory, path), staged)) linked += 1;
  }
  syncDirectory(staging);
  // If the process is killed between the two renames, the next publication to `root` removes `damaged`.
  const damaged = `${staging}-old`;
  if (state === 'damaged') await rename(target, damaged);
  await rename(staging, target);
  await rm(damaged, { recursive: true, force: true });
  syncDirectory(root);
  return { state: state === 'damaged' ? 'replaced_damaged' : 'published', linked };
}

/**
 * Compares a published directory with the release. Hard links to the release's files count as equal; copies are read
 * and compared.
 */
async function compareWithPublishedFiles(
  target: string,
  directory: string,
  { files, companions, list }: PublishedFiles,
  signal: AbortSignal,
): Promise<'absent' | 'whole' | 'damaged'> {
  if (!(await stat(target).catch(() => null))?.isDirectory()) return 'absent';
  if ((await readFile(join(target, FILE_LIST_FILE), 'utf8').catch(() => '')) !== list) return 'damaged';
  for (const { path, bytes, sha256 } of [...files, ...companions]) {
    const published = await stat(join(target, path)).catch(() => null);
    if (published?.size !== bytes) return 'damaged';
    const local = await stat(join(directory, path)).catch(() => null);
    if (local?.ino === published.ino && local.dev === published.dev) continue;
    if ((await measureFile(join(target, path), signal)).sha256 !== sha256) return 'damaged';
  }
  return 'whole';
}

/**
 * Hard-links a file, or copies it if a link is impossible; returns whether it was linked. Files of a release never
 * change, so a copy on the same file system would only waste space and time.
 */
async function linkOrCopy(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target);
    return true;
  } catch (error) {
    // Copies the file if the file systems differ or lack hard links, or if the user may read but not link the file.
    if (!['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'].includes(readErrorCode(error) ?? ''))
      throw error;
  }
  await copyFile(source, target, constants.COPYFILE_FICLONE);
  const handle = await open(target, 'r+');
  await handle.sync().finally(() => handle.close());
  return false;
}

/**
 * Returns the pointers of releases to keep, newest first, and the stamps of releases to remove. The latest published
 * release is always kept.
 */
function selectPointers(root: string, pointers: readonly ReleasePointer[], latest: string, keep: number | null) {
  // A directory without a list of files was not published here, and must not be removed.
  const stamps = listStamps(root).filter((stamp) => existsSync(join(root, stamp, FILE_LIST_FILE)));
  const otherStamps = stamps.filter((stamp) => stamp !== latest);
  const pruned = keep === null ? [] : otherStamps.slice(keep - 1);
  const kept = pointers
    .filter(({ stamp }) => stamps.includes(stamp) && !pruned.includes(stamp))
    .sort((a, b) => stamps.indexOf(a.stamp) - stamps.indexOf(b.stamp));
  return { kept, pruned };
}

/**
 * Removes a published release, unless another process has removed it. Renames it first: a release without its list of
 * files counts as not published here, so the rest of a half removed release would stay forever. The next publication
 * removes `trash` if this process is killed.
 */
async function removeRelease(directory: string, trash: string): Promise<void> {
  try {
    await rename(directory, trash);
  } catch (cause) {
    if (readErrorCode(cause) !== 'ENOENT') throw cause;
  }
  await rm(trash, { recursive: true, force: true });
}

function writeIfChanged(file: string, text: string): void {
  if (readTextOrNull(file) !== text) writeDurably(file, text);
}
