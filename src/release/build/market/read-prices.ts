/** Reads the prices among the files: fails to deliver, the holdings of funds, and trading venues. */
import { readFile } from 'node:fs/promises';
import { openArchive } from '../../../edgar/files/archive.ts';
import type { ListedFile } from '../../../edgar/files/list-files.ts';
import { SkippedRows } from '../../../edgar/files/skipped-rows.ts';
import { type FailsRow, isFailsFile, readFails } from '../../../edgar/prices/fails-to-deliver.ts';
import { isNportDataSet, type NportHolding, readNportHoldings } from '../../../edgar/prices/nport-holdings.ts';
import { readVenueFile, type VenueAttribution } from '../../../edgar/prices/venue-file.ts';
import type { ListedSecurity } from '../../../figures/issuers/cusip-map.ts';
import { impliedPrice } from '../../../figures/prices/implied-price.ts';
import { lastTradingDay } from '../../../platform/trading-calendar.ts';
import type { SourceFileReader } from '../source-file-reader.ts';
import type { PriceCollector } from './price-collector.ts';
import type { SecuritiesIndex } from './securities-index.ts';

const FAILS_FILE = /(?:cnsfails|cnsp_sec_fails)[^/]*\.(?:zip|txt)$/i;

/**
 * Reads every fails-to-deliver file.
 * @param wanted whose rows to read; all by default
 */
export async function readAllFails(
  files: readonly ListedFile[],
  reader: SourceFileReader,
  take: (row: FailsRow) => void,
  wanted?: (cusip: string) => boolean,
): Promise<void> {
  for (const file of files.filter(({ name }) => FAILS_FILE.test(name))) {
    // Files are read twice, but skipped rows are counted once.
    const skipped = reader.files.has(file) ? new SkippedRows() : reader.skipped;
    await reader.read(file, async () => {
      for (const text of await textsOf(file)) {
        if (!isFailsFile(text)) skipped.add('a file that is named for fails to deliver and holds none');
        else for (const row of readFails(text, skipped, wanted)) take(row);
      }
    });
  }
}

async function textsOf(file: ListedFile): Promise<string[]> {
  if (!/\.zip$/i.test(file.name)) return [await readFile(file.path, 'utf8')];
  const archive = await openArchive(file.path);
  try {
    const texts: string[] = [];
    for (const name of archive.names) texts.push((await archive.read(name)).toString('utf8'));
    return texts;
  } finally {
    archive.close();
  }
}

const FUNDS_FILE = /n-?port[^/]*\.zip$/i;
/** Values are rounded to cents. */
const ROUNDING = '0.005';

/** Adds the prices at which funds value their shares, from every N-PORT data set. */
export async function readFundPrices(
  files: readonly ListedFile[],
  reader: SourceFileReader,
  securities: SecuritiesIndex,
  prices: PriceCollector,
): Promise<void> {
  for (const file of files.filter(({ name }) => FUNDS_FILE.test(name))) {
    await reader.read(file, async () => {
      const archive = await openArchive(file.path);
      try {
        if (!isNportDataSet(archive)) return;
        for await (const holdings of readNportHoldings(archive, reader.skipped)) {
          reader.throwIfAborted();
          for (const holding of holdings) addPrice(holding, securities, prices);
        }
      } finally {
        archive.close();
      }
    });
  }
}

/** Without a CUSIP the issuer's name identifies the company, but not whether the holding is its share. */
function addPrice(
  { cusip, issuer, value, balance, commonStock, reportDay }: NportHolding,
  securities: SecuritiesIndex,
  prices: PriceCollector,
) {
  const security = cusip === null ? securities.shareOf(issuer) : securities.securityOf(cusip);
  const price = security === null ? null : impliedPrice(value, balance, ROUNDING);
  if (security === null || price === null) return;
  const source = commonStock === true && cusip !== null ? 'nport' : 'mixed';
  prices.add(security, source, lastTradingDay(reportDay), price);
}

const VENUE_FILE = /(?:^|\/)venue[^/]*\.csv$/i;

/** Adds the prices of every venue file (venue*.csv), and returns their attributions. */
export async function readVenuePrices(
  files: readonly ListedFile[],
  listed: readonly ListedSecurity[],
  reader: SourceFileReader,
  prices: PriceCollector,
): Promise<VenueAttribution[]> {
  const byTicker = new Map(listed.map((security) => [plain(security.tickerNormalized), security]));
  const attributions: VenueAttribution[] = [];
  for (const file of files.filter(({ name }) => VENUE_FILE.test(name))) {
    await reader.read(file, async () => {
      const { attribution, rows } = readVenueFile(await readFile(file.path, 'utf8'), file.name, reader.skipped);
      attributions.push(attribution);
      for (const { day, symbol, lastSale, lastSaleAt, officialClose } of rows) {
        const security = byTicker.get(plain(symbol));
        if (security === undefined) continue;
        const own = { attribution: attribution.text, soldAt: null };
        if (lastSale !== null) prices.add(security, 'venue', day, lastSale, { ...own, soldAt: lastSaleAt });
        if (officialClose !== null) prices.add(security, 'venue_official', day, officialClose, own);
      }
    });
  }
  return attributions;
}

/** Venues separate share classes by dots, slashes or nothing. */
const plain = (symbol: string): string => symbol.replace(/[^A-Z0-9]/g, '');
