/** Dates a release and derives its companies, side by side, in order of cik. */
import { Failure } from '../../contract/failure.ts';
import type { TickerRow } from '../../edgar/filings/tickers.ts';
import { pushTo } from '../../figures/groups.ts';
import { present } from '../../figures/present.ts';
import type { CompaniesResult, CompaniesTask } from './company-batch.ts';
import type { CompanyInput } from './company-task.ts';
import type { DaysTask } from './filing-days.ts';
import type { CollectedFilings } from './filings/collect-filings.ts';
import type { Market } from './market/market.ts';
import type { CollectedReports } from './segments/collect-reports.ts';
import { steadyBatches } from './steady-batches.ts';
import { type BuildWorker, resultsOf } from './worker-pool.ts';

/** Companies whose days are found together: so many are looked at again where one changed. */
const USUAL_BATCH = 4;
const LARGEST_BATCH = 6;

/** Companies that are put together: so many are read, and not derived, again where one changed. */
const USUAL_JOINED = 8;
const LARGEST_JOINED = 12;

/** Called with how many companies are done. */
export type OnDone = (done: number) => void;

/** Facts were filed after the day that the lists of filings end with: these are older, and do not date the release. */
export class LaterFacts extends Error {
  override readonly name = 'LaterFacts';
}

export interface Companies {
  /** In order. */
  readonly ciks: readonly number[];
  readonly tickers: readonly TickerRow[];
  readonly reports: CollectedReports;
  readonly filings: CollectedFilings;
  /** Replace the text of insiders' footnotes, which is the filers' own prose, by a sentence that points to the filing. */
  readonly withoutFootnotes: boolean;
}

interface Dating {
  /** By all their facts too, which takes a tenth of a build; else by these only where there is no list of filings. */
  readonly thorough: boolean;
  /** Nothing can have been filed after it. */
  readonly today: string;
  readonly signal: AbortSignal | undefined;
  readonly onDone: OnDone;
}

/** The release's date: the latest day on which any of the companies filed. Throws a data Failure where none has. */
export async function latestDay(
  ciks: readonly number[],
  workers: readonly BuildWorker[],
  { thorough, today, signal, onDone }: Dating,
): Promise<string> {
  const batches = steadyBatches(ciks, USUAL_BATCH, LARGEST_BATCH);
  const tasks = batches.map((batch): DaysTask => ({ kind: 'days', ciks: batch, thorough, today }));
  let latest = '';
  let done = 0;
  for await (const result of resultsOf(tasks, workers, signal)) {
    if (result.latest !== null && result.latest > latest) latest = result.latest;
    done += result.asked;
    onDone(done);
  }
  if (latest !== '') return latest;
  throw new Failure('data', 'The sources hold no filing of any company.', {
    hint: 'Look at the files: company facts that list no fact, and submissions that list no filing, make no release.',
  });
}

/** The companies, batch by batch. Throws LaterFacts where one of them has filed after the release's date. */
export async function* deriveCompanies(
  { ciks, tickers, reports, filings, withoutFootnotes }: Companies,
  { date, today, market }: { date: string; today: string; market: Market },
  workers: readonly BuildWorker[],
  { signal, onDone }: { signal: AbortSignal | undefined; onDone: OnDone },
): AsyncGenerator<CompaniesResult> {
  const tickersOf = new Map<number, TickerRow[]>();
  for (const row of tickers) pushTo(tickersOf, row.cik, row);
  const sourcesOf = (cik: number): CompanyInput => ({
    cik,
    tickers: tickersOf.get(cik) ?? [],
    covers: reports.covers.get(cik) ?? [],
    market: market.pricesOf(cik),
    ...filings.of(cik),
    reported: reports.filings.get(cik) ?? [],
  });
  function* tasks(): Generator<CompaniesTask> {
    for (const batch of batches) {
      yield { kind: 'companies', companies: batch.map(sourcesOf), releaseDate: date, today, withoutFootnotes };
    }
  }
  const batches = steadyBatches(ciks, USUAL_JOINED, LARGEST_JOINED);
  const sizes = batches.values();
  let done = 0;
  for await (const result of resultsOf(tasks(), workers, signal)) {
    if (result.filedLater !== null && result.filedLater > date) throw new LaterFacts(result.filedLater);
    yield result;
    done += present(sizes.next().value).length;
    onDone(done);
  }
}
