/**
 * Determines when a filing was accepted. All times in a filer's list end with Z, but some lists are in New York time.
 * EDGAR accepts filings from 6:00 to 22:00 New York time, and dates filings after 17:30 with a later day. Each page of
 * a list is read as UTC or as New York time, whichever breaks fewer of these rules.
 */

import { hasItems } from '../../edgar/filings/forms.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { isTradingDay } from '../../platform/trading-calendar.ts';
import { isDateTime, toNewYorkTime, type WallTime } from '../periods/new-york.ts';

type ListedFiling = Pick<FilingRecord, 'accepted' | 'filed' | 'form' | 'page'>;

const MAIN_FILE = 0;
const MIDNIGHT = '00:00:00';
const EDGAR_OPENING_TIME = '06:00:00';
/** EDGAR closes at 22:00 but still accepts submissions in progress. */
const EDGAR_CLOSING_TIME = '22:10:00';
/** A filing accepted after this time of day gets a later day as its filing date. */
const SAME_DAY_CUTOFF = '17:30:59';
/** EDGAR dates forms 3, 4, 5 and 144 with the current day until 22:00. */
const LATE_SAME_DAY_FORM_PATTERN = /^(?:[345]|144)(?:\/A)?$/;
const LISTED_TIME_PATTERN = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?Z?$/;

/**
 * Returns the New York time of each filing, in the order of one filer's list; null for a filing without a time of day,
 * for example from the 1990s.
 */
export function readAcceptanceTimes(filings: readonly ListedFiling[]): (WallTime | null)[] {
  const listedTimes = filings.map(({ accepted }) => normalizeTime(accepted));
  const asUtc = listedTimes.map((time) => (time === null ? null : toNewYorkTime(time)));
  const byPage = new Map<number, number>();
  let total = 0;
  for (const [index, filing] of filings.entries()) {
    const excess = countViolations(asUtc[index] ?? null, filing) - countViolations(listedTimes[index] ?? null, filing);
    byPage.set(filing.page ?? MAIN_FILE, (byPage.get(filing.page ?? MAIN_FILE) ?? 0) + excess);
    total += excess;
  }
  // A page whose times fit both time zones has the time zone of the whole list.
  const isLocal = ({ page }: ListedFiling) => (byPage.get(page ?? MAIN_FILE) || total) > 0;
  return filings.map((filing, index) => dropMidnight((isLocal(filing) ? listedTimes : asUtc)[index] ?? null));
}

/**
 * Returns the time of acceptance that a data set states in New York time. Null if it is invalid, lacks a time of day or
 * contradicts the filing date.
 */
export function readEasternTime(filing: ListedFiling): WallTime | null {
  const time = normalizeTime(filing.accepted);
  return countViolations(time, filing) > 0 ? null : dropMidnight(time);
}

const dropMidnight = (time: WallTime | null): WallTime | null =>
  time === null || time.endsWith(MIDNIGHT) ? null : time;

/** Returns a list's time as YYYY-MM-DDTHH:MM:SS in the list's time zone; null if the time is invalid. */
function normalizeTime(accepted: string | null): string | null {
  if (accepted === null || !LISTED_TIME_PATTERN.test(accepted)) return null;
  const time = accepted.slice(0, 19).replace(' ', 'T');
  return isDateTime(time) ? time : null;
}

function countViolations(wallTime: WallTime | null, { filed, form }: ListedFiling): number {
  if (wallTime === null) return 0;
  const isSameDay = wallTime.startsWith(filed);
  const time = wallTime.slice(11);
  // A date without a time of day can break only the rule for dates.
  if (time === MIDNIGHT) return isSameDay ? 0 : 1;
  if (time < EDGAR_OPENING_TIME || time > EDGAR_CLOSING_TIME) return 1;
  const isValid = time <= SAME_DAY_CUTOFF ? isSameDay : wallTime < filed;
  return isValid || LATE_SAME_DAY_FORM_PATTERN.test(form) ? 0 : 1;
}

export type AnnouncementTiming = 'before_open' | 'during_market' | 'after_close';

/** Item of current reports (8-K) for results of operations, which announces earnings. */
const EARNINGS_ITEM = '2.02';
const MARKET_OPENING_TIME = '09:30:00';
const MARKET_CLOSING_TIME = '16:00:00';

/**
 * Returns when an earnings announcement came relative to trading hours in New York; null for other filings and unknown
 * times. An announcement on a day without trading counts as before the next open.
 */
export function classifyAnnouncement(
  form: string,
  items: readonly string[],
  accepted: WallTime | null,
): AnnouncementTiming | null {
  if (accepted === null || !items.includes(EARNINGS_ITEM) || !hasItems(form)) return null;
  const day = accepted.slice(0, 10);
  const time = accepted.slice(11);
  if (time < MARKET_OPENING_TIME || !isTradingDay(day)) return 'before_open';
  return time < MARKET_CLOSING_TIME ? 'during_market' : 'after_close';
}
