/** Rows of companies that the user lists, by ticker or CIK: the screener has no parameter for it. */
import { readFileSync } from 'node:fs';
import { Failure } from '../../../contract/failure.ts';
import { normalizeTicker, parseCik } from '../../../contract/identifiers.ts';
import { quote } from '../../../contract/quote.ts';
import type { ScreenRow } from '../../../contract/resources/screen.ts';
import { systemFailure } from '../../../platform/system-error.ts';
import type { RowFilter } from '../../command.ts';
import type { GivenOptions, OptionSpec } from '../../command-line/option-spec.ts';

export const LISTED_OPTIONS: readonly OptionSpec[] = [
  { name: 'tickers', value: 'names', help: 'Show only these companies, by ticker or CIK' },
  { name: 'watchlist', value: 'file', help: 'Show only the companies of this file, one per line' },
];

/** The rows to keep; null without these options. Throws a usage Failure for a list of none, and for a file that cannot be read. */
export function listedRows(options: GivenOptions): RowFilter<ScreenRow> | null {
  const [texts, files] = [options.get('tickers') ?? [], options.get('watchlist') ?? []];
  if (texts.length + files.length === 0) return null;
  const names = [...texts.flatMap((text) => text.split(',')), ...files.flatMap(readWatchlist)].map((name) =>
    name.trim(),
  );
  if (names.includes('')) throw new Failure('usage', `--tickers ${quote(texts.join(' '))} has an empty item.`);
  if (names.length === 0) throw new Failure('usage', `${files.join(', ')} has no tickers.`);
  const wanted = new Map(names.map((name) => [keyOf(name), name]));
  const met = new Set<string>();
  const asked = [...(texts.length > 0 ? ['--tickers'] : []), ...(files.length > 0 ? ['--watchlist'] : [])].join(
    ' and ',
  );
  return {
    allPages: true,
    keeps: ({ ticker, cik }) => {
      const found = [keyOf(ticker), `${cik}`].filter((key) => wanted.has(key));
      for (const key of found) met.add(key);
      return found.length > 0;
    },
    notice: (left, rows) => {
      const missing = [...wanted].flatMap(([key, name]) => (met.has(key) ? [] : [name]));
      return [
        `${rows - left} of ${rows} rows of the service kept here by ${asked}.`,
        ...(missing.length === 0 ? [] : [`Not among these rows: ${missing.join(', ')}. See: fin search <name>`]),
      ];
    },
  };
}

/** A CIK is a number of up to ten digits, with the letters before it or not: no ticker is one. */
function keyOf(name: string): string {
  const ticker = normalizeTicker(name);
  return `${parseCik(ticker.replace(/^CIK/, '')) ?? ticker}`;
}

/** One name a line, the first of a line of CSV; `#` begins a comment, and the head of a column is no name. */
function readWatchlist(file: string): string[] {
  const names = readText(file)
    .split(/\r?\n/)
    .map(
      (line) =>
        line
          .replace(/(^|\s)#.*$/, '')
          .split(/[,;\t]/)[0]
          ?.trim() ?? '',
    )
    .map((name) => name.replace(/^"(.*)"$/, '$1'))
    .filter((name) => name !== '');
  return names[0] === 'ticker' ? names.slice(1) : names;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  } catch (cause) {
    throw systemFailure('usage', `${file} cannot be read`, cause, 'Name a file with one ticker per line.');
  }
}
