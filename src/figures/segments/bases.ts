/**
 * Which periods of a series compare with each other. A company that changes its segments recasts the years its next filing
 * reports, and not those before: their columns stay as an earlier filing reported them.
 */
import { compareDecimals, isZero } from '../../contract/decimal-text.ts';
import type { LeafBreakdown } from './subtotals.ts';

/**
 * One number per column: 1 for the newest and those on its basis, one more after each recast before them.
 * @param columns newest first, of one axis, concept and unit
 * @param reported all that filings report of it
 * @param fold the same for all names of a member
 */
export function basesOf(
  columns: readonly LeafBreakdown[],
  reported: readonly LeafBreakdown[],
  fold: (member: string) => string,
): readonly number[] {
  const recasts = recastsIn(reported, fold);
  let basis = 1;
  return columns.map((column, index) => {
    const newer = columns[index - 1];
    if (newer !== undefined && isRecastBetween(newer, column, recasts, fold)) basis += 1;
    return basis;
  });
}

/** Two filings that report a period differently: the segments were recast after the first, by the second at the latest. */
interface Recast {
  readonly after: string;
  readonly by: string;
}

function recastsIn(reported: readonly LeafBreakdown[], fold: (member: string) => string): readonly Recast[] {
  return reported.flatMap((one) =>
    reported
      .filter(({ filed, start, end }) => filed > one.filed && start === one.start && end === one.end)
      .filter((other) => isRecast(one, other, fold))
      .map((other) => ({ after: one.filed, by: other.filed })),
  );
}

/**
 * Whether two breakdowns of one period have other figures of their members or, where both account for the total, other
 * members; a zero is as good as no member.
 */
function isRecast(one: LeafBreakdown, other: LeafBreakdown, fold: (member: string) => string): boolean {
  const folded = ({ members }: LeafBreakdown) => new Map([...members].map(([name, value]) => [fold(name), value]));
  const [left, right] = [folded(one), folded(other)];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  const compared = one.complete && other.complete ? names : names.filter((name) => left.has(name) && right.has(name));
  return compared.some((name) => compareDecimals(left.get(name) ?? '0', right.get(name) ?? '0') !== 0);
}

function isRecastBetween(
  newer: LeafBreakdown,
  older: LeafBreakdown,
  recasts: readonly Recast[],
  fold: (member: string) => string,
): boolean {
  if (newer.accession === older.accession) return false;
  const [first, last] = newer.filed < older.filed ? [newer.filed, older.filed] : [older.filed, newer.filed];
  if (recasts.some(({ after, by }) => after >= first && by <= last)) return true;
  // Without a period that both filings report, members that took the place of others show it.
  const names = ({ members }: LeafBreakdown) =>
    new Set([...members].filter(([, value]) => !isZero(value)).map(([member]) => fold(member)));
  const [now, before] = [names(newer), names(older)];
  return [...now].some((name) => !before.has(name)) && [...before].some((name) => !now.has(name));
}
