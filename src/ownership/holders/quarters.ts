/** The calendar quarters for which managers report holdings. */
import { addDays } from '../../platform/dates.ts';

/** Managers must report within 45 days of a quarter's end (Rule 13f-1). */
const REPORT_DEADLINE_DAYS = 45;

/** Returns the end of the quarter before the quarter that ends on `end`. */
export function findPreviousQuarterEnd(end: string): string {
  const year = Number(end.slice(0, 4));
  switch (end.slice(5, 7)) {
    case '03':
      return `${year - 1}-12-31`;
    case '06':
      return `${year}-03-31`;
    case '09':
      return `${year}-06-30`;
    default:
      return `${year}-09-30`;
  }
}

/** Returns the end of the quarter after the quarter that ends on `end`. */
export function findNextQuarterEnd(end: string): string {
  const year = Number(end.slice(0, 4));
  switch (end.slice(5, 7)) {
    case '03':
      return `${year}-06-30`;
    case '06':
      return `${year}-09-30`;
    case '09':
      return `${year}-12-31`;
    default:
      return `${year + 1}-03-31`;
  }
}

/**
 * Whether the deadline for reports on a quarter is today or earlier. Before the deadline, a manager that has not
 * reported yet would look like a seller.
 */
export const areReportsDue = (end: string, today: string): boolean => addDays(end, REPORT_DEADLINE_DAYS) <= today;

export const isQuarterEnd = (day: string): boolean => /-(?:03-31|06-30|09-30|12-31)$/.test(day);

/** Returns the end of the latest quarter whose reports were due by the day. */
export function findReportedQuarterEnd(today: string): string {
  let end = `${today.slice(0, 4)}-12-31`;
  while (!areReportsDue(end, today)) end = findPreviousQuarterEnd(end);
  return end;
}
