/**
 * Reads text tables with a header line: tab-separated without quoting, as in quarterly data sets, or comma-separated,
 * as in some copies. Tables reach a gigabyte, so rows are yielded in batches. Hand-written, because every library is
 * at least a quarter slower: see "Measured" in `src/edgar/README.md`.
 */
import { StringDecoder } from 'node:string_decoder';
import type { Archive } from './archive.ts';
import type { SkippedRows } from './skipped-rows.ts';

export class TableError extends Error {
  override readonly name = 'TableError';
}

/** One row's cells by the requested names; empty text for an optional column that is missing. */
export type DelimitedRow<Name extends string> = Readonly<Record<Name, string>>;

export interface TableOptions<Required extends string, Optional extends string> {
  /** Names as in the header, ignoring case. If one of these is missing, the table cannot be read. */
  readonly required: readonly Required[];
  readonly optional?: readonly Optional[];
  readonly skipped: SkippedRows;
  /** Skips rows after reading only this cell. */
  readonly rowFilter?: { readonly column: Required; accepts(cell: string): boolean };
}

export interface DelimitedOptions<Required extends string, Optional extends string>
  extends TableOptions<Required, Optional> {
  /** The name of the file in messages. */
  readonly label: string;
  readonly delimiter: string;
}

const MAX_LINE_LENGTH = 4 * 1024 * 1024;

/**
 * Reads a table in a zip, tab-separated unless its name ends in `.csv`. Throws TableError if a required column is
 * missing, ArchiveError if the table is missing or damaged.
 */
export function readTable<Required extends string, Optional extends string = never>(
  archive: Archive,
  member: string,
  options: TableOptions<Required, Optional>,
): AsyncGenerator<readonly DelimitedRow<Required | Optional>[]> {
  const bytes = archive.stream(member);
  const chunks = /\.csv$/i.test(member) ? csvAsTabs(bytes) : bytes;
  return readDelimited(chunks, { ...options, label: `${archive.path}: ${member}`, delimiter: '\t' });
}

/**
 * Yields the rows of a table. Throws TableError if a required column is missing or a line is longer than any valid
 * row.
 */
export async function* readDelimited<Required extends string, Optional extends string = never>(
  chunks: AsyncIterable<Uint8Array>,
  options: DelimitedOptions<Required, Optional>,
): AsyncGenerator<readonly DelimitedRow<Required | Optional>[]> {
  const { label, delimiter, required, optional = [], skipped, rowFilter } = options;
  const names = [...required, ...optional];
  let columns: readonly number[] | null = null;
  let minCellCount = 0;
  let filterColumn = 0;
  for await (const lines of lineBatches(chunks, label)) {
    const rows: DelimitedRow<Required | Optional>[] = [];
    for (const line of lines) {
      if (line === '') continue;
      const cells = line.split(delimiter);
      if (columns === null) {
        const header = cells.map((cell) => trimCell(cell).toUpperCase());
        columns = names.map((name) => header.indexOf(name.toUpperCase()));
        const foundColumns = columns;
        const missing = required.filter((_, index) => foundColumns[index] === -1);
        if (missing.length > 0) throw new TableError(`${label}: the column ${missing.join(', ')} is missing`);
        filterColumn = rowFilter === undefined ? 0 : (columns[names.indexOf(rowFilter.column)] ?? 0);
        minCellCount = Math.max(...columns.slice(0, required.length)) + 1;
      } else if (cells.length < minCellCount) skipped.add('a line with too few cells');
      else if (rowFilter === undefined || rowFilter.accepts(trimCell(cells[filterColumn] ?? '')))
        rows.push(rowOf(names, columns, cells));
    }
    if (rows.length > 0) yield rows;
  }
  if (columns === null) throw new TableError(`${label}: the file is empty`);
}

function rowOf<Name extends string>(names: readonly Name[], columns: readonly number[], cells: readonly string[]) {
  const row = {} as Record<Name, string>;
  for (let index = 0; index < names.length; index++) {
    row[names[index] as Name] = trimCell(cells[columns[index] ?? -1] ?? '');
  }
  return row;
}

/** Yields complete lines, one chunk at a time. */
async function* lineBatches(chunks: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder('utf8');
  let partialLine = '';
  let isFirstChunk = true;
  for await (const chunk of chunks) {
    let text = partialLine + decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (isFirstChunk) text = text.replace(/^\uFEFF/, '');
    isFirstChunk = false;
    const end = text.lastIndexOf('\n');
    partialLine = text.slice(end + 1);
    if (partialLine.length > MAX_LINE_LENGTH)
      throw new TableError(`${label}: a line longer than ${MAX_LINE_LENGTH} characters`);
    if (end >= 0) yield text.slice(0, end).split('\n').map(withoutCarriageReturn);
  }
  if (partialLine !== '') yield [partialLine];
}

/** Faster than splitting by both kinds of line end. */
function withoutCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Removes quotes and padding, which some re-issues and vintages have. */
function trimCell(cell: string): string {
  if (isVisibleCharacter(cell.charCodeAt(0)) && isVisibleCharacter(cell.charCodeAt(cell.length - 1))) return cell;
  const text = cell.trim();
  return text.length > 1 && text.startsWith('"') && text.endsWith('"')
    ? text.slice(1, -1).replaceAll('""', '"').trim()
    : text;
}

/**
 * Whether it is a printable ASCII character other than a space or a quotation mark; false for the NaN of an empty
 * cell.
 */
function isVisibleCharacter(code: number): boolean {
  return code > 0x22 && code < 0x7f;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/**
 * Converts comma-separated bytes with quoted cells to tab-separated ones without quotes: tabs and line ends in cells
 * become spaces.
 */
/** Converts CSV to tab-separated text without quotes. */
export async function* csvAsTabs(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isInQuotes = false;
  /** The last byte was a quote in a quoted cell: the end of the cell, or the first of a doubled quote. */
  let isQuotePending = false;
  for await (const chunk of chunks) {
    const output = new Uint8Array(chunk.length + 1);
    let length = 0;
    for (const byte of chunk) {
      if (isQuotePending) {
        isQuotePending = false;
        if (byte === QUOTE) {
          output[length++] = QUOTE;
          continue;
        }
        isInQuotes = false;
      }
      if (isInQuotes) {
        if (byte === QUOTE) isQuotePending = true;
        else output[length++] = byte === TAB || byte === LF || byte === CR ? SPACE : byte;
      } else if (byte === QUOTE) isInQuotes = true;
      else output[length++] = byte === COMMA ? TAB : byte === TAB ? SPACE : byte;
    }
    yield output.subarray(0, length);
  }
}
