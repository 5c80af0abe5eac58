/**
 * When a filing was accepted, and whether an earnings announcement came before, during or after trading.
 * All times in a filer's list end with Z, yet some lists are in UTC and some in New York time. EDGAR accepts filings
 * from 6:00 to 22:00 and dates those after 17:30 to a later day: the time zone that breaks fewer of these rules is
 * the list's.
 */

import { hasItems } from '../../edgar/filings/forms.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { isTradingDay } from '../../platform/trading-calendar.ts';
import { instantOf, isTime, type WallTime, wallTimeOf } from '../periods/new-york.ts';

export type ListClock = 'utc' | 'new_york';
type Listed = Pick<FilingRecord, 'accepted' | 'filed' | 'form'>;

const MIDNIGHT = '00:00:00';
const OPENS = '06:00:00';
/** EDGAR closes at 22:00, but still accepts submissions in progress. */
const SHUTS = '22:10:00';
const SAME_DAY_UNTIL = '17:30:59';
/** Forms 3, 4, 5 and 144 keep the day's date until 22:00. */
const SAME_DAY_UNTIL_TEN_PATTERN = /^(?:[345]|144)(?:\/A)?$/;
const STAMP_PATTERN = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?Z?$/;

/** The time zone of one filer's list; UTC, as the list claims, if the filings do not decide. */
export function clockOf(filings: readonly Listed[]): ListClock {
  return readingOf(filings).clock;
}

/** The New York time of each filing of one list, in its order; null without a time of day, as for very old filings. */
export function acceptanceTimes(filings: readonly Listed[]): (WallTime | null)[] {
  return readingOf(filings).walls.map(withTimeOfDay);
}

/** New York time; null if the list has no time of day. */
export function acceptedOnWall(accepted: string | null, clock: ListClock): WallTime | null {
  const stamp = stampOf(accepted);
  return stamp === null ? null : withTimeOfDay(clock === 'utc' ? wallTimeOf(stamp) : stamp);
}

/** The time with its offset from UTC; null if the list has no time of day. */
export function acceptedAt(accepted: string | null, clock: ListClock): string | null {
  const wall = acceptedOnWall(accepted, clock);
  return wall === null ? null : instantOf(wall);
}

/** Reads a list's times in the time zone that breaks fewer rules. */
function readingOf(filings: readonly Listed[]): { clock: ListClock; walls: (WallTime | null)[] } {
  const stamps = filings.map(({ accepted }) => stampOf(accepted));
  const walls = stamps.map((stamp) => (stamp === null ? null : wallTimeOf(stamp)));
  const broken = (times: readonly (WallTime | null)[]) =>
    filings.reduce((sum, filing, index) => sum + breaksRule(times[index] ?? null, filing), 0);
  return broken(stamps) < broken(walls) ? { clock: 'new_york', walls: stamps } : { clock: 'utc', walls };
}

function withTimeOfDay(wall: WallTime | null): WallTime | null {
  return wall === null || wall.endsWith(MIDNIGHT) ? null : wall;
}

/** The time in a list, in its time zone; null if it has none. */
function stampOf(accepted: string | null): string | null {
  if (accepted === null || !STAMP_PATTERN.test(accepted)) return null;
  const stamp = accepted.slice(0, 19).replace(' ', 'T');
  return isTime(stamp) ? stamp : null;
}

function breaksRule(wall: WallTime | null, { filed, form }: Listed): number {
  if (wall === null) return 0;
  const isSameDay = wall.startsWith(filed);
  const time = wall.slice(11);
  // Without a time of day only the date can break a rule.
  if (time === MIDNIGHT) return isSameDay ? 0 : 1;
  if (time < OPENS || time > SHUTS) return 1;
  const isAsDated = time <= SAME_DAY_UNTIL ? isSameDay : wall < filed;
  return isAsDated || SAME_DAY_UNTIL_TEN_PATTERN.test(form) ? 0 : 1;
}

export type AnnouncementTiming = 'before_open' | 'during_market' | 'after_close';

/** Results of operations: the item of a current report that announces earnings. */
const EARNINGS_ITEM = '2.02';
const MARKET_OPENS = '09:30:00';
const MARKET_CLOSES = '16:00:00';

/**
 * When an earnings announcement came relative to trading hours in New York; null for other filings and unknown times.
 * On a day without trading it counts as before the next open.
 */
export function announcementTiming(
  form: string,
  items: readonly string[],
  accepted: WallTime | null,
): AnnouncementTiming | null {
  if (accepted === null || !items.includes(EARNINGS_ITEM) || !hasItems(form)) return null;
  const day = accepted.slice(0, 10);
  const time = accepted.slice(11);
  if (time < MARKET_OPENS || !isTradingDay(day)) return 'before_open';
  return time < MARKET_CLOSES ? 'during_market' : 'after_close';
}
