/** Days as the public files write them, as YYYY-MM-DD. */

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** From 31-MAR-2025, 03-31-2025, 20250331 or 2025-03-31; null for anything else and for days no calendar has. */
export function parseDay(text: string): string | null {
  const compact = /^(\d{4})-?(\d{2})-?(\d{2})(?:$|[ T])/.exec(text);
  if (compact !== null) return real(compact[1], compact[2], compact[3]);
  const named = /^(\d{1,2})-([A-Za-z]{3})-(\d{4})$/.exec(text);
  if (named !== null) {
    const month = MONTHS.indexOf(named[2]?.toUpperCase() ?? '') + 1;
    return real(named[3], String(month).padStart(2, '0'), named[1]?.padStart(2, '0'));
  }
  const american = /^(\d{2})[-/](\d{2})[-/](\d{4})$/.exec(text);
  return american === null ? null : real(american[3], american[1], american[2]);
}

/** By the calendar's own rule: a Date takes five times as long, and rows come by the million. */
function real(year = '', month = '', day = ''): string | null {
  const length = Number(month) === 2 && isLeapYear(Number(year)) ? 29 : (LENGTHS[Number(month) - 1] ?? 0);
  return Number(day) >= 1 && Number(day) <= length ? `${year}-${month}-${day}` : null;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function memoizeLast<Value>(of: (text: string) => Value): (text: string) => Value {
  let last: { readonly text: string; readonly value: Value } | null = null;
  return (text) => {
    if (last === null || last.text !== text) last = { text, value: of(text) };
    return last.value;
  };
}
