/**
 * Batches of consecutive companies. A batch is cached as a whole, and each company by itself, so that a change of one
 * company derives only that company again.
 */
import { SkippedRows } from '../../edgar/files/skipped-rows.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { FAMILY_TABLES } from '../../store/schema/families.ts';
import { FILING_TABLES } from '../../store/schema/filings.ts';
import { INSIDER_TABLES } from '../../store/schema/insiders.ts';
import type { Table } from '../../store/schema/table.ts';
import type { TablePart } from '../../store/table-part.ts';
import { addCounts, NO_FILINGS, sharedGroup } from '../filings/filing-lists.ts';
import { SegmentChecks, type SegmentCounts } from '../segments/segment-checks.ts';
import type { SliceWriter, TaskOutput } from '../tasks/slices.ts';
import { mergeFindings, NO_FINDINGS } from './company-checks.ts';
import {
  type CompanyInput,
  type CompanyLists,
  type CompanyResult,
  type CompanyTask,
  type CompanyTaskResult,
  holdsOn,
  LARGE_TABLES,
} from './company-task.ts';
import { addCovered } from './coverage.ts';
import { PartJoiner } from './part-joiner.ts';

export interface CompaniesTask extends Omit<CompanyTask, 'kind' | 'company'> {
  readonly kind: 'companies';
  /** In order of cik. */
  readonly companies: readonly CompanyInput[];
}

export interface CompaniesResult extends Omit<CompanyTaskResult, 'company' | 'covered' | 'lists'> {
  readonly companies: readonly CompanyResult[];
  /** The metrics and ratios with figures, and the number of companies that have each. */
  readonly covered: readonly (readonly [key: string, companies: number])[];
  readonly lists: Omit<CompanyLists, 'spilled' | 'count'>;
  /** Output of the companies for the tables of days, places and past screens, by `sharedGroup`. */
  readonly output: TaskOutput;
}

/** The tables that companies write parts of are a subset of these. */
const TABLES: readonly Table[] = [
  ...Object.values<Table>(LARGE_TABLES),
  ...FILING_TABLES,
  ...INSIDER_TABLES,
  ...FAMILY_TABLES.segments,
];

export function tasksOf({ companies, ...rest }: CompaniesTask): CompanyTask[] {
  return companies.map((company) => ({ ...rest, kind: 'company', company }));
}

/** @param derive derives one company, or returns its cached result */
export async function companiesOf(
  task: CompaniesTask,
  derive: (task: CompanyTask) => Promise<CompanyTaskResult>,
  output: SliceWriter,
): Promise<CompaniesResult> {
  const results: CompanyTaskResult[] = [];
  for (const one of tasksOf(task)) {
    const result = await derive(one);
    for (const { tables, number, bytes } of result.lists?.spilled ?? []) output.add(sharedGroup(tables, number), bytes);
    results.push(result);
  }
  const lists = results.flatMap((one) => one.lists ?? []);
  const covered = new Map<string, number>();
  for (const one of results)
    addCovered(
      covered,
      one.covered.map((key) => [key, 1]),
    );
  return {
    releaseDate: latest(results.map((one) => one.releaseDate)) ?? task.releaseDate,
    filedLater: latest(results.map((one) => one.filedLater)),
    hasLaterReports: results.some((one) => one.hasLaterReports),
    companies: results.flatMap(({ company }) => company ?? []),
    findings: results.map((one) => one.findings).reduce(mergeFindings, NO_FINDINGS),
    covered: [...covered],
    parts: joinParts(results.flatMap(({ parts }) => parts)),
    lists: {
      insiders: lists.flatMap(({ insiders }) => insiders),
      counts: lists.map(({ counts }) => counts).reduce(addCounts, NO_FILINGS),
      hasLater: lists.some(({ hasLater }) => hasLater),
      skipped: sumOf(lists.map(({ skipped }) => skipped)),
      problems: lists.flatMap(({ problems }) => problems),
    },
    segments: sumSegments(results.map((one) => one.segments)),
    output: output.done(),
    factRows: results.reduce((sum, { factRows }) => sum + factRows, 0),
    bytes: results.reduce((sum, { bytes }) => sum + bytes, 0),
    skipped: sumOf(results.map(({ skipped }) => skipped)),
    problems: results.flatMap(({ problems }) => problems),
  };
}

/** Whether a cached result is valid for a date: the result of each company must be. */
export function holdOn(date: string, { releaseDate, companies }: CompaniesResult): boolean {
  return date >= releaseDate && companies.every((company) => holdsOn(date, { releaseDate, company }));
}

function joinParts(parts: readonly TablePart[]): TablePart[] {
  const joiners = new Map(TABLES.map((table) => [table.name, new PartJoiner(table)]));
  for (const part of parts) assertDefined(joiners.get(part.table)).add(part);
  return [...joiners.values()].flatMap((joiner) => joiner.done());
}

function sumSegments(counts: readonly SegmentCounts[]): SegmentCounts {
  const sum = new SegmentChecks();
  for (const one of counts) sum.addAll(one);
  return sum.counts();
}

function sumOf(counts: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sum = new SkippedRows();
  for (const one of counts) sum.addAll(one);
  return sum.counts();
}

const latest = (days: readonly (string | null)[]): string | null =>
  days.reduce((last, day) => (last === null || (day !== null && day > last) ? day : last), null);
