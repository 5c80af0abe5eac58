/**
 * When a filing was accepted, and whether an earnings announcement came before, during or after trading.
 * All times in a filer's list end with Z, yet some lists are in UTC and some in New York time. EDGAR accepts filings
 * from 6:00 to 22:00 and dates those after 17:30 to a later day: the time zone that breaks fewer of these rules is
 * the list's.
 */

import { hasItems } from '../../edgar/filings/forms.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { isTradingDay } from '../../platform/trading-calendar.ts';
import { isDateTime, toNewYork, toUtc, type WallTime } from '../periods/new-york.ts';

export type ListClock = 'utc' | 'new_york';
type ListedFiling = Pick<FilingRecord, 'accepted' | 'filed' | 'form'>;

const MIDNIGHT = '00:00:00';
const EDGAR_OPENS = '06:00:00';
/** EDGAR closes at 22:00, but still accepts submissions in progress. */
const EDGAR_CLOSES = '22:10:00';
const SAME_DAY_UNTIL = '17:30:59';
/** Forms 3, 4, 5 and 144 keep the day's date until 22:00. */
const LATE_SAME_DAY_FORM_PATTERN = /^(?:[345]|144)(?:\/A)?$/;
const STAMP_PATTERN = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?Z?$/;

/** The time zone of one filer's list; UTC, as the list claims, if the filings do not decide. */
export function clockOf(filings: readonly ListedFiling[]): ListClock {
  return detectClock(filings).clock;
}

/** The New York time of each filing of one list, in its order; null without a time of day, as for very old filings. */
export function acceptanceTimes(filings: readonly ListedFiling[]): (WallTime | null)[] {
  return detectClock(filings).wallTimes.map(dropMidnight);
}

/** New York time; null if the list has no time of day. */
export function toWallTime(accepted: string | null, clock: ListClock): WallTime | null {
  const stamp = normalizeStamp(accepted);
  return stamp === null ? null : dropMidnight(clock === 'utc' ? toNewYork(stamp) : stamp);
}

/** The time with its offset from UTC; null if the list has no time of day. */
export function toUtcTime(accepted: string | null, clock: ListClock): string | null {
  const wallTime = toWallTime(accepted, clock);
  return wallTime === null ? null : toUtc(wallTime);
}

/** Reads a list's times in the time zone that breaks fewer rules. */
function detectClock(filings: readonly ListedFiling[]): { clock: ListClock; wallTimes: (WallTime | null)[] } {
  const stamps = filings.map(({ accepted }) => normalizeStamp(accepted));
  const wallTimes = stamps.map((stamp) => (stamp === null ? null : toNewYork(stamp)));
  const countBrokenRules = (times: readonly (WallTime | null)[]) =>
    filings.reduce((sum, filing, index) => sum + countBrokenRule(times[index] ?? null, filing), 0);
  return countBrokenRules(stamps) < countBrokenRules(wallTimes)
    ? { clock: 'new_york', wallTimes: stamps }
    : { clock: 'utc', wallTimes };
}

function dropMidnight(wallTime: WallTime | null): WallTime | null {
  return wallTime === null || wallTime.endsWith(MIDNIGHT) ? null : wallTime;
}

/** The time in a list, in its time zone; null if it has none. */
function normalizeStamp(accepted: string | null): string | null {
  if (accepted === null || !STAMP_PATTERN.test(accepted)) return null;
  const stamp = accepted.slice(0, 19).replace(' ', 'T');
  return isDateTime(stamp) ? stamp : null;
}

function countBrokenRule(wallTime: WallTime | null, { filed, form }: ListedFiling): number {
  if (wallTime === null) return 0;
  const isSameDay = wallTime.startsWith(filed);
  const time = wallTime.slice(11);
  // Without a time of day only the date can break a rule.
  if (time === MIDNIGHT) return isSameDay ? 0 : 1;
  if (time < EDGAR_OPENS || time > EDGAR_CLOSES) return 1;
  const matchesFilingDate = time <= SAME_DAY_UNTIL ? isSameDay : wallTime < filed;
  return matchesFilingDate || LATE_SAME_DAY_FORM_PATTERN.test(form) ? 0 : 1;
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
