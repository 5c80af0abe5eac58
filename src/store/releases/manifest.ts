/**
 * The manifest of a release: its layout and stamp, and a description of its content with hashes that detect changes.
 */
import { statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { Failure } from '../../contract/failure.ts';
import { sha256 } from '../../platform/builtins/loaded-on-use.ts';
import { readRegularFile } from '../../platform/files/regular-file.ts';
import { describeCause, isAccessRefusal, makeSystemFailure } from '../../platform/files/system-error.ts';
import { isObject, type JsonObject, parseJson } from '../../platform/json-object.ts';
import type { Table } from '../schema/declare-table.ts';
import { CORE_TABLES } from '../schema/layout.ts';

/**
 * When adding a table or column, increase the minor number: releases stay compatible. When dropping, renaming, retyping
 * or redefining a table or column, increase the major number and reset the minor number.
 */
export const LAYOUT_VERSION = { major: 2, minor: 15 } as const;

/** Returns the major version of a manifest's layout, such as "2.15"; NaN if it has none. */
export const readMajorVersion = (layout: unknown): number =>
  typeof layout === 'number' ? layout : Number(/^(\d+)\.\d+$/.exec(String(layout))?.[1] ?? Number.NaN);

/** The result of one check that a build runs before publication. */
export interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly detail: string;
}

/** The files of one table: a Parquet file, and an index that locates row groups without reading the footer. */
export interface TableFile {
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Type of each column in stored order; a question mark marks a nullable column. */
  readonly columns: Readonly<Record<string, string>>;
  readonly index: { readonly file: string; readonly bytes: number; readonly crc32: number; readonly sha256: string };
  /** Hash of the rows, included in the stamp; missing in releases of older versions. */
  readonly content?: string;
}

export interface Manifest {
  /** Major and minor version of the layout: "2.0". */
  readonly layout: string;
  /** The latest filing date in the release. */
  readonly date: string;
  /** The date, a dash, and the first twelve digits of the hash of all tables. Equal sources result in equal stamps. */
  readonly stamp: string;
  readonly publishedAt: string;
  readonly checks: 'passed' | 'failed';
  readonly checkResults: readonly Check[];
  readonly tables: Readonly<Record<string, TableFile>>;
  readonly sources: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
  /** Number of skipped rows and skipped files, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** A sentence that describes the release, given with `--about` when it was built; null if none was given. */
  readonly about: string | null;
  /**
   * Tables that are missing from this directory, because only some tables were copied; read from ABSENT_TABLES_FILE,
   * not from the manifest file.
   */
  readonly absent?: readonly string[];
  /** CRC-32 of all preceding fields; missing in releases of older versions. */
  readonly crc32?: number;
  /** SHA-256 of all preceding fields, to detect changes; missing in releases whose tables have no `content`. */
  readonly checksum?: string;
}

const STAMP_HASH_DIGITS = 12;

/**
 * Returns the content hash in a release's stamp, from hashes of the tables' pages before compression. So the stamp does
 * not depend on the version of zlib, the number of workers, or the order in which companies are derived.
 */
export function hashTables(
  tables: readonly (readonly [name: string, hash: string])[],
  layout = `${LAYOUT_VERSION.major}.${LAYOUT_VERSION.minor}`,
): string {
  const lines = [`layout ${layout}`, ...tables.map(([name, digest]) => `${name} ${digest}`)];
  return sha256(lines.map((line) => `${line}\n`).join(''));
}

export const formatStamp = (date: string, content: string): string => `${date}-${content.slice(0, STAMP_HASH_DIGITS)}`;

const STAMP_PATTERN = /^\d{4}-\d{2}-\d{2}-[0-9a-f]{12}$/;

/** Whether the text has the format of a stamp, and is therefore safe as a directory name. */
export const isStamp = (text: string): boolean => STAMP_PATTERN.test(text);

export const MANIFEST_FILE = 'manifest.json';

/** Maximum size of a manifest: twice the size needed to list a source file for each of 100,000 companies. */
export const MAX_MANIFEST_BYTES = 24 * 1024 * 1024;

/** Returns the text of a manifest file, with checksums. */
export function serializeManifest(manifest: Manifest): string {
  const withCrc32 = { ...manifest, crc32: computeCrc32(manifest) };
  return `${JSON.stringify({ ...withCrc32, checksum: computeChecksum(withCrc32) }, null, 2)}\n`;
}

const computeChecksum = ({ checksum: _, ...precedingFields }: Readonly<Partial<Manifest>>): string =>
  sha256(JSON.stringify(precedingFields));

const computeCrc32 = ({ crc32: _, checksum: __, ...precedingFields }: Readonly<Partial<Manifest>>): number =>
  crc32(JSON.stringify(precedingFields));

/**
 * Name of the file that lists the tables missing from a directory, if only some tables of a release were copied there.
 */
export const ABSENT_TABLES_FILE = 'part.json';

export const serializePartFile = (absent: readonly string[]) => `${JSON.stringify({ absent }, null, 1)}\n`;

function readAbsentTables(directory: string): readonly string[] {
  const path = join(directory, ABSENT_TABLES_FILE);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return [];
  const content = readJsonFile(path);
  const absent = isObject(content) ? content.absent : null;
  const isCore = (name: unknown) => CORE_TABLES.some((table) => table.name === name);
  if (Array.isArray(absent) && absent.every((name) => typeof name === 'string' && !isCore(name))) return absent;
  throw makeDamagedFailure(path, 'its list of tables that were not pulled is invalid');
}

/** Identifies the manifest in a directory at one moment, without reading it. */
export interface ManifestIdentity {
  readonly directory: string;
  /** Changes when the manifest is replaced; null while the directory is being replaced, and so lacks a manifest. */
  readonly manifestId: string | null;
}

export function identifyManifest(directory: string): ManifestIdentity {
  const stats = statSync(join(directory, MANIFEST_FILE), { throwIfNoEntry: false });
  return { directory, manifestId: stats === undefined ? null : `${stats.ino} ${stats.mtimeMs}` };
}

/** Whether an opened manifest is still current. A manifest that is missing at the moment counts as unchanged. */
export const isSameManifest = (opened: ManifestIdentity | null, current: ManifestIdentity): boolean =>
  opened !== null &&
  opened.directory === current.directory &&
  (current.manifestId === null || current.manifestId === opened.manifestId);

/**
 * Reads the manifest of a release. Omits tables that were not copied into this directory, although the stamp's hash
 * includes them. Throws a data Failure if the manifest is missing or damaged, or has an incompatible layout.
 * @param options whether to compare SHA-256 hashes instead of the CRC-32: hashing needs node:crypto, which loads slowly
 */
export function readManifest(directory: string, options = { checksHashes: true }): Manifest {
  const path = join(directory, MANIFEST_FILE);
  const fields = readJsonFile(path);
  if (!isObject(fields)) throw makeDamagedFailure(path, 'it is not the manifest of a release');
  checkLayout(directory, fields.layout);
  const fault = findManifestFault(fields);
  if (fault !== null) throw makeDamagedFailure(path, fault);
  const manifest = fields as unknown as Manifest;
  const mismatch =
    findStampMismatch(manifest, basename(resolve(directory))) ??
    (options.checksHashes ? findHashMismatch(manifest) : findCrcMismatch(manifest));
  if (mismatch !== null) throw makeDamagedFailure(path, mismatch);
  const absent = readAbsentTables(directory);
  if (absent.length === 0) return manifest;
  const present = Object.entries(manifest.tables).filter(([name]) => !absent.includes(name));
  return { ...manifest, tables: Object.fromEntries(present), absent };
}

const findStampMismatch = ({ stamp }: Manifest, directory: string) =>
  isStamp(directory) && directory !== stamp ? `it belongs to another release: ${stamp}` : null;

/** Returns the fault if the manifest does not match its CRC-32, which detects accidental changes; otherwise null. */
function findCrcMismatch(manifest: Manifest): string | null {
  if (manifest.crc32 === undefined) return findHashMismatch(manifest);
  return manifest.crc32 === computeCrc32(manifest) ? null : 'its checksum is wrong';
}

/** Returns the fault if the manifest or its stamp does not match its hashes; null if they match. */
function findHashMismatch(manifest: Manifest): string | null {
  const { stamp, date, layout, tables, checksum } = manifest;
  const hashes = Object.entries(tables).map(([name, { content }]) => [name, content ?? null] as const);
  // Manifests of older versions have no checksums.
  if (checksum === undefined && hashes.every(([, content]) => content === null)) return null;
  if (checksum !== computeChecksum(manifest)) return 'its checksum is wrong';
  const complete = hashes.map(([name, content]) => [name, content ?? ''] as const);
  return formatStamp(date, hashTables(complete, layout)) === stamp ? null : 'its tables do not match its stamp';
}

/**
 * Throws a data Failure if the layout has another major version than this program's. Any minor version is compatible,
 * because minor versions only add tables and columns.
 */
export function checkLayout(directory: string, layout: unknown): void {
  const major = readMajorVersion(layout);
  if (major === LAYOUT_VERSION.major) return;
  const build = major > LAYOUT_VERSION.major ? 'Upgrade fin, or build' : 'Build';
  const readable = `this version of fin reads layouts ${LAYOUT_VERSION.major}.x.`;
  throw new Failure('data', `The release in ${directory} has layout ${JSON.stringify(layout)}; ${readable}`, {
    hint: `${build} a release with the installed version: fin data build`,
  });
}

const NULLABLE_SUFFIX = '?';

/** Returns a table's columns in the format of a manifest. */
export const describeColumns = ({ columns }: Table): TableFile['columns'] =>
  Object.fromEntries(columns.map(({ name, type, nullable }) => [name, nullable ? type + NULLABLE_SUFFIX : type]));

export interface StoredColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
}

/** Returns the columns of a table file in stored order. */
export const listStoredColumns = ({ columns }: Pick<TableFile, 'columns'>): StoredColumn[] =>
  Object.entries(columns).map(([name, typeText]) => {
    const nullable = typeText.endsWith(NULLABLE_SUFFIX);
    return { name, nullable, type: nullable ? typeText.slice(0, -NULLABLE_SUFFIX.length) : typeText };
  });

function readJsonFile(path: string): unknown {
  try {
    if (statSync(path).size > MAX_MANIFEST_BYTES) throw new Error(`it has more than ${MAX_MANIFEST_BYTES} bytes`);
    return parseJson(readRegularFile(path));
  } catch (cause) {
    throw isAccessRefusal(cause)
      ? makeUnreadableFailure(path, cause)
      : makeDamagedFailure(path, describeCause(cause), cause);
  }
}

function findManifestFault(manifest: JsonObject): string | null {
  if (typeof manifest.stamp !== 'string' || !isStamp(manifest.stamp)) return 'its stamp is invalid';
  if (typeof manifest.date !== 'string' || !manifest.stamp.startsWith(`${manifest.date}-`))
    return 'its date does not match its stamp';
  if (manifest.checks !== 'passed' && manifest.checks !== 'failed') return 'it does not say whether its checks passed';
  if (typeof manifest.publishedAt !== 'string') return 'it has no date of publication';
  if (typeof (manifest.about ?? '') !== 'string') return 'its description is not text';
  const tables = isObject(manifest.tables) ? manifest.tables : {};
  const missingTable = CORE_TABLES.find(({ name }) => tables[name] === undefined);
  if (missingTable !== undefined) return `it has no table ${missingTable.name}`;
  const invalidName = Object.keys(tables).find((name) => !isTableFile(tables[name], name));
  return invalidName === undefined ? null : `its entry for the table ${JSON.stringify(invalidName)} is invalid`;
}

/**
 * Whether an entry of a manifest is valid. File names must match the table's name, so that a manifest cannot refer to
 * files in other directories.
 */
const isTableFile = (entry: unknown, name: string): entry is TableFile =>
  /^[a-z][a-z0-9_]*$/.test(name) &&
  isObject(entry) &&
  entry.file === `${name}.parquet` &&
  isCount(entry.bytes) &&
  isCount(entry.rows) &&
  isObject(entry.columns) &&
  Object.values(entry.columns).every((type) => typeof type === 'string') &&
  isObject(entry.index) &&
  entry.index.file === `${name}.index`;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

export const REPAIR_HINT =
  'Build or pull the release again ("fin data build", "fin data pull"), or switch to another release with "fin data use".';

/** Returns the Failure for a damaged file of a release. */
export const makeDamagedFailure = (path: string, reason: string, cause?: unknown): Failure =>
  new Failure('data', describeDamage(path, reason), { hint: REPAIR_HINT, cause });

/** Returns the Failure for a release whose tables are readable but contradict each other. */
export const makeContradictionFailure = (stamp: string, reason: string): Failure =>
  new Failure('data', `The tables of release ${stamp} contradict each other: ${reason}.`, { hint: REPAIR_HINT });

/**
 * Returns the Failure for a file that the system does not let this process read. The hint does not advise a rebuild,
 * because the file may be intact.
 */
export const makeUnreadableFailure = (path: string, cause: unknown): Failure =>
  makeSystemFailure('data', `The release file ${path} cannot be read`, cause);

/** The Failure for one damaged table of a release; the other tables remain readable. */
export class TableFailure extends Failure {
  constructor(
    readonly table: string,
    readonly path: string,
    readonly reason: string,
    cause?: unknown,
  ) {
    super('data', describeDamage(path, reason), { hint: REPAIR_HINT, cause });
  }
}

const describeDamage = (path: string, reason: string) =>
  `The release file ${path} cannot be read: ${reason.replace(/[.\s]+$/, '')}.`;
