/**
 * Finds which periods of a series are comparable. A company that changes its segments recasts the years shown in its
 * next filing, but not earlier years, whose figures remain as earlier filings reported them.
 */
import { compareDecimals, isZero } from '../../contract/decimal-text.ts';
import type { LeafBreakdown } from './subtotals.ts';

/**
 * Returns the basis number of each column: 1 for the newest column, increased by one at each recast back in time.
 * @param columns breakdowns of one axis, concept and unit, newest first
 * @param reportedBreakdowns all breakdowns in filings for the same axis, concept and unit
 * @param normalizeMember maps all names of a member to one name
 */
export function numberBases(
  columns: readonly LeafBreakdown[],
  reportedBreakdowns: readonly LeafBreakdown[],
  normalizeMember: (member: string) => string,
): readonly number[] {
  const recasts = findRecasts(reportedBreakdowns, normalizeMember);
  let basis = 1;
  return columns.map((column, index) => {
    const newerColumn = columns[index - 1];
    if (newerColumn !== undefined && isRecastBetween(newerColumn, column, recasts, normalizeMember)) basis += 1;
    return basis;
  });
}

/**
 * A recast of segments between two filings that report a period differently: after the day `after`, by the day `until`.
 */
interface Recast {
  readonly after: string;
  readonly until: string;
}

function findRecasts(
  reportedBreakdowns: readonly LeafBreakdown[],
  normalizeMember: (member: string) => string,
): readonly Recast[] {
  return reportedBreakdowns.flatMap((breakdown) =>
    reportedBreakdowns
      .filter(({ filed, start, end }) => filed > breakdown.filed && start === breakdown.start && end === breakdown.end)
      .filter((otherBreakdown) => isRecast(breakdown, otherBreakdown, normalizeMember))
      .map((otherBreakdown) => ({ after: breakdown.filed, until: otherBreakdown.filed })),
  );
}

/**
 * Whether two breakdowns of a period have different figures for a member or, if both add up to the total, different
 * members. A zero equals a missing member.
 */
function isRecast(
  breakdown: LeafBreakdown,
  otherBreakdown: LeafBreakdown,
  normalizeMember: (member: string) => string,
): boolean {
  const normalizedMembers = ({ members }: LeafBreakdown) =>
    new Map([...members].map(([name, value]) => [normalizeMember(name), value]));
  const [newerValues, olderValues] = [normalizedMembers(breakdown), normalizedMembers(otherBreakdown)];
  const names = [...new Set([...newerValues.keys(), ...olderValues.keys()])];
  const comparedNames =
    breakdown.complete && otherBreakdown.complete
      ? names
      : names.filter((name) => newerValues.has(name) && olderValues.has(name));
  return comparedNames.some(
    (name) => compareDecimals(newerValues.get(name) ?? '0', olderValues.get(name) ?? '0') !== 0,
  );
}

function isRecastBetween(
  newerBreakdown: LeafBreakdown,
  olderBreakdown: LeafBreakdown,
  recasts: readonly Recast[],
  normalizeMember: (member: string) => string,
): boolean {
  if (newerBreakdown.accession === olderBreakdown.accession) return false;
  const [firstDay, lastDay] =
    newerBreakdown.filed < olderBreakdown.filed
      ? [newerBreakdown.filed, olderBreakdown.filed]
      : [olderBreakdown.filed, newerBreakdown.filed];
  if (recasts.some(({ after, until }) => after >= firstDay && until <= lastDay)) return true;
  // If no filing reports both periods, new members in place of old members show a recast.
  const nonZeroNames = ({ members }: LeafBreakdown) =>
    new Set([...members].filter(([, value]) => !isZero(value)).map(([member]) => normalizeMember(member)));
  const [newerNames, olderNames] = [nonZeroNames(newerBreakdown), nonZeroNames(olderBreakdown)];
  return [...newerNames].some((name) => !olderNames.has(name)) && [...olderNames].some((name) => !newerNames.has(name));
}
