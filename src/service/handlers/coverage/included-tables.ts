/**
 * Checks that the release includes a table or column, and throws a 404 if not: an empty response would be false, and a
 * retry would not help.
 */

import type { ReleaseReader } from '../../../store/reader.ts';
import type { Table } from '../../../store/schema/declare-table.ts';
import { ProblemError } from '../../request/handler.ts';

/** Advice for data whose source files are missing; each key is the subject of an error message. */
const SOURCE_ADVICE = {
  Filings: 'run "fin data fetch" with tickers',
  'Insider trades': 'run "fin data fetch --insiders 8" (eight quarters)',
  Holders: 'run "fin data fetch --holders 4" (four quarters)',
  Prices: 'run "fin data fetch --fails 24" (24 half months)',
  Segments: 'run "fin data fetch --reports 100" with tickers (reports of the last 100 days)',
} as const;

const REBUILD_ADVICE =
  'an earlier version of fin built that release, or its source files lack the data. To build it again: "fin data build"';

/**
 * Reason and advice for data that a new build adds from the same source files; each key is the subject of an error
 * message.
 */
const BUILD_ADVICE = {
  'Screener results for past days': REBUILD_ADVICE,
  'Price columns for past days': REBUILD_ADVICE,
  'Holdings of earlier quarters': REBUILD_ADVICE,
  'Tagged facts':
    'that release was built without them. To include them: "fin data build --facts <tickers>" or "fin data build --all-facts"',
} as const;

/** @throws {ProblemError} 404 if the release lacks the table */
export function requireTable(
  release: ReleaseReader,
  table: Table,
  subject: keyof typeof SOURCE_ADVICE | keyof typeof BUILD_ADVICE,
): void {
  if (release.includes(table)) return;
  const { stamp, absent } = release.manifest;
  if (absent?.includes(table.name)) {
    const detail = `${subject} are not available in release ${stamp}, because only a part of the release was pulled. To include this data, run "fin data pull <url>" without --families, or add the family of this data to --families.`;
    throw new ProblemError('not_found', detail);
  }
  if (isMadeByBuild(subject))
    throw new ProblemError('not_found', `${subject} are not included in release ${stamp}: ${BUILD_ADVICE[subject]}.`);
  throw new ProblemError(
    'not_found',
    `${subject} are not included in release ${stamp}: its sources have no files with this data. To include the data, ${SOURCE_ADVICE[subject]}; then run "fin data build".`,
  );
}

/** @throws {ProblemError} 404 if the release lacks the column, because an earlier version of fin built it */
export function requireColumn(release: ReleaseReader, table: Table, column: string): void {
  if (release.includes(table, column)) return;
  const { stamp } = release.manifest;
  const detail = `The column ${column} is not included in release ${stamp}: an earlier version of fin built that release. To include the column: "fin data build".`;
  throw new ProblemError('not_found', detail);
}

const isMadeByBuild = (subject: string): subject is keyof typeof BUILD_ADVICE => Object.hasOwn(BUILD_ADVICE, subject);
