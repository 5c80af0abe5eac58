/** Merges company_tickers.json and company_tickers_exchange.json into one list of securities. */
import { isObject } from '../../platform/json-object.ts';
import { toCik, toName } from '../files/fields.ts';
import { SkippedRowCounts } from '../files/skipped-rows.ts';

export type TickerRow = NonNullable<ReturnType<typeof toTickerRow>>;

export interface Tickers {
  /**
   * One row per ticker: first the rows of the list with exchanges, then the rows whose tickers only the list without
   * exchanges has. Both lists are in the order of market value.
   */
  readonly rows: readonly TickerRow[];
  readonly skipped: Readonly<Record<string, number>>;
}

/**
 * Merges the two ticker lists, which the SEC publishes at different times. If both contain a ticker, the row with the
 * exchange is used. Each argument is the parsed JSON of a list; null for a missing list.
 */
export function readTickers(withoutExchange: unknown, withExchange: unknown): Tickers {
  const skipped = new SkippedRowCounts();
  const rows = new Map<string, TickerRow>();
  for (const row of [...readRowsWithExchange(withExchange), ...readRowsWithoutExchange(withoutExchange)]) {
    if (row === null) skipped.add('a row without a valid CIK or ticker, in a ticker list');
    else if (!rows.has(row.ticker)) rows.set(row.ticker, row);
  }
  return { rows: [...rows.values()], skipped: skipped.getCounts() };
}

function* readRowsWithoutExchange(document: unknown): Generator<TickerRow | null> {
  const entries: unknown[] = isObject(document) ? Object.values(document) : Array.isArray(document) ? document : [];
  for (const entry of entries) {
    if (!isObject(entry)) yield null;
    else yield toTickerRow(entry.cik_str ?? entry.cik, entry.ticker, entry.exchange, entry.title ?? entry.name);
  }
}

function* readRowsWithExchange(document: unknown): Generator<TickerRow | null> {
  if (!isObject(document) || !Array.isArray(document.fields) || !Array.isArray(document.data)) {
    yield* readRowsWithoutExchange(document);
    return;
  }
  const { fields } = document;
  const [cik, name, ticker, exchange] = ['cik', 'name', 'ticker', 'exchange'].map((field) => fields.indexOf(field));
  for (const row of document.data) {
    if (!Array.isArray(row)) yield null;
    else yield toTickerRow(row[cik ?? -1], row[ticker ?? -1], row[exchange ?? -1], row[name ?? -1]);
  }
}

function toTickerRow(cik: unknown, ticker: unknown, exchange: unknown, title: unknown) {
  const cikNumber = toCik(cik);
  const symbol = toName(ticker)?.trim().toUpperCase() ?? '';
  if (cikNumber === null || symbol === '') return null;
  return { cik: cikNumber, ticker: symbol, exchange: toName(exchange), title: toName(title) };
}
