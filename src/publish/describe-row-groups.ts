/**
 * Describes row groups for readers that request ranges of a published release: makes the index, which they read first,
 * and pages with the positions of row groups.
 */
import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { LocalTable } from '../store/local-table.ts';
import type { Manifest, TableFile } from '../store/releases/manifest.ts';
import { TABLES_BY_FAMILY } from '../store/schema/layout.ts';
import type { JoinedChunkHashes, PageEntry, PublishedTable, RowGroupEntry } from './release-index.ts';
import { HASH_DIGITS, makeChunkHashesKey } from './release-index.ts';

/**
 * Maximum size of the row group entries in the index, as JSON. The index includes the row groups of the smallest
 * tables, so that readers can locate them without a further request.
 */
const MAX_INDEX_BYTES = 24 * 1024;
/** Number of entries per page; a page has about 5 KB. */
const ENTRIES_PER_PAGE = 96;
/**
 * Number of entries per page with column chunk hashes: these entries are longer, and a query reads about twenty of
 * them.
 */
const ENTRIES_PER_PAGE_WITH_CHUNKS = 12;

/**
 * Tables that get a hash per column chunk: these tables have many columns and rows, and a query reads few of the
 * columns.
 */
const TABLES_READ_BY_COLUMN: ReadonlySet<string> = new Set(TABLES_BY_FAMILY.history.map(({ name }) => name));

interface DescribedTable {
  readonly name: string;
  readonly table: Pick<TableFile, 'rows' | 'columns'>;
  readonly entries: readonly RowGroupEntry[];
  /** Column chunk hashes of each entry, in the same order; undefined if queries read whole row groups of the table. */
  readonly chunks: readonly JoinedChunkHashes[] | undefined;
}

/**
 * Describes all row groups of a release; the same release always has the same description. Throws TableFailure
 * if a row group is damaged.
 */
export async function describeRowGroups(directory: string, { tables, publishedAt, checks }: Manifest) {
  const allTables: DescribedTable[] = [];
  for (const [name, file] of Object.entries(tables)) {
    const { rows, columns } = file;
    allTables.push({ name, table: { rows, columns }, ...(await readRowGroupEntries(directory, name, file)) });
  }
  const indexed = selectTablesForIndex(allTables);
  const pages = new RowGroupPages();
  const companyPages = pages.add(allTables.filter((table) => !indexed.has(table) && isKeyedByCik(table)));
  const tableEntries = allTables.map((each): [string, PublishedTable] => {
    const { name, table, entries, chunks } = each;
    if (indexed.has(each)) return [name, { ...table, groups: entries, ...(chunks && { chunks }) }];
    return [name, isKeyedByCik(each) ? { ...table, byCompany: true } : { ...table, pages: pages.add([each]) }];
  });
  const opening = { publishedAt, checks, tables: Object.fromEntries(tableEntries), companyPages };
  return { opening, pages: pages.bytes() };
}

/** Returns the tables with the shortest descriptions, up to {@link MAX_INDEX_BYTES} in total. */
function selectTablesForIndex(allTables: readonly DescribedTable[]): ReadonlySet<DescribedTable> {
  const sized = allTables.map((table) => ({ table, size: JSON.stringify([table.entries, table.chunks]).length }));
  let bytesLeft = MAX_INDEX_BYTES;
  const small = new Set<DescribedTable>();
  for (const { table, size } of sized.toSorted((a, b) => a.size - b.size)) {
    bytesLeft -= size;
    if (bytesLeft < 0) break;
    small.add(table);
  }
  return small;
}

/**
 * Whether the rows are keyed by company. Tables with other keys have separate pages, because they would make every
 * shared page larger.
 */
const isKeyedByCik = ({ table }: DescribedTable): boolean => Object.keys(table.columns)[0] === 'cik';

class RowGroupPages {
  readonly #pages: Buffer[] = [];
  #offset = 0;

  /** Adds pages with the row groups of these tables, sorted by key. */
  add(tables: readonly DescribedTable[]): PageEntry[] {
    if (tables.length === 0) return [];
    const keys = tables.flatMap(({ entries }) => entries.map(([firstKey]) => firstKey)).sort((a, b) => a - b);
    const perPage = tables.some(({ chunks }) => chunks) ? ENTRIES_PER_PAGE_WITH_CHUNKS : ENTRIES_PER_PAGE;
    const starts = [0];
    for (let start = 0; start + perPage < keys.length; ) {
      const boundary = keys[start + perPage] ?? 0;
      if (boundary > (starts.at(-1) ?? 0)) starts.push(boundary);
      start = Math.max(start + perPage, keys.indexOf(boundary));
    }
    return starts.map((fromKey, index) => {
      const untilKey = starts[index + 1] ?? Number.POSITIVE_INFINITY;
      const groupEntries = tables.flatMap(({ name, entries, chunks }) => {
        const isInPage = ([firstKey, lastKey]: RowGroupEntry) => firstKey < untilKey && lastKey >= fromKey;
        const entry = [name, entries.filter(isInPage)];
        const hashes = chunks?.filter((_, index) => isInPage(entries[index] as RowGroupEntry));
        return hashes === undefined ? [entry] : [entry, [makeChunkHashesKey(name), hashes]];
      });
      const bytes = gzipSync(JSON.stringify(Object.fromEntries(groupEntries)), { level: 9 });
      this.#pages.push(bytes);
      this.#offset += bytes.length;
      return [fromKey, this.#offset - bytes.length, bytes.length, hashBytes(bytes)];
    });
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pages);
  }
}

async function readRowGroupEntries(directory: string, name: string, file: TableFile) {
  const table = new LocalTable(directory, name, file);
  try {
    const entries: RowGroupEntry[] = [];
    const hashes: JoinedChunkHashes[] = [];
    for (const group of await table.allGroups()) {
      const [chunks = []] = await table.readGroups([group]);
      const lengths = group.chunks.map(({ length }) => length);
      const { firstKey: first, lastKey: last, rows } = group;
      entries.push([first, last, rows, group.chunks[0]?.offset ?? 0, hashBytes(Buffer.concat(chunks)), ...lengths]);
      if (TABLES_READ_BY_COLUMN.has(name)) hashes.push(chunks.map(hashBytes).join(''));
    }
    return { entries, chunks: TABLES_READ_BY_COLUMN.has(name) ? hashes : undefined };
  } finally {
    table.close();
  }
}

const hashBytes = (bytes: Uint8Array): string => hash('sha256', bytes).slice(0, HASH_DIGITS);
