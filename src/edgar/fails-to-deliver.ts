/**
 * Reads a fails-to-deliver file: which CUSIP traded under which symbol on a day, and its price.
 *
 * The price beside a settlement day is the close of the trading day before it. Descriptions hold bars in some
 * vintages, so the price is the last cell and not the sixth.
 */
import { type Decimal, isZero, parseDecimal } from '../contract/decimal.ts';
import { datasetDay } from './dataset-date.ts';
import type { Tally } from './tally.ts';

export interface FailsRow {
  readonly settlementDay: string;
  readonly cusip: string;
  /** As in the file: class separators are stripped there, BRK-B is BRKB. */
  readonly symbol: string;
  readonly description: string;
  /** Close of the trading day before; null where the file has none. */
  readonly price: Decimal | null;
}

const HEADER = /^SETTLEMENT DATE\|CUSIP\|SYMBOL\|/i;
const TRAILER = /^Trailer /i;

export function isFailsFile(text: string): boolean {
  return HEADER.test(text.slice(0, 64));
}

/** Every row; one that cannot be read is counted, and so is a file whose trailer promises another number of rows. */
export function* readFails(text: string, tally: Tally): Generator<FailsRow> {
  let count = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '' || HEADER.test(line)) continue;
    if (TRAILER.test(line)) {
      const promised = /record count (\d+)/i.exec(line)?.[1];
      if (promised !== undefined && Number(promised) !== count) {
        tally.add('a fails-to-deliver file whose trailer promises another number of rows');
      }
      continue;
    }
    count += 1;
    const row = rowOf(line);
    if (row === null) tally.add('a fails-to-deliver row that cannot be read');
    else yield row;
  }
}

function rowOf(line: string): FailsRow | null {
  const cells = line.split('|').map((cell) => cell.trim());
  const [date = '', cusip = '', symbol = ''] = cells;
  const settlementDay = datasetDay(date);
  if (cells.length < 6 || settlementDay === null || !/^[0-9A-Z]{9}$/i.test(cusip) || symbol === '') return null;
  const price = parseDecimal(cells.at(-1) ?? '');
  return {
    settlementDay,
    cusip: cusip.toUpperCase(),
    symbol: symbol.toUpperCase(),
    description: cells.slice(4, -1).join('|'),
    price: price === null || isZero(price) || price.startsWith('-') ? null : price,
  };
}
