/** Derives all companies of a release in parallel, and yields them in order of CIK. */
import { assertDefined } from '../../platform/assert-defined.ts';
import { groupBy } from '../../platform/collections.ts';
import type { BuildInputs } from '../sources/build-inputs.ts';
import type { CompanyNotes } from '../sources/company-notes.ts';
import { divideIntoBatches } from '../tasks/company-shards.ts';
import type { RunTasks } from '../tasks/task.ts';
import type { CompaniesResult, CompaniesTask } from './company-batch.ts';
import type { CompanyInput } from './company-task.ts';

/**
 * Usual number of companies in a batch. If one company changes, only this company is derived again; the other companies
 * of the batch come from the cache.
 */
const USUAL_BATCH_SIZE = 8;
const MAX_BATCH_SIZE = 12;

/**
 * Thrown if facts were filed after the release's date. The date comes from lists of filings, which can be older than
 * the facts.
 */
export class FactsAfterReleaseDateError extends Error {
  override readonly name = 'FactsAfterReleaseDateError';
}

interface DeriveOptions {
  /** The current day; filings with a later date are errors and skipped. */
  readonly today: string;
  /** Whether to replace the text of footnotes in insiders' filings with a reference to the filing. */
  readonly withoutFootnotes: boolean;
  /** CIKs of companies for which the release includes all tagged facts. */
  readonly factCompanies: ReadonlySet<number>;
  readonly companyNotes: CompanyNotes;
}

/**
 * Yields the results of batches in order of CIK. Throws FactsAfterReleaseDateError if a company has facts filed after
 * the release's date.
 */
export async function* deriveCompanies(
  { ciks, tickers, date, reports, filings, market }: BuildInputs,
  { today, withoutFootnotes, factCompanies, companyNotes }: DeriveOptions,
  runTasks: RunTasks,
  onDone: (doneCount: number) => void,
): AsyncGenerator<CompaniesResult> {
  const byCik = groupBy(tickers, ({ cik }) => cik);
  const makeInput = (cik: number): CompanyInput => ({
    cik,
    tickers: byCik.get(cik) ?? [],
    reports: reports.slices.get(cik) ?? [],
    marketPrices: market.getPrices(cik),
    includesFacts: factCompanies.has(cik),
    note: companyNotes.get(cik) ?? null,
    ...filings.readLines(cik),
  });
  function* makeTasks(): Generator<CompaniesTask> {
    for (const batch of batches)
      yield { kind: 'companies', companies: batch.map(makeInput), releaseDate: date, today, withoutFootnotes };
  }
  const batches = divideIntoBatches(ciks, USUAL_BATCH_SIZE, MAX_BATCH_SIZE);
  const batchIterator = batches.values();
  let done = 0;
  for await (const result of runTasks(makeTasks())) {
    if (result.filedAfterCutoff !== null && result.filedAfterCutoff > date)
      throw new FactsAfterReleaseDateError(result.filedAfterCutoff);
    yield result;
    done += assertDefined(batchIterator.next().value).length;
    onDone(done);
  }
}
