/**
 * Reads all files that are needed before companies are derived; each kind of file has its own tasks, which run in
 * parallel.
 */

import { Failure } from '../../contract/failure.ts';
import { normalizeTicker } from '../../contract/identifiers.ts';
import type { ListedFile } from '../../edgar/files/list-files.ts';
import type { PublicFiles } from '../../edgar/files/public-files.ts';
import type { SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';
import type { TablePart } from '../../store/table-part.ts';
import { collectFilings, findTradeIssuers } from '../filings/collect-filings.ts';
import { makeMarketFilesTasks, readCusipsAndHoldings, readMarket } from '../market/market.ts';
import { listSecurities, readFilingList } from '../market/securities-index.ts';
import { collectReports, countReports, findReportSources } from '../reports/collect-reports.ts';
import { divideIntoBatches } from '../tasks/company-shards.ts';
import { addEach, type RecordCounts } from '../tasks/reading.ts';
import type { BuildWorkers, RunTasks } from '../tasks/task.ts';
import type { LatestDayTask } from './latest-filing-day.ts';
import { findCandidateCiks, readTickerLists } from './sources.ts';
import { findUnreadSources } from './unread-sources.ts';

export type BuildInputs = Awaited<ReturnType<typeof readBuildInputs>>;

interface InputOptions {
  readonly files: PublicFiles;
  readonly sourceFiles: readonly ListedFile[];
  /** Companies that the release leaves out, even if the files contain them. */
  readonly leftOutCiks: ReadonlySet<number>;
  readonly scratchDirectory: string;
  /**
   * Whether to determine the release's date from the facts of all companies, which takes a tenth of a build, instead of
   * only companies without a list of filings.
   */
  readonly readsEverything: boolean;
  /** The current day; filings with a later date are errors and skipped. */
  readonly today: string;
  readonly skipped: SkippedRowCounts;
  readonly problems: string[];
  /** Called with parts of the tables of managers. */
  readonly appendPart: (part: TablePart) => void;
  readonly onDatingProgress: (doneCount: number, totalCount: number) => void;
}

export async function readBuildInputs(input: InputOptions, { runTasks, awaitAll }: BuildWorkers) {
  const { files, sourceFiles, scratchDirectory, readsEverything, skipped, today } = input;
  // Problems are reported in this order, independent of the order in which tasks end.
  const problems = {
    // First, so that many problems of single documents do not hide that a whole file was not read.
    unread: [] as string[],
    tickers: [] as string[],
    reports: [] as string[],
    filings: [] as string[],
    market: [] as string[],
  };
  const tickers = await readTickerLists(files, { skipped, problems: problems.tickers });
  const sources = await findReportSources(sourceFiles, { skipped, problems: problems.reports, runTasks });
  const issuers = await findTradeIssuers(sourceFiles);
  const candidates = findCandidateCiks(files, tickers, issuers, sources, skipped);
  const ciks = candidates.filter((cik) => !input.leftOutCiks.has(cik));
  skipped.add('a company that was left out by request', candidates.length - ciks.length);
  const securities = await listSecurities(ciks, tickers.rows, files);
  const marketTasks = await makeMarketFilesTasks(sourceFiles);
  const counts: RecordCounts = new Map();
  const shared = { ciks, scratchDirectory, skipped, recordCounts: counts, runTasks };
  const onDone = (done: number) => input.onDatingProgress(done, ciks.length);

  // The longest tasks start first. The many short tasks that determine the release's date then run on idle workers.
  const holdings = readCusipsAndHoldings(marketTasks, { ...shared, problems: problems.market });
  const filings = collectFilings(sourceFiles, { ...shared, problems: problems.filings });
  const reports = collectReports(sources, ciks, { ...shared, problems: problems.reports });
  const setFilingDays = sources.sets.flatMap(({ filingDays }) => filingDays);
  const date = determineReleaseDate(ciks, runTasks, { readsEverything, today, setFilingDays, onDone });
  const market = readMarket({
    ...{ ...shared, problems: problems.market, appendPart: input.appendPart },
    ...{ sourceFiles, securities, marketNames: holdings, filings, date },
    readFilingList: (cik) => readFilingList(files, cik),
  });
  const results = await awaitAll([date, reports, filings, market, holdings]);
  addEach(counts, Object.entries(countReports(sourceFiles, sources)));
  problems.unread.push(
    ...(await findUnreadSources(sourceFiles, {
      recordCounts: counts,
      statementSetNames: new Set(sources.sets.map(({ file }) => file.name)),
      companyFileNames: new Set(files.files.map(({ name }) => name)),
      skipped,
      knownProblems: [...input.problems, ...Object.values(problems).flat()],
    })),
  );
  for (const texts of Object.values(problems)) input.problems.push(...texts);
  return {
    ciks,
    tickers: tickers.rows,
    cikByTicker: new Map(tickers.rows.map((row) => [normalizeTicker(row.ticker), row.cik])),
    ...{ date: results[0], reports: results[1], filings: results[2], market: results[3] },
  };
}

/**
 * Usual number of companies per task that determines the release's date. If one company's files change, the task reads
 * all of its companies again.
 */
const USUAL_BATCH_SIZE = 4;
const MAX_BATCH_SIZE = 6;

interface ReleaseDateOptions extends Pick<InputOptions, 'readsEverything' | 'today'> {
  /** Filing days of the reports in financial statement data sets. */
  readonly setFilingDays: readonly string[];
  /** Called with the number of companies read. */
  readonly onDone: (doneCount: number) => void;
}

/**
 * Returns the release's date, which is the latest filing date of all companies and data sets. Throws a data Failure if
 * the sources contain no filings.
 */
async function determineReleaseDate(
  ciks: readonly number[],
  runTasks: RunTasks,
  { readsEverything, today, setFilingDays, onDone }: ReleaseDateOptions,
): Promise<string> {
  const batches = divideIntoBatches(ciks, USUAL_BATCH_SIZE, MAX_BATCH_SIZE);
  const tasks = batches.map((batch): LatestDayTask => ({ kind: 'days', ciks: batch, readsEverything, today }));
  let latest = setFilingDays.filter((day) => day <= today).reduce((a, b) => (a > b ? a : b), '');
  let done = 0;
  for await (const result of runTasks(tasks)) {
    if (result.latest !== null && result.latest > latest) latest = result.latest;
    done += result.companiesRead;
    onDone(done);
  }
  if (latest !== '') return latest;
  throw new Failure('data', 'The source files contain no filing of any company.', {
    hint: 'Check the files: a release needs company facts with at least one fact, submissions with at least one filing, or a financial statement data set.',
  });
}
