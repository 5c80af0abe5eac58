/** Reads the prices in one file: fails-to-deliver data, holdings of funds, or a venue's prices. */

import { readFile } from 'node:fs/promises';
import { useArchive } from '../../edgar/files/archive.ts';
import { memoizeLast } from '../../edgar/files/fields.ts';
import type { ListedFile } from '../../edgar/files/list-files.ts';
import { SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';
import { hasFailsToDeliverHeader, readFails } from '../../edgar/prices/fails-to-deliver.ts';
import { isNportDataSet, type NportHolding, readNportHoldings } from '../../edgar/prices/nport-holdings.ts';
import { readVenueFile, type VenueAttribution } from '../../edgar/prices/venue-file.ts';
import { computeImpliedPrice } from '../../figures/prices/implied-price.ts';
import { findPreviousTradingDay, findTradingDay } from '../../platform/trading-calendar.ts';
import type { ShardEnds } from '../tasks/company-shards.ts';
import { readOrReport } from '../tasks/reading.ts';
import { readSharedValue, type Slice, type SliceWriter, type TaskOutput } from '../tasks/slices.ts';
import type { Task } from '../tasks/task.ts';
import { type FileReading, readFailsTexts, UNREADABLE_PRICES } from './market-files.ts';
import { ObservationWriter, type QuarterEndPrice } from './observations.ts';
import { SecurityNames } from './securities-index.ts';

export type PriceFileKind = 'fails' | 'funds' | 'venue';

const PRICE_FILE_PATTERNS: Readonly<Record<PriceFileKind, RegExp>> = {
  fails: /(?:cnsfails|cnsp_sec_fails)[^/]*\.(?:zip|txt)$/i,
  funds: /n-?port[^/]*\.zip$/i,
  venue: /(?:^|\/)venue[^/]*\.csv$/i,
};

export const isPriceFile = (kind: PriceFileKind, { name }: ListedFile): boolean => PRICE_FILE_PATTERNS[kind].test(name);

export interface FilePricesTask extends Task<FilePrices> {
  readonly kind: 'prices of a file';
  readonly priceFileKind: PriceFileKind;
  readonly files: readonly [ListedFile];
  readonly shardEnds: ShardEnds;
  /** Names of securities, shared by many tasks: the argument of `SecurityNames.fromNamed`. */
  readonly securityNames: Slice;
}

interface FilePrices extends FileReading {
  /** Prices by shard of companies. */
  readonly output: TaskOutput;
  readonly quarterEndPrices: readonly QuarterEndPrice[];
  readonly lastDay: string | null;
  /** The attribution that must be shown with a venue's prices; null for other files. */
  readonly attribution: VenueAttribution | null;
}

export async function readFilePrices(task: FilePricesTask, output: SliceWriter): Promise<FilePrices> {
  const [file] = task.files;
  const skipped = new SkippedRowCounts();
  const problems: string[] = [];
  const prices = new ObservationWriter(output, task.shardEnds);
  const names = readSharedValue(task.securityNames, SecurityNames.fromNamed);
  const reading: PriceReading = { names, prices, skipped, records: 0 };
  let attribution: VenueAttribution | null = null;
  const isRead = await readOrReport(file.name, UNREADABLE_PRICES, { skipped, problems }, async () => {
    if (task.priceFileKind === 'fails') await readFailsPrices(file, reading);
    else if (task.priceFileKind === 'funds') await readFundPrices(file, reading);
    else attribution = await readVenuePrices(file, reading);
  });
  return {
    readFileNames: isRead ? [file.name] : [],
    recordCounts: { [file.name]: reading.records },
    skipped: skipped.getCounts(),
    problems,
    output: output.finish(),
    quarterEndPrices: prices.quarterEndPrices,
    lastDay: prices.lastDay,
    attribution,
  };
}

interface PriceReading {
  readonly names: SecurityNames;
  readonly prices: ObservationWriter;
  readonly skipped: SkippedRowCounts;
  /** Number of rows read so far, without rows that cannot be read. */
  records: number;
}

/**
 * Reads fails-to-deliver prices. Skipped rows are not counted here, because the task in `market-files.ts` has counted
 * them.
 */
async function readFailsPrices(file: ListedFile, { names, prices }: PriceReading): Promise<void> {
  const findBefore = memoizeLast(findPreviousTradingDay);
  const isWanted = (cusip: string) => names.findByCusip(cusip) !== null;
  for (const text of await readFailsTexts(file)) {
    if (!hasFailsToDeliverHeader(text)) continue;
    for (const { cusip, settlementDay, price } of readFails(text, new SkippedRowCounts(), isWanted)) {
      if (price === null) continue;
      const day = findBefore(settlementDay);
      const security = names.findByPricedCusip(cusip, day);
      if (security !== null) prices.add(security, 'fails', day, price);
    }
  }
}

/** Maximum rounding error, in dollars, of a value stated in dollars and cents. */
const MAX_ROUNDING_ERROR = '0.005';

/** Reads the prices at which funds value the shares they hold. */
async function readFundPrices(file: ListedFile, reading: PriceReading): Promise<void> {
  await useArchive(file.path, undefined, 'base', async (archive) => {
    if (!isNportDataSet(archive)) return;
    for await (const holdings of readNportHoldings(archive, reading.skipped)) {
      reading.records += holdings.length;
      for (const holding of holdings) addPrice(holding, reading);
    }
  });
}

/**
 * Adds the price that a holding implies. The source is `mixed` if the holding may be a security other than the share,
 * such as a holding without a CUSIP.
 */
function addPrice(holding: NportHolding, { names, prices }: PriceReading) {
  const { cusip, issuer, value, balance, isCommonStock, reportDay } = holding;
  const day = findTradingDay(reportDay);
  const security = cusip === null ? names.findShareByIssuer(issuer) : names.findByPricedCusip(cusip, day);
  const price = security === null ? null : computeImpliedPrice(value, balance, MAX_ROUNDING_ERROR);
  if (security === null || price === null) return;
  const source = isCommonStock === true && cusip !== null ? 'nport' : 'mixed';
  prices.add(security, source, day, price);
}

async function readVenuePrices(file: ListedFile, reading: PriceReading): Promise<VenueAttribution> {
  const { names, prices } = reading;
  const { attribution, rows } = readVenueFile(await readFile(file.path, 'utf8'), file.name, reading.skipped);
  reading.records = rows.length;
  for (const { day, symbol, lastSale, lastSaleAt, officialClose } of rows) {
    const security = names.findBySymbol(symbol);
    if (security === null) continue;
    const details = { attribution: attribution.text, soldAt: null };
    if (lastSale !== null) prices.add(security, 'venue', day, lastSale, { ...details, soldAt: lastSaleAt });
    if (officialClose !== null) prices.add(security, 'venue_official', day, officialClose, details);
  }
  return attribution;
}
