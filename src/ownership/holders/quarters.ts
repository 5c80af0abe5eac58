/** The calendar quarters for which managers report holdings. */
import { addDays } from '../../platform/dates.ts';

/** Managers must report within 45 days of a quarter's end (Rule 13f-1). */
const REPORT_DEADLINE_DAYS = 45;

/** Last days of the quarters, as MM-DD. */
const QUARTER_ENDS = ['03-31', '06-30', '09-30', '12-31'];

/** Returns the end of the quarter before the quarter that ends on `end`. */
export const findPreviousQuarterEnd = (end: string): string => moveQuarterEnd(end, -1);

/** Returns the end of the quarter after the quarter that ends on `end`. */
export const findNextQuarterEnd = (end: string): string => moveQuarterEnd(end, 1);

function moveQuarterEnd(end: string, quarters: number): string {
  const number = Number(end.slice(0, 4)) * 4 + QUARTER_ENDS.indexOf(end.slice(5)) + quarters;
  return `${Math.floor(number / 4)}-${QUARTER_ENDS[number % 4]}`;
}

/**
 * Whether the deadline for reports on a quarter is today or earlier. Before the deadline, a manager that has not
 * reported yet would look like a seller.
 */
export const areReportsDue = (end: string, today: string): boolean => addDays(end, REPORT_DEADLINE_DAYS) <= today;

export const isQuarterEnd = (day: string): boolean => QUARTER_ENDS.includes(day.slice(5));

/** Returns the end of the latest quarter whose reports were due by the day. */
export function findReportedQuarterEnd(today: string): string {
  let end = `${today.slice(0, 4)}-12-31`;
  while (!areReportsDue(end, today)) end = findPreviousQuarterEnd(end);
  return end;
}
