/** Filters screen rows by a list of tickers and CIKs; the screener itself has no such parameter. */
import type { ClientFilter } from '../../ask/command/command.ts';
import type { GivenOptions, OptionSpec } from '../../ask/command/option-spec.ts';
import { failUsage } from '../../contract/failure.ts';
import { normalizeTicker, parseCik } from '../../contract/identifiers.ts';
import type { ScreenRow } from '../../contract/screen-row.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { readFirstCell } from '../../contract/text/list-line.ts';
import { quote } from '../../contract/text/quote.ts';
import { call, joinTexts, option, say } from '../../contract/text/text.ts';
import { readInputText } from '../../platform/files/input-text.ts';
import { makeSystemFailure } from '../../platform/files/system-error.ts';
import { makeNote } from '../../result/notice.ts';

export const COMPANY_LIST_OPTIONS: readonly OptionSpec[] = [
  { name: 'tickers', value: 'names', help: 'Show only these companies, by ticker or CIK' },
  {
    name: 'watchlist',
    value: 'file',
    help: 'Show only the companies in this file (- for stdin), which has one ticker or CIK per line',
  },
];

interface NamedCompaniesFilter extends ClientFilter<readonly ScreenRow[]> {
  readonly isListed: (row: Pick<ScreenRow, 'ticker' | 'cik'>) => boolean;
}

/**
 * Returns the filter by company; null if neither option is given. Throws a usage Failure for an empty list or an
 * unreadable file.
 */
export function makeNamedCompaniesFilter(options: GivenOptions): NamedCompaniesFilter | null {
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
  const findKeys = ({ ticker, cik }: Pick<ScreenRow, 'ticker' | 'cik'>): string[] =>
    [normalizeTickerOrCik(ticker), `${cik}`].filter((key) => namesByKey.has(key));
  const isListed: NamedCompaniesFilter['isListed'] = (row) => findKeys(row).length > 0;
  return {
    isListed,
    apply: (rows) => rows.filter(isListed),
    notices: (allRows, kept) => {
      const listed = new Set(kept.flatMap(findKeys));
      const missing = [...namesByKey].flatMap(([key, name]) => (listed.has(key) ? [] : [name]));
      const text = say`Filtered by ${optionsText}: kept ${kept.length} of ${formatCount(allRows.length, 'row')}.`;
      const search = call('search', { query: '<name>' });
      return [
        makeNote('narrowed', text, { kept: kept.length, all: allRows.length }),
        ...(missing.length === 0
          ? []
          : [
              makeNote(
                'not_listed',
                say`Not found among these rows: ${missing.join(', ')}. To find a ticker: ${search}`,
                { names: missing },
              ),
            ]),
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
