/** Made when a release is published: what readers of ranges need first, and pages of where row groups stand. */
import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { LocalTable } from '../store/local-table.ts';
import type { Manifest, TableFile } from '../store/manifest.ts';
import { HASH_DIGITS, type Opening, type PageEntry, type PublishedTable, type RowGroupEntry } from './opening.ts';

/** A table of so few row groups has them in the opening, which saves its reader a request. */
const IN_OPENING = 16;
/** About 5 KB, for tables of twenty columns. */
const PAGE_GROUPS = 64;

export interface DescribedRowGroups {
  readonly opening: Opening;
  /** The bytes of `row-groups.bin`; empty where all tables are small. */
  readonly pages: Buffer;
}

/** Reads every row group. Throws DamagedTable where one is not what was written. The same release makes the same bytes. */
export async function describeRowGroups(
  directory: string,
  { tables, publishedAt, checks }: Manifest,
): Promise<DescribedRowGroups> {
  const pages: Buffer[] = [];
  let offset = 0;
  const described: Record<string, PublishedTable> = {};
  for (const [name, file] of Object.entries(tables)) {
    const { rows, columns } = file;
    const groups = await entriesOf(directory, name, file);
    if (groups.length <= IN_OPENING) {
      described[name] = { rows, columns, groups };
      continue;
    }
    const own: PageEntry[] = [];
    for (let from = 0; from < groups.length; from += PAGE_GROUPS) {
      const part = groups.slice(from, from + PAGE_GROUPS);
      const page = gzipSync(JSON.stringify(part), { level: 9 });
      own.push([part[0]?.[0] ?? 0, part.length, offset, page.length, hashOf(page)]);
      pages.push(page);
      offset += page.length;
    }
    described[name] = { rows, columns, pages: own };
  }
  return { opening: { publishedAt, checks, tables: described }, pages: Buffer.concat(pages) };
}

async function entriesOf(directory: string, name: string, file: TableFile): Promise<RowGroupEntry[]> {
  const table = new LocalTable(directory, name, file);
  try {
    const entries: RowGroupEntry[] = [];
    for (const group of await table.groups()) {
      const [chunks = []] = await table.read([group]);
      const lengths = group.chunks.map(({ length }) => length);
      const { firstKey, lastKey, rows } = group;
      entries.push([firstKey, lastKey, rows, group.chunks[0]?.offset ?? 0, hashOf(Buffer.concat(chunks)), ...lengths]);
    }
    return entries;
  } finally {
    table.close();
  }
}

const hashOf = (bytes: Uint8Array): string => hash('sha256', bytes).slice(0, HASH_DIGITS);
