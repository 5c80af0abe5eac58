/**
 * Trading days of the New York Stock Exchange, according to its holiday rules (Rule 7.2) and its closings for mourning,
 * attacks and storms. Valid from 1994 on. Dates are text without time zones.
 */
import { getOrInsert } from './collections.ts';
import { addDays, toDayNumber } from './dates.ts';

/** Weekdays on which the New York Stock Exchange was closed in addition to its regular holidays. */
const UNSCHEDULED_CLOSINGS: ReadonlySet<string> = new Set([
  '1994-04-27', // mourning for President Nixon
  '2001-09-11', // the attacks on New York and Washington
  '2001-09-12',
  '2001-09-13',
  '2001-09-14',
  '2004-06-11', // mourning for President Reagan
  '2007-01-02', // mourning for President Ford
  '2012-10-29', // hurricane Sandy
  '2012-10-30',
  '2018-12-05', // mourning for President George H. W. Bush
  '2025-01-09', // mourning for President Carter
]);

const [SUNDAY, MONDAY, THURSDAY, SATURDAY] = [0, 1, 4, 6];
/** First years of holidays that were added since 1994. */
const [FIRST_KING_YEAR, FIRST_JUNETEENTH_YEAR] = [1998, 2022];

const holidaysByYear = new Map<string, ReadonlySet<string>>();

export function isTradingDay(day: string): boolean {
  const weekday = findWeekday(day);
  if (weekday === SUNDAY || weekday === SATURDAY || UNSCHEDULED_CLOSINGS.has(day)) return false;
  const year = day.slice(0, 4);
  return !getOrInsert(holidaysByYear, year, () => listHolidays(Number(year))).has(day);
}

export const findPreviousTradingDay = (day: string): string => findTradingDay(addDays(day, -1));

/** Returns the date itself if it is a trading day, otherwise the last trading day before it. */
export function findTradingDay(day: string): string {
  let candidate = day;
  while (!isTradingDay(candidate)) candidate = addDays(candidate, -1);
  return candidate;
}

/** Returns the first trading day after a date. */
export function findNextTradingDay(day: string): string {
  let candidate = addDays(day, 1);
  while (!isTradingDay(candidate)) candidate = addDays(candidate, 1);
  return candidate;
}

function listHolidays(year: number): ReadonlySet<string> {
  const days = [
    findNewYearHoliday(year),
    findNthWeekday(year, 2, MONDAY, 3),
    addDays(computeEasterSunday(year), -2),
    findLastMonday(year, 5),
    findObservedDay(formatDay(year, 7, 4)),
    findNthWeekday(year, 9, MONDAY, 1),
    findNthWeekday(year, 11, THURSDAY, 4),
    findObservedDay(formatDay(year, 12, 25)),
  ];
  if (year >= FIRST_KING_YEAR) days.push(findNthWeekday(year, 1, MONDAY, 3));
  if (year >= FIRST_JUNETEENTH_YEAR) days.push(findObservedDay(formatDay(year, 6, 19)));
  return new Set(days);
}

/**
 * Returns the observed New Year's Day: Monday if January 1 is a Sunday, otherwise January 1. If January 1 is a
 * Saturday, the exchange still opens on Friday, because the year's books close then.
 */
function findNewYearHoliday(year: number): string {
  const day = formatDay(year, 1, 1);
  return findWeekday(day) === SUNDAY ? addDays(day, 1) : day;
}

/** Returns the observed date of a holiday: Friday for a Saturday, Monday for a Sunday. */
function findObservedDay(day: string): string {
  const weekday = findWeekday(day);
  return weekday === SATURDAY ? addDays(day, -1) : weekday === SUNDAY ? addDays(day, 1) : day;
}

function findNthWeekday(year: number, month: number, weekday: number, nth: number): string {
  const first = formatDay(year, month, 1);
  return addDays(first, ((weekday - findWeekday(first) + 7) % 7) + (nth - 1) * 7);
}

function findLastMonday(year: number, month: number): string {
  const last = formatDay(year, month, 31);
  return addDays(last, -((findWeekday(last) - MONDAY + 7) % 7));
}

/** Returns Easter Sunday in the Gregorian calendar, by the anonymous algorithm (Meeus). */
function computeEasterSunday(year: number): string {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7;
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const packed = epact + weekday - 7 * shift + 114;
  return formatDay(year, Math.floor(packed / 31), (packed % 31) + 1);
}

/** Returns the day of the week; Sunday is 0. 1970-01-01 was a Thursday. */
const findWeekday = (day: string): number => (((toDayNumber(day) + 4) % 7) + 7) % 7;

const formatDay = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
