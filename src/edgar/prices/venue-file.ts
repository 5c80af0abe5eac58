/**
 * Reads a venue's end-of-day prices from a CSV in this program's own format, for users with access to last-sale data:
 *
 *     # attribution: The sentence that the venue's terms require to be shown
 *     # url: https://the.venue.example/terms
 *     day,symbol,last_sale,last_sale_at,official_close
 *     2026-06-30,AAPL,201.12,2026-06-30T15:59:58-04:00,201.08
 *
 * `last_sale` and `official_close` are unadjusted prices in dollars; `last_sale_at` and one of the prices may be empty.
 * Both comment lines are required, because prices must not be shown without the venue's attribution.
 */
import { type Decimal, isZero, parseDecimal } from '../../contract/decimal-text.ts';
import { TableError } from '../files/delimited.ts';
import { parseDay } from '../files/fields.ts';
import type { SkippedRowCounts } from '../files/skipped-rows.ts';

export interface VenueAttribution {
  readonly text: string;
  readonly url: string;
}

type VenueRow = Exclude<ReturnType<typeof parseRow>, string>;

const COLUMN_NAMES = ['day', 'symbol', 'last_sale', 'last_sale_at', 'official_close'];
const INSTANT_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Returns the prices and the attribution; counts bad rows. Throws TableError if attribution or header are missing. */
export function readVenueFile(text: string, label: string, skipped: SkippedRowCounts) {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const comments = lines.filter((line) => line.startsWith('#'));
  const [header, ...dataLines] = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const attribution = { text: readCommentValue(comments, 'attribution'), url: readCommentValue(comments, 'url') };
  if (attribution.text === '') throw new TableError(`${label}: a line "# attribution: …" is missing`);
  if (!/^https?:\/\/\S+$/.test(attribution.url)) throw new TableError(`${label}: a line "# url: https://…" is missing`);
  if (header === undefined || header.trim().toLowerCase() !== COLUMN_NAMES.join(','))
    throw new TableError(`${label}: the header must be ${COLUMN_NAMES.join(',')}`);
  const rows = new Map<string, VenueRow>();
  for (const line of dataLines) {
    const row = parseRow(line.split(',').map((cell) => cell.trim()));
    if (typeof row === 'string') skipped.add(row);
    else if (rows.has(`${row.day} ${row.symbol}`))
      skipped.add("an exchange's second price for the same day and symbol");
    else rows.set(`${row.day} ${row.symbol}`, row);
  }
  return { attribution, rows: [...rows.values()] };
}

function readCommentValue(comments: readonly string[], name: string): string {
  const pattern = new RegExp(`^#\\s*${name}:`, 'i');
  const line = comments.find((comment) => pattern.test(comment));
  return line?.replace(pattern, '').trim() ?? '';
}

function parseRow(cells: readonly string[]) {
  const [day = '', symbol = '', lastSale = '', at = '', close = ''] = cells;
  const date = parseDay(day);
  if (cells.length !== COLUMN_NAMES.length || date === null || symbol === '')
    return 'a row of exchange prices that cannot be read';
  if (at !== '' && !INSTANT_PATTERN.test(at))
    return 'a row of exchange prices whose last_sale_at is not a date and time with a time zone';
  const row = {
    day: date,
    symbol: symbol.toUpperCase(),
    lastSale: parsePrice(lastSale),
    /** RFC 3339, with a UTC offset. */
    lastSaleAt: at === '' ? null : at,
    officialClose: parsePrice(close),
  };
  return row.lastSale === null && row.officialClose === null ? 'a row of exchange prices without a valid price' : row;
}

function parsePrice(cell: string): Decimal | null {
  const price = parseDecimal(cell);
  return price === null || isZero(price) || price.startsWith('-') ? null : price;
}
