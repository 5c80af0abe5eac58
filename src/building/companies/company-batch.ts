/**
 * Derives batches of consecutive companies. The result cache stores each batch, and also each company of a batch, so
 * that only changed companies are derived again.
 */

import { SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';
import { assertDefined, groupBy } from '../../platform/collections.ts';
import type { Table } from '../../store/schema/declare-table.ts';
import { FILING_TABLES } from '../../store/schema/filings.ts';
import { INSIDER_TABLES } from '../../store/schema/insiders.ts';
import { TABLES_BY_FAMILY } from '../../store/schema/layout.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';
import { makeSharedGroupName } from '../filings/filing-lists.ts';
import type { BuildInputs } from '../sources/build-inputs.ts';
import type { CompanyNotes } from '../sources/company-notes.ts';
import { divideIntoBatches } from '../tasks/company-shards.ts';
import { addEach, type ReadingReport } from '../tasks/reading.ts';
import type { SliceWriter, TaskOutput } from '../tasks/slices.ts';
import type { RunTasks, Task } from '../tasks/task.ts';
import { mergeFindings, NO_FINDINGS } from './company-checks.ts';
import type { CompanyInput, CompanyResult, CompanyTask, CompanyTaskResult } from './company-task.ts';
import { isResultValidOn, LARGE_TABLES } from './company-task.ts';

export interface CompaniesTask extends Task<CompaniesResult>, Omit<CompanyTask, keyof Task<unknown> | 'company'> {
  readonly kind: 'companies';
  /** Sorted by CIK. */
  readonly companies: readonly CompanyInput[];
}

export interface CompaniesResult extends Omit<CompanyTaskResult, 'company' | 'coveredKeys' | 'sharedOutputs'> {
  readonly companies: readonly CompanyResult[];
  /** Keys of metrics, ratios and screener figures, each with the number of the batch's companies that have a value. */
  readonly coveredCounts: readonly (readonly [key: string, companies: number])[];
  /** The companies' rows for tables that are not sorted by company, in groups named by `makeSharedGroupName`. */
  readonly output: TaskOutput;
}

/** Tables whose rows are derived company by company. */
const COMPANY_TABLES: readonly Table[] = [
  ...Object.values<Table>(LARGE_TABLES),
  ...FILING_TABLES,
  ...INSIDER_TABLES,
  ...TABLES_BY_FAMILY.segments,
  ...TABLES_BY_FAMILY.facts,
];

export const makeCompanyTasks = ({ companies, releaseDate, today, withoutFootnotes }: CompaniesTask): CompanyTask[] =>
  companies.map((company) => ({ kind: 'company', company, releaseDate, today, withoutFootnotes }));

/** @param derive derives one company, or returns the company's cached result */
export async function deriveBatch(
  task: CompaniesTask,
  derive: (task: CompanyTask) => Promise<CompanyTaskResult>,
  output: SliceWriter,
): Promise<CompaniesResult> {
  const results: CompanyTaskResult[] = [];
  for (const companyTask of makeCompanyTasks(task)) {
    const result = await derive(companyTask);
    for (const { tables, number, bytes } of result.sharedOutputs)
      output.add(makeSharedGroupName(tables, number), bytes);
    results.push(result);
  }
  const countByKey = new Map<string, number>();
  for (const { coveredKeys } of results) for (const key of coveredKeys) addEach(countByKey, [[key, 1]]);
  return {
    releaseDate: findLatestDay(results.map((result) => result.releaseDate)) ?? task.releaseDate,
    filedAfterCutoff: findLatestDay(results.map((result) => result.filedAfterCutoff)),
    hasLaterFilings: results.some((result) => result.hasLaterFilings),
    companies: results.flatMap(({ company }) => company ?? []),
    findings: results.map((result) => result.findings).reduce(mergeFindings, NO_FINDINGS),
    coveredCounts: [...countByKey],
    parts: joinParts(results.flatMap(({ parts }) => parts)),
    lists: joinReports(results.map(({ lists }) => lists)),
    output: output.finish(),
    factRows: results.reduce((sum, { factRows }) => sum + factRows, 0),
    bytes: results.reduce((sum, { bytes }) => sum + bytes, 0),
    ...joinReports(results),
  };
}

/** Whether a cached batch is valid for a release date: the results of all its companies must be valid. */
export const isBatchValidOn = (date: string, { releaseDate, companies }: CompaniesResult): boolean =>
  date >= releaseDate && companies.every((company) => isResultValidOn(date, { releaseDate, company }));

function joinParts(parts: readonly TablePart[]): TablePart[] {
  const joiners = new Map(COMPANY_TABLES.map((table) => [table.name, new PartJoiner(table)]));
  for (const part of parts) assertDefined(joiners.get(part.table)).add(part);
  return [...joiners.values()].flatMap((joiner) => joiner.finish());
}

function joinReports(reports: readonly ReadingReport[]): ReadingReport {
  const skipped = new SkippedRowCounts();
  for (const report of reports) skipped.addAll(report.skipped);
  return { skipped: skipped.getCounts(), problems: reports.flatMap(({ problems }) => problems) };
}

const findLatestDay = (days: readonly (string | null)[]): string | null =>
  days.reduce((latest, day) => (latest === null || (day !== null && day > latest) ? day : latest), null);

/**
 * Joins consecutive parts of a table into one part without encoding their row groups again. Collects rows outside row
 * groups (`remainingRows`) in new row groups. Leaves parts before the first part with row groups unchanged.
 */
export class PartJoiner {
  readonly #sink: PartSink<unknown>;
  readonly #finishedParts: TablePart[] = [];

  constructor(table: Table) {
    this.#sink = new PartSink(table);
  }

  /** Adds a part. Parts must be added in order of their keys. */
  add(part: TablePart): void {
    if (part.rows === 0) return;
    if (part.groups.length === 0 && this.#sink.rows === 0) this.#finishedParts.push(part);
    else this.#sink.append(part);
  }

  finish(): TablePart[] {
    const part = this.#sink.finish(Number.POSITIVE_INFINITY);
    if (part.rows === 0) return this.#finishedParts;
    // Copied, because the bytes of a cached part are a view of the whole cache file.
    const groups = part.groups.map((group) => ({ ...group, bytes: group.bytes.slice() }));
    return [...this.#finishedParts, { ...part, groups }];
  }
}

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

interface DeriveOptions extends Pick<CompanyTask, 'today' | 'withoutFootnotes'> {
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
  let batchIndex = 0;
  let done = 0;
  for await (const result of runTasks(makeTasks())) {
    if (result.filedAfterCutoff !== null && result.filedAfterCutoff > date)
      throw new FactsAfterReleaseDateError(result.filedAfterCutoff);
    yield result;
    done += assertDefined(batches[batchIndex++]).length;
    onDone(done);
  }
}
