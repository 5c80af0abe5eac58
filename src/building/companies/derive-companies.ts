/** Derives the companies of a release in parallel, in order of CIK. */
import type { TickerRow } from '../../edgar/filings/tickers.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { pushTo } from '../../platform/collections.ts';
import type { RunTasks } from '../build-task.ts';
import type { Inputs } from '../sources/inputs.ts';
import { steadyBatches } from '../tasks/steady-batches.ts';
import type { CompaniesResult, CompaniesTask } from './company-batch.ts';
import type { CompanyInput } from './company-task.ts';

/**
 * Usual number of companies in a cached batch. When one company changes, the batch is assembled again from its
 * companies' cached results.
 */
const USUAL_BATCH_SIZE = 8;
const MAX_BATCH_SIZE = 12;

/**
 * Facts were filed after the latest day in the lists of filings: the lists are outdated and do not date the release.
 */
export class FactsAfterReleaseDate extends Error {
  override readonly name = 'LaterFacts';
}

interface DeriveOptions {
  /** The current day; filings with a later date are errors. */
  readonly today: string;
  /** Replace the text of insiders' footnotes, which the filers wrote, with a sentence that refers to the filing. */
  readonly withoutFootnotes: boolean;
  /** The companies whose tagged facts are all included. */
  readonly factCompanies: ReadonlySet<number>;
}

/** Yields the companies, batch by batch. Throws FactsAfterReleaseDate if a company filed after the release's date. */
export async function* deriveCompanies(
  { ciks, tickers, date, reports, filings, market }: Inputs,
  { today, withoutFootnotes, factCompanies }: DeriveOptions,
  runTasks: RunTasks,
  onDone: (doneCount: number) => void,
): AsyncGenerator<CompaniesResult> {
  const tickersByCik = new Map<number, TickerRow[]>();
  for (const row of tickers) pushTo(tickersByCik, row.cik, row);
  const inputOf = (cik: number): CompanyInput => ({
    cik,
    tickers: tickersByCik.get(cik) ?? [],
    reports: reports.slices.get(cik) ?? [],
    marketPrices: market.pricesOf(cik),
    includesFacts: factCompanies.has(cik),
    ...filings.linesOf(cik),
  });
  function* tasks(): Generator<CompaniesTask> {
    for (const batch of batches) {
      yield { kind: 'companies', companies: batch.map(inputOf), releaseDate: date, today, withoutFootnotes };
    }
  }
  const batches = steadyBatches(ciks, USUAL_BATCH_SIZE, MAX_BATCH_SIZE);
  const batchIterator = batches.values();
  let doneCount = 0;
  for await (const result of runTasks(tasks())) {
    if (result.filedAfterCutoff !== null && result.filedAfterCutoff > date)
      throw new FactsAfterReleaseDate(result.filedAfterCutoff);
    yield result;
    doneCount += assertDefined(batchIterator.next().value).length;
    onDone(doneCount);
  }
}
