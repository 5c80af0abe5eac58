/**
 * Reads fails-to-deliver files: the symbol and price of a CUSIP by settlement date. The price is the closing price of
 * the previous trading day. Vertical bars separate the cells, but some descriptions contain such bars, so the price is
 * read from the last cell, not the sixth.
 */
import { type Decimal, isZero, parseDecimal } from '../../contract/decimal-text.ts';
import { memoizeLast, parseDay } from '../files/fields.ts';
import type { SkippedRowCounts } from '../files/skipped-rows.ts';

interface FailToDeliverRow {
  readonly settlementDay: string;
  readonly cusip: string;
  /** The symbol as in the file, without separators of share classes: BRK-B is BRKB. */
  readonly symbol: string;
  readonly description: string;
  /** Closing price of the previous trading day; null if missing. */
  readonly price: Decimal | null;
}

const HEADER_PATTERN = /^SETTLEMENT DATE\|CUSIP\|SYMBOL\|/i;
const TRAILER_PATTERN = /^Trailer /i;
const DIGIT_START_PATTERN = /^\d/;
const CUSIP_PATTERN = /^[0-9A-Z]{9}$/i;
const UNWANTED_SECURITY = Symbol('a row about another security');

export const hasFailsToDeliverHeader = (text: string): boolean => HEADER_PATTERN.test(text.slice(0, 64));

/**
 * Yields the wanted rows; counts unreadable rows, and files whose trailer states another number of rows.
 * @param wantsCusip selects rows; default: all
 */
export function* readFails(
  text: string,
  skipped: SkippedRowCounts,
  wantsCusip?: (cusip: string) => boolean,
): Generator<FailToDeliverRow> {
  // Caches the last date, because rows are sorted by date.
  const parse = memoizeLast(parseDay);
  let count = 0;
  for (const line of text.split('\n')) {
    if (!DIGIT_START_PATTERN.test(line)) {
      if (line.trim() === '' || HEADER_PATTERN.test(line)) continue;
      if (TRAILER_PATTERN.test(line)) {
        const text = /record count (\d+)/i.exec(line)?.[1];
        if (text !== undefined && Number(text) !== count)
          skipped.add('a fails-to-deliver file whose last line states a different number of rows');
        continue;
      }
    }
    count += 1;
    const row = parseRow(line, parse, wantsCusip);
    if (row === null) skipped.add('a fails-to-deliver row that cannot be read');
    else if (row !== UNWANTED_SECURITY) yield row;
  }
}

function parseRow(
  line: string,
  parse: (text: string) => string | null,
  wantsCusip: ((cusip: string) => boolean) | undefined,
): FailToDeliverRow | typeof UNWANTED_SECURITY | null {
  const [bar1, bar2, bar3, bar4, lastBar] = findPipeIndexes(line);
  const day = parse(line.slice(0, bar1).trim());
  const cusip = line
    .slice(bar1 + 1, bar2)
    .trim()
    .toUpperCase();
  const symbol = line.slice(bar2 + 1, bar3).trim();
  if (lastBar <= bar4 || day === null || !CUSIP_PATTERN.test(cusip) || symbol === '') return null;
  if (wantsCusip !== undefined && !wantsCusip(cusip)) return UNWANTED_SECURITY;
  const text = line.slice(bar4 + 1, lastBar);
  const price = parseDecimal(line.slice(lastBar + 1).trim());
  return {
    settlementDay: day,
    cusip,
    symbol: symbol.toUpperCase(),
    description: text.includes('|') ? text.replace(/\s*\|\s*/g, '|').trim() : text.trim(),
    price: price === null || isZero(price) || price.startsWith('-') ? null : price,
  };
}

/** Returns the offsets of the first four bars and of the last bar in a line. */
function findPipeIndexes(line: string): [number, number, number, number, number] {
  const first = line.indexOf('|');
  const second = line.indexOf('|', first + 1);
  const third = line.indexOf('|', second + 1);
  return [first, second, third, line.indexOf('|', third + 1), line.lastIndexOf('|')];
}
