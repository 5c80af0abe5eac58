/**
 * Checks that the release includes a table or column, and throws a 404 if not: an empty response would be false, and a
 * retry would not help.
 */

import type { ReleaseReader } from '../../../store/reader.ts';
import type { Table } from '../../../store/schema/declare-table.ts';
import { ProblemError } from '../../request/handler.ts';

/** Returns why a release lacks data whose source files were not fetched, and what to do. */
const explainSources = (command: string): string =>
  `its sources have no files with this data. To include the data, run ${command}; then run "fin data build"`;

const REBUILD_ADVICE =
  'an earlier version of fin built that release, or its source files lack the data. To build it again: "fin data build"';

/** Sentences that tell why data is missing and what to do. Each key is the subject of an error message. */
const REASONS = {
  Filings: explainSources('"fin data fetch" with tickers'),
  'Insider trades': explainSources('"fin data fetch --insiders 8" (eight quarters)'),
  Holders: explainSources('"fin data fetch --holders 4" (four quarters)'),
  Prices: explainSources('"fin data fetch --fails 24" (24 half months)'),
  Segments: explainSources('"fin data fetch --reports 100" with tickers (reports of the last 100 days)'),
  'Screener results for past days': REBUILD_ADVICE,
  'Price columns for past days': REBUILD_ADVICE,
  'Holdings of earlier quarters': REBUILD_ADVICE,
  'Tagged facts':
    'that release was built without them. To include them: "fin data build --facts <tickers>" or "fin data build --all-facts"',
};

/** @throws {ProblemError} 404 if the release lacks the table */
export function requireTable(release: ReleaseReader, table: Table, subject: keyof typeof REASONS): void {
  if (release.includes(table)) return;
  const { stamp, absent } = release.manifest;
  const detail = absent?.includes(table.name)
    ? `${subject} are not available in release ${stamp}, because only a part of the release was pulled. To include this data, run "fin data pull <url>" without --families, or add the family of this data to --families.`
    : `${subject} are not included in release ${stamp}: ${REASONS[subject]}.`;
  throw new ProblemError('not_found', detail);
}

/** @throws {ProblemError} 404 if the release lacks the column, because an earlier version of fin built it */
export function requireColumn(release: ReleaseReader, table: Table, column: string): void {
  if (release.includes(table, column)) return;
  const { stamp } = release.manifest;
  const detail = `The column ${column} is not included in release ${stamp}: an earlier version of fin built that release. To include the column: "fin data build".`;
  throw new ProblemError('not_found', detail);
}
