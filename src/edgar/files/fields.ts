/** Reads fields that several public files have: names, CIKs and industry codes. */
import { parseCik } from '../../contract/identifiers.ts';
import { toNonEmptyText } from '../../platform/json-object.ts';

/**
 * Maximum number of characters: three times the longest real name. Rows store copies of names, so a longer name could
 * take much memory.
 */
const MAX_NAME_LENGTH = 500;

/** Returns the value if it is a text short enough for a name; otherwise null. */
export function toName(value: unknown): string | null {
  const text = toNonEmptyText(value);
  return text === null || text.length > MAX_NAME_LENGTH ? null : text;
}

/** Returns the text on one line, with single spaces. */
export const collapseSpaces = (text: string): string =>
  /\s(?:\s|$)|^\s|[^\S ]/.test(text) ? text.replace(/\s+/g, ' ').trim() : text;

/** Returns the CIK of a number, or of text with or without leading zeros; null if the value is not a CIK. */
export function toCik(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' ? parseCik(text) : null;
}

/**
 * Returns an industry code (SIC) with its leading zero, which some sources omit. Null if the text is not a code, and
 * for 0000, which means unknown.
 */
export const parseSic = (text: string | null): string | null =>
  text !== null && /^\d{3,4}$/.test(text) && Number(text) > 0 ? text.padStart(4, '0') : null;

const MONTH_NAMES = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS_PER_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Returns YYYY-MM-DD for 31-MAR-2025, 03-31-2025, 03/31/2025, 20250331 or 2025-03-31; a time may follow the last two
 * forms. Returns null for other text and for invalid dates.
 */
export function parseDay(text: string | null | undefined): string | null {
  if (!text) return null;
  const isoMatch = /^(\d{4})-?(\d{2})-?(\d{2})(?:$|[ T])/.exec(text);
  if (isoMatch !== null) return toValidDay(isoMatch[1], isoMatch[2], isoMatch[3]);
  const withMonthName = /^(\d{1,2})-([A-Za-z]{3})-(\d{4})$/.exec(text);
  if (withMonthName !== null) {
    const month = MONTH_NAMES.indexOf(withMonthName[2]?.toUpperCase() ?? '') + 1;
    return toValidDay(withMonthName[3], String(month).padStart(2, '0'), withMonthName[1]?.padStart(2, '0'));
  }
  const match = /^(\d{2})[-/](\d{2})[-/](\d{4})$/.exec(text);
  return match === null ? null : toValidDay(match[3], match[1], match[2]);
}

/** Returns the day also for dates as documents write them: September 28, 2024 or 28 September 2024. */
export function parseWrittenDay(text: string | null | undefined): string | null {
  const [, before, day, after, year] =
    /^(?:([a-z]{3})[a-z]*\.? )?(\d{1,2})(?: ([a-z]{3})[a-z]*\.?)?,? ?(\d{4})$/i.exec(text?.trim() ?? '') ?? [];
  const name = before ?? after;
  return parseDay(name === undefined ? text : `${day}-${name}-${year}`);
}

/**
 * Returns YYYY-MM-DDTHH:MM:SS for `2025-03-31 16:05:09` or 20250331160509; null for other text and for invalid times.
 */
export function parseDateTime(text: string | null | undefined): string | null {
  const [, day, hour = '', minute = '', second = ''] =
    /^(\d{4}-?\d{2}-?\d{2}) ?(\d{2}):?(\d{2}):?(\d{2})$/.exec(text ?? '') ?? [];
  const date = parseDay(day);
  return date === null || hour > '23' || minute > '59' || second > '59' ? null : `${date}T${hour}:${minute}:${second}`;
}

/** Checks the date without `Date`, which would take five times as long for millions of rows. */
function toValidDay(year = '', month = '', day = ''): string | null {
  const length = Number(month) === 2 && isLeapYear(Number(year)) ? 29 : (DAYS_PER_MONTH[Number(month) - 1] ?? 0);
  return Number(day) >= 1 && Number(day) <= length ? `${year}-${month}-${day}` : null;
}

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/**
 * Returns a function that caches its last result. In files sorted by date, consecutive rows often have the same text.
 */
export function memoizeLast<Value>(compute: (text: string) => Value): (text: string) => Value {
  let cached: { readonly text: string; readonly value: Value } | null = null;
  return (text) => {
    if (cached === null || cached.text !== text) cached = { text, value: compute(text) };
    return cached.value;
  };
}
