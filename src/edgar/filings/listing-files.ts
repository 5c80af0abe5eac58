/** Reads daily and quarterly indexes and index pages of filings, as separate files or in zips. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { useArchive } from '../files/archive.ts';
import type { ListedFile } from '../files/list-files.ts';
import type { SkippedRowCounts } from '../files/skipped-rows.ts';
import { type FilingIndexRow, readIndex } from './filing-index.ts';
import { type FilingPage, readFilingPage } from './filing-page.ts';

const INDEX_FILE_PATTERN = /(?:^|\/)[^/]*(?:form|master|company)[^/]*\.idx$/i;
/** In a zip of indexes, every text file is read as an index, because some copies have other names. */
const ZIPPED_INDEX_PATTERN = /\.(?:idx|txt)$/i;
const FILING_PAGE_PATTERN = /(?:^|\/)\d{10}-\d{2}-\d{6}-index(?:~\d+)?\.html?$/i;
const INDEX_ZIP_PATTERN = /(?:^|\/)(?:index|form|master|company)(?:[._-][^/]*)?\.zip$/i;
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** Called with each row of an index, and with each index page. */
export interface FilingIndexHandler {
  readonly onRow: (row: FilingIndexRow) => void;
  readonly onPage: (page: FilingPage) => void;
}

/** Whether a file may contain indexes or index pages. */
export const mayContainIndexes = (name: string): boolean =>
  INDEX_FILE_PATTERN.test(name) || FILING_PAGE_PATTERN.test(name) || INDEX_ZIP_PATTERN.test(name);

/**
 * Passes every index row and index page in the file to `handler`; counts unreadable rows and pages. Throws ArchiveError
 * for a damaged zip, and file system errors.
 */
export async function readFilingIndexes(
  { name, path, bytes }: ListedFile,
  handler: FilingIndexHandler,
  skipped: SkippedRowCounts,
): Promise<void> {
  if (INDEX_ZIP_PATTERN.test(name)) return readIndexZip(path, handler, skipped);
  if (INDEX_FILE_PATTERN.test(name)) {
    for await (const row of readIndex(createReadStream(path), skipped)) handler.onRow(row);
  } else if (bytes > MAX_PAGE_BYTES) skipped.add('a filing page that is too large to read');
  else passPageToHandler(await readFile(path, 'utf8'), handler, skipped);
}

const readIndexZip = (path: string, handler: FilingIndexHandler, skipped: SkippedRowCounts): Promise<void> =>
  useArchive(path, MAX_PAGE_BYTES, 'path', async (archive) => {
    for (const name of archive.names) {
      if (ZIPPED_INDEX_PATTERN.test(name)) {
        for await (const row of readIndex(archive.stream(name), skipped)) handler.onRow(row);
      } else if (FILING_PAGE_PATTERN.test(name))
        passPageToHandler((await archive.read(name)).toString('utf8'), handler, skipped);
    }
  });

function passPageToHandler(html: string, handler: FilingIndexHandler, skipped: SkippedRowCounts): void {
  const page = readFilingPage(html);
  if (typeof page === 'string') skipped.add(page);
  else handler.onPage(page);
}
