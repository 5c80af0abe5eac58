/**
 * The tab-separated tables of the regulator's quarterly data sets, one row at a time.
 *
 * They have a header, no quoting, and grow to gigabytes; columns are found by name, since vintages add,
 * drop and move them.
 */
import { StringDecoder } from 'node:string_decoder';
import type { Tally } from './tally.ts';

export class TableError extends Error {
  override readonly name = 'TableError';
}

export interface TableRow {
  /** The cell, trimmed; empty where it is empty or the table has no such column. */
  at(column: string): string;
}

/** The longest footnotes have 4,000 characters; a line beyond this is not a row. */
const LONGEST_LINE = 1024 * 1024;

/**
 * Every row, by the names in the header (in any case). A row with another number of cells than the header is set aside.
 * Throws TableError where a required column is missing or the text is no table.
 */
export async function* readTable(
  chunks: AsyncIterable<Buffer>,
  required: readonly string[],
  tally: Tally,
): AsyncGenerator<TableRow> {
  let columns: ReadonlyMap<string, number> | null = null;
  for await (const line of linesOf(chunks)) {
    const cells = line.split('\t');
    if (columns === null) {
      columns = header(cells, required);
      continue;
    }
    if (cells.length !== columns.size) {
      if (line.trim() !== '') tally.add('a row with another number of cells than its header');
      continue;
    }
    const named = columns;
    yield { at: (column) => cells[named.get(column) ?? -1]?.trim() ?? '' };
  }
  if (columns === null) throw new TableError('an empty table');
}

function header(cells: readonly string[], required: readonly string[]): ReadonlyMap<string, number> {
  const columns = new Map(cells.map((cell, index) => [cell.trim().toUpperCase(), index]));
  if (columns.size !== cells.length) throw new TableError('a header that names a column twice');
  const missing = required.filter((column) => !columns.has(column));
  if (missing.length > 0) throw new TableError(`no column ${missing.join(', ')}`);
  return columns;
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new TableError(`a line of more than ${LONGEST_LINE} characters`);
    for (const line of lines) yield bare(line);
  }
  rest += decoder.end();
  if (rest !== '') yield bare(rest);
}

/** Without a byte-order mark before it or a carriage return after it. */
function bare(line: string): string {
  return line.replace(/^\uFEFF/, '').replace(/\r$/, '');
}
