/**
 * Derives fourth quarters, which companies rarely break down: the year less its first nine months or three quarters,
 * for each member. Derives no quarter if the members differ, if segments may have been recast between the reports, or
 * if a measure that cannot be negative would be negative.
 */

import { subtract, sum } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';
import { detectPeriodKind, isQuarterLength } from '../periods/period-kind.ts';
import { isNeverNegative } from './measures.ts';
import type { LeafBreakdown } from './subtotals.ts';

type MemberNormalizer = (member: string) => string;

/** Maximum number of days from the first quarter's report to the annual report; usually about nine months pass. */
const MAX_REPORTING_CYCLE_DAYS = 330;

/**
 * Returns breakdowns of fourth quarters that no filing reports, with the accession number of the annual report.
 * @param chosenBreakdowns the chosen breakdowns of one axis, concept and unit
 * @param reportedBreakdowns all breakdowns in filings for the same axis, concept and unit, including the chosen
 * breakdowns
 * @param normalizeMember maps all names of a member to one name
 */
export function deriveFourthQuarters(
  chosenBreakdowns: readonly LeafBreakdown[],
  reportedBreakdowns: readonly LeafBreakdown[],
  normalizeMember: MemberNormalizer,
): readonly LeafBreakdown[] {
  return chosenBreakdowns.flatMap((year) => {
    const { start, end } = year;
    if (start === null || detectPeriodKind(start, end) !== 'annual') return [];
    const isWithinYear = (otherBreakdown: LeafBreakdown) =>
      otherBreakdown.start !== null && otherBreakdown.start >= start && otherBreakdown.end <= end;
    const quarters = chosenBreakdowns.filter(
      (breakdown) => isWithinYear(breakdown) && detectPeriodKind(breakdown.start, breakdown.end) === 'quarter',
    );
    if (quarters.some((breakdown) => breakdown.end === year.end)) return [];
    const nineMonthBreakdowns = reportedBreakdowns
      .filter(
        (breakdown) =>
          isWithinYear(breakdown) &&
          breakdown.start === year.start &&
          detectPeriodKind(breakdown.start, breakdown.end) === 'nine_month',
      )
      .sort(
        (a, b) =>
          Number(isReportedInOneCycle([b], year)) - Number(isReportedInOneCycle([a], year)) ||
          (a.filed > b.filed ? -1 : 1),
      );
    for (const parts of [
      ...nineMonthBreakdowns.map((breakdown) => [breakdown]),
      selectFirstThreeQuarters(quarters, start),
    ]) {
      const areComparable =
        isReportedInOneCycle(parts, year) || areUndisputed([year, ...parts], reportedBreakdowns, normalizeMember);
      const quarter =
        areComparable && isOneBasis(parts, year, reportedBreakdowns, normalizeMember)
          ? deriveRemainingQuarter(year, parts, normalizeMember)
          : null;
      if (quarter !== null) return [quarter];
    }
    return [];
  });
}

function isReportedInOneCycle(parts: readonly LeafBreakdown[], year: LeafBreakdown): boolean {
  return parts.every(
    (part) => part.filed <= year.filed && countDaysBetween(part.filed, year.filed) <= MAX_REPORTING_CYCLE_DAYS,
  );
}

/** Whether no filing reports any of the breakdowns differently. */
function areUndisputed(
  breakdowns: readonly LeafBreakdown[],
  reportedBreakdowns: readonly LeafBreakdown[],
  normalizeMember: MemberNormalizer,
): boolean {
  return breakdowns.every((breakdown) =>
    reportedBreakdowns.every((otherBreakdown) => !hasDifferentFigures(breakdown, otherBreakdown, normalizeMember)),
  );
}

/** Whether two breakdowns of the same period have different figures for a member. */
function hasDifferentFigures(
  breakdown: LeafBreakdown,
  otherBreakdown: LeafBreakdown,
  normalizeMember: MemberNormalizer,
): boolean {
  if (breakdown.start !== otherBreakdown.start || breakdown.end !== otherBreakdown.end) return false;
  const otherValueByMember = new Map(
    [...otherBreakdown.members].map(([member, value]) => [normalizeMember(member), value]),
  );
  return [...breakdown.members].some(([member, value]) => {
    const otherValue = otherValueByMember.get(normalizeMember(member));
    return otherValue !== undefined && compareDecimals(otherValue, value) !== 0;
  });
}

/**
 * Whether the year and its parts are comparable. No filing after a part's own, up to the annual report, may change the
 * part. In addition, the year was reported before, the annual report recasts no earlier figures, or the filings of all
 * parts recast earlier figures, too.
 */
function isOneBasis(
  parts: readonly LeafBreakdown[],
  year: LeafBreakdown,
  reportedBreakdowns: readonly LeafBreakdown[],
  normalizeMember: MemberNormalizer,
): boolean {
  const listBreakdownsFiledBetween = (part: LeafBreakdown) =>
    reportedBreakdowns.filter(({ filed }) => filed > part.filed && filed <= year.filed);
  if (!parts.every((part) => areUndisputed([part], listBreakdownsFiledBetween(part), normalizeMember))) return false;
  const listBreakdownsFiledBefore = ({ filed }: LeafBreakdown) =>
    reportedBreakdowns.filter((otherBreakdown) => otherBreakdown.filed < filed);
  const doesFilingRecastFigures = ({ accession }: LeafBreakdown) =>
    reportedBreakdowns.some(
      (ownBreakdown) =>
        ownBreakdown.accession === accession &&
        listBreakdownsFiledBefore(ownBreakdown).some((otherBreakdown) =>
          hasDifferentFigures(ownBreakdown, otherBreakdown, normalizeMember),
        ),
    );
  const isYearReportedBefore = listBreakdownsFiledBefore(year).some(
    ({ start, end }) => start === year.start && end === year.end,
  );
  return isYearReportedBefore || !doesFilingRecastFigures(year) || parts.every(doesFilingRecastFigures);
}

/**
 * Returns the first three quarters of the year if each quarter starts on the day after the previous quarter; otherwise
 * an empty list.
 */
function selectFirstThreeQuarters(quarters: readonly LeafBreakdown[], start: string): readonly LeafBreakdown[] {
  const consecutiveQuarters: LeafBreakdown[] = [];
  for (const quarter of [...quarters].sort((a, b) => (a.end < b.end ? -1 : 1))) {
    const lastBreakdown = consecutiveQuarters.at(-1);
    if (quarter.start === (lastBreakdown === undefined ? start : addDays(lastBreakdown.end, 1)))
      consecutiveQuarters.push(quarter);
  }
  return consecutiveQuarters.length === 3 ? consecutiveQuarters : [];
}

/** Returns the year less its parts; null if the remaining period is not a quarter, or the members differ. */
function deriveRemainingQuarter(
  year: LeafBreakdown,
  parts: readonly LeafBreakdown[],
  normalizeMember: MemberNormalizer,
): LeafBreakdown | null {
  const lastPart = parts.at(-1);
  if (lastPart === undefined) return null;
  const start = addDays(lastPart.end, 1);
  const remainders = isQuarterLength(start, year.end) ? subtractParts(year, parts, normalizeMember) : null;
  if (remainders === null) return null;
  const totals = parts.map((part) => part.total).filter((total) => total !== null);
  const isTotalKnown = year.total !== null && totals.length === parts.length;
  return { ...year, start, members: remainders, total: isTotalKnown ? subtract(year.total, sum(totals)) : null };
}

function subtractParts(
  year: LeafBreakdown,
  parts: readonly LeafBreakdown[],
  normalizeMember: MemberNormalizer,
): ReadonlyMap<string, Decimal> | null {
  const partValueMaps = parts.map(
    (part) => new Map([...part.members].map(([member, value]) => [normalizeMember(member), value])),
  );
  const remainderByMember = new Map<string, Decimal>();
  for (const [member, value] of year.members) {
    const partAmounts = partValueMaps.map((part) => part.get(normalizeMember(member)));
    if (partAmounts.includes(undefined)) return null;
    const remainder = subtract(value, sum(partAmounts.filter((amount) => amount !== undefined)));
    if (remainder.startsWith('-') && isNeverNegative(year.measure)) return null;
    remainderByMember.set(member, remainder);
  }
  return partValueMaps.some((part) => part.size !== remainderByMember.size) ? null : remainderByMember;
}
