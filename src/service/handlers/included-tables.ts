/**
 * Rejects questions about a table that the release does not include, with 404: an empty answer would be false, and a
 * retry would not help.
 */

import type { ReleaseReader } from '../../store/reader.ts';
import type { Table } from '../../store/schema/table.ts';
import { ProblemError } from '../problem-error.ts';

/** Data that depends on source files: the subject of an error message, and how to get the files. */
const BROUGHT_BY = {
  Filings: 'run "fin data fetch" with tickers',
  'Insider trades': 'run "fin data fetch --insiders 8", for two years',
  Holders: 'run "fin data fetch --holders 4", for one year',
  Prices: 'run "fin data fetch --fails 24", for one year',
  Segments: 'put XBRL reports of filings into a folder named "filings" next to the other source files',
} as const;

const BY_BUILDING_AGAIN = 'an earlier version of fin built it. To include them: "fin data build"';

/** Data that needs no further source files: the subject of an error message, and how a build includes it. */
const MADE_BY = {
  'Screens of past days': BY_BUILDING_AGAIN,
  'Price figures of past days': BY_BUILDING_AGAIN,
  'Tagged facts':
    'it was built without them. To include them: "fin data build --facts <tickers>" or "fin data build --all-facts"',
} as const;

/** @throws {ProblemError} 404 if the release lacks the table */
export function requireTable(
  release: ReleaseReader,
  table: Table,
  what: keyof typeof BROUGHT_BY | keyof typeof MADE_BY,
): void {
  if (release.includes(table)) return;
  const { stamp, absent } = release.manifest;
  if (absent?.includes(table.name)) {
    const detail = `${what} of release ${stamp} are not available, because only a part of the release was pulled. To include them, run "fin data pull <url>" again, without --families or with the family of this data added.`;
    throw new ProblemError('not_found', detail);
  }
  if (isMade(what)) {
    throw new ProblemError('not_found', `${what} are not included in release ${stamp}: ${MADE_BY[what]}.`);
  }
  throw new ProblemError(
    'not_found',
    `${what} are not included in release ${stamp}: its sources have no files with them. To include them, ${BROUGHT_BY[what]}; then run "fin data build".`,
  );
}

/** @throws {ProblemError} 404 if an earlier version of fin built the release without the column */
export function requireColumn(release: ReleaseReader, table: Table, column: string): void {
  if (release.includes(table, column)) return;
  const { stamp } = release.manifest;
  const detail = `The column ${column} is not included in release ${stamp}: an earlier version of fin built it. To include it: "fin data build".`;
  throw new ProblemError('not_found', detail);
}

const isMade = (what: string): what is keyof typeof MADE_BY => Object.hasOwn(MADE_BY, what);
