/** The files of a directory of typed tables, with hashes to verify them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../platform/files/regular-file.ts';
import { readIfPresent } from '../platform/files/system-error.ts';
import { isObject, parseJson } from '../platform/json-object.ts';
import { isSafePath } from '../platform/safe-path.ts';
import { findFileFault } from '../store/releases/verify.ts';
import type { WrittenTable } from './write-typed-tables.ts';

/** Name of the directory with typed tables inside the directory of a release. */
export const ANALYTICS_FOLDER = 'analytics';
export const ANALYTICS_MANIFEST_FILE = 'manifest.json';
/**
 * Version of the typed tables; increased when tables, columns, types or encodings change for the same release.
 * The manifests of all versions have the field `files`, so that tables of any version can be verified.
 */
export const ANALYTICS_FORMAT_VERSION = 5;

interface AnalyticsFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface AnalyticsManifest {
  readonly format: number;
  /** The stamp of the release that the tables were made from. */
  readonly stamp: string;
  readonly tables: Readonly<Record<string, WrittenTable>>;
  /** All files except the manifest, ordered by path. */
  readonly files: readonly AnalyticsFile[];
}

/** Returns the manifest of a directory of typed tables, of any format; null if the manifest is missing or damaged. */
export function readAnalyticsManifest(directory: string): AnalyticsManifest | null {
  const path = join(directory, ANALYTICS_MANIFEST_FILE);
  const text = readIfPresent(null, 'data', `${path} cannot be read`, () => readRegularFile(path));
  if (text === null) return null;
  try {
    const manifest = parseJson(text);
    return isManifest(manifest) ? manifest : null;
  } catch {
    return null;
  }
}

/** Whether the value has the fields that all versions share; tables of another version may have other fields. */
function isManifest(value: unknown): value is AnalyticsManifest {
  if (!isObject(value) || !Number.isInteger(value.format) || typeof value.stamp !== 'string') return false;
  const { tables, files } = value;
  return isObject(tables) && Object.values(tables).every(isObject) && Array.isArray(files) && files.every(isFileEntry);
}

const isFileEntry = (file: unknown) => isObject(file) && typeof file.path === 'string' && isSafePath(file.path);

/** Returns the faults, one sentence per file; empty if all files are unchanged. */
export const findAnalyticsFileFaults = (directory: string, { files }: AnalyticsManifest): string[] =>
  files.flatMap((file) => findFileFault(directory, { ...file, file: file.path }) ?? []);

/**
 * Returns the faults of the typed tables in a release's directory, one sentence per file; empty if all files match
 * their hashes or the release has no typed tables. Throws a data Failure if the system refuses to read a file.
 */
export function findAnalyticsFaults(release: string, stamp: string): string[] {
  const folder = join(release, ANALYTICS_FOLDER);
  if (!existsSync(folder)) return [];
  const manifest = readAnalyticsManifest(folder);
  const path = `${ANALYTICS_FOLDER}/${ANALYTICS_MANIFEST_FILE}`;
  if (manifest === null) return [`${path} is missing or damaged.`];
  if (manifest.stamp !== stamp) return [`${path} belongs to another release: ${manifest.stamp}.`];
  return findAnalyticsFileFaults(folder, manifest).map((fault) => `${ANALYTICS_FOLDER}/${fault}`);
}
