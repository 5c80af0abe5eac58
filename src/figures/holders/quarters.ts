/** The quarters for which holdings are reported. */
import { addDays } from '../../platform/dates.ts';

/** Managers report within 45 days of a quarter's end (Rule 13f-1). */
const DEADLINE_DAYS = 45;

/** The end of the quarter before the one that ends on `period`. */
export function quarterBefore(period: string): string {
  const year = Number(period.slice(0, 4));
  switch (period.slice(5, 7)) {
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

/**
 * Whether all reports for a quarter were due by a day. Before that, a manager that has not yet reported would look
 * like a seller.
 */
export function isReported(period: string, today: string): boolean {
  return addDays(period, DEADLINE_DAYS) <= today;
}

/** Whether a day is the end of a quarter. */
export function isQuarterEnd(day: string): boolean {
  return /-(?:03-31|06-30|09-30|12-31)$/.test(day);
}

/** The latest quarter whose reports were due by a day. */
export function reportedQuarter(today: string): string {
  let period = `${today.slice(0, 4)}-12-31`;
  while (!isReported(period, today)) period = quarterBefore(period);
  return period;
}
