/**
 * Describes row groups when a release is published: what readers of ranges need first, and pages with the places of
 * row groups.
 */
import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { LocalTable } from '../store/local-table.ts';
import type { Manifest, TableFile } from '../store/manifest.ts';
import { FAMILY_TABLES } from '../store/schema/families.ts';
import {
  type ChunkHashes,
  chunkHashesOf,
  HASH_DIGITS,
  type PageEntry,
  type PublishedTable,
  type ReleaseIndex,
  type RowGroupEntry,
} from './release-index.ts';

/** Maximum bytes of JSON on the smallest tables' row groups in the index; it saves a request per table. */
const MAX_INDEX_BYTES = 24 * 1024;
/** Number of entries per page, about 5 KB. */
const PAGE_ENTRIES = 96;
/** Entries with hashes of every column chunk are longer, and a question reads about twenty of them. */
const PAGE_ENTRIES_WITH_CHUNKS = 12;

/** Tables with hashes of every column chunk: of their many columns and rows a question reads few columns. */
const READ_BY_COLUMN: ReadonlySet<string> = new Set(FAMILY_TABLES.history.map(({ name }) => name));

export interface DescribedRowGroups {
  readonly opening: ReleaseIndex;
  /** The bytes of `row-groups.bin`; empty if all tables are small. */
  readonly pages: Buffer;
}

interface Described {
  readonly name: string;
  readonly table: Pick<TableFile, 'rows' | 'columns'>;
  readonly entries: readonly RowGroupEntry[];
  /** Parallel to the entries; undefined for a table of which a question reads whole row groups. */
  readonly chunks: readonly ChunkHashes[] | undefined;
}

/** Reads every row group. Throws DamagedTable if one is damaged. The same release always gives the same bytes. */
export async function describeRowGroups(
  directory: string,
  { tables, publishedAt, checks }: Manifest,
): Promise<DescribedRowGroups> {
  const all: Described[] = [];
  for (const [name, file] of Object.entries(tables)) {
    const { rows, columns } = file;
    all.push({ name, table: { rows, columns }, ...(await entriesOf(directory, name, file)) });
  }
  const small = smallOnes(all);
  const pages = new PageWriter();
  const companyPages = pages.add(all.filter((one) => !small.has(one) && isByCompany(one)));
  const described = all.map((one): [string, PublishedTable] => {
    const { name, table, entries, chunks } = one;
    if (small.has(one)) return [name, { ...table, groups: entries, ...(chunks && { chunks }) }];
    return [name, isByCompany(one) ? { ...table, byCompany: true } : { ...table, pages: pages.add([one]) }];
  });
  const opening = { publishedAt, checks, tables: Object.fromEntries(described), companyPages };
  return { opening, pages: pages.bytes() };
}

/** Returns the tables with the shortest descriptions, up to the maximum size. */
function smallOnes(all: readonly Described[]): ReadonlySet<Described> {
  const sized = all.map((one) => ({ one, size: JSON.stringify([one.entries, one.chunks]).length }));
  let left = MAX_INDEX_BYTES;
  const small = new Set<Described>();
  for (const { one, size } of sized.toSorted((a, b) => a.size - b.size)) {
    left -= size;
    if (left < 0) break;
    small.add(one);
  }
  return small;
}

/** Whether rows begin with the company. If tables with other keys did, their pages would only be larger. */
const isByCompany = ({ table }: Described): boolean => Object.keys(table.columns)[0] === 'cik';

class PageWriter {
  readonly #pages: Buffer[] = [];
  #offset = 0;

  /** Adds pages of the row groups of these tables, by key. */
  add(tables: readonly Described[]): PageEntry[] {
    if (tables.length === 0) return [];
    const keys = tables.flatMap(({ entries }) => entries.map(([firstKey]) => firstKey)).sort((a, b) => a - b);
    const size = tables.some(({ chunks }) => chunks) ? PAGE_ENTRIES_WITH_CHUNKS : PAGE_ENTRIES;
    const first = [0];
    for (let from = 0; from + size < keys.length; ) {
      const key = keys[from + size] ?? 0;
      if (key > (first.at(-1) ?? 0)) first.push(key);
      from = Math.max(from + size, keys.indexOf(key));
    }
    return first.map((from, index) => {
      const until = first[index + 1] ?? Number.POSITIVE_INFINITY;
      const page = tables.flatMap(({ name, entries, chunks }) => {
        const isIn = ([firstKey, lastKey]: RowGroupEntry) => firstKey < until && lastKey >= from;
        const own = [name, entries.filter(isIn)];
        const hashes = chunks?.filter((_, index) => isIn(entries[index] as RowGroupEntry));
        return hashes === undefined ? [own] : [own, [chunkHashesOf(name), hashes]];
      });
      const bytes = gzipSync(JSON.stringify(Object.fromEntries(page)), { level: 9 });
      this.#pages.push(bytes);
      this.#offset += bytes.length;
      return [from, this.#offset - bytes.length, bytes.length, hashOf(bytes)];
    });
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pages);
  }
}

async function entriesOf(
  directory: string,
  name: string,
  file: TableFile,
): Promise<Pick<Described, 'entries' | 'chunks'>> {
  const table = new LocalTable(directory, name, file);
  try {
    const entries: RowGroupEntry[] = [];
    const hashes: ChunkHashes[] = [];
    for (const group of await table.allGroups()) {
      const [chunks = []] = await table.readGroups([group]);
      const lengths = group.chunks.map(({ length }) => length);
      const { firstKey, lastKey, rows } = group;
      entries.push([firstKey, lastKey, rows, group.chunks[0]?.offset ?? 0, hashOf(Buffer.concat(chunks)), ...lengths]);
      if (READ_BY_COLUMN.has(name)) hashes.push(chunks.map(hashOf).join(''));
    }
    return { entries, chunks: READ_BY_COLUMN.has(name) ? hashes : undefined };
  } finally {
    table.close();
  }
}

const hashOf = (bytes: Uint8Array): string => hash('sha256', bytes).slice(0, HASH_DIGITS);
