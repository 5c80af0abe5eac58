/** Dates a release and derives its companies, batch by batch and side by side, in order of cik. */
import { Failure } from '../../contract/failure.ts';
import type { TickerRow } from '../../edgar/filings/tickers.ts';
import { pushTo } from '../../figures/groups.ts';
import type { BatchResult, BuildTask } from './build-task.ts';
import type { Market } from './market/market.ts';
import type { CollectedReports } from './segments/collect-reports.ts';
import { type BuildWorker, inOrder } from './worker-pool.ts';

const BATCH = 8;
const DAYS_BATCH = 32;

/** Called after each batch with how many companies are done. */
export type OnBatch = (done: number) => void;

/** Facts were filed after the day that the lists of filings end with: these are older, and do not date the release. */
export class LaterFacts extends Error {
  override readonly name = 'LaterFacts';
}

export interface Companies {
  /** In order. */
  readonly ciks: readonly number[];
  readonly tickers: readonly TickerRow[];
  readonly reports: CollectedReports;
}

interface Dating {
  /** By all their facts too, which takes a tenth of a build; else by these only where there is no list of filings. */
  readonly thorough: boolean;
  /** Nothing can have been filed after it. */
  readonly today: string;
  readonly signal: AbortSignal | undefined;
  readonly onBatch: OnBatch;
}

/** The release's date: the latest day on which any of the companies filed. Throws a data Failure where none has. */
export async function latestDay(
  ciks: readonly number[],
  workers: readonly BuildWorker[],
  { thorough, today, signal, onBatch }: Dating,
): Promise<string> {
  const tasks = batches(ciks, DAYS_BATCH).map((batch): BuildTask => ({ kind: 'days', ciks: batch, thorough, today }));
  let latest = '';
  let done = 0;
  for await (const result of inOrder(tasks, workers, workers.length * 2, signal)) {
    if (result.latest !== null && result.latest > latest) latest = result.latest;
    done += DAYS_BATCH;
    onBatch(Math.min(done, ciks.length));
  }
  if (latest !== '') return latest;
  throw new Failure('data', 'The sources hold no filing of any company.', {
    hint: 'Look at the files: company facts that list no fact, and submissions that list no filing, make no release.',
  });
}

/** The companies, some at a time. Throws LaterFacts where one of them has filed after the release's date. */
export async function* deriveCompanies(
  { ciks, tickers, reports }: Companies,
  { date, today, market }: { date: string; today: string; market: Market },
  workers: readonly BuildWorker[],
  { signal, onBatch }: { signal: AbortSignal | undefined; onBatch: OnBatch },
): AsyncGenerator<BatchResult> {
  const tickersOf = new Map<number, TickerRow[]>();
  for (const row of tickers) pushTo(tickersOf, row.cik, row);
  const tasks = batches(ciks, BATCH).map(
    (batch): BuildTask => ({
      kind: 'companies',
      ciks: batch,
      tickers: batch.flatMap((cik): readonly TickerRow[] => tickersOf.get(cik) ?? []),
      releaseDate: date,
      today,
      covers: batch.flatMap((cik) => (reports.covers.get(cik) ?? []).map((cover) => ({ cik, cover }))),
      quotes: batch.flatMap((cik) => market.quotesOf(cik)),
    }),
  );
  let done = 0;
  for await (const result of inOrder(tasks, workers, workers.length * 2, signal)) {
    if (result.latest !== null && result.latest > date) throw new LaterFacts(result.latest);
    yield result;
    done += BATCH;
    onBatch(Math.min(done, ciks.length));
  }
}

function batches(ciks: readonly number[], size: number): number[][] {
  return Array.from({ length: Math.ceil(ciks.length / size) }, (_, index) =>
    ciks.slice(index * size, (index + 1) * size),
  );
}
