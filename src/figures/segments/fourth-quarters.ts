/**
 * Derives fourth quarters, which companies rarely break down: the year less its first nine months or three quarters,
 * member by member.
 * Both must have the same members, concept and basis, and be reported within one year or be undisputed by other
 * filings. Returns no quarter if segments may have been recast in between, or it would be impossibly negative.
 */

import { subtract, sum } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import { addDays, daysBetween } from '../../platform/dates.ts';
import { isQuarterLength, periodKind } from '../periods/period-kind.ts';
import { isNeverNegative } from './measures.ts';
import type { LeafBreakdown } from './subtotals.ts';

type Fold = (member: string) => string;

/** About nine months pass from the first quarter's report to the annual report. */
const CYCLE_DAYS = 330;

/**
 * @param chosenBreakdowns the chosen breakdowns of one axis, concept and unit
 * @param reportedBreakdowns all breakdowns in filings for it, including the chosen ones
 * @param fold maps all spellings of a member to one
 * @returns breakdowns of fourth quarters that no filing reports, with the filing of the year
 */
export function fourthQuarters(
  chosenBreakdowns: readonly LeafBreakdown[],
  reportedBreakdowns: readonly LeafBreakdown[],
  fold: Fold,
): readonly LeafBreakdown[] {
  return chosenBreakdowns.flatMap((year) => {
    const { start, end } = year;
    if (start === null || periodKind(start, end) !== 'annual') return [];
    const within = (otherBreakdown: LeafBreakdown) =>
      otherBreakdown.start !== null && otherBreakdown.start >= start && otherBreakdown.end <= end;
    const quarters = chosenBreakdowns.filter(
      (breakdown) => within(breakdown) && periodKind(breakdown.start, breakdown.end) === 'quarter',
    );
    if (quarters.some((breakdown) => breakdown.end === year.end)) return [];
    const nineMonths = reportedBreakdowns
      .filter(
        (breakdown) =>
          within(breakdown) &&
          breakdown.start === year.start &&
          periodKind(breakdown.start, breakdown.end) === 'nine_month',
      )
      .sort((a, b) => Number(isOneCycle([b], year)) - Number(isOneCycle([a], year)) || (a.filed > b.filed ? -1 : 1));
    for (const parts of [...nineMonths.map((breakdown) => [breakdown]), contiguous(quarters, start)]) {
      const agree = isOneCycle(parts, year) || isUndisputed([year, ...parts], reportedBreakdowns, fold);
      const quarter = agree && isOneBasis(parts, year, reportedBreakdowns, fold) ? rest(year, parts, fold) : null;
      if (quarter !== null) return [quarter];
    }
    return [];
  });
}

function isOneCycle(parts: readonly LeafBreakdown[], year: LeafBreakdown): boolean {
  return parts.every((part) => part.filed <= year.filed && daysBetween(part.filed, year.filed) <= CYCLE_DAYS);
}

/** Whether no filing reports one of them differently. */
function isUndisputed(
  breakdowns: readonly LeafBreakdown[],
  reportedBreakdowns: readonly LeafBreakdown[],
  fold: Fold,
): boolean {
  return breakdowns.every((breakdown) =>
    reportedBreakdowns.every((otherBreakdown) => !differs(breakdown, otherBreakdown, fold)),
  );
}

/** Whether two reports of a period give different figures for a member. */
function differs(breakdown: LeafBreakdown, otherBreakdown: LeafBreakdown, fold: Fold): boolean {
  if (breakdown.start !== otherBreakdown.start || breakdown.end !== otherBreakdown.end) return false;
  const values = new Map([...otherBreakdown.members].map(([member, value]) => [fold(member), value]));
  return [...breakdown.members].some(([member, value]) => {
    const again = values.get(fold(member));
    return again !== undefined && compareDecimals(again, value) !== 0;
  });
}

/**
 * Whether no part was reported differently before the annual filing, and the year has the basis of its parts: it was
 * reported before, or its filing recasts no earlier figures, or the parts' filings recast theirs too.
 */
function isOneBasis(
  parts: readonly LeafBreakdown[],
  year: LeafBreakdown,
  reportedBreakdowns: readonly LeafBreakdown[],
  fold: Fold,
): boolean {
  const between = (part: LeafBreakdown) =>
    reportedBreakdowns.filter(({ filed }) => filed > part.filed && filed <= year.filed);
  if (!parts.every((part) => isUndisputed([part], between(part), fold))) return false;
  const before = ({ filed }: LeafBreakdown) =>
    reportedBreakdowns.filter((otherBreakdown) => otherBreakdown.filed < filed);
  const recasts = ({ accession }: LeafBreakdown) =>
    reportedBreakdowns.some(
      (ownBreakdown) =>
        ownBreakdown.accession === accession &&
        before(ownBreakdown).some((otherBreakdown) => differs(ownBreakdown, otherBreakdown, fold)),
    );
  const isRepeated = before(year).some(({ start, end }) => start === year.start && end === year.end);
  return isRepeated || !recasts(year) || parts.every(recasts);
}

/** The first three quarters, each starting the day after the previous one ends. */
function contiguous(quarters: readonly LeafBreakdown[], start: string): readonly LeafBreakdown[] {
  const run: LeafBreakdown[] = [];
  for (const quarter of [...quarters].sort((a, b) => (a.end < b.end ? -1 : 1))) {
    const lastBreakdown = run.at(-1);
    if (quarter.start === (lastBreakdown === undefined ? start : addDays(lastBreakdown.end, 1))) run.push(quarter);
  }
  return run.length === 3 ? run : [];
}

/** The year less its parts; null if the rest is not a quarter, or has other members. */
function rest(year: LeafBreakdown, parts: readonly LeafBreakdown[], fold: Fold): LeafBreakdown | null {
  const lastPart = parts.at(-1);
  if (lastPart === undefined) return null;
  const start = addDays(lastPart.end, 1);
  const members = isQuarterLength(start, year.end) ? difference(year, parts, fold) : null;
  if (members === null) return null;
  const totals = parts.map((part) => part.total).filter((total) => total !== null);
  const known = year.total !== null && totals.length === parts.length;
  return { ...year, start, members, total: known ? subtract(year.total, sum(totals)) : null };
}

function difference(
  year: LeafBreakdown,
  parts: readonly LeafBreakdown[],
  fold: Fold,
): ReadonlyMap<string, Decimal> | null {
  const folded = parts.map((part) => new Map([...part.members].map(([member, value]) => [fold(member), value])));
  const members = new Map<string, Decimal>();
  for (const [member, value] of year.members) {
    const taken = folded.map((part) => part.get(fold(member)));
    if (taken.includes(undefined)) return null;
    const left = subtract(value, sum(taken.filter((part) => part !== undefined)));
    if (left.startsWith('-') && isNeverNegative(year.measure)) return null;
    members.set(member, left);
  }
  return folded.some((part) => part.size !== members.size) ? null : members;
}
