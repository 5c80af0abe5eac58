/**
 * Reads prices and holdings before companies are derived, because the screener's ratios need prices. The order matters:
 * symbols of fails-to-deliver files and issuers of 13F tables say whose a CUSIP is; then come the prices of fails, venues
 * and funds, which show whether a 13F table is in thousands; last the prices that 13F tables imply.
 */
import { join } from 'node:path';
import { type ListedFile, listFiles } from '../../../edgar/files/list-files.ts';
import { memoizeLast } from '../../../edgar/files/parse-day.ts';
import type { FilingRecord } from '../../../edgar/filings/submissions.ts';
import type { VenueAttribution } from '../../../edgar/prices/venue-file.ts';
import { pushTo } from '../../../figures/groups.ts';
import { CusipEvidence, type ListedSecurity } from '../../../figures/issuers/cusip-map.ts';
import { tapeOf } from '../../../figures/prices/tape.ts';
import { addDays } from '../../../platform/dates.ts';
import { previousTradingDay } from '../../../platform/trading-calendar.ts';
import type { PriceRow } from '../../schema/prices.ts';
import type { SecurityQuotes } from '../company-part.ts';
import { type ReadingContext, SourceFileReader } from '../source-file-reader.ts';
import { collectHoldingPrices, collectHoldings, HoldingsCollector } from './holdings-collector.ts';
import { type OnConflict, PriceCollector } from './price-collector.ts';
import { readAllFails, readFundPrices, readVenuePrices } from './read-prices.ts';
import { SecuritiesIndex } from './securities-index.ts';

export interface MarketInput extends ReadingContext {
  readonly from: string;
  readonly listed: readonly ListedSecurity[];
  /** The release's date: no later price belongs in it. */
  readonly date: string;
  readonly scratch: string;
  /** A filer's own list of filings; empty where there is none. */
  filingsOf(cik: number): Promise<readonly FilingRecord[]>;
}

export interface Market {
  readonly securities: SecuritiesIndex;
  readonly holdings: HoldingsCollector;
  readonly venues: readonly VenueAttribution[];
  /** The files that were read: a release lists its sources. */
  readonly files: readonly ListedFile[];
  /** The recent prices of a company's securities. */
  quotesOf(cik: number): readonly SecurityQuotes[];
  /** Every company's prices in the order of the table, companies ascending. May be called again. */
  prices(onConflict?: OnConflict): Generator<readonly [cik: number, rows: readonly PriceRow[]]>;
}

/** Older prices affect neither today's ratios nor the splits since. From the first of a month, so that most days ask for the same. */
const RECENT_DAYS = 400;
const FIRST_OF_MONTH = '-01';

export async function readMarket(input: MarketInput): Promise<Market> {
  const { listed, date, scratch } = input;
  const files = await listFiles(input.from);
  const reader = new SourceFileReader(input, 'a file of prices that cannot be read');
  const holdings = new HoldingsCollector(join(scratch, 'holdings'));
  const prices = new PriceCollector(join(scratch, 'prices'), date);
  const securities = await indexSecurities(files, listed, reader, holdings);
  await holdings.findFilings((cik) => input.filingsOf(cik));

  const dayBefore = memoizeLast(previousTradingDay);
  await readAllFails(
    files,
    reader,
    ({ cusip, settlementDay, price }) => {
      const security = price === null ? null : securities.securityOf(cusip);
      if (price !== null && security !== null) prices.add(security, 'fails', dayBefore(settlementDay), price);
    },
    (cusip) => securities.securityOf(cusip) !== null,
  );
  const venues = await readVenuePrices(files, listed, reader, prices);
  await readFundPrices(files, reader, securities, prices);
  collectHoldingPrices(reader, holdings, securities, prices);

  const quotes = recentQuotes(
    prices,
    securities,
    addDays(date, -RECENT_DAYS).slice(0, -FIRST_OF_MONTH.length) + FIRST_OF_MONTH,
  );
  return {
    securities,
    holdings,
    venues,
    files: [...reader.files],
    quotesOf: (cik) => quotes.get(cik) ?? [],
    *prices(onConflict) {
      for (const company of prices.prices('', onConflict)) {
        reader.throwIfAborted();
        yield company;
      }
    },
  };
}

/** The evidence for CUSIPs is dropped once the index is made. */
async function indexSecurities(
  files: readonly ListedFile[],
  listed: readonly ListedSecurity[],
  reader: SourceFileReader,
  holdings: HoldingsCollector,
): Promise<SecuritiesIndex> {
  const evidence = new CusipEvidence();
  await readAllFails(files, reader, (row) =>
    evidence.addSymbol(row.cusip, row.symbol, row.settlementDay, row.description),
  );
  await collectHoldings(files, reader, holdings, evidence);
  return new SecuritiesIndex(listed, evidence);
}

function recentQuotes(
  prices: PriceCollector,
  securities: SecuritiesIndex,
  from: string,
): ReadonlyMap<number, SecurityQuotes[]> {
  const quotes = new Map<number, SecurityQuotes[]>();
  for (const [cik, rows] of prices.prices(from)) {
    const byTicker = new Map<string, PriceRow[]>();
    for (const row of rows) pushTo(byTicker, row.tickerNormalized, row);
    for (const [tickerNormalized, recent] of byTicker) {
      const countApplies = securities.countApplies(cik, tickerNormalized);
      pushTo(quotes, cik, { cik, tickerNormalized, tape: tapeOf(recent), countApplies });
    }
  }
  return quotes;
}
