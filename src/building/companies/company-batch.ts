/**
 * Derives batches of consecutive companies. The result cache stores each batch, and also each company of a batch, so
 * that only changed companies are derived again.
 */

import { SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import type { Table } from '../../store/schema/declare-table.ts';
import { FILING_TABLES } from '../../store/schema/filings.ts';
import { INSIDER_TABLES } from '../../store/schema/insiders.ts';
import { TABLES_BY_FAMILY } from '../../store/schema/layout.ts';
import type { TablePart } from '../../store/table-part.ts';
import { makeSharedGroup, NO_FILING_COUNTS } from '../filings/filing-lists.ts';
import { NO_SEGMENT_COUNTS } from '../segments/segment-checks.ts';
import { addCounts, addEach } from '../tasks/counts.ts';
import type { SliceWriter, TaskOutput } from '../tasks/slices.ts';
import type { Task } from '../tasks/task.ts';
import { mergeFindings, NO_FINDINGS } from './company-checks.ts';
import type { CompanyInput, CompanyLists, CompanyResult, CompanyTask, CompanyTaskResult } from './company-task.ts';
import { isResultValidOn, LARGE_TABLES } from './company-task.ts';
import { PartJoiner } from './part-joiner.ts';

export interface CompaniesTask extends Task<CompaniesResult>, Omit<CompanyTask, keyof Task<unknown> | 'company'> {
  readonly kind: 'companies';
  /** Sorted by CIK. */
  readonly companies: readonly CompanyInput[];
}

export interface CompaniesResult extends Omit<CompanyTaskResult, 'company' | 'coveredKeys' | 'lists'> {
  readonly companies: readonly CompanyResult[];
  /** Keys of metrics, ratios and screener figures, each with the number of the batch's companies that have a value. */
  readonly coveredCounts: readonly (readonly [key: string, companies: number])[];
  readonly lists: Omit<CompanyLists, 'sharedOutputs' | 'profileCounts' | 'issuerSymbols'>;
  /** The companies' rows for tables that are not sorted by company, in groups named by `makeSharedGroup`. */
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
    for (const { tables, number, bytes } of result.lists?.sharedOutputs ?? [])
      output.add(makeSharedGroup(tables, number), bytes);
    results.push(result);
  }
  const lists = results.flatMap((result) => result.lists ?? []);
  const countByKey = new Map<string, number>();
  for (const { coveredKeys } of results) for (const key of coveredKeys) addEach(countByKey, [[key, 1]]);
  return {
    releaseDate: findLatestDay(results.map((result) => result.releaseDate)) ?? task.releaseDate,
    filedAfterCutoff: findLatestDay(results.map((result) => result.filedAfterCutoff)),
    hasLaterReports: results.some((result) => result.hasLaterReports),
    companies: results.flatMap(({ company }) => company ?? []),
    findings: results.map((result) => result.findings).reduce(mergeFindings, NO_FINDINGS),
    coveredCounts: [...countByKey],
    parts: joinParts(results.flatMap(({ parts }) => parts)),
    lists: {
      insiders: lists.flatMap(({ insiders }) => insiders),
      counts: lists.map(({ counts }) => counts).reduce((a, b) => addCounts(a, b), NO_FILING_COUNTS),
      hasLaterFilings: lists.some(({ hasLaterFilings }) => hasLaterFilings),
      skipped: sumSkippedCounts(lists.map(({ skipped }) => skipped)),
      problems: lists.flatMap(({ problems }) => problems),
    },
    segments: results.map(({ segments }) => segments).reduce((a, b) => addCounts(a, b), NO_SEGMENT_COUNTS),
    output: output.finish(),
    factRows: results.reduce((sum, { factRows }) => sum + factRows, 0),
    bytes: results.reduce((sum, { bytes }) => sum + bytes, 0),
    skipped: sumSkippedCounts(results.map(({ skipped }) => skipped)),
    problems: results.flatMap(({ problems }) => problems),
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

function sumSkippedCounts(counts: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const totals = new SkippedRowCounts();
  for (const skippedCounts of counts) totals.addAll(skippedCounts);
  return totals.getCounts();
}

const findLatestDay = (days: readonly (string | null)[]): string | null =>
  days.reduce((latest, day) => (latest === null || (day !== null && day > latest) ? day : latest), null);
