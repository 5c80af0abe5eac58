/**
 * What a build knows of prices and holders before it derives companies: the ratios of the screener need prices,
 * prices come partly from holders' tables, and whether those are in thousands is told by prices.
 *
 * The order: fails-to-deliver files say which CUSIP trades under which symbol, holders' tables name issuers; from both
 * follows whose a CUSIP is; then prices are noted from fails, venues, funds, and at last from holders.
 */
import { join } from 'node:path';
import { type ListedFile, listFiles } from '../../../edgar/files/list-files.ts';
import { memoizeLast } from '../../../edgar/files/parse-day.ts';
import type { SkippedRows } from '../../../edgar/files/skipped-rows.ts';
import type { FilingRecord } from '../../../edgar/filings/submissions.ts';
import type { VenueAttribution } from '../../../edgar/prices/venue-file.ts';
import { CusipEvidence, type ListedSecurity } from '../../../figures/issuers/cusip-map.ts';
import { tapeOf } from '../../../figures/prices/tape.ts';
import { addDays } from '../../../platform/dates.ts';
import { previousTradingDay } from '../../../platform/trading-calendar.ts';
import type { PriceRow } from '../../schema/prices.ts';
import type { SecurityQuotes } from '../company-part.ts';
import { HoldingsCollector } from './holdings-collector.ts';
import { PriceCollector } from './price-collector.ts';
import { readAllFails } from './read-fails.ts';
import { readFundPrices } from './read-funds.ts';
import { collectHoldingPrices, collectHoldings } from './read-holdings.ts';
import { readVenuePrices } from './read-venues.ts';
import { SecuritiesIndex } from './securities-index.ts';
import { SourceFileReader } from './source-file-reader.ts';

export interface MarketInput {
  readonly from: string;
  readonly listed: readonly ListedSecurity[];
  /** The release's date: no later price belongs in it. */
  readonly date: string;
  readonly scratch: string;
  readonly skipped: SkippedRows;
  readonly problems: string[];
  readonly signal: AbortSignal | undefined;
  /** A filer's own list of filings; empty where none is at hand. */
  filingsOf(cik: number): Promise<readonly FilingRecord[]>;
}

export interface Market {
  readonly securities: SecuritiesIndex;
  readonly holdings: HoldingsCollector;
  readonly venues: readonly VenueAttribution[];
  /** Files that were read, for the release's account of its sources. */
  readonly files: SourceFileReader['files'];
  /** The recent prices of a company's securities. */
  quotesOf(cik: number): readonly SecurityQuotes[];
  /** Every company's prices in the order of the table, companies ascending. Can be gone through again. */
  prices(): Generator<readonly [cik: number, rows: readonly PriceRow[]]>;
}

/** Prices further back than this have no bearing on today's ratios, nor on the splits between. */
const RECENT_DAYS = 400;

export async function readMarket(input: MarketInput): Promise<Market> {
  const { listed, date, scratch } = input;
  const files = await listFiles(input.from);
  const reader = new SourceFileReader(input.skipped, input.problems, input.signal);
  const holdings = new HoldingsCollector(join(scratch, 'holdings'));
  const prices = new PriceCollector(join(scratch, 'prices'), date);
  const book = await readBook(files, listed, reader, holdings);
  await holdings.findFilings((cik) => input.filingsOf(cik));

  const dayBefore = memoizeLast(previousTradingDay);
  await readAllFails(
    files,
    reader,
    ({ cusip, settlementDay, price }) => {
      const security = price === null ? null : book.securityOf(cusip);
      if (price !== null && security !== null) prices.add(security, 'fails', dayBefore(settlementDay), price);
    },
    (cusip) => book.securityOf(cusip) !== null,
  );
  const venues = await readVenuePrices(files, listed, reader, prices);
  await readFundPrices(files, reader, book, prices);
  collectHoldingPrices(reader, holdings, book, prices);

  const quotes = recentQuotes(prices, book, addDays(date, -RECENT_DAYS));
  return {
    securities: book,
    holdings,
    venues,
    files: reader.files,
    quotesOf: (cik) => quotes.get(cik) ?? [],
    *prices() {
      for (const company of prices.prices()) {
        reader.throwIfAborted();
        yield company;
      }
    },
  };
}

/** What files say of CUSIPs is let go when the book is made of it. */
async function readBook(
  files: readonly ListedFile[],
  listed: readonly ListedSecurity[],
  reader: SourceFileReader,
  holdings: HoldingsCollector,
): Promise<SecuritiesIndex> {
  const evidence = new CusipEvidence();
  await readAllFails(files, reader, (row) =>
    evidence.sawSymbol(row.cusip, row.symbol, row.settlementDay, row.description),
  );
  await collectHoldings(files, reader, holdings, evidence);
  return new SecuritiesIndex(listed, evidence);
}

function recentQuotes(
  prices: PriceCollector,
  book: SecuritiesIndex,
  from: string,
): ReadonlyMap<number, SecurityQuotes[]> {
  const quotes = new Map<number, SecurityQuotes[]>();
  for (const [cik, rows] of prices.prices(from)) {
    const byTicker = new Map<string, PriceRow[]>();
    for (const row of rows) {
      const own = byTicker.get(row.tickerNormalized);
      if (own === undefined) byTicker.set(row.tickerNormalized, [row]);
      else own.push(row);
    }
    const own = [...byTicker].map(([tickerNormalized, recent]) => ({
      cik,
      tickerNormalized,
      tape: tapeOf(recent),
      countApplies: book.countApplies(cik, tickerNormalized),
    }));
    if (own.length > 0) quotes.set(cik, own);
  }
  return quotes;
}
