/** What the directory of typed tables holds, and whether it is as it was written. */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../platform/regular-file.ts';
import { isMissing, systemFailure } from '../../platform/system-error.ts';
import { faultOfFile } from '../../store/verify.ts';
import type { WrittenTable } from './write-typed-tables.ts';

/** The directory in that of a release. */
export const ANALYTICS = 'analytics';
export const MANIFEST = 'manifest.json';
/** Raised when other tables, columns, types or encodings would be written of the same release. Every format names its files. */
export const FORMAT = 3;

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

/** The manifest of a directory of typed tables, in whatever format; null where there is none, or it is damaged. */
export function readAnalytics(directory: string): AnalyticsManifest | null {
  let text: string;
  try {
    text = readRegularFile(join(directory, MANIFEST));
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw systemFailure('data', `${join(directory, MANIFEST)} cannot be read`, cause);
  }
  try {
    const manifest: AnalyticsManifest = JSON.parse(text);
    return Number.isInteger(manifest.format) && Array.isArray(manifest.files) ? manifest : null;
  } catch {
    return null;
  }
}

/** What is wrong, one sentence per file; empty where every file is as it was written. */
export function verifyAnalytics(directory: string, { files }: AnalyticsManifest): string[] {
  return files.flatMap((file) => faultOfFile(directory, { ...file, file: file.path }) ?? []);
}

/**
 * What is wrong with the typed tables in the directory of a release, one sentence per file; empty where there are none.
 * Throws a data Failure where the system does not let this process read one.
 */
export function faultsOfAnalytics(release: string, stamp: string): string[] {
  const directory = join(release, ANALYTICS);
  if (!existsSync(directory)) return [];
  const manifest = readAnalytics(directory);
  const path = `${ANALYTICS}/${MANIFEST}`;
  if (manifest === null) return [`${path} is missing or damaged.`];
  if (manifest.stamp !== stamp) return [`${path} is of release ${manifest.stamp}.`];
  return verifyAnalytics(directory, manifest).map((fault) => `${ANALYTICS}/${fault}`);
}

export const identify = (path: string, bytes: Buffer): AnalyticsFile => ({
  path,
  bytes: bytes.length,
  sha256: hash('sha256', bytes, 'hex'),
});
