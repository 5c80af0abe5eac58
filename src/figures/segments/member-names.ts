/** Finds names that denote the same member, because filers rename members and vary their spelling. */
import { type Decimal, extractSignificantDigits, isEqual } from '../../contract/decimal-text.ts';
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import { shortenName } from './axes.ts';
import type { LeafBreakdown } from './subtotals.ts';

/**
 * Returns a function that maps all names of a member to one name. Ignores prefix, case and a final `Segment`, except in
 * names that one filing uses side by side. Replaces a name by a later filing's name with equal figures for the same
 * periods.
 * @param breakdowns all breakdowns in filings for one axis, concept and unit
 */
export function createMemberNormalizer(breakdowns: readonly LeafBreakdown[]): (member: string) => string {
  const unifySpelling = createSpellingNormalizer(breakdowns);
  const newNameByName = findRenames(breakdowns, unifySpelling);
  return (member) => {
    const unifiedName = unifySpelling(member);
    return newNameByName.get(unifiedName) ?? unifiedName;
  };
}

function createSpellingNormalizer(breakdowns: readonly LeafBreakdown[]): (member: string) => string {
  const normalizeSpelling = (member: string) =>
    shortenName(member)
      .replace(/(?<=.)Segments?$/, '')
      .toLowerCase();
  const ambiguousNames = new Set<string>();
  for (const { members } of breakdowns) {
    const seenNames = new Set<string>();
    for (const member of members.keys()) {
      const plainName = normalizeSpelling(member);
      if (seenNames.has(plainName)) ambiguousNames.add(plainName);
      seenNames.add(plainName);
    }
  }
  return (member) => (ambiguousNames.has(normalizeSpelling(member)) ? member : normalizeSpelling(member));
}

/**
 * Minimum number of digits, in total, of the values that two names have in common; fewer digits may match by chance.
 */
const MIN_EQUAL_DIGITS = 4;

/** Values by member in one breakdown of a period. */
type ValueByMember = ReadonlyMap<string, Decimal>;

interface ReportedMembers {
  readonly period: string;
  readonly filed: string;
  readonly members: ValueByMember;
}

/** Returns the later name of each renamed member. */
function findRenames(
  breakdowns: readonly LeafBreakdown[],
  normalizeName: (member: string) => string,
): Map<string, string> {
  const reportedMembers = breakdowns.map(({ start, end, filed, members }) => ({
    ...{ period: `${start} ${end}`, filed },
    members: new Map([...members].map(([member, value]) => [normalizeName(member), value])),
  }));
  const nameComparison = new NameComparison(reportedMembers);
  for (const [earlierReport, laterReport] of findRestatements(reportedMembers))
    nameComparison.compare(earlierReport.members, laterReport.members);
  return nameComparison.findRenames();
}

/** Yields all pairs of an earlier and a later filing's breakdown of the same period. */
function* findRestatements(
  memberReports: readonly ReportedMembers[],
): Generator<readonly [earlier: ReportedMembers, later: ReportedMembers]> {
  for (const reportsOfPeriod of groupBy(memberReports, ({ period }) => period).values()) {
    for (const olderReport of reportsOfPeriod) {
      for (const newerReport of reportsOfPeriod)
        if (newerReport.filed > olderReport.filed) yield [olderReport, newerReport];
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

  constructor(memberReports: readonly ReportedMembers[]) {
    for (const { members } of memberReports)
      for (const name of members.keys())
        for (const otherName of members.keys()) this.#namePairsOfOneBreakdown.add(makeNamePairKey(name, otherName));
  }

  compare(earlierMembers: ValueByMember, laterMembers: ValueByMember): void {
    for (const [earlierName, earlierValue] of earlierMembers) {
      for (const [laterName, laterValue] of laterMembers) {
        const pair = this.#getPair(earlierName, laterName);
        if (pair === null) continue;
        if (isEqual(earlierValue, laterValue)) pair.equalDigits += extractSignificantDigits(earlierValue).length;
        else pair.hasDifferentValue = true;
      }
    }
  }

  /**
   * Returns the new name of each renamed member, by old name: both names have equal values. Omits a name if it occurs
   * in several such pairs.
   */
  findRenames(): Map<string, string> {
    const equalPairs = [...this.#pairByKey.values()].filter(
      (pair) => !pair.hasDifferentValue && pair.equalDigits >= MIN_EQUAL_DIGITS,
    );
    const [pairsByOldName, pairsByNewName] = [
      groupBy(equalPairs, (pair) => pair.oldName),
      groupBy(equalPairs, (pair) => pair.newName),
    ];
    const uniquePairs = equalPairs.filter(
      (pair) => pairsByOldName.get(pair.oldName)?.length === 1 && pairsByNewName.get(pair.newName)?.length === 1,
    );
    return new Map(uniquePairs.map((pair) => [pair.oldName, pair.newName]));
  }

  /** Returns the pair of two names; null if the names are equal or occur in the same breakdown. */
  #getPair(oldName: string, newName: string): NamePair | null {
    const key = makeNamePairKey(oldName, newName);
    if (oldName === newName || this.#namePairsOfOneBreakdown.has(key)) return null;
    return getOrInsert(this.#pairByKey, key, () => ({
      oldName,
      newName,
      equalDigits: 0,
      hasDifferentValue: false,
    }));
  }
}

const makeNamePairKey = (name: string, otherName: string): string => `${name} ${otherName}`;
