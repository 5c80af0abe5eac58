/** A company's breakdowns over time, assembled from all its reports. */

import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { Segments } from '../../contract/resources/segments.ts';
import { classifyForm } from '../../edgar/filings/forms.ts';
import type { FiledReport } from '../../edgar/reports/xbrl-report.ts';
import { assertDefined, getOrInsert, groupBy } from '../../platform/collections.ts';
import type { FiscalCalendar } from '../facts/fiscal-calendar.ts';
import { detectPeriodKind } from '../periods/period-kind.ts';
import { type AxisName, isAggregate, labelMember } from './axes.ts';
import type { RowRole } from './breakdown-rows.ts';
import { type Breakdown, extractBreakdowns } from './breakdowns.ts';
import { deriveFourthQuarters } from './fourth-quarters.ts';
import { findRank, MEASURES } from './measures.ts';
import { createMemberNormalizer, selectMembers, type UnifiedBreakdown, unifyMembers } from './member-names.ts';
import { orderAsTree, placeRows } from './series-rows.ts';
import { type LeafBreakdown, removeSubtotals } from './subtotals.ts';

/**
 * The values of one measure along one axis over time. Periods are sorted latest first, members by their latest value,
 * largest first, each followed by its parts.
 */
export interface SegmentSeries extends Pick<LeafBreakdown, 'axis' | 'measure' | 'concept' | 'unit'> {
  readonly period: Segments['period'];
  readonly periods: readonly SeriesPeriod[];
  readonly members: readonly SeriesMember[];
}

export interface SeriesMember {
  readonly member: string;
  readonly label: string;
  /**
   * The member of which this one is a part, in the periods in which the parent has a value; in other periods this
   * member counts itself. Null for a member that counts toward the total.
   */
  readonly parent: string | null;
  readonly role: RowRole;
  /** One value per period, in the order of `periods`; null if missing. */
  readonly values: readonly (Decimal | null)[];
}

interface SeriesPeriod extends Pick<LeafBreakdown, 'end' | 'accession' | 'form' | 'filed' | 'total'> {
  readonly fiscalYear: number;
  readonly fiscalPeriod: string;
  /** Whether the period is a fourth quarter, derived as the year less the earlier months. */
  readonly derived: boolean;
  /**
   * Identifies comparable periods: 1 for the newest period. Each recast (a change of the segments, for which a filing
   * restates earlier periods) adds one for all periods before the recast.
   */
  readonly basis: number;
}

const AXIS_ORDER: readonly AxisName[] = ['segment', 'geography', 'product'];

/** A breakdown and its fiscal period. */
interface LabeledBreakdown {
  readonly breakdown: UnifiedBreakdown;
  readonly period: Omit<SeriesPeriod, 'basis'>;
}

/**
 * Returns the annual series, then the quarterly series, each sorted by axis, measure and latest period.
 * @param calendar the company's fiscal calendar
 */
export function buildSegmentSeries(reports: readonly FiledReport[], calendar: FiscalCalendar): SegmentSeries[] {
  // Excludes prospectuses and proxy statements, whose figures differ in kind.
  const classified = reports.filter(({ form }) => classifyForm(form) !== null);
  const reportedByKey = groupBySeries(toLeafBreakdowns(classified.flatMap(extractBreakdowns)));
  const chosenByKey = groupBySeries(chooseBreakdowns([...reportedByKey.values()].flat()));
  const labels = new Map([...reports].sort((a, b) => (a.filed < b.filed ? -1 : 1)).flatMap((own) => [...own.labels]));
  const series: SegmentSeries[] = [];
  for (const [key, chosenOfSeries] of chosenByKey) {
    const reportedOfSeries = assertDefined(reportedByKey.get(key));
    const normalize = createMemberNormalizer(reportedOfSeries);
    const reportedBreakdowns = reportedOfSeries.map((breakdown) => unifyMembers(breakdown, normalize));
    const breakdowns = chosenOfSeries.map((breakdown) => unifyMembers(breakdown, normalize));
    const fourthQuarters = deriveFourthQuarters(breakdowns, reportedBreakdowns);
    const byPeriod = {
      annual: labelAnnualBreakdowns(breakdowns, calendar),
      quarterly: labelQuarterlyBreakdowns(breakdowns, fourthQuarters, calendar),
    };
    for (const period of ['annual', 'quarterly'] as const) {
      const assembled = assembleSeries(period, byPeriod[period], reportedBreakdowns, labels);
      if (assembled !== null) series.push(assembled);
    }
  }
  return series.sort(compareSeries);
}

const groupBySeries = (breakdowns: readonly LeafBreakdown[]): ReadonlyMap<string, readonly LeafBreakdown[]> =>
  groupBy(breakdowns, ({ axis, measure, concept, unit }) => `${axis} ${measure} ${concept} ${unit}`);

function compareSeries(a: SegmentSeries, b: SegmentSeries): number {
  const order =
    (a.period === b.period ? 0 : a.period === 'annual' ? -1 : 1) ||
    AXIS_ORDER.indexOf(a.axis) - AXIS_ORDER.indexOf(b.axis) ||
    MEASURES.indexOf(a.measure) - MEASURES.indexOf(b.measure);
  if (order !== 0) return order;
  const [endA, endB] = [assertDefined(a.periods[0]).end, assertDefined(b.periods[0]).end];
  if (endA !== endB) return endA > endB ? -1 : 1;
  return a.concept < b.concept ? -1 : 1;
}

const labelAnnualBreakdowns = (breakdowns: readonly UnifiedBreakdown[], calendar: FiscalCalendar): LabeledBreakdown[] =>
  breakdowns.flatMap((breakdown) => {
    const kind = detectPeriodKind(breakdown.start, breakdown.end);
    if (kind !== 'annual' && kind !== 'instant') return [];
    const label = calendar.labelPeriod(breakdown.end, kind);
    return label.fiscalPeriod === 'FY' ? labelBreakdown(breakdown, label.fiscalYear, 'FY', false) : [];
  });

function labelQuarterlyBreakdowns(
  breakdowns: readonly UnifiedBreakdown[],
  fourthQuarters: readonly UnifiedBreakdown[],
  calendar: FiscalCalendar,
): LabeledBreakdown[] {
  const toLabel = (breakdown: UnifiedBreakdown, derived: boolean): LabeledBreakdown[] => {
    const kind = breakdown.start === null ? 'instant' : 'quarter';
    const { fiscalYear, fiscalPeriod } = calendar.labelPeriod(breakdown.end, kind);
    // A balance at the end of a fiscal year is also the balance of its fourth quarter.
    const quarter = fiscalPeriod === 'FY' ? 'Q4' : fiscalPeriod;
    return derived && quarter !== 'Q4' ? [] : labelBreakdown(breakdown, fiscalYear, quarter, derived);
  };
  return [
    ...breakdowns.filter(isQuarterly).flatMap((breakdown) => toLabel(breakdown, false)),
    ...fourthQuarters.flatMap((breakdown) => toLabel(breakdown, true)),
  ];
}

function isQuarterly({ start, end }: LeafBreakdown): boolean {
  const kind = detectPeriodKind(start, end);
  return kind === 'instant' || kind === 'quarter';
}

function labelBreakdown(
  breakdown: UnifiedBreakdown,
  fiscalYear: number | null,
  fiscalPeriod: string | null,
  derived: boolean,
): LabeledBreakdown[] {
  if (fiscalYear === null || fiscalPeriod === null) return [];
  const { end, accession, form, filed, total } = breakdown;
  return [{ breakdown, period: { fiscalYear, fiscalPeriod, end, accession, form, filed, derived, total } }];
}

function assembleSeries(
  period: SegmentSeries['period'],
  labeled: readonly LabeledBreakdown[],
  reported: readonly LeafBreakdown[],
  labels: ReadonlyMap<string, string>,
): SegmentSeries | null {
  const columns = keepLatestFiledPerPeriod(labeled);
  const first = columns[0];
  if (first === undefined || !columns.some(({ breakdown }) => breakdown.members.size > 1)) return null;
  // Each member is shown under its name in the latest period that contains the member.
  const filedNameByMember = new Map<string, string>();
  for (const { breakdown } of columns)
    for (const [name, filedName] of breakdown.filedNameByMember) getOrInsert(filedNameByMember, name, () => filedName);
  const breakdowns = columns.map(({ breakdown }) => breakdown);
  const bases = assignBasisNumbers(breakdowns, reported);
  const members = placeRows(breakdowns.map(({ rows }) => rows)).map(({ name, parent, role, values }): SeriesMember => {
    const member = assertDefined(filedNameByMember.get(name));
    const filedParent = parent === null ? null : assertDefined(filedNameByMember.get(parent));
    return { member, label: labelMember(member, labels), parent: filedParent, role, values };
  });
  const { axis, measure, concept, unit } = first.breakdown;
  return {
    ...{ period, axis, measure, concept, unit },
    periods: columns.map((column, index) => ({ ...column.period, basis: assertDefined(bases[index]) })),
    members: orderAsTree(
      members.sort((a, b) => compareAtFirstDifference(a.values, b.values) || (a.member < b.member ? -1 : 1)),
    ),
  };
}

/**
 * Returns one breakdown per fiscal period, latest first. If a wrong date labels two breakdowns as the same fiscal
 * period, the later filed breakdown is used.
 */
function keepLatestFiledPerPeriod(labeled: readonly LabeledBreakdown[]): readonly LabeledBreakdown[] {
  const byPeriod = groupBy(labeled, ({ period }) => `${period.fiscalYear} ${period.fiscalPeriod}`);
  return [...byPeriod.values()]
    .map((columns) => columns.reduce((a, b) => (b.period.filed > a.period.filed ? b : a)))
    .sort((a, b) => (a.period.end > b.period.end ? -1 : 1));
}

/** Compares at the first period in which the values differ: larger values first, missing values last. */
function compareAtFirstDifference(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? null;
    if (left === null && right === null) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    const order = compareDecimals(right, left);
    if (order !== 0) return order;
  }
  return 0;
}

/** Returns every breakdown without its subtotals. Omits nested breakdowns that do not add up to the total. */
export function toLeafBreakdowns(breakdowns: readonly Breakdown[]): readonly LeafBreakdown[] {
  const byKey = groupBy(breakdowns, ({ accession, axis, concept, unit, start, isCrossed, isNested }) =>
    [accession, axis, concept, unit, start === null, isCrossed, isNested].join(' '),
  );
  return [...byKey.values()].flatMap(removeSubtotals).filter(({ isNested, isComplete }) => !isNested || isComplete);
}

/**
 * Returns one breakdown per period. Prefers members that add up to the total and are not nested, then several members,
 * then the latest filing, because later filings restate earlier periods by the new segments. Within a filing, prefers
 * direct members, then the better concept, then more members.
 */
function chooseBreakdowns(breakdowns: readonly LeafBreakdown[]): readonly LeafBreakdown[] {
  const byPeriod = groupBy(breakdowns, ({ axis, measure, unit, start, end }) =>
    [axis, measure, unit, start, end].join(' '),
  );
  return [...byPeriod.values()].map((same) => same.reduce((a, b) => (compareBreakdowns(b, a) < 0 ? b : a)));
}

function compareBreakdowns(a: LeafBreakdown, b: LeafBreakdown): number {
  if (scoreBreakdown(a) !== scoreBreakdown(b)) return scoreBreakdown(b) - scoreBreakdown(a);
  if (a.filed !== b.filed) return a.filed > b.filed ? -1 : 1;
  if (a.accession !== b.accession) return a.accession > b.accession ? -1 : 1;
  if (a.isCrossed !== b.isCrossed) return a.isCrossed ? 1 : -1;
  if (a.isNested !== b.isNested) return a.isNested ? 1 : -1;
  const order = findRank(a.concept) - findRank(b.concept);
  return order === 0 ? b.members.size - a.members.size : order;
}

/**
 * Ranks a breakdown: 2 if it is not nested and its members add up to the total, 1 for several members, otherwise 0.
 * Members that denote groups of other members do not count.
 */
function scoreBreakdown({ isComplete, members, isNested }: LeafBreakdown): number {
  const leaves = [...members.keys()].filter((member) => !isAggregate(member)).length;
  if (members.size > leaves && leaves < 2) return 0;
  return isComplete && !isNested ? 2 : leaves > 1 ? 1 : 0;
}

/**
 * Returns the basis number of each column: 1 for the newest column, and one more for the columns before each recast.
 * Columns with one number are comparable. A company that changes its segments recasts the years shown in its next
 * filing, but not earlier years, whose figures remain as reported before. A member has one name in all breakdowns.
 * @param columns breakdowns of one axis, concept and unit, newest first
 * @param reported all breakdowns in filings for the same axis, concept and unit
 */
function assignBasisNumbers(columns: readonly LeafBreakdown[], reported: readonly LeafBreakdown[]): number[] {
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
  // Even if no filing restates a period, new members in place of old members show a recast of the segments.
  const listNames = (breakdown: LeafBreakdown) =>
    new Set([...selectMembers(breakdown)].filter(([, value]) => !isZero(value)).map(([name]) => name));
  const [newNames, oldNames] = [listNames(newer), listNames(older)];
  return [...newNames].some((name) => !oldNames.has(name)) && [...oldNames].some((name) => !newNames.has(name));
}
