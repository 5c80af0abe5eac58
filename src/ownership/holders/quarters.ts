/**
 * The calendar quarters for which managers report holdings, and which of a manager's reports for a quarter are in
 * effect.
 */

import type { FiledThirteenF } from '../../edgar/holdings/thirteen-f-report.ts';
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
export function findDueQuarterEnd(today: string): string {
  let end = `${today.slice(0, 4)}-12-31`;
  while (!areReportsDue(end, today)) end = findPreviousQuarterEnd(end);
  return end;
}

/** The fields that decide which report is in effect. */
export type ReportFiling = Pick<FiledThirteenF, 'accession' | 'filed' | 'form' | 'amendment' | 'entryTotal'>;

/**
 * Returns the base report, by whose accession number the report is known, and its parts: the base, then the amendments
 * that add holdings, in filing order. A restatement replaces all earlier reports; an amendment with new holdings
 * adds to the base. An amendment without a type counts as a restatement if its table has at least half as many entries
 * as the base. Null without a base. Form 13F notices are ignored, because they contain no holdings.
 */
export function findEffectiveReport<F extends ReportFiling>(filings: readonly F[]) {
  let base: F | null = null;
  let parts: F[] = [];
  for (const filing of filings.filter(({ form }) => form.startsWith('13F-HR')).sort(compareFilings)) {
    if (replacesBase(filing, base)) {
      base = filing;
      parts = [filing];
    } else parts.push(filing);
  }
  return base === null ? null : { base, parts };
}

/** Compares by filing day; on the same day, original reports precede amendments. */
function compareFilings(a: ReportFiling, b: ReportFiling): number {
  if (a.filed !== b.filed) return a.filed < b.filed ? -1 : 1;
  const [number, other] = [a.amendment?.number ?? -1, b.amendment?.number ?? -1];
  return number === other ? (a.accession < b.accession ? -1 : 1) : number - other;
}

function replacesBase({ amendment, entryTotal }: ReportFiling, base: ReportFiling | null): boolean {
  if (amendment === null || amendment.type === 'restatement') return true;
  if (amendment.type === 'new_holdings') return false;
  if (base === null || base.entryTotal === null) return true;
  return entryTotal !== null && entryTotal * 2 >= base.entryTotal;
}
