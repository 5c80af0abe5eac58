/** Derives the companies of a release in parallel, in order of CIK. */
import type { TickerRow } from '../../edgar/filings/tickers.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { pushTo } from '../../platform/collections.ts';
import type { Results } from '../build-task.ts';
import type { Inputs } from '../sources/inputs.ts';
import { steadyBatches } from '../tasks/steady-batches.ts';
import type { CompaniesResult, CompaniesTask } from './company-batch.ts';
import type { CompanyInput } from './company-task.ts';

/**
 * Usual number of companies in a cached batch. When one company changes, the batch is assembled again from its
 * companies' cached results.
 */
const USUAL_BATCH = 8;
const MAX_BATCH = 12;

/**
 * Facts were filed after the latest day in the lists of filings: the lists are outdated and do not date the release.
 */
export class LaterFacts extends Error {
  override readonly name = 'LaterFacts';
}

interface DeriveOptions {
  /** The current day; filings with a later date are errors. */
  readonly today: string;
  /** Replace the text of insiders' footnotes, which the filers wrote, with a sentence that refers to the filing. */
  readonly withoutFootnotes: boolean;
}

/** Yields the companies, batch by batch. Throws LaterFacts if a company filed after the release's date. */
export async function* deriveCompanies(
  { ciks, tickers, date, reports, filings, market }: Inputs,
  { today, withoutFootnotes }: DeriveOptions,
  results: Results,
  onDone: (done: number) => void,
): AsyncGenerator<CompaniesResult> {
  const tickersOf = new Map<number, TickerRow[]>();
  for (const row of tickers) pushTo(tickersOf, row.cik, row);
  const sourcesOf = (cik: number): CompanyInput => ({
    cik,
    tickers: tickersOf.get(cik) ?? [],
    reports: reports.slices.get(cik) ?? [],
    market: market.pricesOf(cik),
    ...filings.of(cik),
  });
  function* tasks(): Generator<CompaniesTask> {
    for (const batch of batches) {
      yield { kind: 'companies', companies: batch.map(sourcesOf), releaseDate: date, today, withoutFootnotes };
    }
  }
  const batches = steadyBatches(ciks, USUAL_BATCH, MAX_BATCH);
  const sizes = batches.values();
  let done = 0;
  for await (const result of results(tasks())) {
    if (result.filedLater !== null && result.filedLater > date) throw new LaterFacts(result.filedLater);
    yield result;
    done += assertDefined(sizes.next().value).length;
    onDone(done);
  }
}
