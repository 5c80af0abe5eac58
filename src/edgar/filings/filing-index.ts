/**
 * Reads EDGAR's form, company and master indexes, daily or quarterly. A filing has one row per party. Column positions
 * of form and company indexes differ by year, so rows of these indexes are parsed from the end of the line.
 */
import { StringDecoder } from 'node:string_decoder';
import { parseDay, toCik } from '../files/fields.ts';
import type { SkippedRowCounts } from '../files/skipped-rows.ts';

export type FilingIndexRow = NonNullable<ReturnType<typeof toIndexRow>>;

const FILING_PATH_PATTERN = /^edgar\/data\/\d+\/(?:\d{18}\/)?(\d{10}-\d{2}-\d{6})\.txt$/;
/** A row of a form or company index. Groups: form type and company (in either order), CIK, filing date, path. */
const FIXED_WIDTH_LINE_PATTERN = /^(.*\S)\s+(\d{1,10})\s+(\d{8}|\d{4}-\d{2}-\d{2})\s+(edgar\/\S+)\s*$/;
const MAX_LINE_LENGTH = 4096;

/** Yields all rows in the order of the index; counts unreadable lines. */
export async function* readIndex(chunks: AsyncIterable<Buffer>, skipped: SkippedRowCounts) {
  let isPastHeader = false;
  let isFormFirst = true;
  for await (const line of readLines(chunks)) {
    if (!isPastHeader) {
      // The header may be wrapped, but its first line begins with the name of the first column.
      if (/^Company Name\b/.test(line)) isFormFirst = false;
      isPastHeader = /^-{20,}\s*$/.test(line);
      continue;
    }
    if (line.trim() === '') continue;
    const row = line.includes('|') ? parseMasterLine(line) : parseFixedWidthLine(line, isFormFirst);
    if (row === null) skipped.add('a line that does not describe a filing, in a filing index');
    else yield row;
  }
  if (!isPastHeader) skipped.add('a filing index without its header');
}

/** Parses a row of a master index. Only the company's name may contain a bar. */
function parseMasterLine(line: string): FilingIndexRow | null {
  const cells = line.split('|');
  if (cells.length < 5) return null;
  const [cik = '', ...others] = cells;
  const [form = '', filed = '', path = ''] = others.slice(-3);
  return toIndexRow(form, cik, filed, path);
}

/**
 * Parses a row of a form or company index. Form types contain no double spaces. If the form type comes first, the first
 * double space separates it from the name, otherwise the last.
 */
function parseFixedWidthLine(line: string, isFormFirst: boolean): FilingIndexRow | null {
  const lineMatch = FIXED_WIDTH_LINE_PATTERN.exec(line);
  if (lineMatch === null) return null;
  const [, leading = '', cik = '', filed = '', path = ''] = lineMatch;
  const match = (isFormFirst ? /^(.*?\S)\s{2,}(.*)$/ : /^(.*\S)\s{2,}(.*)$/).exec(leading);
  if (match === null) return null;
  const [, column = '', second = ''] = match;
  return toIndexRow(isFormFirst ? column : second, cik, filed, path);
}

function toIndexRow(form: string, cik: string, filed: string, path: string) {
  const filerCik = toCik(cik.trim());
  const day = parseDay(filed.trim());
  const accession = FILING_PATH_PATTERN.exec(path.trim())?.[1];
  if (filerCik === null || day === null || accession === undefined || form.trim() === '') return null;
  return { form: form.trim(), cik: filerCik, filed: day, accession };
}

/** Yields the lines of an index. Truncates lines that span chunks and exceed MAX_LINE_LENGTH, to limit memory. */
async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let lineStart = '';
  for await (const chunk of chunks) {
    const lines = (lineStart + decoder.write(chunk)).split('\n');
    lineStart = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH);
    yield* lines;
  }
  yield lineStart + decoder.end();
}
