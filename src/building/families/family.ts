/**
 * A family is a kind of data in addition to companies and their values: filings with insider trades, holders, segments,
 * prices, past screens, tagged facts. A family has its own tables, and omits them if it has no data, so that missing
 * data does not look like empty data. Bad sources of a family never fail a build.
 */
import type { SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';
import type { Check } from '../../store/releases/manifest.ts';
import type { Company, Security } from '../../store/schema/companies.ts';
import type { Table } from '../../store/schema/declare-table.ts';
import type { TablePart } from '../../store/table-part.ts';
import type { SinkFinder } from '../../store/table-writer.ts';
import type { CompanyFindings } from '../companies/company-checks.ts';
import type { MarketData } from '../market/market.ts';
import type { CollectedReports } from '../reports/collect-reports.ts';
import type { SliceIndex } from '../tasks/slices.ts';
import type { RunTasks } from '../tasks/task.ts';

export interface FamilyContext {
  /** Sorted by CIK. */
  readonly companies: readonly Company[];
  /** The securities of `companies`, sorted by ticker. */
  readonly securities: readonly Security[];
  /** CIKs of companies for which the release includes all tagged facts. */
  readonly factCompanies: ReadonlySet<number>;
  /** Tagged reports, read before companies were derived. */
  readonly reports: CollectedReports;
  /** The release's date; families exclude later filings. */
  readonly date: string;
  readonly skipped: SkippedRowCounts;
  /** Sentences about unreadable files and unusable reports. */
  readonly problems: string[];
  /** Output of all companies for tables that are not sorted by company, such as filings by day. */
  readonly companyLists: SliceIndex;
  /** Whether the sources contain filings of any kind. */
  readonly hasFilings: boolean;
  /** Whether the sources contain ownership filings (Forms 3, 4 and 5). */
  readonly hasOwnership: boolean;
  /** Results of the checks of all companies. */
  readonly findings: CompanyFindings;
  /** Prices and holders, which are read before the figures of companies are derived. */
  readonly market: MarketData;
  /** Returns the sink for rows of one of the family's tables. */
  readonly sinkOf: SinkFinder;
  appendPart(part: TablePart): void;
  readonly runTasks: RunTasks;
  /** Omits tables from the release, because empty tables would wrongly state that nothing was filed. */
  omitTables(tables: readonly Table[]): void;
}

export interface TableFamily {
  readonly name: string;
  readonly tables: readonly Table[];
  /** Fills the family's tables, and returns the checks of their content. Skips and counts bad files and rows. */
  build(context: FamilyContext): Promise<readonly Check[]>;
}
