/** Pulls a published release into the releases on this machine: put together to the side, then published by one rename. */

import { hash, type KeyObject } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { Failure } from '../contract/failure.ts';
import type { PullReport } from '../contract/release-work.ts';
import { syncDirectory, writeAtomically } from '../platform/atomic-write.ts';
import { makeDirectory } from '../platform/directories.ts';
import { acquireLock } from '../platform/processes/lock.ts';
import { isOfSystem } from '../platform/system-error.ts';
import { isStamp } from '../store/content-hash.ts';
import { currentStamp, listStamps, makeHome, writePointer } from '../store/home.ts';
import { MANIFEST, type Manifest, PART, partText, readManifest } from '../store/manifest.ts';
import { FAMILY_TABLES, type FamilyName } from '../store/schema/families.ts';
import { CORE_TABLES } from '../store/schema/layout.ts';
import { PRICE_SOURCES } from '../store/schema/prices.ts';
import { moveIn } from '../store/staging.ts';
import { verifyRelease } from '../store/verify.ts';
import { type AssemblyEvent, assemble, type LocalFiles, readLengths } from './assemble.ts';
import {
  FILE_LIST,
  type FileList,
  MAX_UNPACKED_BYTES,
  PACKED,
  PIECES,
  type Pointer,
  type PublishedFile,
  parsePieces,
} from './format.ts';
import { PulledRelease } from './pulled-release.ts';
import { Transfer, type TransferContext, type TransferEvent } from './transfer.ts';

export interface PullOrder {
  /** The directory that holds releases. */
  readonly home: string;
  /** A stamp or the beginning of one; null for the latest. */
  readonly stamp: string | null;
  /** What is taken beside the tables of every release; null for everything. */
  readonly families: readonly FamilyName[] | null;
  /** The key that must have signed the pointer. */
  readonly publicKey: KeyObject | null;
  /** Whether a release that is there already is read whole and compared. */
  readonly verify: boolean;
  /** Whether the latest release there may be older than the newest one here. */
  readonly allowOlder: boolean;
}

export type PullEvent = TransferEvent | AssemblyEvent | { readonly type: 'waiting' };

export interface PullContext extends Omit<TransferContext, 'report'> {
  report(event: PullEvent): void;
}

/** In the home of releases, for what is not whole yet. */
const PULLING = '.pulling';
/** Names the release that is being put in its place. */
const FINISHING = 'finishing';

/**
 * Throws a not_found Failure where nothing is published there, a data Failure for a signature or a release that is not
 * accepted, a network or service Failure for what the host does wrong. What was pulled until then is kept.
 */
export async function pullRelease(order: PullOrder, context: PullContext): Promise<PullReport> {
  await makeHome(order.home);
  const folder = join(order.home, PULLING);
  makeDirectory(folder);
  const release = await acquireLock(join(folder, 'lock'), 'pull', {
    signal: context.signal,
    onWait: () => context.report({ type: 'waiting' }),
  });
  try {
    await finish(order.home, folder);
    return await pull(order, context, folder);
  } finally {
    release();
  }
}

async function pull(order: PullOrder, context: PullContext, folder: string): Promise<PullReport> {
  const { home, publicKey } = order;
  const remote = await PulledRelease.find(new Transfer(context), order.stamp, publicKey);
  const { stamp, signature } = remote.pointer;
  const directory = join(home, stamp);
  const there = await readPresent(directory, order.verify);
  const known = { stamp, directory, signedWith: publicKey === null ? null : (signature?.key ?? null) };
  const lacksNothing = there?.absent.some((name) => isWanted(name, order.families)) === false;
  // Anyone may have published under the same stamp: what the key signed is what its list names.
  if (lacksNothing && (publicKey === null || (await isListed(join(directory, MANIFEST), remote)))) {
    const current = currentStamp(home) ?? stamp;
    return { ...known, state: 'up_to_date', current, files: 0, bytes: 0, absent: there.absent };
  }
  if (order.stamp === null && !order.allowOlder) refuseOlder(remote.pointer, home, context.url);
  const staging = join(folder, stamp);
  const list = await remote.list();
  const manifest = await pullManifest(remote, list, staging);
  const names = Object.keys(manifest.tables);
  const absent = names.filter((name) => !isWanted(name, order.families) && there?.tables.includes(name) !== true);
  const files = absent.length === 0 ? list.files : filesOf(list, manifest, absent);
  const pieces = () => pullPieces(remote, list, `${staging}.${PIECES}`);
  const sources = await findSources(home, folder, stamp);
  const packed = list.companions.find(({ path }) => path === PACKED);
  const unpack = () => unpackTo(`${staging}.packed`, remote, packed);
  await assemble({
    remote,
    files,
    directory: staging,
    sources,
    pieces,
    packedBytes: packed?.bytes ?? Number.POSITIVE_INFINITY,
    unpack,
    signal: context.signal,
    report: context.report,
  });
  if (absent.length > 0) write(join(staging, PART), partText(absent));
  // As it will be opened: every file was compared with the list, and the list with the manifest.
  readManifest(staging);
  syncDirectory(staging);
  write(join(folder, FINISHING), stamp);
  await moveIn(home, staging, directory, () => true);
  await finish(home, folder);
  for (const name of await readdir(folder)) {
    if (isStamp(name.slice(0, stamp.length))) await rm(join(folder, name), { recursive: true, force: true });
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { ...known, state: 'pulled', current: stamp, files: files.length, bytes, absent };
}

/** Makes the release current whose rename was begun; a pull may end between the two. */
async function finish(home: string, folder: string): Promise<void> {
  const mark = join(folder, FINISHING);
  const stamp = await readFile(mark, 'utf8').catch(() => null);
  if (stamp === null) return;
  if (listStamps(home).includes(stamp)) writePointer(home, stamp);
  await rm(mark, { force: true });
}

const write = (file: string, bytes: Uint8Array | string) =>
  writeAtomically(file, bytes, { mode: 0o666, makeDirectory: false, durable: true });

/** The tables that a release has and lacks; null where it is not there, or is damaged. */
async function readPresent(directory: string, verify: boolean) {
  if ((await stat(directory).catch(() => null)) === null) return null;
  try {
    const manifest = readManifest(directory);
    if (verify && verifyRelease(directory, manifest).length > 0) return null;
    for (const { file, bytes } of Object.values(manifest.tables).flatMap((table) => [table, table.index])) {
      if ((await stat(join(directory, file))).size !== bytes) return null;
    }
    return { tables: Object.keys(manifest.tables), absent: manifest.absent ?? [] };
  } catch {
    return null;
  }
}

/** Whether the manifest that is here is the published one. */
async function isListed(file: string, remote: PulledRelease): Promise<boolean> {
  const { files } = await remote.list();
  return files.find(({ path }) => path === MANIFEST)?.sha256 === hash('sha256', await readFile(file), 'hex');
}

/** Whether a table is of a wanted family or of none. The sources of prices come with the figures that are made of them. */
function isWanted(table: string, families: readonly FamilyName[] | null): boolean {
  const isOf = (tables: readonly { readonly name: string }[]) => tables.some(({ name }) => name === table);
  if (families === null || isOf([PRICE_SOURCES, ...CORE_TABLES])) return true;
  const unwanted = Object.entries(FAMILY_TABLES).filter(([family]) => !families.some((wanted) => wanted === family));
  return !unwanted.some(([, tables]) => isOf(tables));
}

/** A host whose latest release is older than what is here was set back, by mistake or to mislead. */
function refuseOlder({ stamp, date }: Pointer, home: string, url: string): void {
  const [newest] = listStamps(home);
  if (newest === undefined || newest.slice(0, date.length) <= date) return;
  throw new Failure('data', `The latest release of ${url}, ${stamp}, is older than ${newest}, which is here.`, {
    hint: `Nothing was changed. To pull it all the same: --allow-older`,
  });
}

/** The manifest, in its place, once it agrees with the list. Throws a data Failure for a layout that is not read. */
async function pullManifest(remote: PulledRelease, list: FileList, staging: string): Promise<Manifest> {
  const described = list.files.find(({ path }) => path === MANIFEST);
  if (described === undefined) throw remote.contradiction(`${FILE_LIST} has no ${MANIFEST}`);
  if (list.files.some(({ path }) => path === PART)) throw remote.contradiction(`${FILE_LIST} has a ${PART}`);
  makeDirectory(staging);
  await rm(join(staging, PART), { force: true });
  write(join(staging, MANIFEST), await remote.bytes(MANIFEST, described));
  const manifest = readManifest(staging);
  if (manifest.stamp !== list.stamp) throw remote.contradiction(`${MANIFEST} is that of ${manifest.stamp}`);
  const identities = new Map(list.files.map(({ path, sha256 }) => [path, sha256]));
  const wrong = Object.values(manifest.tables)
    .flatMap((table) => [table, table.index])
    .find(({ file, sha256 }) => identities.get(file) !== sha256);
  if (wrong === undefined) return manifest;
  throw remote.contradiction(`${FILE_LIST} and ${MANIFEST} disagree about ${wrong.file}`);
}

/** Of a part, the manifest and its tables: what else a release has is of all tables. */
function filesOf({ files }: FileList, { tables }: Manifest, absent: readonly string[]): PublishedFile[] {
  const taken = Object.entries(tables).filter(([name]) => !absent.includes(name));
  const paths = new Set([MANIFEST, ...taken.flatMap(([, { file, index }]) => [file, index.file])]);
  return files.filter(({ path }) => paths.has(path));
}

/** How files divide; saved, so that what is left of this pull can be used by a later one. */
async function pullPieces(
  remote: PulledRelease,
  list: FileList,
  saved: string,
): Promise<ReturnType<typeof parsePieces>> {
  const described = list.companions.find(({ path }) => path === PIECES);
  if (described === undefined) return { files: new Map(), packed: null };
  const there = await readFile(saved).catch(() => Buffer.alloc(0));
  const isSaved = hash('sha256', there, 'hex') === described.sha256;
  const text = isSaved ? there : await remote.bytes(PIECES, described);
  const pieces = remote.parsed(() => parsePieces(text.toString(), list));
  if (!isSaved) write(saved, text);
  return pieces;
}

/** Fetches the packed pieces, and writes them unpacked to a file; returns its path. */
async function unpackTo(file: string, remote: PulledRelease, packed: PublishedFile | undefined): Promise<string> {
  if (packed === undefined) throw remote.contradiction(`${PIECES} has packed pieces, and ${FILE_LIST} no ${PACKED}`);
  const bytes = await remote.bytes(PACKED, packed);
  try {
    await pipeline([bytes], createBrotliDecompress(), bounded, createWriteStream(file));
  } catch (cause) {
    if (isOfSystem(cause)) throw cause;
    throw remote.contradiction(`${PACKED} cannot be unpacked`);
  }
  return file;
}

async function* bounded(chunks: AsyncIterable<Uint8Array>) {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > MAX_UNPACKED_BYTES) throw new RangeError(`more than ${MAX_UNPACKED_BYTES} bytes`);
    yield chunk;
  }
}

/** The releases on this machine, the newest first, and what is left of pulls of others. */
async function findSources(home: string, folder: string, stamp: string): Promise<readonly LocalFiles[]> {
  const own = listStamps(home).map((name) => ({ directory: join(home, name), lengths: null }));
  const begun = (await readdir(folder)).filter((name) => isStamp(name) && name !== stamp);
  const left = await Promise.all(
    begun.map(async (name) => ({
      directory: join(folder, name),
      lengths: await readLengths(join(folder, `${name}.${PIECES}`)),
    })),
  );
  return [...own, ...left];
}
