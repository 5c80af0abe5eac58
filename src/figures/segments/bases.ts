/**
 * Numbers the bases of a series: periods with the same basis number are comparable. A company that changes its segments
 * recasts the years shown in its next filing, but not earlier years, whose figures remain as reported before.
 */
import { compareDecimals, isZero } from '../../contract/decimal-text.ts';
import type { LeafBreakdown } from './subtotals.ts';

/**
 * Returns the basis number of each column: 1 for the newest column, and one more for the columns before each recast.
 * @param columns breakdowns of one axis, concept and unit, newest first
 * @param reportedBreakdowns all breakdowns in filings for the same axis, concept and unit
 * @param normalizeMember maps all names of a member to one name
 */
export function assignBasisNumbers(
  columns: readonly LeafBreakdown[],
  reportedBreakdowns: readonly LeafBreakdown[],
  normalizeMember: (member: string) => string,
): readonly number[] {
  const recasts = findRecasts(reportedBreakdowns, normalizeMember);
  let basisNumber = 1;
  return columns.map((column, index) => {
    const newerColumn = columns[index - 1];
    if (newerColumn !== undefined && isRecastBetween(newerColumn, column, recasts, normalizeMember)) basisNumber += 1;
    return basisNumber;
  });
}

/**
 * A recast of segments between two filings that report one period differently, filed on the days `after` and `until`.
 */
interface Recast {
  readonly after: string;
  readonly until: string;
}

function findRecasts(
  reportedBreakdowns: readonly LeafBreakdown[],
  normalizeMember: (member: string) => string,
): readonly Recast[] {
  return reportedBreakdowns.flatMap((earlierBreakdown) =>
    reportedBreakdowns
      .filter(
        ({ filed, start, end }) =>
          filed > earlierBreakdown.filed && start === earlierBreakdown.start && end === earlierBreakdown.end,
      )
      .filter((laterBreakdown) => isRecast(earlierBreakdown, laterBreakdown, normalizeMember))
      .map((laterBreakdown) => ({ after: earlierBreakdown.filed, until: laterBreakdown.filed })),
  );
}

/**
 * Whether two breakdowns of a period have different figures for a member. If both breakdowns add up to the total, a
 * missing member counts as zero; otherwise only members of both are compared.
 */
function isRecast(
  earlierBreakdown: LeafBreakdown,
  laterBreakdown: LeafBreakdown,
  normalizeMember: (member: string) => string,
): boolean {
  const normalizeMembers = ({ members }: LeafBreakdown) =>
    new Map([...members].map(([member, value]) => [normalizeMember(member), value]));
  const [earlierValues, laterValues] = [normalizeMembers(earlierBreakdown), normalizeMembers(laterBreakdown)];
  const normalizedNames = [...new Set([...earlierValues.keys(), ...laterValues.keys()])];
  const comparedNames =
    earlierBreakdown.isComplete && laterBreakdown.isComplete
      ? normalizedNames
      : normalizedNames.filter((name) => earlierValues.has(name) && laterValues.has(name));
  return comparedNames.some(
    (name) => compareDecimals(earlierValues.get(name) ?? '0', laterValues.get(name) ?? '0') !== 0,
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
  // Without a known recast, new members in place of old members show that the company recast its segments.
  const listNonZeroNames = ({ members }: LeafBreakdown) =>
    new Set([...members].filter(([, value]) => !isZero(value)).map(([member]) => normalizeMember(member)));
  const [newerNames, olderNames] = [listNonZeroNames(newerBreakdown), listNonZeroNames(olderBreakdown)];
  return [...newerNames].some((name) => !olderNames.has(name)) && [...olderNames].some((name) => !newerNames.has(name));
}
