/**
 * Reads prices and holdings before companies are derived, because the screener's ratios need prices.
 * The order matters. First, symbols of fails-to-deliver files and issuers of 13F tables identify CUSIPs. Then prices
 * of fails, venues and funds tell whether a 13F table is in thousands. Last come the prices that 13F tables imply.
 */
import { join } from 'node:path';
import type { ListedFile } from '../../edgar/files/list-files.ts';
import type { SkippedRows } from '../../edgar/files/skipped-rows.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { isThirteenFFile, isThirteenFSet } from '../../edgar/holdings/thirteen-f-files.ts';
import type { VenueAttribution } from '../../edgar/prices/venue-file.ts';
import { CusipEvidence, type ListedSecurity } from '../../figures/issuers/cusip-map.ts';
import type { FormerTicker } from '../../figures/issuers/former-tickers.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { addDays } from '../../platform/dates.ts';
import type { TablePart } from '../../store/table-part.ts';
import type { Results } from '../build-task.ts';
import { companyShards } from '../tasks/company-shards.ts';
import { type Slice, SliceIndex, share } from '../tasks/slices.ts';
import type { QuotesTask } from './company-prices.ts';
import { EntryTotals } from './entry-totals.ts';
import { type FilePricesTask, isNamedFor, type PriceFile } from './file-prices.ts';
import { HoldingReports, type KeyedReport } from './holding-reports.ts';
import type { ManagersTask } from './managers.ts';
import type { FileReading, MarketFilesTask } from './market-files.ts';
import { type ObservedPrices, pricesGroup, type QuarterEndPrice } from './observations.ts';
import { type PricedSecurity, SecuritiesIndex } from './securities-index.ts';
import { holdersGroup } from './security-holders.ts';

/** Where skipped rows and problems of files are counted. */
interface MarketAccount {
  readonly skipped: SkippedRows;
  /** Unreadable files, each with the cause. */
  readonly problems: string[];
  readonly results: Results;
}

/** What files contain independent of the companies of the release. */
export interface MarketNames {
  /** Names of the files that were read. */
  readonly read: ReadonlySet<string>;
  readonly evidence: CusipEvidence;
  readonly reports: HoldingReports;
}

export interface MarketInput extends MarketAccount {
  /** All files of the directory. */
  readonly listed: readonly ListedFile[];
  readonly names: Promise<MarketNames>;
  /** The companies that may be in the release, in order. */
  readonly ciks: readonly number[];
  readonly securities: readonly ListedSecurity[];
  /** Tells whether a company has ownership filings. */
  readonly filings: Promise<{ owns(cik: number): boolean }>;
  /** The release's date; later prices are left out. */
  readonly date: Promise<string>;
  readonly scratch: string;
  /** Returns a filer's own list of filings; empty if there is none. */
  filingsOf(cik: number): Promise<readonly FilingRecord[]>;
  /** Receives parts of the tables of managers. */
  append(part: TablePart): void;
}

export interface Market {
  readonly formerTickers: readonly FormerTicker[];
  readonly reports: readonly KeyedReport[];
  readonly totals: EntryTotals;
  readonly venues: readonly VenueAttribution[];
  /** Names of the files that were read; a release lists its sources. */
  readonly files: readonly ListedFile[];
  /** Returns a company's prices for its derivation; null if it has none. */
  pricesOf(cik: number): Slice | null;
  /** The prices of each shard of companies, in order. */
  readonly prices: readonly { readonly prices: ObservedPrices; readonly securities: readonly PricedSecurity[] }[];
  /** The holders of each shard of companies, in order. */
  readonly holdings: readonly (readonly Slice[])[];
}

/**
 * Age of the oldest prices that companies' ratios and later splits can depend on. The limit is the first day of a
 * month, so that the tasks of most days have equal inputs and are cached.
 */
const RECENT_DAYS = 400;
const FIRST_OF_MONTH = '-01';

export async function readMarketNames(
  tasks: readonly MarketFilesTask[],
  { skipped, problems, results }: MarketAccount,
): Promise<MarketNames> {
  const read = new Set<string>();
  const reports = new HoldingReports();
  const evidence = new CusipEvidence();
  for await (const found of results(tasks)) {
    skipped.addAll(found.skipped);
    problems.push(...found.problems);
    for (const name of found.read) read.add(name);
    evidence.merge(found.sightings);
    reports.add(found);
  }
  return { read, evidence, reports };
}

export async function readMarket(input: MarketInput): Promise<Market> {
  const { listed, ciks, results } = input;
  const { evidence, reports, ...names } = await input.names;
  const read = new Set(names.read);
  const account = (reading: FileReading) => {
    input.skipped.addAll(reading.skipped);
    input.problems.push(...reading.problems);
    for (const name of reading.read) read.add(name);
  };
  const { shards, ends } = companyShards(ciks);
  await reports.findFilings(input.filingsOf);
  const securities = new SecuritiesIndex(input.securities, evidence);
  const { cusips } = securities.named;
  // Two maps, so that a change of names repeats only the tasks that read the changed map.
  const byCusip = share(join(input.scratch, 'cusips'), { cusips, issuers: [], symbols: [] });
  const byAll = share(join(input.scratch, 'names'), securities.named);

  const slices = new SliceIndex();
  const quarterEnds: QuarterEndPrice[] = [];
  const venues: VenueAttribution[] = [];
  let lastDay = '';
  const named = (holds: PriceFile) => listed.filter((file) => isNamedFor(holds, file));
  const priceTasks = [
    ...named('fails')
      .filter((file) => read.has(file.name))
      .map((file) => ({ holds: 'fails', file, names: byCusip }) as const),
    ...named('venue').map((file) => ({ holds: 'venue', file, names: byAll }) as const),
    ...named('funds').map((file) => ({ holds: 'funds', file, names: byAll }) as const),
  ].map(({ file, ...rest }): FilePricesTask => ({ kind: 'prices of a file', files: [file], ends, ...rest }));
  for await (const prices of results(priceTasks)) {
    account(prices);
    slices.add(prices.output);
    for (const one of prices.quarterEnds) quarterEnds.push(one);
    if (prices.attribution !== null) venues.push(prices.attribution);
    lastDay = later(lastDay, prices.lastDay);
  }

  const date = await input.date;
  const totals = new EntryTotals();
  const last = new Map(quarterEnds.filter(([, , day]) => day <= date).map((one) => [one[0], one]));
  const known = share(join(input.scratch, 'quarter-ends'), [...last.values()]);
  const managers = reports.groups().map((sources): ManagersTask => {
    const isLater = sources.some((one) =>
      one.reports.some(({ report }) => report.filed !== null && report.filed > date),
    );
    return { kind: 'managers', sources, until: isLater ? date : null, ends, names: byCusip, quarterEnds: known };
  });
  for await (const part of results(managers)) {
    for (const one of part.parts) input.append(one);
    slices.add(part.output);
    totals.addAll(part.totals);
    lastDay = later(lastDay, part.lastDay);
  }

  const until = lastDay > date ? date : null;
  const prices = shards.map((shard) => ({
    prices: { slices: slices.of(pricesGroup(shard.name)), until },
    securities: shard.ciks.flatMap((cik) => securities.of(cik)),
  }));
  const from = addDays(date, -RECENT_DAYS).slice(0, -FIRST_OF_MONTH.length) + FIRST_OF_MONTH;
  const quotes = new SliceIndex();
  const filings = await input.filings;
  const quoteTasks = shards.map(
    (shard, index): QuotesTask => ({
      ...{ kind: 'quotes', from, owned: shard.ciks.filter((cik) => filings.owns(cik)) },
      ...assertDefined(prices[index]),
    }),
  );
  for await (const part of results(quoteTasks)) quotes.add(part.output);
  return {
    formerTickers: securities.formerTickers,
    reports: reports.all,
    totals,
    venues,
    files: listed.filter(({ name }) => read.has(name)),
    pricesOf: (cik) => quotes.of(String(cik))[0] ?? null,
    prices,
    holdings: shards.map((shard) => slices.of(holdersGroup(shard.name))),
  };
}

/** One task per file; but one for all documents of Form 13F, because several of them make up a filing. */
export async function marketFilesTasks(files: readonly ListedFile[]): Promise<readonly MarketFilesTask[]> {
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
