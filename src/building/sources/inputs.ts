/** The files that are read before companies are derived: each kind by tasks of its own, in parallel. */
import { normalizeTicker } from '../../contract/identifiers.ts';
import type { ListedFile } from '../../edgar/files/list-files.ts';
import type { PublicFiles } from '../../edgar/files/public-files.ts';
import type { SkippedRows } from '../../edgar/files/skipped-rows.ts';
import type { TickerRow } from '../../edgar/filings/tickers.ts';
import type { TablePart } from '../../store/table-part.ts';
import { type CollectedFilings, collectFilings, issuersOf } from '../filings/collect-filings.ts';
import { type Market, marketFilesTasks, readMarket, readMarketNames } from '../market/market.ts';
import { filingsOf, listedSecurities } from '../market/securities-index.ts';
import { type CollectedReports, collectReports, findReportFiles } from '../reports/collect-reports.ts';
import type { BuildWorkers } from '../tasks/worker-pool.ts';
import { latestDay } from './release-date.ts';
import { candidates, listTickers } from './sources.ts';

export interface Inputs {
  /** The companies that may be in the release, in order. */
  readonly ciks: readonly number[];
  readonly tickers: readonly TickerRow[];
  /** The company that the ticker lists name, by normalized ticker. */
  readonly companyOfTicker: ReadonlyMap<string, number>;
  /** The release's date. */
  readonly date: string;
  readonly reports: CollectedReports;
  readonly filings: CollectedFilings;
  readonly market: Market;
}

export interface InputOptions {
  readonly files: PublicFiles;
  /** All files of the directory. */
  readonly listed: readonly ListedFile[];
  /** A directory for values that all tasks share. */
  readonly scratch: string;
  /** Whether company facts are also read to find the release's date. */
  readonly thorough: boolean;
  readonly today: string;
  readonly skipped: SkippedRows;
  readonly problems: string[];
  /** Receives parts of the tables of managers. */
  readonly append: (part: TablePart) => void;
  readonly onDated: (done: number, total: number) => void;
}

export async function readInputs(options: InputOptions, { results, all }: BuildWorkers): Promise<Inputs> {
  const { files, listed, scratch, skipped, today } = options;
  // Problems are reported in this order, whichever is found first.
  const problems = {
    tickers: [] as string[],
    reports: [] as string[],
    filings: [] as string[],
    market: [] as string[],
  };
  const tickers = await listTickers(files, skipped, problems.tickers);
  const found = await findReportFiles(listed, { skipped, problems: problems.reports, results });
  const ciks = candidates(files, tickers, { issuers: await issuersOf(listed), reports: found }, skipped);
  const securities = await listedSecurities(ciks, tickers.rows, files);
  const marketFiles = await marketFilesTasks(listed);
  const account = { ciks, scratch, skipped, results };
  const onDone = (done: number) => options.onDated(done, ciks.length);

  // The longest tasks start first: the many short tasks that date the release then fill idle workers.
  const names = readMarketNames(marketFiles, { ...account, problems: problems.market });
  const filings = collectFilings(listed, { ...account, problems: problems.filings });
  const reports = collectReports(found, ciks, { ...account, problems: problems.reports });
  const date = latestDay(ciks, results, { thorough: options.thorough, today, onDone });
  const market = readMarket({
    ...{ ...account, problems: problems.market, append: options.append },
    ...{ listed, securities, names, filings, date },
    filingsOf: (cik) => filingsOf(files, cik),
  });
  const read = await all([date, reports, filings, market, names]);
  for (const own of Object.values(problems)) options.problems.push(...own);
  return {
    ciks,
    tickers: tickers.rows,
    companyOfTicker: new Map(tickers.rows.map((row) => [normalizeTicker(row.ticker), row.cik])),
    ...{ date: read[0], reports: read[1], filings: read[2], market: read[3] },
  };
}
