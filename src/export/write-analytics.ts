/**
 * Writes the typed tables of a finished release into a directory next to its files. The typed tables are made only from
 * the release's own tables, so they can be written at any time. They have a separate manifest, and the release itself
 * does not change.
 */

import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../contract/failure.ts';
import { syncDirectory, writeDurably } from '../platform/files/atomic-write.ts';
import { makeSystemFailure, readErrorCode } from '../platform/files/system-error.ts';
import { readManifest } from '../store/releases/manifest.ts';
import { isDestinationTaken, keepTouching, makeStagingDirectory } from '../store/releases/staging.ts';
import {
  ANALYTICS_FOLDER,
  ANALYTICS_FORMAT_VERSION,
  ANALYTICS_MANIFEST_FILE,
  type AnalyticsManifest,
  findAnalyticsFileFaults,
  readAnalyticsManifest,
} from './analytics-manifest.ts';
import { renderReleaseSql } from './release-sql.ts';
import { renderTablesPage } from './tables-page.ts';
import { findTypedTable } from './typed-tables.ts';
import { writeTypedTables } from './write-typed-tables.ts';

export interface AnalyticsReport {
  readonly stamp: string;
  readonly directory: string;
  readonly publication: 'published' | 'already_there' | 'replaced';
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly bytes: number }[];
  readonly seconds: number;
}

const SQL_FILE = 'release.sql';
const TABLES_PAGE_FILE = 'tables.md';
const CHOOSE_DIRECTORY_HINT = 'Choose a new or empty directory with --out.';
const REMOVE_DIRECTORY_HINT =
  'If you need none of its files, remove it and run the command again; or choose a new directory with --out.';

interface AnalyticsOptions {
  readonly release: string;
  /** The directory to write to; default: `analytics` in the release's directory. */
  readonly out?: string | null;
  /** Number of worker threads, which does not change the written bytes; default: the number of cores, at most eight. */
  readonly jobs?: number | undefined;
  /** The script of the worker threads; default: the bundled script. */
  readonly workerScript?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly table: string; readonly done: number; readonly total: number }) => void;
}

/**
 * Writes the typed tables; the same release gives the same bytes. Writes nothing if the directory already has them,
 * undamaged and in the current format. Throws a data Failure if the release is damaged or the directory is not
 * writable, a usage Failure if the directory contains other files, and the signal's reason.
 */
export async function writeAnalytics(options: AnalyticsOptions): Promise<AnalyticsReport> {
  const startMs = performance.now();
  const { stamp } = readManifest(options.release);
  const directory = resolve(options.out ?? join(options.release, ANALYTICS_FOLDER));
  const existing = readAnalyticsManifest(directory);
  if (existing === null && !isDirectoryEmpty(directory)) {
    throw new Failure('usage', `The directory ${directory} is not empty and has no intact typed tables to replace.`, {
      hint: options.out == null ? REMOVE_DIRECTORY_HINT : CHOOSE_DIRECTORY_HINT,
    });
  }
  const toReport = ({ tables }: AnalyticsManifest, outcome: AnalyticsReport['publication']) => ({
    stamp,
    directory,
    publication: outcome,
    tables: Object.entries(tables).map(([name, { rows, bytes }]) => ({ name, rows, bytes })),
    seconds: (performance.now() - startMs) / 1000,
  });
  if (existing !== null && isUpToDate(directory, existing, stamp)) return toReport(existing, 'already_there');
  const parent = options.out == null ? dirname(resolve(options.release)) : dirname(directory);
  const staging = await makeStagingDirectory(parent).catch((cause: unknown) => {
    throw makeSystemFailure('data', `${directory} cannot be written`, cause);
  });
  const stop = keepTouching(staging);
  try {
    const manifest = await writeFiles(staging, options);
    const hasMoved = await moveToFinalPath(staging, directory, existing !== null, stamp);
    return toReport(manifest, !hasMoved ? 'already_there' : existing === null ? 'published' : 'replaced');
  } finally {
    stop();
    await rm(staging, { recursive: true, force: true });
  }
}

async function writeFiles(directory: string, options: AnalyticsOptions): Promise<AnalyticsManifest> {
  const { release, onProgress, ...tableOptions } = options;
  const { stamp, tables: stored } = readManifest(release);
  const onRows = (table: string, done: number) =>
    onProgress?.({ table, done, total: stored[findTypedTable(table).source.name]?.rows ?? done });
  const tables = await writeTypedTables({ release, tables: stored }, { ...tableOptions, directory, stamp, onRows });
  const texts = { [SQL_FILE]: renderReleaseSql(stamp, tables), [TABLES_PAGE_FILE]: renderTablesPage(stamp, tables) };
  for (const [name, text] of Object.entries(texts)) writeDurably(join(directory, name), text);
  const files = [
    ...Object.values(tables).map(({ file, bytes, sha256 }) => ({ path: file, bytes, sha256 })),
    ...Object.entries(texts).map(([path, text]) => {
      return { path, bytes: Buffer.byteLength(text), sha256: hash('sha256', text, 'hex') };
    }),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  const manifest = { format: ANALYTICS_FORMAT_VERSION, stamp, tables, files };
  writeDurably(join(directory, ANALYTICS_MANIFEST_FILE), `${JSON.stringify(manifest, null, 1)}\n`);
  return manifest;
}

/** Whether a directory has undamaged tables of the release, in the current format. */
const isUpToDate = (directory: string, manifest: AnalyticsManifest, stamp: string): boolean =>
  manifest.stamp === stamp &&
  manifest.format === ANALYTICS_FORMAT_VERSION &&
  findAnalyticsFileFaults(directory, manifest).length === 0;

/** Whether the directory is missing or empty. */
function isDirectoryEmpty(directory: string): boolean {
  try {
    return readdirSync(directory).length === 0;
  } catch (cause) {
    if (readErrorCode(cause) === 'ENOENT') return true;
    if (readErrorCode(cause) === 'ENOTDIR')
      throw new Failure('usage', `${directory} is not a directory.`, { hint: CHOOSE_DIRECTORY_HINT });
    throw makeSystemFailure('data', `${directory} cannot be read`, cause);
  }
}

/**
 * Renames the staging directory to its final path. Old typed tables are moved away first; any other files at that path
 * make the rename fail. Returns false if another process has already written the same tables.
 */
async function moveToFinalPath(staging: string, directory: string, replaces: boolean, stamp: string): Promise<boolean> {
  const backup = `${staging}-before`;
  const removal = replaces ? rename(directory, backup) : rmdir(directory);
  try {
    await removal.catch((cause: unknown) => {
      if (readErrorCode(cause) !== 'ENOENT') throw cause;
    });
    await rename(staging, directory);
    await rm(backup, { recursive: true, force: true });
    syncDirectory(dirname(directory));
    return true;
  } catch (cause) {
    const competing = isDestinationTaken(cause, directory) ? readAnalyticsManifest(directory) : null;
    if (competing !== null && isUpToDate(directory, competing, stamp)) return false;
    throw makeSystemFailure('data', `${directory} cannot be written`, cause);
  }
}
