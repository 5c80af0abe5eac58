/**
 * Reads prices and holdings before companies are derived, because the screener's ratios need prices. The order matters:
 * symbols of fails-to-deliver files and issuers of 13F tables say whose a CUSIP is; then come the prices of fails, venues
 * and funds, which show whether a 13F table is in thousands; last the prices that 13F tables imply.
 */
import { join } from 'node:path';
import { type ListedFile, listFiles } from '../../../edgar/files/list-files.ts';
import type { SkippedRows } from '../../../edgar/files/skipped-rows.ts';
import type { FilingRecord } from '../../../edgar/filings/submissions.ts';
import { isThirteenFFile, isThirteenFSet } from '../../../edgar/holdings/thirteen-f-files.ts';
import type { VenueAttribution } from '../../../edgar/prices/venue-file.ts';
import { CusipEvidence, type ListedSecurity } from '../../../figures/issuers/cusip-map.ts';
import type { FormerTicker } from '../../../figures/issuers/former-tickers.ts';
import { present } from '../../../figures/present.ts';
import { addDays } from '../../../platform/dates.ts';
import type { TablePart } from '../../store/table-part.ts';
import type { Results } from '../build-task.ts';
import { companyShards } from '../company-shards.ts';
import { type Slice, SliceIndex, share } from '../slices.ts';
import type { QuotesTask } from './company-prices.ts';
import { EntryTotals } from './entry-totals.ts';
import { type FilePricesTask, isNamedFor, type PriceFile } from './file-prices.ts';
import { HoldingReports, type KeyedReport } from './holding-reports.ts';
import type { ManagersTask } from './managers.ts';
import type { FileReading, MarketFilesTask } from './market-files.ts';
import { type ObservedPrices, pricesGroup, type QuarterEndPrice } from './observations.ts';
import { type PricedSecurity, SecuritiesIndex } from './securities-index.ts';
import { holdersGroup } from './security-holders.ts';

export interface MarketInput {
  readonly from: string;
  readonly skipped: SkippedRows;
  /** Files that could not be read, with the cause. */
  readonly problems: string[];
  readonly results: Results;
  /** The companies that may be in the release, in order. */
  readonly ciks: readonly number[];
  readonly listed: readonly ListedSecurity[];
  /** Whether a company has ownership filings. */
  readonly hasOwnership: (cik: number) => boolean;
  /** The release's date: no later price belongs in it. */
  readonly date: string;
  readonly scratch: string;
  /** A filer's own list of filings; empty where there is none. */
  filingsOf(cik: number): Promise<readonly FilingRecord[]>;
  /** Takes parts of the tables of managers. */
  append(part: TablePart): void;
}

export interface Market {
  readonly formerTickers: readonly FormerTicker[];
  readonly reports: readonly KeyedReport[];
  readonly totals: EntryTotals;
  readonly venues: readonly VenueAttribution[];
  /** The files that were read: a release lists its sources. */
  readonly files: readonly ListedFile[];
  /** A company's prices, as deriving it takes them; null where there are none. */
  pricesOf(cik: number): Slice | null;
  /** What was read of the prices of each shard of companies, in order. */
  readonly prices: readonly { readonly prices: ObservedPrices; readonly securities: readonly PricedSecurity[] }[];
  /** What was read of the holders of each shard of companies, in order. */
  readonly holdings: readonly (readonly Slice[])[];
}

/** Older prices affect neither today's ratios nor the splits since. From the first of a month, so that most days ask for the same. */
const RECENT_DAYS = 400;
const FIRST_OF_MONTH = '-01';

export async function readMarket(input: MarketInput): Promise<Market> {
  const { ciks, listed, date, results } = input;
  const files = await listFiles(input.from);
  const read = new Set<string>();
  const account = (reading: FileReading) => {
    input.skipped.addAll(reading.skipped);
    input.problems.push(...reading.problems);
    for (const name of reading.read) read.add(name);
  };
  const { shards, ends } = companyShards(ciks);
  const reports = new HoldingReports();
  const evidence = new CusipEvidence();
  for await (const found of results(await nameTasks(files))) {
    account(found);
    evidence.merge(found.sightings);
    reports.add(found);
  }
  await reports.findFilings(input.filingsOf);
  const securities = new SecuritiesIndex(listed, evidence);
  const { cusips } = securities.named;
  // Few tasks are made anew when names change that they do not ask for.
  const byCusip = share(join(input.scratch, 'cusips'), { cusips, issuers: [], symbols: [] });
  const byAll = share(join(input.scratch, 'names'), securities.named);

  const left = new SliceIndex();
  const quarterEnds = new Map<string, QuarterEndPrice>();
  const venues: VenueAttribution[] = [];
  let lastDay = '';
  const named = (holds: PriceFile) => files.filter((file) => isNamedFor(holds, file));
  const priceTasks = [
    ...named('fails')
      .filter((file) => read.has(file.name))
      .map((file) => ({ holds: 'fails', file, names: byCusip }) as const),
    ...named('venue').map((file) => ({ holds: 'venue', file, names: byAll }) as const),
    ...named('funds').map((file) => ({ holds: 'funds', file, names: byAll }) as const),
  ].map(({ file, ...rest }): FilePricesTask => ({ kind: 'prices of a file', files: [file], ends, ...rest }));
  for await (const prices of results(priceTasks)) {
    account(prices);
    left.add(prices.left);
    for (const one of prices.quarterEnds) if (one[2] <= date) quarterEnds.set(one[0], one);
    if (prices.attribution !== null) venues.push(prices.attribution);
    lastDay = later(lastDay, prices.lastDay);
  }

  const totals = new EntryTotals();
  const known = share(join(input.scratch, 'quarter-ends'), [...quarterEnds.values()]);
  const managers = reports.groups().map((sources): ManagersTask => {
    const isLater = sources.some((one) =>
      one.reports.some(({ report }) => report.filed !== null && report.filed > date),
    );
    return { kind: 'managers', sources, until: isLater ? date : null, ends, names: byCusip, quarterEnds: known };
  });
  for await (const part of results(managers)) {
    for (const one of part.parts) input.append(one);
    left.add(part.left);
    totals.addAll(part.totals);
    lastDay = later(lastDay, part.lastDay);
  }

  const until = lastDay > date ? date : null;
  const prices = shards.map((shard) => ({
    prices: { slices: left.of(pricesGroup(shard.name)), until },
    securities: shard.ciks.flatMap((cik) => securities.of(cik)),
  }));
  const from = addDays(date, -RECENT_DAYS).slice(0, -FIRST_OF_MONTH.length) + FIRST_OF_MONTH;
  const quotes = new SliceIndex();
  const quoteTasks = shards.map(
    (shard, index): QuotesTask => ({
      ...{ kind: 'quotes', from, owned: shard.ciks.filter(input.hasOwnership) },
      ...present(prices[index]),
    }),
  );
  for await (const part of results(quoteTasks)) quotes.add(part.left);
  return {
    formerTickers: securities.formerTickers,
    reports: reports.all,
    totals,
    venues,
    files: files.filter(({ name }) => read.has(name)),
    pricesOf: (cik) => quotes.of(String(cik))[0] ?? null,
    prices,
    holdings: shards.map((shard) => left.of(holdersGroup(shard.name))),
  };
}

/** Every file by itself, but documents of Form 13F together, since several make up a filing. */
async function nameTasks(files: readonly ListedFile[]): Promise<readonly MarketFilesTask[]> {
  const sets: ListedFile[] = [];
  const documents: ListedFile[] = [];
  for (const file of files.filter(isThirteenFFile)) ((await isThirteenFSet(file)) ? sets : documents).push(file);
  const task = (holds: MarketFilesTask['holds'], own: readonly ListedFile[]) =>
    ({ kind: 'market files', holds, files: own }) as const;
  return [
    ...files.filter((file) => isNamedFor('fails', file)).map((file) => task('fails', [file])),
    ...sets.map((file) => task('holdings', [file])),
    ...(documents.length === 0 ? [] : [task('holdings', documents)]),
  ];
}

const later = (day: string, other: string | null): string => (other !== null && other > day ? other : day);
