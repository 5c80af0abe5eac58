/**
 * Derives fourth quarters, which companies rarely break down: the year less its first nine months or three quarters,
 * for each member. Derives no quarter if the members differ, if segments may have been recast (divided anew, with
 * earlier periods restated) between the reports, or if a measure that cannot be negative would be negative.
 */

import { subtract, sum } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';
import { detectPeriodKind, isQuarterLength } from '../periods/period-kind.ts';
import type { BreakdownRow } from './breakdown-rows.ts';
import { isNeverNegative } from './measures.ts';
import type { UnifiedBreakdown } from './member-names.ts';

/** Maximum number of days from the first quarter's report to the annual report; usually about nine months pass. */
const MAX_REPORTING_CYCLE_DAYS = 330;

/**
 * Returns breakdowns of fourth quarters that no filing reports, with the accession number of the annual report.
 * @param chosen the chosen breakdowns of one axis, concept and unit
 * @param reported all breakdowns in filings for the same axis, concept and unit, including the chosen breakdowns
 */
export const deriveFourthQuarters = (chosen: readonly UnifiedBreakdown[], reported: readonly UnifiedBreakdown[]) =>
  chosen.flatMap((year) => {
    const { start, end } = year;
    if (start === null || detectPeriodKind(start, end) !== 'annual') return [];
    const isWithin = (other: UnifiedBreakdown) => other.start !== null && other.start >= start && other.end <= end;
    const quarters = chosen.filter((part) => isWithin(part) && detectPeriodKind(part.start, part.end) === 'quarter');
    if (quarters.some((breakdown) => breakdown.end === year.end)) return [];
    const nineMonths = reported
      .filter(
        (part) =>
          isWithin(part) && part.start === year.start && detectPeriodKind(part.start, part.end) === 'nine_month',
      )
      .sort(
        (a, b) => Number(isFromOneCycle([b], year)) - Number(isFromOneCycle([a], year)) || (a.filed > b.filed ? -1 : 1),
      );
    for (const parts of [...nineMonths.map((breakdown) => [breakdown]), selectFirstThreeQuarters(quarters, start)]) {
      const isComparable = isFromOneCycle(parts, year) || areUndisputed([year, ...parts], reported);
      const quarter = isComparable && isOneBasis(parts, year, reported) ? deriveRemainingQuarter(year, parts) : null;
      if (quarter !== null) return [quarter];
    }
    return [];
  });

const isFromOneCycle = (parts: readonly UnifiedBreakdown[], year: UnifiedBreakdown): boolean =>
  parts.every(({ filed }) => filed <= year.filed && countDaysBetween(filed, year.filed) <= MAX_REPORTING_CYCLE_DAYS);

/** Whether no filing reports any of the breakdowns differently. */
const areUndisputed = (breakdowns: readonly UnifiedBreakdown[], reported: readonly UnifiedBreakdown[]): boolean =>
  breakdowns.every((breakdown) => reported.every((other) => !hasDifferentFigures(breakdown, other)));

/** Whether two breakdowns of the same period have different figures for a member. */
function hasDifferentFigures(a: UnifiedBreakdown, b: UnifiedBreakdown): boolean {
  if (a.start !== b.start || a.end !== b.end) return false;
  return [...a.members].some(([member, value]) => {
    const other = b.members.get(member);
    return other !== undefined && compareDecimals(other, value) !== 0;
  });
}

/**
 * Whether the year and its parts are comparable. No filing after a part's own, up to the annual report, may change the
 * part. In addition, one of three conditions must hold: the year was reported before, the annual report recasts no
 * earlier figures, or the filings of all parts recast earlier figures, too.
 */
function isOneBasis(parts: readonly UnifiedBreakdown[], year: UnifiedBreakdown, reported: readonly UnifiedBreakdown[]) {
  const listBetween = (part: UnifiedBreakdown) =>
    reported.filter(({ filed }) => filed > part.filed && filed <= year.filed);
  if (!parts.every((part) => areUndisputed([part], listBetween(part)))) return false;
  const listBefore = ({ filed }: UnifiedBreakdown) => reported.filter((other) => other.filed < filed);
  const hasRecast = ({ accession }: UnifiedBreakdown) =>
    reported.some(
      (own) => own.accession === accession && listBefore(own).some((other) => hasDifferentFigures(own, other)),
    );
  const isRepeated = listBefore(year).some(({ start, end }) => start === year.start && end === year.end);
  return isRepeated || !hasRecast(year) || parts.every(hasRecast);
}

/**
 * Returns the first three quarters of the year if each quarter starts on the day after the previous quarter; otherwise
 * an empty list.
 */
function selectFirstThreeQuarters(quarters: readonly UnifiedBreakdown[], start: string): readonly UnifiedBreakdown[] {
  const run: UnifiedBreakdown[] = [];
  for (const quarter of [...quarters].sort((a, b) => (a.end < b.end ? -1 : 1))) {
    const last = run.at(-1);
    if (quarter.start === (last === undefined ? start : addDays(last.end, 1))) run.push(quarter);
  }
  return run.length === 3 ? run : [];
}

/** Returns the year less its parts; null if the remaining period is not a quarter, or the members differ. */
function deriveRemainingQuarter(year: UnifiedBreakdown, parts: readonly UnifiedBreakdown[]): UnifiedBreakdown | null {
  const last = parts.at(-1);
  if (last === undefined) return null;
  const start = addDays(last.end, 1);
  const remainders = isQuarterLength(start, year.end) ? subtractParts(year, parts) : null;
  if (remainders === null) return null;
  const totals = parts.map((part) => part.total).filter((total) => total !== null);
  const hasTotal = year.total !== null && totals.length === parts.length;
  const total = hasTotal ? subtract(year.total, sum(totals)) : null;
  return { ...year, start, members: remainders, rows: subtractRows(year, parts, remainders), total };
}

/**
 * Returns the rows that the year and all its parts have; always those of the members that count. Omits the parts of a
 * member if one of them is missing.
 */
function subtractRows(
  { rows, measure }: UnifiedBreakdown,
  parts: readonly UnifiedBreakdown[],
  remainders: ReadonlyMap<string, Decimal>,
): BreakdownRow[] {
  const derive = (row: BreakdownRow): Decimal | null => {
    const remainder = row.role === 'member' ? remainders.get(row.member) : undefined;
    if (remainder !== undefined) return remainder;
    const amounts = parts.flatMap((part) =>
      part.rows.filter(({ member, role }) => member === row.member && role === row.role).map(({ value }) => value),
    );
    if (amounts.length !== parts.length) return null;
    const value = subtract(row.value, sum(amounts));
    return row.role === 'member' && value.startsWith('-') && isNeverNegative(measure) ? null : value;
  };
  const results = rows.map((row) => ({ row, value: derive(row) }));
  const incomplete = new Set(results.map(({ row, value }) => (value === null ? row.parent : null)));
  return results.flatMap(({ row, value }) => {
    const isCounted = row.role === 'member' && remainders.has(row.member);
    if (value === null || (row.parent !== null && incomplete.has(row.parent) && !isCounted)) return [];
    return [{ ...row, value }];
  });
}

function subtractParts(year: UnifiedBreakdown, parts: readonly UnifiedBreakdown[]): Map<string, Decimal> | null {
  const remainders = new Map<string, Decimal>();
  for (const [member, value] of year.members) {
    const amounts = parts.map(({ members }) => members.get(member));
    if (amounts.includes(undefined)) return null;
    const remainder = subtract(value, sum(amounts.filter((amount) => amount !== undefined)));
    if (remainder.startsWith('-') && isNeverNegative(year.measure)) return null;
    remainders.set(member, remainder);
  }
  return parts.some(({ members }) => members.size !== remainders.size) ? null : remainders;
}
