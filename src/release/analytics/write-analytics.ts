/**
 * Writes the typed tables of a finished release beside it. They follow from its tables alone, so they can be made at any
 * time; the release itself is not touched, and they have a manifest of their own.
 */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import { syncDirectory, writeAtomically } from '../../platform/atomic-write.ts';
import { isMissing, systemFailure } from '../../platform/system-error.ts';
import { keepTouching, makeStaging } from '../build/staging.ts';
import { readManifest } from '../store/manifest.ts';
import { faultOfFile } from '../store/verify.ts';
import { releaseSql } from './release-sql.ts';
import { tablesPage } from './tables-page.ts';
import { TYPED_TABLES } from './typed-tables.ts';
import { type WrittenTable, writeTypedTable } from './write-typed-table.ts';

/** The directory in that of a release. */
export const ANALYTICS = 'analytics';
const MANIFEST = 'manifest.json';
const SQL = 'release.sql';
const PAGE = 'tables.md';
/** Raised when other tables, columns or types would be written of the same release. */
const FORMAT = 1;

export interface AnalyticsFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface AnalyticsManifest {
  readonly format: number;
  /** Of the release that they were made from. */
  readonly stamp: string;
  readonly tables: Readonly<Record<string, WrittenTable>>;
  /** All files but the manifest, in order of path. */
  readonly files: readonly AnalyticsFile[];
}

export interface AnalyticsOptions {
  /** The directory of the release. */
  readonly release: string;
  /** The directory to write; by default in that of the release. */
  readonly out?: string | null;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly table: string; readonly done: number; readonly total: number }) => void;
}

export interface AnalyticsReport {
  readonly stamp: string;
  readonly directory: string;
  readonly publication: 'published' | 'already_there' | 'replaced';
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly bytes: number }[];
  readonly seconds: number;
}

/**
 * The same release always gives the same files. Where they are there already and whole, nothing is written.
 * Throws a data Failure where the release is damaged or the directory cannot be written, a usage Failure where something
 * else is in that directory, and what `signal` was aborted with.
 */
export async function writeAnalytics(options: AnalyticsOptions): Promise<AnalyticsReport> {
  const begun = performance.now();
  const { stamp } = readManifest(options.release);
  const directory = resolve(options.out ?? join(options.release, ANALYTICS));
  const there = readAnalytics(directory);
  if (there === null && !isEmpty(directory)) {
    throw new Failure('usage', `${directory} is not empty, and has no tables for analysis.`, {
      hint: 'Give the name of a new directory with --out.',
    });
  }
  const report = ({ tables }: AnalyticsManifest, publication: AnalyticsReport['publication']) => ({
    stamp,
    directory,
    publication,
    tables: Object.entries(tables).map(([name, { rows, bytes }]) => ({ name, rows, bytes })),
    seconds: (performance.now() - begun) / 1000,
  });
  if (there !== null && there.stamp === stamp && there.format === FORMAT && isWhole(directory, there)) {
    return report(there, 'already_there');
  }
  const home = options.out == null ? dirname(resolve(options.release)) : dirname(directory);
  const staging = await makeStaging(home);
  const stopTouching = keepTouching(staging);
  try {
    const manifest = await writeFiles(staging, options);
    await moveIn(staging, directory);
    return report(manifest, there === null ? 'published' : 'replaced');
  } finally {
    stopTouching();
    await rm(staging, { recursive: true, force: true });
  }
}

async function writeFiles(directory: string, options: AnalyticsOptions): Promise<AnalyticsManifest> {
  const { release, signal, onProgress } = options;
  const { stamp, tables: stored } = readManifest(release);
  const tables: Record<string, WrittenTable> = {};
  for (const table of TYPED_TABLES) {
    const entry = stored[table.source.name];
    if (entry === undefined) continue;
    const onRows = (done: number, total: number) => onProgress?.({ table: table.name, done, total });
    tables[table.name] = await writeTypedTable(table, entry, { release, directory, stamp, signal, onRows });
  }
  const texts = { [SQL]: releaseSql(stamp, tables), [PAGE]: tablesPage(stamp, tables) };
  for (const [name, text] of Object.entries(texts)) writeText(join(directory, name), text);
  const files = [
    ...Object.values(tables).map(({ file, bytes, sha256 }) => ({ path: file, bytes, sha256 })),
    ...Object.entries(texts).map(([path, text]) => identify(path, Buffer.from(text))),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  const manifest = { format: FORMAT, stamp, tables, files };
  writeText(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`);
  return manifest;
}

/** The manifest of a directory of typed tables; null where there is none, or none that this version reads. */
export function readAnalytics(directory: string): AnalyticsManifest | null {
  let text: string;
  try {
    text = readFileSync(join(directory, MANIFEST), 'utf8');
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw systemFailure('data', `${join(directory, MANIFEST)} cannot be read`, cause);
  }
  try {
    const manifest: AnalyticsManifest = JSON.parse(text);
    return manifest.format === FORMAT && Array.isArray(manifest.files) ? manifest : null;
  } catch {
    return null;
  }
}

/** All files of a release's typed tables, with their manifest; paths are below the release's directory. None without them. */
export function listAnalytics(release: string): AnalyticsFile[] {
  const manifest = readAnalytics(join(release, ANALYTICS));
  if (manifest === null) return [];
  const own = identify(MANIFEST, readFileSync(join(release, ANALYTICS, MANIFEST)));
  return [own, ...manifest.files].map((file) => ({ ...file, path: `${ANALYTICS}/${file.path}` }));
}

/** What is wrong, one sentence per file; empty where every file is as it was written. */
export function verifyAnalytics(directory: string, { files }: AnalyticsManifest): string[] {
  return files.flatMap((file) => faultOfFile(directory, { ...file, file: file.path }) ?? []);
}

const isWhole = (directory: string, manifest: AnalyticsManifest) => verifyAnalytics(directory, manifest).length === 0;

function isEmpty(directory: string): boolean {
  try {
    return readdirSync(directory).length === 0;
  } catch (cause) {
    if (isMissing(cause)) return true;
    throw systemFailure('data', `${directory} cannot be read`, cause);
  }
}

/** By one rename; what was there before is put aside first. */
async function moveIn(staging: string, directory: string): Promise<void> {
  const aside = `${staging}-before`;
  try {
    await rename(directory, aside).catch((cause: unknown) => {
      if (!isMissing(cause)) throw cause;
    });
    await rename(staging, directory);
    await rm(aside, { recursive: true, force: true });
    syncDirectory(dirname(directory));
  } catch (cause) {
    throw systemFailure('data', `${directory} cannot be written`, cause);
  }
}

const writeText = (path: string, text: string) =>
  writeAtomically(path, text, { mode: 0o666, makeDirectory: false, durable: true });

const identify = (path: string, bytes: Buffer): AnalyticsFile => ({
  path,
  bytes: bytes.length,
  sha256: hash('sha256', bytes, 'hex'),
});
