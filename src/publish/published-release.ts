/** Reads a published release where it lies, range by range. Where the bytes come from is the caller's. */
import { gunzipSync } from 'node:zlib';
import { Failure } from '../contract/failure.ts';
import { isObject, type JsonObject, parseJson } from '../platform/json-object.ts';
import { reasonOf } from '../platform/system-error.ts';
import { checkLayout } from '../store/manifest.ts';
import { rowGroupFault } from '../store/parquet/bounds.ts';
import { type ReleaseReader, readerOf } from '../store/reader.ts';
import type { Table } from '../store/schema/table.ts';
import { forgetFailed, TableReader } from '../store/table-reader.ts';
import type { ColumnChunks, RowGroupRef, TableSource } from '../store/table-source.ts';
import type { FileList, Pointer } from './format.ts';
import {
  areEntries,
  type FileRange,
  identityOf,
  type PageEntry,
  type PublishedTable,
  ROW_GROUPS,
  type RowGroupEntry,
  readReleaseIndex,
} from './release-index.ts';

/** Brings the bytes of each range, compared with its hash. */
export type ReadRanges = (ranges: readonly FileRange[]) => Promise<readonly Uint8Array[]>;

export interface PublishedSource {
  /** The address of the release's directory, for messages. */
  readonly address: string;
  readonly read: ReadRanges;
}

/** Throws a FormatError for a release without an opening, a data Failure for one of another layout or without a column. */
export function openPublishedRelease(pointer: Pointer, list: FileList, source: PublishedSource): ReleaseReader {
  checkLayout(source.address, pointer.layout);
  const opening = readReleaseIndex(list);
  const pages = new Pages(source);
  return readerOf(identityOf(opening, pointer), <Row>(table: Table<Row>) => {
    const entry = opening.tables[table.name];
    const path = `${source.address}/${table.name}.parquet`;
    if (entry === undefined) throw damagedAt(path, 'the release has no such table');
    const found = entry.byCompany === true ? { ...entry, pages: opening.companyPages } : entry;
    return new TableReader(table, { ...entry, path }, () => new PublishedTableSource(table.name, found, source, pages));
  });
}

interface Group extends RowGroupRef {
  readonly firstKey: number;
  readonly range: FileRange;
  /** Of each column chunk. */
  readonly lengths: readonly number[];
}

/** Bytes of a page of row groups, unpacked; those that are published have a fortieth. */
const MAX_PAGE_BYTES = 1024 * 1024;

class PublishedTableSource implements TableSource<Group> {
  readonly #name: string;
  readonly #entry: PublishedTable;
  readonly #source: PublishedSource;
  readonly #pages: Pages;
  /** The columns of a table that is read column by column. */
  readonly #chunks = new Map<number, Promise<ColumnChunks>>();

  constructor(name: string, entry: PublishedTable, source: PublishedSource, pages: Pages) {
    this.#name = name;
    this.#entry = entry;
    this.#source = source;
    this.#pages = pages;
  }

  async between(first: number, last: number): Promise<Group[]> {
    const { pages } = this.#entry;
    const wanted = pages?.filter(
      ([from], at) => from <= last && (pages[at + 1]?.[0] ?? Number.POSITIVE_INFINITY) > first,
    );
    const groups = await this.#groupsOf(wanted);
    return groups.filter(({ firstKey, lastKey }) => firstKey <= last && lastKey >= first);
  }

  groups(): Promise<readonly Group[]> {
    return this.#groupsOf(this.#entry.pages);
  }

  async read(groups: readonly Group[]): Promise<ColumnChunks[]> {
    const bytes = await this.#source.read(groups.map(({ range }) => range));
    return groups.map(({ lengths }, index) => {
      let from = 0;
      return lengths.map((length) => {
        const chunk = bytes[index]?.subarray(from, from + length);
        from += length;
        if (chunk?.length !== length) throw this.damaged('a row group has not the length of its columns');
        return chunk;
      });
    });
  }

  /** The row group's hash is of all its columns, so that they come together. */
  async readColumns(group: Group, positions: readonly number[]): Promise<ColumnChunks> {
    const reading = this.#chunks.get(group.group) ?? this.read([group]).then(([chunks = []]) => chunks);
    this.#chunks.set(group.group, reading);
    const chunks = await forgetFailed(this.#chunks, group.group, reading);
    return positions.map((position) => {
      const chunk = chunks[position];
      if (chunk === undefined) throw this.damaged(`a row group has no column ${position}`);
      return chunk;
    });
  }

  damaged(why: string, cause?: unknown): Failure {
    return damagedAt(`${this.#source.address}/${this.#name}.parquet`, why, cause);
  }

  close(): void {}

  async #groupsOf(pages: readonly PageEntry[] | undefined): Promise<Group[]> {
    if (pages === undefined) return this.#checked(this.#entry.groups ?? []);
    // Pages that are asked for together are read together.
    const read = await Promise.all(pages.map((page) => this.#pages.read(page)));
    const columns = Object.keys(this.#entry.columns).length;
    const entries = read.flatMap((tables) => {
      const own = tables[this.#name];
      if (!areEntries(own, columns)) throw this.damaged(`a page of ${ROW_GROUPS} does not describe it`);
      return own;
    });
    // A row group may be in several pages, one after the other.
    return this.#checked(entries.filter(([, , , at], index) => at !== entries[index - 1]?.[3]));
  }

  /** Row groups that share bytes would be read for each, and keys in disorder would bring all of them. */
  #checked(entries: readonly RowGroupEntry[]): Group[] {
    const groups = entries.map((entry) => this.#groupOf(entry));
    for (const [at, group] of groups.entries()) {
      const before = groups[at - 1];
      const isAfter =
        before === undefined ||
        (group.range.offset >= before.range.offset + before.bytes && group.firstKey >= before.lastKey);
      const fault = isAfter ? rowGroupFault(group) : 'its row groups are not in order';
      if (fault !== null) throw this.damaged(fault);
    }
    return groups;
  }

  #groupOf([firstKey, lastKey, rows, offset, hash, ...lengths]: RowGroupEntry): Group {
    const length = lengths.reduce((sum, one) => sum + one, 0);
    const range = { path: `${this.#name}.parquet`, offset, length, hash };
    return { group: offset, rows, bytes: length, firstKey, lastKey, range, lengths };
  }
}

/** The pages of a release, each read once. */
class Pages {
  readonly #source: PublishedSource;
  readonly #read = new Map<PageEntry, Promise<JsonObject>>();

  constructor(source: PublishedSource) {
    this.#source = source;
  }

  read(page: PageEntry): Promise<JsonObject> {
    const reading = this.#read.get(page) ?? this.#readPage(page);
    this.#read.set(page, reading);
    return forgetFailed(this.#read, page, reading);
  }

  async #readPage([, offset, length, hash]: PageEntry): Promise<JsonObject> {
    const [bytes = new Uint8Array()] = await this.#source.read([{ path: ROW_GROUPS, offset, length, hash }]);
    try {
      const page = parseJson(gunzipSync(bytes, { maxOutputLength: MAX_PAGE_BYTES }).toString());
      if (isObject(page)) return page;
    } catch (cause) {
      throw damagedAt(
        `${this.#source.address}/${ROW_GROUPS}`,
        `a page is not JSON in gzip (${reasonOf(cause)})`,
        cause,
      );
    }
    throw damagedAt(`${this.#source.address}/${ROW_GROUPS}`, 'a page is not an object');
  }
}

function damagedAt(path: string, why: string, cause?: unknown): Failure {
  const hint = 'The release was published so: ask who publishes it to publish it again.';
  return new Failure('data', `The published file ${path} cannot be read: ${why}.`, { hint, cause });
}
