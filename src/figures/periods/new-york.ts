/**
 * New York time, which EDGAR and the stock exchanges use.
 * One offset applies to a whole day: clocks change at 2:00 on a Sunday, when EDGAR accepts no filings.
 */
import { addDays, toDay, toDayNumber } from '../../platform/dates.ts';

/** A time in New York: YYYY-MM-DDTHH:MM:SS. */
export type WallTime = string;

/** Consecutive days of one year with the same offset. */
interface OffsetSpan {
  readonly from: string;
  readonly until: string;
  /** The offset from UTC, such as -05:00. */
  readonly offset: string;
  readonly offsetHours: number;
}

const spansByYear = new Map<string, readonly OffsetSpan[]>();
/**
 * The last span that `findSpan` returned: lists are sorted by time, so the next day is nearly always in the same span.
 */
let lastFoundSpan: OffsetSpan = { from: '', until: '', offset: '', offsetHours: 0 };

function findSpan(day: string): OffsetSpan {
  if (day >= lastFoundSpan.from && day < lastFoundSpan.until) return lastFoundSpan;
  const year = day.slice(0, 4);
  const spans = spansByYear.get(year) ?? listSpans(year);
  spansByYear.set(year, spans);
  const span = spans.findLast(({ from }) => day >= from);
  if (span === undefined) throw new RangeError(`${day} is not a valid date`);
  lastFoundSpan = span;
  return span;
}

/**
 * Returns a year's spans. Compares the offsets at the first of each month: clocks change at most once within a month.
 */
function listSpans(year: string): OffsetSpan[] {
  const first = `${year}-01-01`;
  const changes: number[] = [];
  let previous = toDayNumber(first);
  for (const date of [...MONTHS_AFTER_JANUARY.map((month) => `${year}-${month}-01`), `${year}-12-31`]) {
    const day = toDayNumber(date);
    if (readZoneOffset(day) !== readZoneOffset(previous)) changes.push(findOffsetChange(previous, day));
    previous = day;
  }
  const starts = [first, ...changes.map(toDay)];
  return starts.map((from, index) => {
    const offset = readZoneOffset(toDayNumber(from));
    const until = starts[index + 1] ?? `${year}-99`;
    return { from, until, offset, offsetHours: Number(offset.slice(0, 3)) };
  });
}

const MONTHS_AFTER_JANUARY = ['02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'];

/** Returns the first day between `from` and `to` that has the offset of the day `to`. */
function findOffsetChange(from: number, to: number): number {
  if (to - from === 1) return to;
  const middle = Math.floor((from + to) / 2);
  return readZoneOffset(middle) === readZoneOffset(from)
    ? findOffsetChange(middle, to)
    : findOffsetChange(from, middle);
}

let zoneFormat: Intl.DateTimeFormat | undefined;

/** Returns the offset on a day from the time zone database. A lookup takes microseconds, too slow for every filing. */
function readZoneOffset(day: number): string {
  zoneFormat ??= new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', timeZoneName: 'longOffset' });
  const parts = zoneFormat.formatToParts(new Date(`${toDay(day)}T16:00:00Z`));
  const offset = parts.find((part) => part.type === 'timeZoneName');
  if (offset === undefined)
    throw new RangeError('the time zone of New York is missing from this installation of Node.js');
  return offset.value.replace('GMT', '');
}

/** Returns the offset from UTC on the day, such as -05:00. */
export const findOffset = (day: string): string => findSpan(day).offset;

/** Returns the time with its offset: 2026-03-06T16:11:25-05:00. */
export const appendOffset = (time: WallTime): string => `${time}${findOffset(time.slice(0, 10))}`;

const DATE_TIME_PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const MIN_DAYS_OF_MONTH = 28;

/** Whether the text is a valid date and time: YYYY-MM-DDTHH:MM:SS. */
export function isDateTime(text: string): boolean {
  if (!DATE_TIME_PATTERN.test(text)) return false;
  const day = text.slice(0, 10);
  return Number(text.slice(8, 10)) <= MIN_DAYS_OF_MONTH || toDay(toDayNumber(day)) === day;
}

/** From this hour UTC on, the date in New York is the same as in UTC, in summer and winter. */
const MIN_SAME_DAY_UTC_HOUR = 5;

/** Converts a UTC time that satisfies `isDateTime` to New York time. */
export function toNewYorkTime(time: string): WallTime {
  const day = time.slice(0, 10);
  const hour = Number(time.slice(11, 13));
  const local = hour < MIN_SAME_DAY_UTC_HOUR ? addDays(day, -1) : day;
  const localHour = hour + findSpan(local).offsetHours;
  return localHour < 0
    ? `${local}T${localHour + 24}${time.slice(13)}`
    : `${day}T${localHour < 10 ? '0' : ''}${localHour}${time.slice(13)}`;
}
