/**
 * Reads prices and holdings before companies are derived, because ratios of the screener need prices. First, symbols in
 * fails-to-deliver files and issuer names in 13F tables map CUSIPs to securities. Second, prices from fails-to-deliver,
 * venue and fund files show whether a 13F table is in thousands. Third, 13F tables imply prices.
 */
import { join } from 'node:path';
import type { ListedFile } from '../../edgar/files/list-files.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { isThirteenFDataSetFile, isThirteenFFile } from '../../edgar/holdings/thirteen-f-files.ts';
import type { VenueAttribution } from '../../edgar/prices/venue-file.ts';
import { CusipEvidence, type ListedSecurity } from '../../ownership/issuers/cusip-map.ts';
import { assertDefined } from '../../platform/collections.ts';
import { addDays, pickLaterDay } from '../../platform/dates.ts';
import type { TablePart } from '../../store/table-part.ts';
import { divideIntoShards } from '../tasks/company-shards.ts';
import { addCounts, addEach, addReport, type ReadingLog, type RecordCounts } from '../tasks/reading.ts';
import { type Slice, SliceIndex, writeSharedValue } from '../tasks/slices.ts';
import type { RunTasks } from '../tasks/task.ts';
import type { QuotesTask } from './company-prices.ts';
import { type FilePricesTask, isPriceFile, type PriceFileKind } from './file-prices.ts';
import { HoldingReports } from './holding-reports.ts';
import type { ManagersTask } from './manager-tables.ts';
import { NO_COVER_COMPARISONS } from './market-checks.ts';
import type { FileReading, MarketFilesTask } from './market-files.ts';
import { makePricesGroup, type QuarterEndPrice } from './observations.ts';
import { indexSecurities } from './securities-index.ts';
import { makeHoldersGroup } from './security-holders.ts';

interface MarketContext extends ReadingLog {
  readonly recordCounts: RecordCounts;
  readonly runTasks: RunTasks;
}

/** Symbols and issuer names of CUSIPs, and managers' reports on Form 13F, from all files. */
type CusipsAndHoldings = Awaited<ReturnType<typeof readCusipsAndHoldings>>;

interface MarketInput extends MarketContext {
  readonly sourceFiles: readonly ListedFile[];
  readonly marketNames: Promise<CusipsAndHoldings>;
  /** CIKs of companies that may be in the release, ascending. */
  readonly ciks: readonly number[];
  readonly securities: readonly ListedSecurity[];
  /** Determines the companies that have ownership filings about their securities. */
  readonly filings: Promise<{ hasOwnershipFilings(cik: number): boolean }>;
  /** The release's date; later prices are excluded. */
  readonly date: Promise<string>;
  readonly scratchDirectory: string;
  /** Returns a filer's own list of filings; empty if missing. */
  readFilingList(cik: number): Promise<readonly FilingRecord[]>;
  /** Called with parts of the tables of managers. */
  appendPart(part: TablePart): void;
}

export type MarketData = Awaited<ReturnType<typeof readMarket>>;

/**
 * Number of days before the release's date in which prices can affect ratios or the dates of recent splits. The first
 * day is rounded down to the first of a month, so that most builds can use cached results.
 */
const RECENT_PRICE_DAYS = 400;

export async function readCusipsAndHoldings(tasks: readonly MarketFilesTask[], context: MarketContext) {
  const names = new Set<string>();
  const reports = new HoldingReports();
  const evidence = new CusipEvidence();
  for await (const result of context.runTasks(tasks)) {
    addReading(context, names, result);
    evidence.merge(result.sightings);
    reports.add(result);
  }
  return { readFileNames: names, evidence, reports };
}

function addReading(context: MarketContext, fileNames: Set<string>, reading: FileReading): void {
  addReport(context, reading);
  addEach(context.recordCounts, Object.entries(reading.recordCounts));
  for (const name of reading.readFileNames) fileNames.add(name);
}

export async function readMarket(input: MarketInput) {
  const { sourceFiles, ciks, runTasks } = input;
  const { evidence, reports, ...marketNames } = await input.marketNames;
  const names = new Set(marketNames.readFileNames);
  const share = (name: string, value: unknown) => writeSharedValue(join(input.scratchDirectory, name), value);
  const { shards, shardEnds } = divideIntoShards(ciks);
  await reports.findFilings(input.readFilingList);
  const { namedSecurities, formerTickers, getSecurities } = indexSecurities(input.securities, evidence);
  const { cusips, outdated } = namedSecurities;
  // Writes a second file with only the CUSIPs, so that a changed name does not repeat tasks that need no names.
  const cusipNames = share('cusips', { cusips, outdated, issuers: [], symbols: [] });
  const allNames = share('names', namedSecurities);

  const slices = new SliceIndex();
  const pricesAtQuarterEnds: QuarterEndPrice[] = [];
  const attributions: VenueAttribution[] = [];
  let lastPriceDay = '';
  const makePriceTasks = (kind: PriceFileKind, securityNames: Slice) =>
    sourceFiles
      .filter((file) => isPriceFile(kind, file))
      .map((file): FilePricesTask => {
        return { kind: 'prices of a file', priceFileKind: kind, files: [file], shardEnds, securityNames };
      });
  const priceTasks = [
    ...makePriceTasks('fails', cusipNames).filter(({ files: [file] }) => names.has(file.name)),
    ...makePriceTasks('venue', allNames),
    ...makePriceTasks('funds', allNames),
  ];
  for await (const prices of runTasks(priceTasks)) {
    addReading(input, names, prices);
    slices.add(prices.output);
    for (const price of prices.quarterEndPrices) pricesAtQuarterEnds.push(price);
    if (prices.attribution !== null) attributions.push(prices.attribution);
    lastPriceDay = pickLaterDay(lastPriceDay, prices.lastDay);
  }

  const date = await input.date;
  let coverCounts = NO_COVER_COMPARISONS;
  const lastPrices = new Map(pricesAtQuarterEnds.filter(([, , day]) => day <= date).map((price) => [price[0], price]));
  const quarterEnds = share('quarter-ends', [...lastPrices.values()]);
  const managersTasks = reports.listManagerGroups().map((sources): ManagersTask => {
    const days = sources.flatMap(({ reports }) => reports.map(({ report }) => report.filed));
    const lastDay = days.some((filed) => filed !== null && filed > date) ? date : null;
    return { kind: 'managers', sources, lastDay, shardEnds, securityNames: cusipNames, quarterEndPrices: quarterEnds };
  });
  for await (const result of runTasks(managersTasks)) {
    for (const part of result.parts) input.appendPart(part);
    slices.add(result.output);
    coverCounts = addCounts(coverCounts, result.totals);
    lastPriceDay = pickLaterDay(lastPriceDay, result.lastDay);
  }

  const lastDay = lastPriceDay > date ? date : null;
  const shardPrices = shards.map((shard) => ({
    prices: { slices: slices.getSlices(makePricesGroup(shard.name)), lastDay },
    securities: shard.ciks.flatMap(getSecurities),
  }));
  const firstDay = `${addDays(date, -RECENT_PRICE_DAYS).slice(0, 7)}-01`;
  const quotes = new SliceIndex();
  const filings = await input.filings;
  const tasks = shards.map((shard, index): QuotesTask => {
    const insiderCiks = shard.ciks.filter((cik) => filings.hasOwnershipFilings(cik));
    return { kind: 'quotes', firstDay, insiderCiks, ...assertDefined(shardPrices[index]) };
  });
  for await (const result of runTasks(tasks)) quotes.add(result.output);
  return {
    formerTickers,
    reports: reports.allReports,
    coverCounts,
    venueAttributions: attributions,
    /** Files that were read, for the sources in the manifest. */
    files: sourceFiles.filter(({ name }) => names.has(name)),
    /** Returns a company's prices, for the company's derivation; null if the company has no prices. */
    getPrices: (cik: number): Slice | null => quotes.getSlices(String(cik))[0] ?? null,
    /** Prices and securities of each shard of companies, in order of CIK. */
    prices: shardPrices,
    /** Slices with the holders of each shard of companies, in order of CIK. */
    holdingSlices: shards.map((shard) => slices.getSlices(makeHoldersGroup(shard.name))),
  };
}

/**
 * Returns one task per file, and one task for all documents of Form 13F together, because a filing consists of several
 * documents.
 */
export async function makeMarketFilesTasks(files: readonly ListedFile[]): Promise<readonly MarketFilesTask[]> {
  const dataSets: ListedFile[] = [];
  const documents: ListedFile[] = [];
  for (const file of files.filter(isThirteenFFile))
    ((await isThirteenFDataSetFile(file)) ? dataSets : documents).push(file);
  const makeTask = (contents: MarketFilesTask['contents'], files: readonly ListedFile[]) =>
    ({ kind: 'market files', contents, files }) as const;
  return [
    ...files.filter((file) => isPriceFile('fails', file)).map((file) => makeTask('fails', [file])),
    ...dataSets.map((file) => makeTask('holdings', [file])),
    ...(documents.length === 0 ? [] : [makeTask('holdings', documents)]),
  ];
}
