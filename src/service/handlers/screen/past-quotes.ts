/** The prices of companies on a past day, from which price figures are derived. */
import { MAX_PRICE_AGE_DAYS } from '../../../contract/max-ages.ts';
import { getOrInsert } from '../../../platform/collections.ts';
import { addDays } from '../../../platform/dates.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { Cell } from '../../../store/schema/columns.ts';
import { computeMonthKey, HISTORY_PRICES } from '../../../store/schema/screen.ts';
import type { GroupColumns } from '../../../store/table-reader.ts';

/** The last price of a company on or before the day. */
export interface PastQuote {
  readonly priceDay: string;
  readonly price: string;
  /** Returns another cell of the price's row, such as `shares`; null if it is empty. */
  read(column: string): string | null;
}

/**
 * Returns the quotes of selected rows, by row number. A column is decoded when its first cell is read, because most
 * price figures need few columns.
 */
function openQuotes(columns: GroupColumns, rows: readonly number[]): ReadonlyMap<number, PastQuote> {
  const sorted = [...new Set(Uint32Array.from(rows).sort())];
  const cellsByColumn = new Map<string, readonly Cell[]>();
  const toQuote = (position: number): PastQuote => {
    const read = (column: string) => {
      const cells = getOrInsert(cellsByColumn, column, () => columns.cells(column, sorted));
      const cell = cells[position] ?? null;
      return cell === null ? null : String(cell);
    };
    return { priceDay: read('price_day') ?? '', price: read('price') ?? '', read };
  };
  return new Map(sorted.map((row, position) => [row, toQuote(position)]));
}

/** Returns the prices of companies, in the order of `ciks`; null if a price is missing or too old on the day. */
export type QuoteFinder = (ciks: readonly Cell[]) => (PastQuote | null)[];

/** Returns a finder of each company's last price on or before the day. */
export async function readPastQuoteFinder(release: ReleaseReader, day: string): Promise<QuoteFinder> {
  if (!release.includes(HISTORY_PRICES)) return (ciks) => ciks.map(() => null);
  const month = computeMonthKey(day);
  const groups = await release.groupsBetween(HISTORY_PRICES, month, month);
  const names = HISTORY_PRICES.columns.map(({ name }) => name).filter((name) => name !== 'month');
  const columnsByGroup = await release.columnsIn(HISTORY_PRICES, groups, names);
  const finders = columnsByGroup.map((columns) => createQuoteFinder(columns, day));
  return (ciks) => {
    const [quotes = ciks.map(() => null), ...others] = finders.map((quotesOf) => quotesOf(ciks));
    if (others.length === 0) return quotes;
    return quotes.map((quote, index) => quote ?? others.find((quotes) => quotes[index] != null)?.[index] ?? null);
  };
}

/**
 * Returns a finder that decodes one row per requested company, because a month has many rows: one per company and
 * trading day.
 */
function createQuoteFinder(columns: GroupColumns, day: string): QuoteFinder {
  const start = `${day.slice(0, 7)}-01`;
  const earliest = addDays(day, -MAX_PRICE_AGE_DAYS);
  const ciks = columns.integers('cik');
  const days = columns.indexedCells('day');
  // The row group may begin with rows of the previous month.
  const flags = Uint8Array.from(days.dictionary, (cell) => (String(cell) >= start && String(cell) <= day ? 1 : 0));
  const hasValidDay = (row: number) => flags[days.indices[row] ?? -1] === 1;
  const rowByCik = new Map<Cell, number>();
  for (let row = 0; row < ciks.length; row += 1) {
    // Only the company's last row on or before the day counts; rows are sorted by company, then day.
    const isLast = ciks[row + 1] !== ciks[row] || !hasValidDay(row + 1);
    if (isLast && hasValidDay(row)) rowByCik.set(ciks[row] as number, row);
  }
  let quotes = openQuotes(columns, []);
  return (ciks) => {
    const requested = ciks.map((cik) => rowByCik.get(cik) ?? null);
    const rows = requested.filter((row) => row !== null);
    // Reuses decoded cells: a page or a sort usually needs companies whose cells a filter has already read.
    if (!rows.every((row) => quotes.has(row))) quotes = openQuotes(columns, rows);
    return requested.map((row) => {
      const quote = row === null ? null : (quotes.get(row) ?? null);
      return quote === null || quote.priceDay < earliest ? null : quote;
    });
  };
}
