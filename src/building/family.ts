/**
 * A family is the data of a release in addition to companies and their values: filings, insider trades, holders,
 * segments or prices. It reads its own kinds of public files and writes its own tables. Without such files it omits
 * its tables, so that missing data does not look like empty data. It never fails a build.
 */
import type { SkippedRows } from '../edgar/files/skipped-rows.ts';
import type { Check } from '../store/manifest.ts';
import type { Company, Security } from '../store/schema/companies.ts';
import type { Table } from '../store/schema/table.ts';
import type { TablePart } from '../store/table-part.ts';
import type { SinkOf } from '../store/table-writer.ts';
import type { RunTasks } from './build-task.ts';
import type { ListCollector } from './filings/list-collector.ts';
import type { Market } from './market/market.ts';
import type { CollectedReports } from './reports/collect-reports.ts';
import type { SegmentChecks } from './segments/segment-checks.ts';

/** The results that were collected from companies' lists of filings while companies were derived. */
type CompanyLists = Pick<ListCollector, 'sharedSlices' | 'counts' | 'insiderDays'> & {
  /** Whether any file lists filings, or ownership filings. */
  readonly hasFilings: boolean;
  readonly hasOwnership: boolean;
};

export interface FamilyContext {
  /** In order of cik. */
  readonly companies: readonly Company[];
  /** The securities of these companies, ordered by ticker. */
  readonly securities: readonly Security[];
  /** The companies whose tagged facts the release includes. */
  readonly factCompanies: ReadonlySet<number>;
  /** Tagged reports among the files, read before companies are derived. */
  readonly reports: CollectedReports;
  /** The release's date; later filings are left out. */
  readonly date: string;
  readonly skipped: SkippedRows;
  /** Unreadable files, as sentences. */
  readonly problems: string[];
  /** Companies' lists of filings, and the tables that remain to be made from them. */
  readonly companyLists: CompanyLists;
  /** Results of the checks of companies' breakdowns. */
  readonly segmentChecks: SegmentChecks;
  /** Prices and holders' tables, which are read before companies are derived. */
  readonly market: Market;
  /** Returns the sink for the rows of one of the family's tables. */
  readonly sinkOf: SinkOf;
  /** Appends a part to one of the family's tables. */
  appendPart(part: TablePart): void;
  readonly runTasks: RunTasks;
  /** Omits empty tables of the family for which there were no files. */
  omitTables(tables: readonly Table[]): void;
}

export interface Family {
  readonly name: string;
  readonly tables: readonly Table[];
  /** Fills the tables and returns the checks of their content. Skips and counts bad files and rows. */
  build(context: FamilyContext): Promise<readonly Check[]>;
}
