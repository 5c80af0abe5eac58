/**
 * The index that a reader of a published release needs before it can request ranges: the tables, their columns, and the places
 * of row groups. It is part of `files.json`, whose hash is in the pointer; a large table has only a list of pages.
 */
import { isObject, type JsonObject } from '../platform/json-object.ts';
import type { ReleaseIdentity } from '../store/reader.ts';
import { CORE_TABLES } from '../store/schema/layout.ts';
import { type FileList, FormatError } from './format.ts';

/** Pages of row groups, concatenated, in the directory of the stamp. */
export const ROW_GROUPS_FILE = 'row-groups.bin';

/** A range of a published file, and the first 32 hex digits of its SHA-256. */
export interface FileRange {
  /** Path below the directory of the stamp. */
  readonly path: string;
  readonly offset: number;
  readonly length: number;
  readonly hash: string;
}

export const HASH_DIGITS = 32;

/** One row group: first key, last key, rows, offset in the file, hash, and length of each column chunk. */
export type RowGroupEntry = readonly [
  firstKey: number,
  lastKey: number,
  rows: number,
  offset: number,
  hash: string,
  ...lengths: number[],
];

/** Hashes of the column chunks of a row group, joined: each is the first 32 hex digits of a SHA-256. */
export type ChunkHashes = string;

/** Name of a table's chunk hashes in a page, next to its entries and parallel to them. No table has such a name. */
export const chunkHashesOf = (table: string): string => `${table}:chunks`;

/**
 * A page of `row-groups.bin`: its first key and its place. It is gzip of JSON, with entries by table. A page covers
 * the keys up to the next page's first key; a row group with keys of several pages is in each.
 */
export type PageEntry = readonly [firstKey: number, offset: number, length: number, hash: string];

export interface PublishedTable {
  readonly rows: number;
  readonly columns: Readonly<Record<string, string>>;
  /** All row groups of a small table. */
  readonly groups?: readonly RowGroupEntry[];
  /** Chunk hashes of these row groups, for a table of which readers want few columns. */
  readonly chunks?: readonly ChunkHashes[];
  /** For a large table that is found by company: whether the common pages include it. */
  readonly byCompany?: true;
  /** The pages of another large table. */
  readonly pages?: readonly PageEntry[];
}

export interface ReleaseIndex {
  readonly publishedAt: string;
  readonly checks: 'passed' | 'failed';
  readonly tables: Readonly<Record<string, PublishedTable>>;
  /** The pages of all large tables that are found by company, so that a question about one company needs one page. */
  readonly companyPages: readonly PageEntry[];
}

/** Throws a FormatError for a release without an index, or with one that this program cannot read. */
export function readReleaseIndex({ opening, stamp }: FileList): ReleaseIndex {
  if (opening === undefined)
    throw new FormatError(`has the release ${stamp} without the index that reading by ranges needs`);
  const { publishedAt, checks, tables, companyPages } = opening;
  const isComplete =
    typeof publishedAt === 'string' && ['passed', 'failed'].includes(String(checks)) && isPageList(companyPages);
  if (!isComplete || !isObject(tables)) throw new FormatError(`has the release ${stamp} with an invalid index`);
  const missingTable = CORE_TABLES.find(({ name }) => tables[name] === undefined);
  if (missingTable !== undefined)
    throw new FormatError(`has the release ${stamp} without the table ${missingTable.name}`);
  const invalidName = Object.keys(tables).find((name) => !isTableEntry(name, tables[name]));
  if (invalidName !== undefined)
    throw new FormatError(`does not say which files the table ${JSON.stringify(invalidName)} is in`);
  return opening as unknown as ReleaseIndex;
}

/** Returns the identity of the release for its reader. */
export function identityOf(
  { publishedAt, checks, tables }: ReleaseIndex,
  { stamp, date, layout }: Pick<ReleaseIdentity, 'stamp' | 'date' | 'layout'>,
): ReleaseIdentity {
  return { stamp, date, layout, publishedAt, checks, tables };
}

/** File names are derived from table names, so that a release cannot refer to files outside its directory. */
function isTableEntry(name: string, value: unknown): boolean {
  if (!/^[a-z][a-z0-9_]*$/.test(name) || !isObject(value)) return false;
  const { rows, columns, groups, chunks, byCompany, pages }: JsonObject = value;
  return (
    isCount(rows) &&
    isObject(columns) &&
    Object.values(columns).every((type) => typeof type === 'string') &&
    (byCompany === true ||
      isPageList(pages) ||
      (areEntries(groups, Object.keys(columns).length) && areChunkHashes(chunks, groups)))
  );
}

/** Whether a value is a list of row groups with `columns` columns each. */
export function areEntries(value: unknown, columns: number): value is RowGroupEntry[] {
  return (
    Array.isArray(value) &&
    value.every((entry: unknown) => {
      if (!Array.isArray(entry)) return false;
      const [firstKey, lastKey, rows, offset, hash, ...lengths]: unknown[] = entry;
      return [firstKey, lastKey, rows, offset, ...lengths].every(isCount) && isHash(hash) && lengths.length === columns;
    })
  );
}

/** Whether a value has the chunk hashes of these row groups, or is missing: then a row group is verified as a whole. */
export function areChunkHashes(
  value: unknown,
  entries: readonly RowGroupEntry[],
): value is readonly ChunkHashes[] | undefined {
  if (value === undefined) return true;
  return (
    Array.isArray(value) &&
    value.length === entries.length &&
    value.every((hashes: unknown, index) => {
      const columns = (entries[index] as RowGroupEntry).length - ENTRY_HEAD_FIELDS;
      return typeof hashes === 'string' && hashes.length === columns * HASH_DIGITS && /^[0-9a-f]*$/.test(hashes);
    })
  );
}

/** Number of values in an entry before the lengths. */
const ENTRY_HEAD_FIELDS = 5;

/** Maximum bytes of a page as stored: fifty times the published ones. */
const MAX_PACKED_PAGE_BYTES = 256 * 1024;

/** Whether a value is a list of pages sorted by first key, so that a key belongs to one page. */
function isPageList(value: unknown): boolean {
  let previousKey = -1;
  return (
    Array.isArray(value) &&
    value.every((page: unknown) => {
      if (!Array.isArray(page)) return false;
      const [firstKey, offset, length, hash]: unknown[] = page;
      const isAfter = isCount(firstKey) && Number(firstKey) > previousKey;
      previousKey = Number(firstKey);
      return isAfter && isCount(offset) && isCount(length) && Number(length) <= MAX_PACKED_PAGE_BYTES && isHash(hash);
    })
  );
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const isHash = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);
