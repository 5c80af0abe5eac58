/**
 * What a release contains in addition to companies and their reported values: filings, insider trades, holders, segments,
 * prices. Each family reads its own kinds of public files and writes its own tables. Where no such file was read it
 * leaves its tables out, so that what was never loaded does not look empty; it never fails a build.
 */
import type { SkippedRows } from '../edgar/files/skipped-rows.ts';
import type { Check } from '../store/manifest.ts';
import type { Company, Security } from '../store/schema/companies.ts';
import type { Table } from '../store/schema/table.ts';
import type { TablePart } from '../store/table-part.ts';
import type { SinkOf } from '../store/table-writer.ts';
import type { Results } from './build-task.ts';
import type { ListCollector } from './filings/list-collector.ts';
import type { Market } from './market/market.ts';
import type { CollectedReports } from './reports/collect-reports.ts';
import type { SegmentChecks } from './segments/segment-checks.ts';

/** What was made of the companies' lists of filings while they were derived. */
type CompanyLists = Pick<ListCollector, 'leftFor' | 'counts' | 'insiderDays'> & {
  /** Whether any file lists filings, or ownership filings. */
  readonly hasFilings: boolean;
  readonly hasOwnership: boolean;
};

export interface FamilyContext {
  /** In order of cik. */
  readonly companies: readonly Company[];
  /** Of these companies, ordered by ticker. */
  readonly securities: readonly Security[];
  /** The tagged reports among the files, read before the companies were derived. */
  readonly reports: CollectedReports;
  /** The release's date: nothing filed after it belongs in it. */
  readonly date: string;
  readonly skipped: SkippedRows;
  /** Files that could not be read at all, as sentences. */
  readonly problems: string[];
  /** The companies' lists of filings, and what is left to make of them. */
  readonly lists: CompanyLists;
  /** The checks of the companies' breakdowns. */
  readonly segments: SegmentChecks;
  /** Prices and holders' tables, which were read before any company was derived. */
  readonly market: Market;
  /** Where rows of one of the family's tables go. */
  readonly sink: SinkOf;
  /** Puts a part of one of the family's tables after what is there. */
  append(part: TablePart): void;
  readonly results: Results;
  /** Leaves out tables of the family that no file was read for; they have no rows. */
  omit(tables: readonly Table[]): void;
}

export interface Family {
  readonly name: string;
  readonly tables: readonly Table[];
  /** Fills the tables and says whether what they hold is sound. A bad file or row is skipped and counted. */
  build(context: FamilyContext): Promise<readonly Check[]>;
}
