/**
 * Writes the typed tables of a finished release into a directory next to its files. The typed tables are made only from
 * the release's own tables, so they can be written at any time. They have a separate manifest, and the release itself
 * does not change.
 */

import { readdirSync } from 'node:fs';
import { rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../contract/failure.ts';
import type { AnalyticsReport } from '../contract/release-work.ts';
import { syncDirectory, writeAtomically } from '../platform/atomic-write.ts';
import { makeSystemFailure, readErrorCode } from '../platform/system-error.ts';
import { readManifest } from '../store/releases/manifest.ts';
import { isDestinationTaken, keepTouching, makeStagingDirectory } from '../store/releases/staging.ts';
import {
  ANALYTICS_FOLDER,
  ANALYTICS_FORMAT_VERSION,
  ANALYTICS_MANIFEST_FILE,
  type AnalyticsManifest,
  describeAnalyticsFile,
  findAnalyticsFileFaults,
  readAnalyticsManifest,
} from './analytics-manifest.ts';
import { renderReleaseSql } from './release-sql.ts';
import { renderTablesPage } from './tables-page.ts';
import { findTypedTable } from './typed-tables.ts';
import { writeTypedTables } from './write-typed-tables.ts';

const SQL_FILE = 'release.sql';
const TABLES_PAGE_FILE = 'tables.md';
const CHOOSE_DIRECTORY_HINT = 'Choose a new or empty directory with --out.';
const REMOVE_DIRECTORY_HINT =
  'If you need none of its files, remove it and run the command again; or choose a new directory with --out.';

export interface AnalyticsOptions {
  /** The directory of the release. */
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
  const existingManifest = readAnalyticsManifest(directory);
  if (existingManifest === null && !isDirectoryEmpty(directory)) {
    throw new Failure('usage', `The directory ${directory} is not empty and has no intact typed tables to replace.`, {
      hint: options.out == null ? REMOVE_DIRECTORY_HINT : CHOOSE_DIRECTORY_HINT,
    });
  }
  const toReport = ({ tables }: AnalyticsManifest, publication: AnalyticsReport['publication']) => ({
    stamp,
    directory,
    publication,
    tables: Object.entries(tables).map(([name, { rows, bytes }]) => ({ name, rows, bytes })),
    seconds: (performance.now() - startMs) / 1000,
  });
  if (existingManifest !== null && isUpToDate(directory, existingManifest, stamp))
    return toReport(existingManifest, 'already_there');
  const stagingParent = options.out == null ? dirname(resolve(options.release)) : dirname(directory);
  const stagingDirectory = await makeStagingDirectory(stagingParent).catch((cause: unknown) => {
    throw makeSystemFailure('data', `${directory} cannot be written`, cause);
  });
  const stopTouching = keepTouching(stagingDirectory);
  try {
    const manifest = await writeFiles(stagingDirectory, options);
    const hasMoved = await moveToFinalPath(stagingDirectory, directory, existingManifest !== null, stamp);
    return toReport(manifest, !hasMoved ? 'already_there' : existingManifest === null ? 'published' : 'replaced');
  } finally {
    stopTouching();
    await rm(stagingDirectory, { recursive: true, force: true });
  }
}

async function writeFiles(directory: string, options: AnalyticsOptions): Promise<AnalyticsManifest> {
  const { release, onProgress, ...tableOptions } = options;
  const { stamp, tables: releaseTables } = readManifest(release);
  const onRows = (table: string, done: number) =>
    onProgress?.({ table, done, total: releaseTables[findTypedTable(table).source.name]?.rows ?? done });
  const tables = await writeTypedTables(
    { release, tables: releaseTables },
    { ...tableOptions, directory, stamp, onRows },
  );
  const textByFile = {
    [SQL_FILE]: renderReleaseSql(stamp, tables),
    [TABLES_PAGE_FILE]: renderTablesPage(stamp, tables),
  };
  for (const [name, text] of Object.entries(textByFile)) writeText(join(directory, name), text);
  const files = [
    ...Object.values(tables).map(({ file, bytes, sha256 }) => ({ path: file, bytes, sha256 })),
    ...Object.entries(textByFile).map(([path, text]) => describeAnalyticsFile(path, Buffer.from(text))),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  const manifest = { format: ANALYTICS_FORMAT_VERSION, stamp, tables, files };
  writeText(join(directory, ANALYTICS_MANIFEST_FILE), `${JSON.stringify(manifest, null, 1)}\n`);
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
async function moveToFinalPath(
  staging: string,
  directory: string,
  isReplacing: boolean,
  stamp: string,
): Promise<boolean> {
  const backupPath = `${staging}-before`;
  const targetRemovalPromise = isReplacing ? rename(directory, backupPath) : rmdir(directory);
  try {
    await targetRemovalPromise.catch((cause: unknown) => {
      if (readErrorCode(cause) !== 'ENOENT') throw cause;
    });
    await rename(staging, directory);
    await rm(backupPath, { recursive: true, force: true });
    syncDirectory(dirname(directory));
    return true;
  } catch (cause) {
    const competingManifest = isDestinationTaken(cause, directory) ? readAnalyticsManifest(directory) : null;
    if (competingManifest !== null && isUpToDate(directory, competingManifest, stamp)) return false;
    throw makeSystemFailure('data', `${directory} cannot be written`, cause);
  }
}

const writeText = (path: string, text: string) =>
  writeAtomically(path, text, { mode: 0o666, createsDirectory: false, isDurable: true });
