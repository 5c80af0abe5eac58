/**
 * What a directory of public files says about filings beside each company's own list: indexes of days and quarters, and
 * the pages and headers of single filings. Loose or zipped.
 */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { openArchive } from '../files/archive.ts';
import type { ListedFile } from '../files/list-files.ts';
import type { SkippedRows } from '../files/skipped-rows.ts';
import { type IndexRow, readIndex } from './filing-index.ts';
import { type FilingPage, readFilingPage } from './filing-page.ts';

const INDEX = /(?:^|\/)[^/]*(?:form|master|company)[^/]*\.idx$/i;
/** Some copies keep an index under another name; inside a zip of indexes every text is one. */
const ZIPPED_INDEX = /\.(?:idx|txt)$/i;
const PAGE = /(?:^|\/)\d{10}-\d{2}-\d{6}-index(?:~\d+)?\.html?$/i;
const ZIP = /(?:^|\/)(?:index|form|master|company)(?:[._-][^/]*)?\.zip$/i;
const LARGEST_PAGE = 16 * 1024 * 1024;

export interface ListingHandler {
  readonly row: (row: IndexRow) => void;
  readonly page: (page: FilingPage) => void;
}

/** Whether a file may hold listings. */
export function isListingFile(name: string): boolean {
  return INDEX.test(name) || PAGE.test(name) || ZIP.test(name);
}

/** Hands on every row and page of the files; what is none is counted. Throws what reading a file throws. */
export async function readListings(
  { name, path, bytes }: ListedFile,
  sinks: ListingHandler,
  skipped: SkippedRows,
): Promise<void> {
  if (ZIP.test(name)) return readZip(path, sinks, skipped);
  if (INDEX.test(name)) {
    for await (const row of readIndex(createReadStream(path), skipped)) sinks.row(row);
  } else if (bytes > LARGEST_PAGE) skipped.add('a filing page that is too long');
  else takePage(await readFile(path, 'utf8'), sinks, skipped);
}

async function readZip(path: string, sinks: ListingHandler, skipped: SkippedRows): Promise<void> {
  const archive = await openArchive(path, LARGEST_PAGE, 'path');
  try {
    for (const name of archive.names) {
      if (ZIPPED_INDEX.test(name)) {
        for await (const row of readIndex((await archive.stream(name)) ?? nothing(), skipped)) sinks.row(row);
      } else if (PAGE.test(name)) takePage((await archive.read(name))?.toString('utf8') ?? '', sinks, skipped);
    }
  } finally {
    archive.close();
  }
}

function takePage(html: string, sinks: ListingHandler, skipped: SkippedRows): void {
  const page = readFilingPage(html);
  if (typeof page === 'string') skipped.add(page);
  else sinks.page(page);
}

async function* nothing(): AsyncGenerator<Buffer> {}
