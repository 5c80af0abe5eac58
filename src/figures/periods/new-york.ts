/**
 * New York time, which EDGAR and the stock exchanges use.
 * One offset applies to a whole day: clocks change at 2:00 on a Sunday, when EDGAR accepts no filings.
 */
import { getOrInsert } from '../../platform/collections.ts';
import { addDays, toDay, toDayNumber } from '../../platform/dates.ts';

/** A time in New York: YYYY-MM-DDTHH:MM:SS. */
export type WallTime = string;

let zoneFormat: Intl.DateTimeFormat | undefined;

/** Offsets by day: a lookup in the time zone database takes microseconds, too slow for every filing. */
const offsets = new Map<string, string>();

/** Returns the offset from UTC on the day, such as -05:00. */
export const findNewYorkOffset = (day: string): string => getOrInsert(offsets, day, () => readZoneOffset(day));

function readZoneOffset(day: string): string {
  zoneFormat ??= new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', timeZoneName: 'longOffset' });
  const parts = zoneFormat.formatToParts(new Date(`${day}T16:00:00Z`));
  const offset = parts.find((part) => part.type === 'timeZoneName');
  if (offset === undefined)
    throw new RangeError('the time zone of New York is missing from this installation of Node.js');
  return offset.value.replace('GMT', '');
}

/** Returns the time with its offset: 2026-03-06T16:11:25-05:00. */
export const appendOffset = (time: WallTime): string => `${time}${findNewYorkOffset(time.slice(0, 10))}`;

const DATE_TIME_PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const MIN_DAYS_OF_MONTH = 28;

/** Whether the text is a valid date and time: YYYY-MM-DDTHH:MM:SS. */
export function isDateTime(text: string): boolean {
  if (!DATE_TIME_PATTERN.test(text)) return false;
  const day = text.slice(0, 10);
  return Number(text.slice(8, 10)) <= MIN_DAYS_OF_MONTH || toDay(toDayNumber(day)) === day;
}

/** From this hour on in UTC, New York has the same date as UTC, in summer and winter. */
const MIN_SAME_DAY_UTC_HOUR = 5;

/** Converts a UTC time that satisfies `isDateTime` to New York time. */
export function toNewYorkTime(time: string): WallTime {
  const day = time.slice(0, 10);
  const hour = Number(time.slice(11, 13));
  const local = hour < MIN_SAME_DAY_UTC_HOUR ? addDays(day, -1) : day;
  const localHour = hour + Number(findNewYorkOffset(local).slice(0, 3));
  return localHour < 0
    ? `${local}T${localHour + 24}${time.slice(13)}`
    : `${day}T${localHour < 10 ? '0' : ''}${localHour}${time.slice(13)}`;
}
