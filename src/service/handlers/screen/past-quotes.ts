/** The prices of companies on a past day, from which price figures are derived. */
import { MAX_PRICE_AGE_DAYS } from '../../../contract/screen-columns.ts';
import { addDays } from '../../../platform/dates.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { monthKey, SCREEN_HISTORY_PRICES } from '../../../store/schema/screen-history.ts';
import type { Cell } from '../../../store/schema/table.ts';
import type { GroupColumns } from '../../../store/table-reader.ts';

/** The last price of a company on or before the day. */
export interface PastQuote {
  readonly priceDay: string;
  readonly price: string;
  readonly shares: string | null;
  /** Split ratios of the figures in `PER_SHARE_FIGURES`, in the same order. */
  readonly ratios: readonly (string | null)[];
}

export type QuoteFinder = (cik: Cell) => PastQuote | null;

/**
 * Returns a function that returns the price of a company by CIK; null if the price is missing or too old on the day.
 */
export async function readPastQuotes(release: ReleaseReader, day: string): Promise<QuoteFinder> {
  if (!release.includes(SCREEN_HISTORY_PRICES)) return () => null;
  const month = monthKey(day);
  const groups = await release.groupsBetween(SCREEN_HISTORY_PRICES, month, month);
  const columnsOfEach = await release.columnsIn(
    SCREEN_HISTORY_PRICES,
    groups,
    SCREEN_HISTORY_PRICES.columns.map(({ name }) => name).filter((name) => name !== 'month'),
  );
  const finders = columnsOfEach.map((columns) => quoteFinderOf(columns, day));
  return (cik) => {
    for (const findQuote of finders) {
      const quote = findQuote(cik);
      if (quote !== null) return quote;
    }
    return null;
  };
}

/** Decodes only the rows valid on the requested day, because a month has a row for each company and trading day. */
function quoteFinderOf(columns: GroupColumns, day: string): QuoteFinder {
  const [firstDay, earliestDay] = [`${day.slice(0, 7)}-01`, addDays(day, -MAX_PRICE_AGE_DAYS)];
  const [ciks, days] = [columns.cells('cik'), columns.cells('day')];
  const quoteRows: number[] = [];
  let lastCik: Cell = null;
  for (const [row, rowDay] of days.entries()) {
    // The row group may begin with rows of the previous month.
    if (String(rowDay) < firstDay || String(rowDay) > day) continue;
    const cik = ciks[row] as Cell;
    // Keeps only the company's last row on or before the day; rows are sorted by company, then day.
    if (cik === lastCik) quoteRows.pop();
    quoteRows.push(row);
    lastCik = cik;
  }
  const positionByCik = new Map(quoteRows.map((row, position) => [ciks[row] as Cell, position]));
  const [priceDays = [], prices = [], shares = [], ...ratios] = [
    ...['price_day', 'price', 'shares'],
    ...['earnings_ratio', 'dividends_ratio'],
  ].map((name) => columns.cells(name, quoteRows));
  return (cik) => {
    const position = positionByCik.get(cik);
    if (position === undefined) return null;
    const priceDay = String(priceDays[position]);
    if (priceDay < earliestDay) return null;
    return {
      ...{ priceDay, price: String(prices[position]), shares: textOf(shares[position] ?? null) },
      ratios: ratios.map((cells) => textOf(cells[position] ?? null)),
    };
  };
}

const textOf = (cell: Cell): string | null => (cell === null ? null : String(cell));
