/**
 * Filters of screen rows that the screener itself has no parameters for: by a list of tickers and CIKs, and by age, the
 * time from the end of the row's fiscal year to `--as-of` or the release's date.
 */
import type { ClientFilter } from '../../ask/command/command.ts';
import type { GivenOptions, OptionSpec } from '../../ask/command/option-spec.ts';
import { failUsage } from '../../contract/failure.ts';
import { normalizeTicker, parseCik } from '../../contract/identifiers.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import type { ScreenRow } from '../../contract/screen-row.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { readFirstCell } from '../../contract/text/list-line.ts';
import { quote } from '../../contract/text/quote.ts';
import { call, joinTexts, option, say } from '../../contract/text/text.ts';
import { addDays, addMonths } from '../../platform/dates.ts';
import { readInputText } from '../../platform/files/input-text.ts';
import { makeSystemFailure } from '../../platform/files/system-error.ts';
import { makeNote, makeNoteIf, type Notice } from '../../result/notice.ts';

export const COMPANY_LIST_OPTIONS: readonly OptionSpec[] = [
  { name: 'tickers', value: 'names', help: 'Show only these companies, by ticker or CIK' },
  {
    name: 'watchlist',
    value: 'file',
    help: 'Show only the companies in this file (- for stdin), which has one ticker or CIK per line',
  },
];

type CompanyOfRow = Pick<ScreenRow, 'ticker' | 'cik'>;
type ListFilter = ClientFilter<readonly ScreenRow[]> & { readonly isListed: (row: CompanyOfRow) => boolean };

/**
 * Returns the filter by company; null if neither option is given. Throws a usage Failure for an empty list or an
 * unreadable file.
 */
export function makeListFilter(options: GivenOptions): ListFilter | null {
  const [texts, files] = [options.get('tickers') ?? [], options.get('watchlist') ?? []];
  if (texts.length + files.length === 0) return null;
  const names = [...texts.flatMap((text) => text.split(',')), ...files.flatMap(readList)].map((name) => name.trim());
  if (names.includes('')) {
    const list = quote(texts.join(' '));
    failUsage(say`${option('tickers')} ${list} has an empty item. Separate tickers and CIKs by single commas.`);
  }
  if (names.length === 0) failUsage(`The watchlist has no tickers: ${files.join(', ')}.`);
  const namesByKey = new Map(names.map((name) => [normalizeTickerOrCik(name), name]));
  const given = [...(texts.length > 0 ? [option('tickers')] : []), ...(files.length > 0 ? [option('watchlist')] : [])];
  const optionsText = joinTexts(given, ' and ');
  const findKeys = ({ ticker, cik }: CompanyOfRow): string[] =>
    [normalizeTickerOrCik(ticker), `${cik}`].filter((key) => namesByKey.has(key));
  const isListed = (row: CompanyOfRow): boolean => findKeys(row).length > 0;
  return {
    isListed,
    apply: (rows) => rows.filter(isListed),
    notices: (allRows, kept) => {
      const keptKeys = new Set(kept.flatMap(findKeys));
      const missing = [...namesByKey].flatMap(([key, name]) => (keptKeys.has(key) ? [] : [name]));
      const text = say`Filtered by ${optionsText}: kept ${kept.length} of ${formatCount(allRows.length, 'row')}.`;
      const search = call('search', { query: '<name>' });
      const missingText = say`Not found among these rows: ${missing.join(', ')}. To find a ticker: ${search}`;
      return [
        makeNote('narrowed', text, { kept: kept.length, all: allRows.length }),
        ...makeNoteIf(missing.length > 0, 'not_listed', missingText, { names: missing }),
      ];
    },
  };
}

/** Normalizes a ticker or CIK for comparison: `brk.b` becomes `BRK-B`, and `CIK0000320193` becomes `320193`. */
function normalizeTickerOrCik(name: string): string {
  const ticker = normalizeTicker(name);
  return `${parseCik(ticker.replace(/^CIK/, '')) ?? ticker}`;
}

/** Reads one name per line, or the first cell of each CSV line; skips the header `ticker`, and comments after `#`. */
function readList(file: string): string[] {
  const entries = readText(file)
    .split(/\r\n|\n|\r/)
    .map(readFirstCell)
    .filter((name) => name !== '');
  return entries[0] === 'ticker' ? entries.slice(1) : entries;
}

function readText(file: string): string {
  try {
    return readInputText(file);
  } catch (cause) {
    throw makeSystemFailure('usage', `${file} cannot be read`, cause, 'Name a file with one ticker or CIK per line.');
  }
}

export const YEAR_ENDED_WITHIN: OptionSpec = {
  name: 'year-ended-within',
  value: 'age',
  help: 'Leave out companies whose last fiscal year ended longer ago than this, such as 18m or 2y',
};

export const YEAR_END_COLUMN = 'annual_end_date';

/**
 * Age from which a row counts as old: a fiscal year, plus six months in which the next fiscal year should be reported.
 */
const MIN_OLD_AGE: Age = { text: '18m', count: 18, unit: 'm' };

type Age = { readonly text: string; readonly count: number; readonly unit: 'd' | 'm' | 'y' };

/** Maximum age in years, far more than the age of the oldest XBRL report. */
const MAX_YEARS = 100;
const UNITS_PER_YEAR = { d: 366, m: 12, y: 1 } as const;

/** Returns the filter by age; null if its option is not given. Throws a usage Failure for an invalid age. */
export function makeAgeFilter(options: GivenOptions): ClientFilter<readonly ScreenRow[]> | null {
  refuseOldOptionName(options);
  const age = readAge(options.get(YEAR_ENDED_WITHIN.name) ?? []);
  if (age === null) return null;
  return {
    apply: (rows, meta) => rows.filter((row) => isRecent(row, computeFirstRecentDay(meta, age))),
    notices: (allRows, kept, meta) => {
      const removed = allRows.length - kept.length;
      const text = say`${option('year_ended_within', age.text)} leaves out ${removed} of ${formatCount(allRows.length, 'row')}, because the fiscal year ended before ${computeFirstRecentDay(meta, age)} or its end is unknown.`;
      return makeNoteIf(removed > 0, 'narrowed', text, { kept: kept.length, all: allRows.length });
    },
  };
}

/**
 * Throws a usage Failure for `--max-age 18m`: `--max-age` was the former name of `--year-ended-within`, and now limits
 * the age of cached responses.
 */
function refuseOldOptionName(options: GivenOptions): void {
  const text = options.get('max-age')?.[0];
  if (text === undefined || !/^\d{1,5}[dmy]$/i.test(text.trim())) return;
  failUsage(
    say`${option('max_age')} limits the age of cached responses, but ${quote(text)} may be meant as the age of fiscal years.`,
    say`To leave out companies with old fiscal years: ${option('year_ended_within', text)}. To limit the age of cached responses, use seconds or hours: ${option('max_age', '30s')} or ${option('max_age', '2h')}`,
  );
}

/**
 * Reports the number of rows with old fiscal years, and the oldest row. Ignores rows without the end of their fiscal
 * year.
 */
export function makeOldRowsNotices(rows: Iterable<ScreenRow>, meta: Partial<Meta>): readonly Notice[] {
  const first = computeFirstRecentDay(meta, MIN_OLD_AGE);
  let [count, old] = [0, 0];
  let oldestRow: { readonly ticker: string; readonly end: string } | null = null;
  for (const { ticker, [YEAR_END_COLUMN]: end } of rows) {
    count += 1;
    if (typeof end !== 'string' || end >= first) continue;
    old += 1;
    if (oldestRow === null || end < oldestRow.end) oldestRow = { ticker, end };
  }
  if (oldestRow === null) return [];
  const oldest = `${oldestRow.ticker}, fiscal year to ${oldestRow.end}`;
  const rowsText = old === 1 ? oldest : `oldest: ${oldest}`;
  const text = say`In ${old} of ${formatCount(count, 'row')} the fiscal year ended more than 18 months before ${meta.as_of ?? "the release's date"} (${rowsText}). To leave out such rows: ${option('year_ended_within', MIN_OLD_AGE.text)}`;
  return [makeNote('old_rows', text, { old, rows: count, oldest: oldestRow })];
}

function readAge(texts: readonly string[]): Age | null {
  const [text, ...others] = texts;
  if (text === undefined) return null;
  if (others.length > 0) failUsage(say`${option('year_ended_within')} was given ${texts.length} times; give it once.`);
  const [, digits = '', unit = ''] = /^(\d{1,5})([dmy])$/i.exec(text.trim()) ?? [];
  const age = { text, count: Number(digits), unit: unit.toLowerCase() as Age['unit'] };
  if (age.count > 0 && age.count <= MAX_YEARS * UNITS_PER_YEAR[age.unit]) return age;
  const fault = say`${quote(text)} is not valid: write months as 18m, years as 2y, days as 400d.`;
  failUsage(say`${option('year_ended_within')} ${fault}`, `The minimum is 1d, the maximum ${MAX_YEARS}y.`);
}

/** Returns the earliest end date of a fiscal year that is recent enough to be shown. */
function computeFirstRecentDay({ release, as_of: asOf }: Partial<Meta>, { count: unitCount, unit }: Age): string {
  const today = asOf ?? release?.date ?? new Date().toISOString().slice(0, 10);
  return unit === 'd' ? addDays(today, -unitCount) : addMonths(today, unit === 'm' ? -unitCount : -12 * unitCount);
}

const isRecent = ({ [YEAR_END_COLUMN]: end }: ScreenRow, day: string): boolean => typeof end === 'string' && end >= day;
