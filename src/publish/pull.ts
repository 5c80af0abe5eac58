/**
 * Pulls a published release: assembles the files in a temporary directory, and renames it into the local releases.
 */

import { hash, type KeyObject } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { Failure } from '../contract/failure.ts';
import { syncDirectory, writeDurably } from '../platform/files/atomic-write.ts';
import { makeDirectory } from '../platform/files/directories.ts';
import { isSystemError } from '../platform/files/system-error.ts';
import { acquireLock } from '../platform/processes/lock.ts';
import { listStamps, makeReleasesHome, readCurrentStamp, writeCurrentStamp } from '../store/releases/home.ts';
import {
  ABSENT_TABLES_FILE,
  isStamp,
  MANIFEST_FILE,
  type Manifest,
  readManifest,
  serializePartFile,
} from '../store/releases/manifest.ts';
import { publishDirectory } from '../store/releases/staging.ts';
import { verifyRelease } from '../store/releases/verify.ts';
import { CORE_TABLES, TABLES_BY_FAMILY, type TableFamilyName } from '../store/schema/layout.ts';
import { PRICE_SOURCES } from '../store/schema/prices.ts';
import { findContentFaults } from '../store/verify-contents.ts';
import { type AssemblyEvent, assembleFiles, type LocalFiles, readPieceLengths } from './assemble.ts';
import type { FileList, PublishedFile, ReleasePointer } from './format.ts';
import { FILE_LIST_FILE, MAX_UNPACKED_BYTES, PACKED_FILE, PIECES_FILE, parsePieces } from './format.ts';
import { PulledRelease, parseOrThrow } from './pulled-release.ts';
import { Transfer, type TransferContext, type TransferEvent } from './transfer.ts';

export interface PullReport {
  readonly stamp: string;
  readonly state: 'pulled' | 'up_to_date';
  readonly directory: string;
  /** Stamp of the release that is current after the pull. */
  readonly current: string;
  readonly files: number;
  /** Total size of the pulled files in bytes. */
  readonly bytes: number;
  /** Tables of the release that were not pulled. */
  readonly absent: readonly string[];
  /** Id of the key by which the signature was verified; null if no signature was checked. */
  readonly signedWith: string | null;
}

export interface PullRequest {
  /** Directory of the local releases. */
  readonly home: string;
  /** The stamp of a release, or the beginning of a stamp; null for the latest release. */
  readonly stamp: string | null;
  /** Families to pull in addition to the core tables; null for all families. */
  readonly families: readonly TableFamilyName[] | null;
  /** The key that must have signed the pointer; null if no signature is required. */
  readonly publicKey: KeyObject | null;
  /** Whether to read and verify all files of a release that already exists locally. */
  readonly verify: boolean;
  /** Whether the latest published release may be older than the newest local one. */
  readonly allowOlder: boolean;
}

export type PullEvent =
  | TransferEvent
  | AssemblyEvent
  | { readonly type: 'waiting' }
  /** The tables are read once before the release is used; `done` of `total` have been read. */
  | { readonly type: 'reading'; readonly done: number; readonly total: number };

interface PullContext extends Omit<TransferContext, 'report'> {
  report(event: PullEvent): void;
}

/** Directory for incomplete releases, inside the directory of local releases. */
const PULLING_FOLDER = '.pulling';
/** File with the stamp of a pulled release, written while the directory of the release is renamed to its final path. */
const FINISHING_FILE = 'finishing';

/**
 * Pulls a release. Throws a not_found Failure if nothing is published at the address, a data Failure for a rejected
 * signature or release, and a network or service Failure for errors of the host. Files pulled before an error remain.
 */
export async function pullRelease(request: PullRequest, context: PullContext): Promise<PullReport> {
  await makeReleasesHome(request.home);
  const folder = join(request.home, PULLING_FOLDER);
  makeDirectory(folder);
  const onWait = () => context.report({ type: 'waiting' });
  const unlock = await acquireLock(join(folder, 'lock'), 'pull', { signal: context.signal, onWait });
  try {
    await makePulledReleaseCurrent(request.home, folder);
    return await pullUnderLock(request, context, folder);
  } finally {
    unlock();
  }
}

async function pullUnderLock(request: PullRequest, context: PullContext, folder: string): Promise<PullReport> {
  const { home, publicKey, families } = request;
  const isWanted = (name: string) => isTableWanted(name, families);
  const remote = await PulledRelease.find(new Transfer(context), request.stamp, publicKey);
  const { stamp, signature } = remote.pointer;
  const directory = join(home, stamp);
  const localRelease = await readLocalRelease(directory, request.verify);
  const common = { stamp, directory, signedWith: publicKey === null ? null : (signature?.key ?? null) };
  const isComplete = localRelease?.absent.some(isWanted) === false;
  // Compares the manifests, because the files of a local release with this stamp may differ from the signed ones.
  if (isComplete && (publicKey === null || (await isPublishedManifest(join(directory, MANIFEST_FILE), remote)))) {
    const current = readCurrentStamp(home) ?? stamp;
    return { ...common, state: 'up_to_date', current, files: 0, bytes: 0, absent: localRelease.absent };
  }
  if (request.stamp === null && !request.allowOlder) throwIfOlder(remote.pointer, home, context.url);
  const staging = join(folder, stamp);
  const fileList = await remote.fetchFileList();
  const manifest = await pullManifest(remote, fileList, staging);
  const names = Object.keys(manifest.tables);
  const absent = names.filter((name) => !isWanted(name) && localRelease?.tables.includes(name) !== true);
  const files = absent.length === 0 ? fileList.files : selectFilesOfTables(fileList, manifest, absent);
  const pieces = () => fetchPieceList(remote, fileList, `${staging}.${PIECES_FILE}`);
  const sources = await findLocalSources(home, folder, stamp);
  const packed = fileList.companions.find(({ path }) => path === PACKED_FILE);
  const unpack = () => fetchPackedPieces(`${staging}.packed`, remote, packed);
  const packedBytes = packed?.bytes ?? Number.POSITIVE_INFINITY;
  const { signal, report } = context;
  await assembleFiles({ remote, files, directory: staging, sources, pieces, packedBytes, unpack, signal, report });
  if (absent.length > 0) writeDurably(join(staging, ABSENT_TABLES_FILE), serializePartFile(absent));
  await requireReadableTables(staging, context);
  syncDirectory(staging);
  writeDurably(join(folder, FINISHING_FILE), stamp);
  await publishDirectory(home, staging, directory, () => true);
  await makePulledReleaseCurrent(home, folder);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { ...common, state: 'pulled', current: stamp, files: files.length, bytes, absent };
}

/**
 * Reads every table as an answer does. Throws a data Failure for the first table that cannot be read: matching hashes
 * only show that the files equal the published files. Also checks the manifest together with ABSENT_TABLES_FILE.
 */
async function requireReadableTables(staging: string, { url, signal, report }: PullContext): Promise<void> {
  const manifest = readManifest(staging);
  const [fault] = await findContentFaults(staging, manifest, (done, total) => {
    signal.throwIfAborted();
    report({ type: 'reading', done, total });
  });
  if (fault === undefined) return;
  const reason = fault.replace(`${staging}/`, '');
  throw new Failure('data', `The release ${manifest.stamp} at ${url} cannot be used. ${reason}`, {
    hint: 'Nothing was changed on this machine. The operator of the host must build and publish the release again.',
  });
}

/**
 * If this pull or an interrupted one has renamed a release to its final path, makes that release current and removes
 * the files that the pull used.
 */
async function makePulledReleaseCurrent(home: string, folder: string): Promise<void> {
  const finishing = join(folder, FINISHING_FILE);
  const stamp = await readFile(finishing, 'utf8').catch(() => null);
  if (stamp === null) return;
  if (listStamps(home).includes(stamp)) {
    writeCurrentStamp(home, stamp);
    await removeIncompleteReleases(folder, stamp);
  }
  await rm(finishing, { force: true });
}

/** Removes incomplete releases and the pieces fetched for them, which no pull needs after one has succeeded. */
async function removeIncompleteReleases(folder: string, stamp: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (isStamp(name.slice(0, stamp.length))) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * Returns the tables that a local release contains and the tables that it lacks; null if the release is missing or
 * damaged.
 */
async function readLocalRelease(directory: string, verifies: boolean) {
  if ((await stat(directory).catch(() => null)) === null) return null;
  try {
    const manifest = readManifest(directory);
    if (verifies && verifyRelease(directory, manifest).length > 0) return null;
    if (verifies && (await findContentFaults(directory, manifest)).length > 0) return null;
    for (const { file, bytes } of Object.values(manifest.tables).flatMap((table) => [table, table.index])) {
      if ((await stat(join(directory, file))).size !== bytes) return null;
    }
    return { tables: Object.keys(manifest.tables), absent: manifest.absent ?? [] };
  } catch {
    return null;
  }
}

/** Whether the local manifest equals the published one. */
async function isPublishedManifest(file: string, remote: PulledRelease): Promise<boolean> {
  const { files } = await remote.fetchFileList();
  return files.find(({ path }) => path === MANIFEST_FILE)?.sha256 === hash('sha256', await readFile(file), 'hex');
}

/**
 * Whether to pull a table: false only for tables of families that were not selected. The sources of prices are always
 * pulled, because figures of the core tables depend on prices.
 */
function isTableWanted(table: string, families: readonly TableFamilyName[] | null): boolean {
  const includes = (tables: readonly { readonly name: string }[]) => tables.some(({ name }) => name === table);
  if (families === null || includes([PRICE_SOURCES, ...CORE_TABLES])) return true;
  const unwanted = Object.entries(TABLES_BY_FAMILY).filter(([family]) => !families.some((wanted) => wanted === family));
  return !unwanted.some(([, tables]) => includes(tables));
}

/**
 * Throws a data Failure if the host's latest release is older than the newest local release: somebody may have put an
 * old pointer on the host, by mistake or deliberately.
 */
function throwIfOlder({ stamp, date }: ReleasePointer, home: string, url: string): void {
  const [newest] = listStamps(home);
  if (newest === undefined || newest.slice(0, date.length) <= date) return;
  const text = `The latest release at ${url}, ${stamp}, is older than the newest release on this machine, ${newest}.`;
  const hint = 'Nothing was changed. To pull the older release anyway: --allow-older';
  throw new Failure('data', text, { hint });
}

/**
 * Fetches and stores the manifest, and compares it with the list of files. Throws a data Failure for an incompatible
 * layout.
 */
async function pullManifest(remote: PulledRelease, fileList: FileList, staging: string): Promise<Manifest> {
  const entry = fileList.files.find(({ path }) => path === MANIFEST_FILE);
  if (entry === undefined) throw remote.contradictionFailure(`${FILE_LIST_FILE} does not list ${MANIFEST_FILE}`);
  if (fileList.files.some(({ path }) => path === ABSENT_TABLES_FILE))
    throw remote.contradictionFailure(
      `${FILE_LIST_FILE} lists ${ABSENT_TABLES_FILE}, which marks an incomplete release`,
    );
  makeDirectory(staging);
  await rm(join(staging, ABSENT_TABLES_FILE), { force: true });
  writeDurably(join(staging, MANIFEST_FILE), await remote.fetchBytes(MANIFEST_FILE, entry));
  const manifest = readManifest(staging);
  if (manifest.stamp !== fileList.stamp)
    throw remote.contradictionFailure(`${MANIFEST_FILE} belongs to another release: ${manifest.stamp}`);
  const hashes = new Map(fileList.files.map(({ path, sha256 }) => [path, sha256]));
  const wrongFile = Object.values(manifest.tables)
    .flatMap((table) => [table, table.index])
    .find(({ file, sha256 }) => hashes.get(file) !== sha256);
  if (wrongFile === undefined) return manifest;
  throw remote.contradictionFailure(`${FILE_LIST_FILE} and ${MANIFEST_FILE} disagree about ${wrongFile.file}`);
}

/** Returns the files of a partial release: the manifest, and the files of all tables that are not absent. */
function selectFilesOfTables({ files }: FileList, { tables }: Manifest, absent: readonly string[]): PublishedFile[] {
  const included = Object.entries(tables).filter(([name]) => !absent.includes(name));
  const paths = new Set([MANIFEST_FILE, ...included.flatMap(([, { file, index }]) => [file, index.file])]);
  return files.filter(({ path }) => paths.has(path));
}

/** Returns each file's pieces, and stores the list: if this pull is interrupted, a later pull can copy its pieces. */
async function fetchPieceList(remote: PulledRelease, fileList: FileList, savedFile: string) {
  const file = fileList.companions.find(({ path }) => path === PIECES_FILE);
  if (file === undefined) return { files: new Map(), packed: null };
  const saved = await readFile(savedFile).catch(() => Buffer.alloc(0));
  const isSaved = hash('sha256', saved, 'hex') === file.sha256;
  const bytes = isSaved ? saved : await remote.fetchBytes(PIECES_FILE, file);
  const pieces = parseOrThrow(remote.transfer, () => parsePieces(bytes.toString(), fileList));
  if (!isSaved) writeDurably(savedFile, bytes);
  return pieces;
}

/** Fetches the packed pieces and writes the unpacked pieces to a file; returns the path of the file. */
async function fetchPackedPieces(file: string, remote: PulledRelease, packedFile: PublishedFile | undefined) {
  if (packedFile === undefined)
    throw remote.contradictionFailure(`${PIECES_FILE} has packed pieces, but ${FILE_LIST_FILE} has no ${PACKED_FILE}`);
  const bytes = await remote.fetchBytes(PACKED_FILE, packedFile);
  try {
    await pipeline([bytes], createBrotliDecompress(), limitBytes, createWriteStream(file));
  } catch (cause) {
    if (isSystemError(cause)) throw cause;
    throw remote.contradictionFailure(`${PACKED_FILE} cannot be unpacked`);
  }
  return file;
}

async function* limitBytes(chunks: AsyncIterable<Uint8Array>) {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > MAX_UNPACKED_BYTES) throw new RangeError(`it unpacks to more than ${MAX_UNPACKED_BYTES} bytes`);
    yield chunk;
  }
}

/** Returns the local releases, newest first, and the files of interrupted pulls of other releases. */
async function findLocalSources(home: string, folder: string, stamp: string): Promise<readonly LocalFiles[]> {
  const releases = listStamps(home).map((name) => ({ directory: join(home, name), lengths: null }));
  const stamps = (await readdir(folder)).filter((name) => isStamp(name) && name !== stamp);
  const unfinished = await Promise.all(
    stamps.map(async (name) => ({
      directory: join(folder, name),
      lengths: await readPieceLengths(join(folder, `${name}.${PIECES_FILE}`)),
    })),
  );
  return [...releases, ...unfinished];
}
