/**
 * Reads EDGAR's form, company and master indexes, daily or quarterly. The columns of the first two have moved over
 * the years, so rows are parsed from their end and not by position. A filing has one row per party.
 */
import { StringDecoder } from 'node:string_decoder';
import { cikOf } from '../files/cik.ts';
import { parseDay } from '../files/parse-day.ts';
import type { SkippedRows } from '../files/skipped-rows.ts';

export interface IndexRow {
  readonly form: string;
  readonly company: string;
  readonly cik: number;
  readonly filed: string;
  readonly accession: string;
}

const PATH = /^edgar\/data\/\d+\/(?:\d{18}\/)?(\d{10}-\d{2}-\d{6})\.txt$/;
/** The end of a row in a form or company index. */
const END = /^(.*\S)\s+(\d{1,10})\s+(\d{8}|\d{4}-\d{2}-\d{2})\s+(edgar\/\S+)\s*$/;
const MAX_LINE_LENGTH = 4096;

/** Yields every row in the order of the index; counts other lines. */
export async function* readIndex(chunks: AsyncIterable<Buffer>, skipped: SkippedRows): AsyncGenerator<IndexRow> {
  let begun = false;
  let formFirst = true;
  for await (const line of linesOf(chunks)) {
    if (!begun) {
      // The header may be wrapped, but it begins with the name of the first column.
      if (/^Company Name\b/.test(line)) formFirst = false;
      begun = /^-{20,}\s*$/.test(line);
      continue;
    }
    if (line.trim() === '') continue;
    const row = line.includes('|') ? masterRow(line) : columnRow(line, formFirst);
    if (row === null) skipped.add('a line of a filing index that does not describe a filing');
    else yield row;
  }
  if (!begun) skipped.add('a filing index without its header');
}

/** Only the cell with the company's name may contain a bar. */
function masterRow(line: string): IndexRow | null {
  const cells = line.split('|');
  if (cells.length < 5) return null;
  const [cik = '', ...rest] = cells;
  const [form = '', filed = '', path = ''] = rest.slice(-3);
  return rowOf(form, rest.slice(0, -3).join('|'), cik, filed, path);
}

/** Form types contain no double spaces, so they end at the first wide gap or begin after the last. */
function columnRow(line: string, formFirst: boolean): IndexRow | null {
  const end = END.exec(line);
  if (end === null) return null;
  const [, names = '', cik = '', filed = '', path = ''] = end;
  const split = (formFirst ? /^(.*?\S)\s{2,}(.*)$/ : /^(.*\S)\s{2,}(.*)$/).exec(names);
  if (split === null) return null;
  const [, first = '', second = ''] = split;
  return formFirst ? rowOf(first, second, cik, filed, path) : rowOf(second, first, cik, filed, path);
}

function rowOf(form: string, company: string, cik: string, filed: string, path: string): IndexRow | null {
  const filer = cikOf(cik.trim());
  const day = parseDay(filed.trim());
  const accession = PATH.exec(path.trim())?.[1];
  if (filer === null || day === null || accession === undefined || form.trim() === '') return null;
  return { form: form.trim(), company: company.trim(), cik: filer, filed: day, accession };
}

/** Yields the lines of an index; cuts a line that is longer than any valid row. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH);
    yield* lines;
  }
  yield rest + decoder.end();
}
