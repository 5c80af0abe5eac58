/** Implements `fin data analytics`, `fin data sql` and `fin data tables`: the typed tables of a release. */
import { join } from 'node:path';
import type { DescribedTable, WriteAnalyticsOptions } from '../commands/ports/analytics.ts';
import { Failure } from '../contract/failure.ts';
import type { AnalyticsReport } from '../contract/release-work.ts';
import { ANALYTICS_FOLDER, readAnalyticsManifest } from '../publish/analytics/analytics-manifest.ts';
import { renderReleaseSql } from '../publish/analytics/release-sql.ts';
import { describeColumns } from '../publish/analytics/tables-page.ts';
import { TYPED_TABLES } from '../publish/analytics/typed-tables.ts';
import { writeAnalytics as write } from '../publish/analytics/write-analytics.ts';
import { findRelease } from '../store/releases/home.ts';

export async function writeAnalytics(
  dataDirectory: string,
  { stamp, jobs, ...options }: WriteAnalyticsOptions,
): Promise<AnalyticsReport> {
  const { directory, isSample } = findRelease(dataDirectory, stamp);
  if (isSample && options.out === null) {
    throw new Failure('usage', 'The built-in sample is part of the program and cannot be written to.', {
      hint: 'Give another directory with --out, or build your own release: fin data build --analytics',
    });
  }
  return write({ ...options, ...(jobs === null ? {} : { jobs }), release: directory });
}

export function renderAnalyticsSql(dataDirectory: string, stampName: string | null, address: string | null): string {
  const { stamp, directory, isSample } = findRelease(dataDirectory, stampName);
  const tablesDirectory = join(directory, ANALYTICS_FOLDER);
  const manifest = readAnalyticsManifest(tablesDirectory);
  if (manifest === null) {
    throw new Failure('data', `Release ${stamp} has no intact typed tables.`, {
      hint: isSample
        ? 'Write the tables with "fin data analytics --out tables"; this also writes the SQL, to tables/release.sql.'
        : `Write the tables with "fin data analytics ${stamp}".`,
    });
  }
  return renderReleaseSql(stamp, manifest.tables, address ?? tablesDirectory);
}

export function describeTypedTables(): readonly DescribedTable[] {
  return TYPED_TABLES.map((table) => ({
    name: table.name,
    about: table.about,
    order: table.order,
    columns: describeColumns(table),
  }));
}
