/**
 * Reads text tables with a header line: tab-separated without quotes as in quarterly data sets, or comma-separated as
 * in some copies of data sets. Rows are yielded in batches, because a table can have a gigabyte. The libraries tried
 * were slower: see "Measured" in `src/edgar/README.md`.
 */

import { basename } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { Archive } from './archive.ts';
import type { SkippedRowCounts } from './skipped-rows.ts';

export class TableError extends Error {
  override readonly name = 'TableError';
}

/** The cells of a row by column name; an optional column that is missing has empty cells. */
export type DelimitedRow<Name extends string> = Readonly<Record<Name, string>>;

interface TableOptions<Required extends string, Optional extends string> {
  /** Required columns, case-insensitive. A table without all required columns is rejected. */
  readonly required: readonly Required[];
  readonly optional?: readonly Optional[];
  readonly skipped: SkippedRowCounts;
  /** Skips a row if `accepts` returns false for its cell in `column`. The other cells of the row are then not read. */
  readonly rowFilter?: { readonly column: Required; accepts(cell: string): boolean };
}

interface DelimitedOptions<Required extends string, Optional extends string> extends TableOptions<Required, Optional> {
  /** The file's name in error messages. */
  readonly label: string;
  readonly delimiter: string;
}

const MAX_LINE_LENGTH = 4 * 1024 * 1024;

/**
 * Reads a table in a zip, tab-separated unless its name ends in `.csv`. Throws the errors of `readDelimited`, and
 * ArchiveError if the table is missing or damaged.
 */
export function readTable<Required extends string, Optional extends string = never>(
  archive: Archive,
  member: string,
  options: TableOptions<Required, Optional>,
): AsyncGenerator<readonly DelimitedRow<Required | Optional>[]> {
  const byteChunks = archive.stream(member);
  const chunks = /\.csv$/i.test(member) ? convertCsvToTabs(byteChunks) : byteChunks;
  return readDelimited(chunks, { ...options, label: `${archive.path}: ${member}`, delimiter: '\t' });
}

/**
 * Yields the rows of a table in batches. Throws TableError if the table is empty, lacks a required column, or has a
 * line longer than MAX_LINE_LENGTH.
 */
export async function* readDelimited<Required extends string, Optional extends string = never>(
  chunks: AsyncIterable<Uint8Array>,
  options: DelimitedOptions<Required, Optional>,
): AsyncGenerator<readonly DelimitedRow<Required | Optional>[]> {
  const { label, delimiter, required, optional = [], skipped, rowFilter } = options;
  const names = [...required, ...optional];
  let header: Header | null = null;
  for await (const lineBatch of readLineBatches(chunks, label)) {
    const batch: DelimitedRow<Required | Optional>[] = [];
    for (const line of lineBatch) {
      if (line === '') continue;
      const cells = line.split(delimiter);
      if (header === null) header = readHeader(cells, names, options);
      else if (cells.length < header.minCellCount) skipped.add('a line with too few cells');
      else if (rowFilter === undefined || rowFilter.accepts(trimCell(cells[header.filterColumnIndex] ?? '')))
        batch.push(makeRow(names, header.columnIndexes, cells));
    }
    if (batch.length > 0) yield batch;
  }
  if (header === null) throw new TableError(`${label}: the file is empty`);
}

type Header = ReturnType<typeof readHeader>;

/** Reads the header line. Throws TableError if a required column is missing. */
function readHeader(
  cells: readonly string[],
  columnNames: readonly string[],
  { label, required, rowFilter }: Pick<DelimitedOptions<string, string>, 'label' | 'required' | 'rowFilter'>,
) {
  const names = cells.map((cell) => trimCell(cell).toUpperCase());
  const indexes = columnNames.map((name) => names.indexOf(name.toUpperCase()));
  const absent = required.filter((_, index) => indexes[index] === -1);
  if (absent.length > 0) throw new TableError(`${label}: the header has no column ${absent.join(' and no column ')}`);
  return {
    /** Index of each requested column in a line; -1 for a missing optional column. */
    columnIndexes: indexes,
    /** Minimum number of cells of a line that has all required columns. */
    minCellCount: Math.max(...indexes.slice(0, required.length)) + 1,
    /** Index of the row filter's column; 0 without a row filter. */
    filterColumnIndex: rowFilter === undefined ? 0 : (indexes[columnNames.indexOf(rowFilter.column)] ?? 0),
  };
}

function makeRow<Name extends string>(names: readonly Name[], indexes: readonly number[], cells: readonly string[]) {
  const row = {} as Record<Name, string>;
  for (let index = 0; index < names.length; index++)
    row[names[index] as Name] = trimCell(cells[indexes[index] ?? -1] ?? '');
  return row;
}

/** Yields the complete lines of each chunk. */
async function* readLineBatches(chunks: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder('utf8');
  let lineStart = '';
  let isFirst = true;
  for await (const chunk of chunks) {
    let text = lineStart + decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (isFirst) text = text.replace(/^\uFEFF/, '');
    isFirst = false;
    const end = text.lastIndexOf('\n');
    lineStart = text.slice(end + 1);
    if (lineStart.length > MAX_LINE_LENGTH)
      throw new TableError(`${label}: a line is longer than ${MAX_LINE_LENGTH} characters`);
    if (end >= 0) yield text.slice(0, end).split('\n').map(stripCarriageReturn);
  }
  if (lineStart !== '') yield [lineStart];
}

/** Removes a final carriage return. This is faster than splitting lines by a regular expression. */
const stripCarriageReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** Removes quotation marks and padding, which some reissued or older tables have. */
function trimCell(cell: string): string {
  if (isPlainCharacterCode(cell.charCodeAt(0)) && isPlainCharacterCode(cell.charCodeAt(cell.length - 1))) return cell;
  const text = cell.trim();
  return text.length > 1 && text.startsWith('"') && text.endsWith('"')
    ? text.slice(1, -1).replaceAll('""', '"').trim()
    : text;
}

/**
 * Whether the character is ASCII from # to ~, and so neither white space nor a quotation mark. False for an empty cell,
 * whose code is NaN.
 */
const isPlainCharacterCode = (code: number): boolean => code > 0x22 && code < 0x7f;

const QUOTE = 0x22;
const COMMA = 0x2c;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/**
 * Converts comma-separated bytes to tab-separated bytes without quoting; an escaped quotation mark becomes a plain one.
 * Tabs in cells, and line ends in quoted cells, become spaces.
 */
export async function* convertCsvToTabs(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isQuoted = false;
  /** Whether the last byte was a mark in a quoted cell, which either ends the cell or begins an escaped mark. */
  let isPending = false;
  for await (const chunk of chunks) {
    const output = new Uint8Array(chunk.length);
    let length = 0;
    for (const byte of chunk) {
      const isEscaped: boolean = isPending && byte === QUOTE;
      if (isPending && !isEscaped) isQuoted = false;
      isPending = byte === QUOTE && isQuoted && !isEscaped;
      if (byte === QUOTE && !isEscaped) isQuoted = true;
      else output[length++] = convertByte(byte, isQuoted);
    }
    yield output.subarray(0, length);
  }
}

function convertByte(byte: number, isQuoted: boolean): number {
  if (byte === TAB || (isQuoted && (byte === LF || byte === CR))) return SPACE;
  return byte === COMMA && !isQuoted ? TAB : byte;
}

const TABLE_FILE_PATTERN = /^(?:.*[-_])?(sub|num|dim)(?:-\w+)?\.(?:tsv|txt|csv)$/i;

/** Whether the zip contains the tables of a statement set. */
export function isStatementSet(archive: Archive): boolean {
  const names = new Set(archive.names.map(findTableName));
  return names.has('sub') && names.has('num');
}

/** Returns `sub`, `num` or `dim`; undefined for a member that is no such table. */
export const findTableName = (member: string): string | undefined =>
  TABLE_FILE_PATTERN.exec(basename(member))?.[1]?.toLowerCase();
