/**
 * Numbers the bases of a series: periods with the same basis number are comparable. A company that changes its segments
 * recasts the years shown in its next filing, but not earlier years, whose figures remain as reported before.
 */
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import { selectMembers } from './member-names.ts';
import type { LeafBreakdown } from './subtotals.ts';

/**
 * Returns the basis number of each column: 1 for the newest column, and one more for the columns before each recast.
 * A member has one name in all breakdowns.
 * @param columns breakdowns of one axis, concept and unit, newest first
 * @param reported all breakdowns in filings for the same axis, concept and unit
 */
export function assignBasisNumbers(columns: readonly LeafBreakdown[], reported: readonly LeafBreakdown[]): number[] {
  const recasts = findRecasts(reported);
  let basis = 1;
  return columns.map((column, index) => {
    const newer = columns[index - 1];
    if (newer !== undefined && isRecastBetween(newer, column, recasts)) basis += 1;
    return basis;
  });
}

/**
 * A recast of segments between two filings that report one period differently, filed on the days `after` and `until`.
 */
interface Recast {
  readonly after: string;
  readonly until: string;
}

const findRecasts = (reported: readonly LeafBreakdown[]): readonly Recast[] =>
  reported.flatMap((earlier) =>
    reported
      .filter(({ filed, start, end }) => filed > earlier.filed && start === earlier.start && end === earlier.end)
      .filter((later) => isRecast(earlier, later))
      .map((later) => ({ after: earlier.filed, until: later.filed })),
  );

/**
 * Whether two breakdowns of a period have different figures for a member. If both breakdowns add up to the total, a
 * missing member counts as zero, unless it is a part or has parts: filings may state parts that others do not.
 */
function isRecast(earlier: LeafBreakdown, later: LeafBreakdown): boolean {
  const [before, after] = [selectMembers(earlier), selectMembers(later)];
  if ([...before].some(([name, value]) => compareDecimals(value, after.get(name) ?? value) !== 0)) return true;
  if (!earlier.isComplete || !later.isComplete) return false;
  const lacksMember = ({ rows }: LeafBreakdown, other: ReadonlyMap<string, Decimal>) =>
    rows.some(
      ({ member, value, parent, role }) =>
        role === 'member' &&
        parent === null &&
        !isZero(value) &&
        !other.has(member) &&
        !rows.some((row) => row.parent === member),
    );
  return lacksMember(earlier, after) || lacksMember(later, before);
}

function isRecastBetween(newer: LeafBreakdown, older: LeafBreakdown, recasts: readonly Recast[]): boolean {
  if (newer.accession === older.accession) return false;
  const [first, last] = newer.filed < older.filed ? [newer.filed, older.filed] : [older.filed, newer.filed];
  if (recasts.some(({ after, until }) => after >= first && until <= last)) return true;
  // Without a known recast, new members in place of old members show that the company recast its segments.
  const listNames = (breakdown: LeafBreakdown) =>
    new Set([...selectMembers(breakdown)].filter(([, value]) => !isZero(value)).map(([name]) => name));
  const [newNames, oldNames] = [listNames(newer), listNames(older)];
  return [...newNames].some((name) => !oldNames.has(name)) && [...oldNames].some((name) => !newNames.has(name));
}
