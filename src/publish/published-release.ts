/** Reads a published release at its host, range by range. The caller provides the source of bytes. */
import { gunzipSync } from 'node:zlib';
import { Failure } from '../contract/failure.ts';
import { sumNumbers } from '../platform/collections.ts';
import { describeCause } from '../platform/files/system-error.ts';
import { isObject, type JsonObject, parseJson } from '../platform/json-object.ts';
import { findRowGroupFault } from '../store/parquet/format/bounds.ts';
import { createReleaseReader, type ReleaseReader } from '../store/reader.ts';
import { checkLayout } from '../store/releases/manifest.ts';
import type { Table } from '../store/schema/declare-table.ts';
import type { ColumnChunks, RowGroupRef, TableSource } from '../store/table-reader.ts';
import { readCached, TableReader } from '../store/table-reader.ts';
import type { FileList, ReleasePointer } from './format.ts';
import type { FileRange, JoinedChunkHashes, PageEntry, PublishedTable, RowGroupEntry } from './release-index.ts';
import {
  areChunkHashes,
  areRowGroupEntries,
  HASH_DIGITS,
  makeChunkHashesKey,
  ROW_GROUPS_FILE,
  readReleaseIndex,
} from './release-index.ts';

/** Returns the bytes of each range, verified by its hash. */
type ReadRanges = (ranges: readonly FileRange[]) => Promise<readonly Uint8Array[]>;

interface PublishedSource {
  /** The address of the release's directory, for error messages. */
  readonly address: string;
  readonly read: ReadRanges;
}

/**
 * Opens a published release. Throws a FormatError if the index is missing or invalid, and a data Failure if the layout
 * is incompatible. Reading throws a data Failure if a table lacks a required column.
 */
export function openPublishedRelease(pointer: ReleasePointer, list: FileList, source: PublishedSource): ReleaseReader {
  checkLayout(source.address, pointer.layout);
  const { publishedAt, checks, tables, companyPages } = readReleaseIndex(list);
  const { stamp, date, layout } = pointer;
  const pages = new PageCache(source);
  return createReleaseReader({ stamp, date, layout, publishedAt, checks, tables }, <Row>(table: Table<Row>) => {
    const entry = tables[table.name];
    const path = `${source.address}/${table.name}.parquet`;
    if (entry === undefined) throw makeDamagedFailure(path, 'the release does not have this table');
    const host = entry.byCompany === true ? { ...entry, pages: companyPages } : entry;
    return new TableReader(table, { ...entry, path }, () => new PublishedTableSource(table.name, host, source, pages));
  });
}

interface PublishedGroup extends RowGroupRef {
  readonly firstKey: number;
  readonly range: FileRange;
  readonly lengths: readonly number[];
  /** Ranges of the column chunks; null if only the whole row group has a hash. */
  readonly chunks: readonly FileRange[] | null;
}

/** Maximum unpacked size of a page of row groups, which is forty times the size of published pages. */
const MAX_PAGE_BYTES = 1024 * 1024;
/** Maximum unpacked size of all pages that list the row groups of one read: about three thousand published pages. */
const MAX_READ_PAGES_BYTES = 32 * MAX_PAGE_BYTES;
/** Maximum unpacked size of all cached pages. */
const MAX_CACHED_PAGES_BYTES = 8 * MAX_PAGE_BYTES;
/** Maximum number and packed size of pages that are read together. */
const BATCH_LIMITS = { pages: 64, bytes: 128 * 1024 };

/**
 * Returns the maximum unpacked size of a page. The limit is low because parsed JSON may take fourteen times its size in
 * memory. Published pages unpack to three times their packed size.
 */
const computeMaxPageBytes = (packed: number): number => Math.min(MAX_PAGE_BYTES, 64 * 1024 + 16 * packed);

/** Divides pages into batches that are read together. */
function* listBatches(pages: readonly PageEntry[]): Generator<readonly PageEntry[]> {
  let batch: PageEntry[] = [];
  let bytes = 0;
  for (const page of pages) {
    const [, , length] = page;
    if (batch.length === BATCH_LIMITS.pages || (batch.length > 0 && bytes + length > BATCH_LIMITS.bytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(page);
    bytes += length;
  }
  if (batch.length > 0) yield batch;
}

class PublishedTableSource implements TableSource<PublishedGroup> {
  /**
   * Row groups that were read as a whole, by offset, although only some columns are needed: without chunk hashes, only
   * a whole row group can be verified.
   */
  readonly #wholeGroups = new Map<number, Promise<ColumnChunks>>();
  /**
   * Column chunks that were read individually, by hash. Equal chunks, such as the empty columns of a row group, are
   * read once.
   */
  readonly #chunks = new Map<string, Promise<Uint8Array>>();

  constructor(
    private readonly name: string,
    private readonly entry: PublishedTable,
    private readonly source: PublishedSource,
    private readonly pages: PageCache,
  ) {}

  async groupsBetween(minKey: number, maxKey: number): Promise<PublishedGroup[]> {
    const { pages } = this.entry;
    const pagesInRange = pages?.filter(
      ([pageKey], index) => pageKey <= maxKey && (pages[index + 1]?.[0] ?? Number.POSITIVE_INFINITY) > minKey,
    );
    const groups = await this.#listGroups(pagesInRange);
    return groups.filter(({ firstKey, lastKey }) => firstKey <= maxKey && lastKey >= minKey);
  }

  allGroups(): Promise<readonly PublishedGroup[]> {
    return this.#listGroups(this.entry.pages);
  }

  async readGroups(groups: readonly PublishedGroup[]): Promise<ColumnChunks[]> {
    const buffers = await this.source.read(groups.map(({ range }) => range));
    return groups.map(({ lengths }, index) => {
      let start = 0;
      return lengths.map((length) => {
        const chunk = buffers[index]?.subarray(start, start + length);
        start += length;
        if (chunk?.length !== length)
          throw this.damagedTableFailure('the length of a row group does not match its columns');
        return chunk;
      });
    });
  }

  async readColumns(groups: readonly PublishedGroup[], positions: readonly number[]): Promise<ColumnChunks[]> {
    // All ranges are requested together, so that the source can combine them.
    return Promise.all(
      groups.map((group) =>
        group.chunks === null
          ? this.#readWholeGroup(group, positions)
          : this.#readChunks(positions.map((position) => this.#columnAt(group.chunks ?? [], position))),
      ),
    );
  }

  /** Reads all columns of the row group, because the hash covers the whole row group. */
  async #readWholeGroup(group: PublishedGroup, positions: readonly number[]): Promise<ColumnChunks> {
    const readChunks = async () => (await this.readGroups([group]))[0] ?? [];
    const chunks = await readCached(this.#wholeGroups, group.group, readChunks);
    return positions.map((position) => this.#columnAt(chunks, position));
  }

  #readChunks(ranges: readonly FileRange[]): Promise<ColumnChunks> {
    return Promise.all(
      ranges.map((range) =>
        readCached(this.#chunks, range.hash, async () => (await this.source.read([range]))[0] as Uint8Array),
      ),
    );
  }

  #columnAt<T>(columns: readonly T[], position: number): T {
    const column = columns[position];
    if (column === undefined) throw this.damagedTableFailure(`a row group has no column ${position}`);
    return column;
  }

  damagedTableFailure(reason: string, cause?: unknown): Failure {
    return makeDamagedFailure(`${this.source.address}/${this.name}.parquet`, reason, cause);
  }

  close(): void {}

  async #listGroups(pages: readonly PageEntry[] | undefined): Promise<PublishedGroup[]> {
    if (pages === undefined) return this.#checkGroups(this.#toGroups(this.entry.groups ?? [], this.entry.chunks));
    const groups: PublishedGroup[] = [];
    let total = 0;
    for (const batch of listBatches(pages)) {
      // The pages of a batch are requested together, so that the source can combine them.
      for (const { content, bytes } of await Promise.all(batch.map((page) => this.pages.read(page)))) {
        total += bytes;
        if (total > MAX_READ_PAGES_BYTES)
          throw this.damagedTableFailure(
            `its entries in ${ROW_GROUPS_FILE} have more than ${MAX_READ_PAGES_BYTES} bytes in total`,
          );
        for (const group of this.#readPage(content)) groups.push(group);
      }
    }
    // Consecutive pages may contain the same row group.
    return this.#checkGroups(groups.filter(({ group }, index) => group !== groups[index - 1]?.group));
  }

  #readPage(content: JsonObject): PublishedGroup[] {
    const count = Object.keys(this.entry.columns).length;
    const entries = content[this.name];
    const hashes = content[makeChunkHashesKey(this.name)];
    if (!areRowGroupEntries(entries, count) || !areChunkHashes(hashes, entries))
      throw this.damagedTableFailure(`a page of ${ROW_GROUPS_FILE} does not describe this table`);
    return this.#toGroups(entries, hashes);
  }

  /** Rejects overlapping row groups and unsorted keys, which would make a query read many times more bytes. */
  #checkGroups(groups: PublishedGroup[]): PublishedGroup[] {
    for (const [index, group] of groups.entries()) {
      const previous = groups[index - 1];
      const isSorted =
        previous === undefined ||
        (group.range.offset >= previous.range.offset + previous.bytes && group.firstKey >= previous.lastKey);
      const fault = isSorted ? findRowGroupFault(group) : 'its row groups are not in order';
      if (fault !== null) throw this.damagedTableFailure(fault);
    }
    return groups;
  }

  #toGroups(entries: readonly RowGroupEntry[], hashes: readonly JoinedChunkHashes[] | undefined): PublishedGroup[] {
    const path = `${this.name}.parquet`;
    return entries.map(([firstKey, lastKey, rows, offset, hash, ...lengths], index) => {
      const bytes = sumNumbers(lengths);
      const joined = hashes?.[index];
      let start = offset;
      const toChunk = (length: number, column: number): FileRange => {
        const part = joined?.slice(column * HASH_DIGITS, (column + 1) * HASH_DIGITS) ?? '';
        start += length;
        return { path, offset: start - length, length, hash: part };
      };
      const chunks = joined === undefined ? null : lengths.map(toChunk);
      const location = { range: { path, offset, length: bytes, hash }, lengths, chunks };
      return { group: offset, rows, bytes, firstKey, lastKey, ...location };
    });
  }
}

interface LoadedPage {
  /** Row group entries by table name, and the hashes of the table's chunks by `makeChunkHashesKey` of the name. */
  readonly content: JsonObject;
  /** Unpacked size of the page. */
  readonly bytes: number;
}

/** The pages of a release. A page is read again only if reading failed, or if later pages replaced it in the cache. */
class PageCache {
  readonly #readsByPage = new Map<PageEntry, Promise<LoadedPage>>();
  /** Unpacked size of each page that was read completely, earliest first. */
  readonly #bytesByPage = new Map<PageEntry, number>();
  #cachedBytes = 0;

  constructor(private readonly source: PublishedSource) {}

  async read(page: PageEntry): Promise<LoadedPage> {
    const loaded = await readCached(this.#readsByPage, page, () => this.#readPage(page));
    if (!this.#bytesByPage.has(page)) {
      this.#bytesByPage.set(page, loaded.bytes);
      this.#cachedBytes += loaded.bytes;
      this.#removeEarliestPages();
    }
    return loaded;
  }

  #removeEarliestPages(): void {
    for (const [page, bytes] of this.#bytesByPage) {
      if (this.#cachedBytes <= MAX_CACHED_PAGES_BYTES) return;
      this.#cachedBytes -= bytes;
      this.#bytesByPage.delete(page);
      this.#readsByPage.delete(page);
    }
  }

  async #readPage([, offset, length, hash]: PageEntry): Promise<LoadedPage> {
    const [bytes = new Uint8Array()] = await this.source.read([{ path: ROW_GROUPS_FILE, offset, length, hash }]);
    try {
      const unpacked = gunzipSync(bytes, { maxOutputLength: computeMaxPageBytes(length) });
      const content = parseJson(unpacked.toString());
      if (isObject(content)) return { content, bytes: unpacked.length };
    } catch (cause) {
      const reason = `a page is not JSON compressed with gzip (${describeCause(cause)})`;
      throw makeDamagedFailure(`${this.source.address}/${ROW_GROUPS_FILE}`, reason, cause);
    }
    throw makeDamagedFailure(`${this.source.address}/${ROW_GROUPS_FILE}`, 'a page is not a JSON object');
  }
}

function makeDamagedFailure(path: string, reason: string, cause?: unknown): Failure {
  const hint = 'The release was published with this fault: ask its publisher to publish it again.';
  return new Failure('data', `The published file ${path} cannot be read: ${reason}.`, { hint, cause });
}
