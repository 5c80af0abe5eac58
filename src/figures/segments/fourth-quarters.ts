/**
 * Fourth quarters, which companies rarely break down: the year less its first nine months, or less its
 * three quarters, member by member.
 *
 * Both sides must name the same members under the same concept; where a recast lies between them, the
 * difference would be no quarter of anything and is withheld. So is one that cannot be.
 */
import type { Decimal } from '../../contract/decimal.ts';
import { subtract } from '../arithmetic.ts';
import { addDays } from '../days.ts';
import { isQuarterLength, periodKind } from '../periods.ts';
import { isNeverNegative } from './measures.ts';
import { sum } from './sums.ts';
import type { CleanCut } from './types.ts';

/** Cuts of one axis, concept and unit. `fold` tells which spellings are one member. Filed as the year is. */
export function fourthQuarters(cuts: readonly CleanCut[], fold: (member: string) => string): readonly CleanCut[] {
  const made: CleanCut[] = [];
  for (const year of cuts) {
    if (year.start === null || periodKind(year.start, year.end) !== 'annual') continue;
    const quarter = lastQuarter(year, cuts, fold);
    if (quarter !== null) made.push(quarter);
  }
  return made;
}

function lastQuarter(year: CleanCut, cuts: readonly CleanCut[], fold: (member: string) => string): CleanCut | null {
  const within = (kind: string) =>
    cuts.filter(
      (cut) =>
        cut.start !== null &&
        cut.start >= (year.start ?? '') &&
        cut.end <= year.end &&
        periodKind(cut.start, cut.end) === kind,
    );
  const quarters = within('quarter').sort((a, b) => (a.end < b.end ? -1 : 1));
  if (quarters.some((cut) => cut.end === year.end)) return null;
  const nineMonths = within('nine_month').find((cut) => cut.start === year.start);
  for (const parts of [nineMonths === undefined ? [] : [nineMonths], contiguous(quarters, year.start)]) {
    const last = parts.at(-1);
    if (last === undefined || (parts.length !== 1 && parts.length !== 3)) continue;
    const start = addDays(last.end, 1);
    if (!isQuarterLength(start, year.end)) continue;
    const members = difference(year, parts, fold);
    if (members === null) continue;
    const totals = parts.map((part) => part.total);
    const total =
      year.total === null || totals.includes(null)
        ? null
        : subtract(year.total, sum(totals.filter((value) => value !== null)));
    return { ...year, start, members, total };
  }
  return null;
}

/** The first three quarters, each beginning the day after the one before. */
function contiguous(quarters: readonly CleanCut[], start: string | null): readonly CleanCut[] {
  const run: CleanCut[] = [];
  for (const quarter of quarters) {
    const last = run.at(-1);
    if (quarter.start === (last === undefined ? start : addDays(last.end, 1))) run.push(quarter);
  }
  return run.length === 3 ? run : [];
}

function difference(
  year: CleanCut,
  parts: readonly CleanCut[],
  fold: (member: string) => string,
): ReadonlyMap<string, Decimal> | null {
  const folded = parts.map((part) => new Map([...part.members].map(([member, value]) => [fold(member), value])));
  const members = new Map<string, Decimal>();
  for (const [member, value] of year.members) {
    const taken = folded.map((part) => part.get(fold(member)));
    if (taken.includes(undefined)) return null;
    const rest = subtract(value, sum(taken.filter((part) => part !== undefined)));
    if (rest.startsWith('-') && isNeverNegative(year.measure)) return null;
    members.set(member, rest);
  }
  return folded.some((part) => part.size !== members.size) ? null : members;
}
