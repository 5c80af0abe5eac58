/**
 * The index that a reader of a published release needs before it can request ranges: the tables, their columns, and the
 * positions of row groups. The index is part of `files.json`, whose hash is in the pointer; for a large table, the
 * index lists only pages.
 */
import { isObject } from '../platform/json-object.ts';
import { CORE_TABLES } from '../store/schema/layout.ts';
import { type FileList, FormatError, matches } from './format.ts';

/** The file of all pages of row groups, in the directory of the stamp. */
export const ROW_GROUPS_FILE = 'row-groups.bin';

/** A range of a published file, with the first 32 hex digits of the range's SHA-256. */
export interface FileRange {
  /** Path relative to the directory of the stamp. */
  readonly path: string;
  readonly offset: number;
  readonly length: number;
  readonly hash: string;
}

export const HASH_DIGITS = 32;

/** A row group: first key, last key, number of rows, offset in the file, hash, and the length of each column chunk. */
export type RowGroupEntry = readonly [
  firstKey: number,
  lastKey: number,
  rows: number,
  offset: number,
  hash: string,
  ...lengths: number[],
];

/** Concatenated hashes of the column chunks of a row group: the first 32 hex digits of each SHA-256. */
export type JoinedChunkHashes = string;

/**
 * Returns the JSON key of a table's chunk hashes in a page. The hashes are in the order of the table's entries. No
 * table name contains a colon.
 */
export const makeChunkHashesKey = (table: string): string => `${table}:chunks`;

/**
 * A page of `row-groups.bin`: first key and position. The page is gzipped JSON with row group entries by table, for the
 * keys from the first key up to the next page's. A row group with keys of two pages is in both.
 */
export type PageEntry = readonly [firstKey: number, offset: number, length: number, hash: string];

export interface PublishedTable {
  readonly rows: number;
  readonly columns: Readonly<Record<string, string>>;
  /** All row groups, if the table is small. */
  readonly groups?: readonly RowGroupEntry[];
  /** Chunk hashes of `groups`; present only if queries read few columns of the table. */
  readonly chunks?: readonly JoinedChunkHashes[];
  /** Whether the table is large and has the company as key, so that `companyPages` include it. */
  readonly byCompany?: true;
  /** The table's own pages, if it is large and has another key. */
  readonly pages?: readonly PageEntry[];
}

export interface ReleaseIndex {
  readonly publishedAt: string;
  readonly checks: 'passed' | 'failed';
  readonly tables: Readonly<Record<string, PublishedTable>>;
  /** Pages of all large tables with the company as key, so that a query for a company needs only one page. */
  readonly companyPages: readonly PageEntry[];
}

/** Returns the index of a published release. Throws a FormatError if the index is missing or not supported. */
export function readReleaseIndex({ opening, stamp }: FileList): ReleaseIndex {
  if (opening === undefined)
    throw new FormatError(`has the release ${stamp} without the index that is required for HTTP range requests`);
  const { publishedAt, checks, tables, companyPages } = opening;
  const isValid =
    typeof publishedAt === 'string' && ['passed', 'failed'].includes(String(checks)) && isPageList(companyPages);
  if (!isValid || !isObject(tables)) throw new FormatError(`has the release ${stamp} with an invalid index`);
  const missingTable = CORE_TABLES.find(({ name }) => tables[name] === undefined);
  if (missingTable !== undefined)
    throw new FormatError(`has an incomplete copy of release ${stamp}: the table ${missingTable.name} is missing`);
  const invalid = Object.keys(tables).find((name) => !isTableEntry(name, tables[name]));
  if (invalid !== undefined)
    throw new FormatError(`has the release ${stamp} with an invalid index of the table ${JSON.stringify(invalid)}`);
  return opening as unknown as ReleaseIndex;
}

/**
 * Whether a table's name and entry are valid. Accepts only lower-case letters, digits and underscores in names: file
 * names are derived from them, and must not lead to a file outside the release's directory.
 */
function isTableEntry(name: string, value: unknown): boolean {
  if (!/^[a-z][a-z0-9_]*$/.test(name) || !isObject(value)) return false;
  const { rows, columns, groups, chunks, byCompany, pages } = value;
  return (
    isCount(rows) &&
    isObject(columns) &&
    Object.values(columns).every((type) => typeof type === 'string') &&
    (byCompany === true ||
      isPageList(pages) ||
      (areRowGroupEntries(groups, Object.keys(columns).length) && areChunkHashes(chunks, groups)))
  );
}

/** Whether a value is a list of row group entries with `columns` column chunks each. */
export const areRowGroupEntries = (value: unknown, columns: number): value is RowGroupEntry[] =>
  Array.isArray(value) &&
  value.every((entry: unknown) => {
    if (!Array.isArray(entry)) return false;
    const [firstKey, lastKey, rows, offset, hash, ...lengths]: unknown[] = entry;
    return [firstKey, lastKey, rows, offset, ...lengths].every(isCount) && isHash(hash) && lengths.length === columns;
  });

/**
 * Whether a value is the list of chunk hashes of these row groups, or absent. Without the list, only whole row groups
 * can be verified.
 */
export function areChunkHashes(
  value: unknown,
  entries: readonly RowGroupEntry[],
): value is readonly JoinedChunkHashes[] | undefined {
  if (value === undefined) return true;
  return (
    Array.isArray(value) &&
    value.length === entries.length &&
    value.every((hashes: unknown, index) => {
      const columns = (entries[index] as RowGroupEntry).length - ENTRY_FIXED_FIELD_COUNT;
      return matches(hashes, /^[0-9a-f]*$/) && hashes.length === columns * HASH_DIGITS;
    })
  );
}

/** Number of fields of an entry before the lengths of column chunks. */
const ENTRY_FIXED_FIELD_COUNT = 5;

/** Maximum compressed size of a page: fifty times the size of published pages. */
const MAX_PACKED_PAGE_BYTES = 256 * 1024;

/** Whether a value is a list of pages sorted by first key, so that each key belongs to one page only. */
function isPageList(value: unknown): boolean {
  let lastKey = -1;
  return (
    Array.isArray(value) &&
    value.every((page: unknown) => {
      if (!Array.isArray(page)) return false;
      const [firstKey, offset, length, hash]: unknown[] = page;
      const isAfter = isCount(firstKey) && Number(firstKey) > lastKey;
      lastKey = Number(firstKey);
      return isAfter && isCount(offset) && isCount(length) && Number(length) <= MAX_PACKED_PAGE_BYTES && isHash(hash);
    })
  );
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const isHash = (value: unknown): boolean => matches(value, /^[0-9a-f]{32}$/);
