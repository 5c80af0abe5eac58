/** Finds names that denote the same member, because filers rename members and vary their spelling. */
import { type Decimal, extractSignificantDigits, isEqual } from '../../contract/decimal-text.ts';
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import { groupByPeriod } from '../periods/period-map.ts';
import { shortenName } from './axes.ts';
import type { LeafBreakdown } from './subtotals.ts';

/**
 * Returns a function that maps all names of a member to one name. Ignores prefix, case and a final `Segment`, except in
 * names that one filing uses side by side. Replaces a name by a later filing's name with equal figures for the same
 * periods.
 * @param breakdowns all breakdowns in filings for one axis, concept and unit
 */
export function createMemberNormalizer(breakdowns: readonly LeafBreakdown[]): (member: string) => string {
  const unify = createSpellingNormalizer(breakdowns);
  const renames = findRenames(breakdowns, unify);
  return (member) => {
    const name = unify(member);
    return renames.get(name) ?? name;
  };
}

/** A breakdown whose members have the names that denote them in all filings. */
export interface UnifiedBreakdown extends LeafBreakdown {
  /** The names in the filing, by the names in `members` and `rows`. */
  readonly filedNameByMember: ReadonlyMap<string, string>;
}

/** @param normalize maps all names of a member to one name */
export function unifyMembers(breakdown: LeafBreakdown, normalize: (member: string) => string): UnifiedBreakdown {
  const members = new Map([...breakdown.members].map(([member, value]) => [normalize(member), value]));
  const filedNameByMember = new Map(breakdown.rows.map(({ member }) => [normalize(member), member]));
  const rows = breakdown.rows.map((row) => ({
    ...row,
    member: normalize(row.member),
    parent: row.parent === null ? null : normalize(row.parent),
  }));
  return { ...breakdown, members, rows, filedNameByMember };
}

function createSpellingNormalizer(breakdowns: readonly LeafBreakdown[]): (member: string) => string {
  const normalize = (member: string) =>
    shortenName(member)
      .replace(/(?<=.)Segments?$/, '')
      .toLowerCase();
  const ambiguous = new Set<string>();
  for (const { rows } of breakdowns) {
    const seen = new Set<string>();
    for (const { member } of rows) {
      const name = normalize(member);
      if (seen.has(name)) ambiguous.add(name);
      seen.add(name);
    }
  }
  return (member) => (ambiguous.has(normalize(member)) ? member : normalize(member));
}

/**
 * Minimum number of digits, in total, of the values that two names have in common; fewer digits may match by chance.
 */
const MIN_EQUAL_DIGITS = 4;

/** Values by member in one breakdown of a period. */
type ValueByMember = ReadonlyMap<string, Decimal>;

/** Returns the later name of each renamed member. */
function findRenames(breakdowns: readonly LeafBreakdown[], normalize: (member: string) => string): Map<string, string> {
  const reports = breakdowns.map((breakdown) => unifyMembers(breakdown, normalize));
  const comparison = new NameComparison(reports);
  for (const [earlier, later] of findRestatements(reports))
    comparison.compare(selectMembers(earlier), selectMembers(later));
  return comparison.findRenames();
}

/** Returns the values of the members, of those above them and of their parts, without reconciling items. */
export const selectMembers = ({ rows }: LeafBreakdown): ValueByMember =>
  new Map(rows.flatMap(({ member, value, role }) => (role === 'member' ? [[member, value]] : [])));

/** Yields all pairs of an earlier and a later filing's breakdown of the same period. */
function* findRestatements(
  reports: readonly LeafBreakdown[],
): Generator<readonly [earlier: LeafBreakdown, later: LeafBreakdown]> {
  for (const ofPeriod of groupByPeriod(reports)) {
    for (const older of ofPeriod) {
      for (const newer of ofPeriod) if (newer.filed > older.filed) yield [older, newer];
    }
  }
}

/** Two names that never occur in the same breakdown, and the result of comparing their values. */
interface NamePair {
  readonly oldName: string;
  readonly newName: string;
  equalDigits: number;
  hasDifferentValue: boolean;
}

class NameComparison {
  readonly #namePairsOfOneBreakdown = new Set<string>();
  readonly #pairByKey = new Map<string, NamePair>();

  constructor(reports: readonly LeafBreakdown[]) {
    for (const { rows } of reports)
      for (const { member: name } of rows)
        for (const { member: other } of rows) this.#namePairsOfOneBreakdown.add(makeNamePairKey(name, other));
  }

  compare(earlier: ValueByMember, later: ValueByMember): void {
    for (const [oldName, oldValue] of earlier) {
      for (const [newName, newValue] of later) {
        const pair = this.#getPair(oldName, newName);
        if (pair === null) continue;
        if (isEqual(oldValue, newValue)) pair.equalDigits += extractSignificantDigits(oldValue).length;
        else pair.hasDifferentValue = true;
      }
    }
  }

  /**
   * Returns the new name of each renamed member, by old name: both names have equal values. Omits a name if it occurs
   * in several such pairs.
   */
  findRenames(): Map<string, string> {
    const pairs = [...this.#pairByKey.values()].filter(
      (pair) => !pair.hasDifferentValue && pair.equalDigits >= MIN_EQUAL_DIGITS,
    );
    const [byOld, byNew] = [groupBy(pairs, (pair) => pair.oldName), groupBy(pairs, (pair) => pair.newName)];
    const uniquePairs = pairs.filter(
      (pair) => byOld.get(pair.oldName)?.length === 1 && byNew.get(pair.newName)?.length === 1,
    );
    return new Map(uniquePairs.map((pair) => [pair.oldName, pair.newName]));
  }

  /** Returns the pair of two names; null if the names are equal or occur in the same breakdown. */
  #getPair(oldName: string, newName: string): NamePair | null {
    const key = makeNamePairKey(oldName, newName);
    if (oldName === newName || this.#namePairsOfOneBreakdown.has(key)) return null;
    return getOrInsert(this.#pairByKey, key, () => ({ oldName, newName, equalDigits: 0, hasDifferentValue: false }));
  }
}

const makeNamePairKey = (name: string, other: string): string => `${name} ${other}`;
