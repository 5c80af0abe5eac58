/**
 * Reads a fails-to-deliver file: the symbol of a CUSIP on a day, and its price. The price of a settlement day is the
 * closing price of the trading day before. Descriptions contain bars in some vintages, so the price is the last cell
 * and not the sixth.
 */
import { type Decimal, isZero, parseDecimal } from '../../contract/decimal-text.ts';
import { memoizeLast, parseDay } from '../files/parse-day.ts';
import type { SkippedRows } from '../files/skipped-rows.ts';

export interface FailsRow {
  readonly settlementDay: string;
  readonly cusip: string;
  /** As in the file, without class separators: BRK-B is BRKB. */
  readonly symbol: string;
  readonly description: string;
  /** Closing price of the trading day before; null if the file has none. */
  readonly price: Decimal | null;
}

const HEADER = /^SETTLEMENT DATE\|CUSIP\|SYMBOL\|/i;
const TRAILER = /^Trailer /i;
const STARTS_WITH_DIGIT = /^\d/;
const CUSIP = /^[0-9A-Z]{9}$/i;
const UNWANTED = Symbol('a row about another security');

export function isFailsFile(text: string): boolean {
  return HEADER.test(text.slice(0, 64));
}

/**
 * Yields every row; counts unreadable rows, and a file whose trailer states another number of rows.
 * @param wanted selects rows; default: all
 */
export function* readFails(
  text: string,
  skipped: SkippedRows,
  wanted?: (cusip: string) => boolean,
): Generator<FailsRow> {
  // Rows are sorted by day.
  const dayOf = memoizeLast(parseDay);
  let count = 0;
  for (const line of text.split('\n')) {
    if (!STARTS_WITH_DIGIT.test(line)) {
      if (line.trim() === '' || HEADER.test(line)) continue;
      if (TRAILER.test(line)) {
        const promised = /record count (\d+)/i.exec(line)?.[1];
        if (promised !== undefined && Number(promised) !== count) {
          skipped.add('a fails-to-deliver file whose last line states a different number of rows');
        }
        continue;
      }
    }
    count += 1;
    const row = rowOf(line, dayOf, wanted);
    if (row === null) skipped.add('a fails-to-deliver row that cannot be read');
    else if (row !== UNWANTED) yield row;
  }
}

function rowOf(
  line: string,
  dayOf: (text: string) => string | null,
  wanted: ((cusip: string) => boolean) | undefined,
): FailsRow | typeof UNWANTED | null {
  const [first, second, third, fourth, last] = bars(line);
  const settlementDay = dayOf(line.slice(0, first).trim());
  const cusip = line
    .slice(first + 1, second)
    .trim()
    .toUpperCase();
  const symbol = line.slice(second + 1, third).trim();
  if (last <= fourth || settlementDay === null || !CUSIP.test(cusip) || symbol === '') return null;
  if (wanted !== undefined && !wanted(cusip)) return UNWANTED;
  const description = line.slice(fourth + 1, last);
  const price = parseDecimal(line.slice(last + 1).trim());
  return {
    settlementDay,
    cusip,
    symbol: symbol.toUpperCase(),
    description: description.includes('|') ? description.replace(/\s*\|\s*/g, '|').trim() : description.trim(),
    price: price === null || isZero(price) || price.startsWith('-') ? null : price,
  };
}

/** Returns the positions of the first four bars of a line, and of its last. */
function bars(line: string): [number, number, number, number, number] {
  const first = line.indexOf('|');
  const second = line.indexOf('|', first + 1);
  const third = line.indexOf('|', second + 1);
  return [first, second, third, line.indexOf('|', third + 1), line.lastIndexOf('|')];
}
