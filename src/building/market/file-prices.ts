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
  const names = readSharedValue(task.securityNames, SecurityNames.fromNamed);
  const prices = new ObservationWriter(output, task.shardEnds);
  let attribution: VenueAttribution | null = null;
  let records = 0;
  const onRecord = () => {
    records += 1;
  };
  const isRead = await readOrReport(file.name, UNREADABLE_PRICES, { skipped, problems }, async () => {
    if (task.priceFileKind === 'fails') await readFailsPrices(file, names, prices);
    else if (task.priceFileKind === 'funds') await readFundPrices(file, names, prices, { skipped, onRecord });
    else attribution = await readVenuePrices(file, names, prices, { skipped, onRecord });
  });
  const { quarterEndPrices, lastDay } = prices;
  return {
    readFileNames: isRead ? [file.name] : [],
    recordCounts: { [file.name]: records },
    skipped: skipped.getCounts(),
    ...{ problems, output: output.finish(), quarterEndPrices, lastDay, attribution },
  };
}

/**
 * Reads fails-to-deliver prices. Skipped rows are not counted here, because the task in `market-files.ts` has counted
 * them.
 */
async function readFailsPrices(file: ListedFile, names: SecurityNames, prices: ObservationWriter): Promise<void> {
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

/** Counts the rows of a file; rows that cannot be read are counted separately. */
interface RecordHandler {
  readonly skipped: SkippedRowCounts;
  readonly onRecord: () => void;
}

/** Maximum rounding error, in dollars, of a value stated in dollars and cents. */
const MAX_ROUNDING_ERROR = '0.005';

/** Reads the prices at which funds value the shares they hold. */
async function readFundPrices(
  file: ListedFile,
  names: SecurityNames,
  prices: ObservationWriter,
  { skipped, onRecord }: RecordHandler,
): Promise<void> {
  await useArchive(file.path, undefined, 'base', async (archive) => {
    if (!isNportDataSet(archive)) return;
    for await (const holdings of readNportHoldings(archive, skipped)) {
      for (const holding of holdings) {
        onRecord();
        addPrice(holding, names, prices);
      }
    }
  });
}

/**
 * Adds the price that a holding implies. The source is `mixed` if the holding may be a security other than the share,
 * such as a holding without a CUSIP.
 */
function addPrice(
  { cusip, issuer, value, balance, isCommonStock, reportDay }: NportHolding,
  names: SecurityNames,
  prices: ObservationWriter,
) {
  const day = findTradingDay(reportDay);
  const security = cusip === null ? names.findShareByIssuer(issuer) : names.findByPricedCusip(cusip, day);
  const price = security === null ? null : computeImpliedPrice(value, balance, MAX_ROUNDING_ERROR);
  if (security === null || price === null) return;
  const source = isCommonStock === true && cusip !== null ? 'nport' : 'mixed';
  prices.add(security, source, day, price);
}

async function readVenuePrices(
  file: ListedFile,
  names: SecurityNames,
  prices: ObservationWriter,
  { skipped, onRecord }: RecordHandler,
): Promise<VenueAttribution> {
  const { attribution, rows } = readVenueFile(await readFile(file.path, 'utf8'), file.name, skipped);
  for (const { day, symbol, lastSale, lastSaleAt, officialClose } of rows) {
    onRecord();
    const security = names.findBySymbol(symbol);
    if (security === null) continue;
    const details = { attribution: attribution.text, soldAt: null };
    if (lastSale !== null) prices.add(security, 'venue', day, lastSale, { ...details, soldAt: lastSaleAt });
    if (officialClose !== null) prices.add(security, 'venue_official', day, officialClose, details);
  }
  return attribution;
}
