/** Notices that any answer may need, so that no row is omitted silently. */
import { findParameterMaximum, findRows, type Operation, readTotal } from '../contract/operations.ts';
import { formatCount } from '../contract/text/format-counts.ts';
import { joinTexts, option, say, type Text } from '../contract/text/text.ts';
import { makeNote, makeWarning, type Notice } from '../result/notice.ts';
import type { NextRowsParameter } from '../result/result.ts';
import type { Answer, Envelope } from './command/answer.ts';
import type { Plan } from './plan.ts';
import { listKeysOfFilters } from './values/screen-filters.ts';

export interface PageInfo {
  /** Total number of rows, including rows not shown; null if unknown. */
  readonly total: number | null;
  /** Offset or larger limit that shows the next rows; null if no rows remain or they cannot be requested. */
  readonly more: NextRowsParameter | null;
  readonly notices: readonly Notice[];
}

/**
 * Describes which rows a page omits. The notice is a note if the user set a limit or an offset, otherwise a warning.
 */
export function describePage(answer: Answer, { question, isLimited }: Pick<Plan, 'question' | 'isLimited'>): PageInfo {
  const { operation, parameters } = question;
  const rows = findRows(operation, answer.data);
  const total = readTotal(operation, answer);
  if (rows === null || !answer.isPage) return { total, more: null, notices: [] };
  const offset = answer.meta.offset ?? Number(parameters.offset ?? 0);
  const limit = Number(answer.meta.limit ?? parameters.limit);
  return describeRows(operation, { offset, count: rows.length, total, limit, isLimited });
}

/** Describes which rows are omitted before and after `count` rows from `offset`. */
export function describeRows(operation: Operation, { offset, count, total, limit, isLimited }: ShownRows): PageInfo {
  const first = offset + 1;
  const last = offset + count;
  const noun = makeNounSuffix(operation);
  if (count === 0 && offset > 0 && total !== null)
    return { total, more: null, notices: [makePastEndNotice(offset, total, noun)] };
  const isCut = total === null ? count > 0 && count === limit : last < total;
  if (!isCut) return { total, more: null, notices: [] };
  const more = findNextRows(operation, last, limit);
  const text = describeCut(noun, first, last, total, more !== null);
  return { total, more, notices: [(isLimited ? makeNote : makeWarning)('page_cut', text, { first, last, total })] };
}

interface ShownRows extends Pick<Plan, 'isLimited'> {
  readonly offset: number;
  readonly count: number;
  readonly total: number | null;
  readonly limit: number;
}

/** @param noun the plural noun of the rows after a space, such as ` filings`; or an empty text */
export function makePastEndNotice(offset: number, total: number, noun: string): Notice {
  const text = say`${option('offset', `${offset}`)} is past the end. Total${noun}: ${total}.`;
  return makeNote('page_past_end', text, { offset, total });
}

/** Describes a truncated list: the number of shown rows, the total, and how to get all rows. */
function describeCut(noun: string, first: number, last: number, total: number | null, hasMore: boolean): Text {
  const rowsText: Text =
    total === null
      ? say`Showing${noun === '' ? ' rows' : noun} ${first} to ${last}; there may be more.`
      : last < first
        ? say`The response has none of the ${total}${noun === '' ? ' rows' : noun}.`
        : say`Showing ${first === 1 ? '' : `${first} to `}${last} of ${total}${noun}.`;
  return hasMore
    ? say`${rowsText} To see all: ${option('all')}`
    : say`${rowsText} The service returns at most this many rows in one response.`;
}

const makeNounSuffix = ({ rows }: Operation): string => (rows?.noun === undefined ? '' : ` ${rows.noun}`);

/**
 * Returns the change of the question that shows the rows after this page. For a list that accepts no offset, that is the
 * maximum limit; null if the limit is already the maximum.
 */
function findNextRows(operation: Operation, next: number, limit: number): NextRowsParameter | null {
  if (findParameterMaximum(operation, 'offset') !== null) return { offset: next };
  const max = findParameterMaximum(operation, 'limit');
  return max === null || limit >= max ? null : { limit: max };
}

/** Returns warnings about the release, and notices that any answer may need. */
export function makeCommonNotices(operation: Operation, { data, meta }: Envelope, why: Text | null): readonly Notice[] {
  const { stamp, checks } = meta.release ?? {};
  const text = `Release ${stamp} failed its checks; its figures may be wrong.`;
  return [
    ...(checks === 'failed' ? [makeWarning('checks_failed', text, { release: stamp })] : []),
    ...(isEmpty(operation, data)
      ? [makeNote('empty', why === null ? 'No results.' : joinTexts(['No results.', why], ' '))]
      : []),
    ...makeAfterReleaseNotices(meta),
    ...makeSetAsideNotices(meta),
  ];
}

function makeSetAsideNotices(meta: Envelope['meta']): readonly Notice[] {
  const { set_aside: count = 0, universe, set_aside_by } = meta;
  if (count === 0) return [];
  const companies = formatCount(universe ?? count, 'company', 'companies');
  const subject = universe === undefined ? companies : `${count} of ${companies}`;
  const verb = count === 1 ? 'is left out, because it lacks' : 'are left out, because they lack';
  const text = `${subject} ${verb} ${describeMissingFigures(meta)}.`;
  return [makeNote('set_aside', text, { set_aside: count, universe, set_aside_by })];
}

/**
 * Returns a text that names the figures which the omitted companies lack. If filters use several figures, the text
 * states for each figure how many companies lack it.
 */
function describeMissingFigures({ set_aside_by: counts = [], where = [] }: Envelope['meta']): string {
  const nonzero = counts.filter(({ companies }) => companies > 0);
  const figures = listKeysOfFilters(where);
  if (figures.length === 1) return figures[0] ?? '';
  if (nonzero.length === 0) return 'a figure that a filter uses';
  return `a figure that a filter uses: ${nonzero.map(({ column, companies }) => `${column} (${formatCount(companies, 'company', 'companies')})`).join(', ')}`;
}

/** Whether an answer is a list without rows and has no other data. */
export const isEmpty = (operation: Operation, data: unknown): boolean =>
  operation.rows?.hasOtherContent !== true && findRows(operation, data)?.length === 0;

/** If the requested day is at most this number of days after the release's date, no notice is shown. */
const MAX_RELEASE_LAG_DAYS = 7;
const DAY_MS = 86_400_000;

/** Reports that the requested day is after the release's date, so that filings in between are missing. */
function makeAfterReleaseNotices({ as_of: day, release }: Envelope['meta']): readonly Notice[] {
  if (day === undefined || release == null) return [];
  // The latest date in any time zone (UTC+14), because the user's date may be ahead of UTC.
  const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
  const values = { as_of: day, release: release.date };
  if (day > today) {
    const text = `${day} is in the future; the release has only what was reported by ${release.date}.`;
    return [makeNote('future_day', text, values)];
  }
  if (Date.parse(day) - Date.parse(release.date) <= MAX_RELEASE_LAG_DAYS * DAY_MS) return [];
  const text = `The release ends on ${release.date}; later filings, up to ${day}, are not included.`;
  return [makeNote('after_release', text, values)];
}
