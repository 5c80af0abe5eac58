/**
 * Finds which periods of a series are comparable. A company that changes its segments recasts the years in its next
 * filing, but not earlier ones: these stay as earlier filings reported them.
 */
import { compareDecimals, isZero } from '../../contract/decimal-text.ts';
import type { LeafBreakdown } from './subtotals.ts';

/**
 * Returns one number per column: 1 for the newest and columns with the same basis, increased by one before each
 * recast.
 * @param columns newest first, of one axis, concept and unit
 * @param reportedBreakdowns all breakdowns in filings for it
 * @param fold maps all names of a member to one
 */
export function basesOf(
  columns: readonly LeafBreakdown[],
  reportedBreakdowns: readonly LeafBreakdown[],
  fold: (member: string) => string,
): readonly number[] {
  const recasts = recastsIn(reportedBreakdowns, fold);
  let basis = 1;
  return columns.map((column, index) => {
    const newerColumn = columns[index - 1];
    if (newerColumn !== undefined && isRecastBetween(newerColumn, column, recasts, fold)) basis += 1;
    return basis;
  });
}

/** Two filings that report a period differently: segments were recast after the first, at the latest by the second. */
interface Recast {
  readonly after: string;
  readonly by: string;
}

function recastsIn(reportedBreakdowns: readonly LeafBreakdown[], fold: (member: string) => string): readonly Recast[] {
  return reportedBreakdowns.flatMap((breakdown) =>
    reportedBreakdowns
      .filter(({ filed, start, end }) => filed > breakdown.filed && start === breakdown.start && end === breakdown.end)
      .filter((otherBreakdown) => isRecast(breakdown, otherBreakdown, fold))
      .map((otherBreakdown) => ({ after: breakdown.filed, by: otherBreakdown.filed })),
  );
}

/**
 * Whether two breakdowns of a period have different figures for a member, or, if both add up to the total, different
 * members. A zero counts as a missing member.
 */
function isRecast(breakdown: LeafBreakdown, otherBreakdown: LeafBreakdown, fold: (member: string) => string): boolean {
  const folded = ({ members }: LeafBreakdown) => new Map([...members].map(([name, value]) => [fold(name), value]));
  const [left, right] = [folded(breakdown), folded(otherBreakdown)];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  const compared =
    breakdown.complete && otherBreakdown.complete ? names : names.filter((name) => left.has(name) && right.has(name));
  return compared.some((name) => compareDecimals(left.get(name) ?? '0', right.get(name) ?? '0') !== 0);
}

function isRecastBetween(
  newerBreakdown: LeafBreakdown,
  olderBreakdown: LeafBreakdown,
  recasts: readonly Recast[],
  fold: (member: string) => string,
): boolean {
  if (newerBreakdown.accession === olderBreakdown.accession) return false;
  const [first, last] =
    newerBreakdown.filed < olderBreakdown.filed
      ? [newerBreakdown.filed, olderBreakdown.filed]
      : [olderBreakdown.filed, newerBreakdown.filed];
  if (recasts.some(({ after, by }) => after >= first && by <= last)) return true;
  // If no period is in both filings, members that replaced others show a recast.
  const names = ({ members }: LeafBreakdown) =>
    new Set([...members].filter(([, value]) => !isZero(value)).map(([member]) => fold(member)));
  const [now, before] = [names(newerBreakdown), names(olderBreakdown)];
  return [...now].some((name) => !before.has(name)) && [...before].some((name) => !now.has(name));
}
