/** A company's breakdowns over time, assembled from all its reports. */
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { Segments } from '../../contract/resources/segments.ts';
import { classifyForm } from '../../edgar/filings/forms.ts';
import type { FiledReport } from '../../edgar/reports/tagged-report.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { pushTo } from '../../platform/collections.ts';
import type { FiscalCalendar } from '../facts/fiscal-calendar.ts';
import { detectPeriodKind } from '../periods/period-kind.ts';
import { type AxisName, labelMember } from './axes.ts';
import { assignBasisNumbers } from './bases.ts';
import { extractBreakdowns } from './breakdowns.ts';
import { chooseBreakdowns, toLeafBreakdowns } from './choose-breakdowns.ts';
import { deriveFourthQuarters } from './fourth-quarters.ts';
import { MEASURES, type MeasureName } from './measures.ts';
import { createMemberNormalizer } from './member-names.ts';
import type { LeafBreakdown } from './subtotals.ts';

/**
 * The values of one measure along one axis over time. Periods are sorted latest first, members by their latest value,
 * largest first.
 */
export interface SegmentSeries {
  readonly period: Segments['period'];
  readonly axis: AxisName;
  readonly measure: MeasureName;
  readonly concept: string;
  readonly unit: string;
  readonly periods: readonly SeriesPeriod[];
  readonly members: readonly SeriesMember[];
}

interface SeriesMember {
  readonly member: string;
  readonly label: string;
  /** One value per period, in the order of `periods`; null if missing. */
  readonly values: readonly (Decimal | null)[];
}

interface SeriesPeriod {
  readonly fiscalYear: number;
  readonly fiscalPeriod: string;
  readonly end: string;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  /** Whether the period is a fourth quarter, derived as the year less the earlier months. */
  readonly derived: boolean;
  /**
   * Number of the basis: 1 for the newest period. Each recast of segments adds one for all periods before the recast.
   */
  readonly basis: number;
  readonly total: Decimal | null;
}

const AXIS_ORDER: readonly AxisName[] = ['segment', 'geography', 'product'];

/** A breakdown and its fiscal period. */
interface LabeledBreakdown {
  readonly breakdown: LeafBreakdown;
  readonly period: Omit<SeriesPeriod, 'basis'>;
}

/**
 * Returns the annual series, then the quarterly series, each sorted by axis, measure and latest period.
 * @param calendar the company's fiscal calendar
 */
export function buildSegmentSeries(
  reports: readonly FiledReport[],
  calendar: FiscalCalendar,
): readonly SegmentSeries[] {
  // Excludes prospectuses and proxy statements, whose figures differ in kind.
  const reportsOfClassifiedForms = reports.filter(({ form }) => classifyForm(form) !== null);
  const reportedBreakdownsBySeries = groupBySeries(
    toLeafBreakdowns(reportsOfClassifiedForms.flatMap(extractBreakdowns)),
  );
  const chosenBreakdownsBySeries = groupBySeries(chooseBreakdowns([...reportedBreakdownsBySeries.values()].flat()));
  const labelByMember = new Map(
    [...reports].sort((a, b) => (a.filed < b.filed ? -1 : 1)).flatMap(({ labels: reportLabels }) => [...reportLabels]),
  );
  const series: SegmentSeries[] = [];
  for (const [key, breakdowns] of chosenBreakdownsBySeries) {
    const allBreakdowns = assertDefined(reportedBreakdownsBySeries.get(key));
    const normalizeMember = createMemberNormalizer(allBreakdowns);
    const fourthQuarters = deriveFourthQuarters(breakdowns, allBreakdowns, normalizeMember);
    const breakdownsByPeriod = {
      annual: labelAnnualBreakdowns(breakdowns, calendar),
      quarterly: labelQuarterlyBreakdowns(breakdowns, fourthQuarters, calendar),
    };
    for (const period of ['annual', 'quarterly'] as const) {
      const newSeries = assembleSeries(
        period,
        breakdownsByPeriod[period],
        allBreakdowns,
        normalizeMember,
        labelByMember,
      );
      if (newSeries !== null) series.push(newSeries);
    }
  }
  return series.sort(compareSeries);
}

function groupBySeries(breakdowns: readonly LeafBreakdown[]): Map<string, LeafBreakdown[]> {
  const breakdownsBySeries = new Map<string, LeafBreakdown[]>();
  for (const breakdown of breakdowns) {
    const key = `${breakdown.axis} ${breakdown.measure} ${breakdown.concept} ${breakdown.unit}`;
    pushTo(breakdownsBySeries, key, breakdown);
  }
  return breakdownsBySeries;
}

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

function labelAnnualBreakdowns(breakdowns: readonly LeafBreakdown[], calendar: FiscalCalendar): LabeledBreakdown[] {
  return breakdowns.flatMap((breakdown) => {
    const kind = detectPeriodKind(breakdown.start, breakdown.end);
    if (kind !== 'annual' && kind !== 'instant') return [];
    const label = calendar.labelPeriod(breakdown.end, kind);
    return label.fiscalPeriod === 'FY' ? labelBreakdown(breakdown, label.fiscalYear, 'FY', false) : [];
  });
}

function labelQuarterlyBreakdowns(
  breakdowns: readonly LeafBreakdown[],
  fourthQuarters: readonly LeafBreakdown[],
  calendar: FiscalCalendar,
): LabeledBreakdown[] {
  const labelQuarter = (breakdown: LeafBreakdown, isDerived: boolean): LabeledBreakdown[] => {
    const kind = breakdown.start === null ? 'instant' : 'quarter';
    const { fiscalYear, fiscalPeriod } = calendar.labelPeriod(breakdown.end, kind);
    // A balance at the end of a fiscal year is also the balance of its fourth quarter.
    const quarterName = fiscalPeriod === 'FY' ? 'Q4' : fiscalPeriod;
    return isDerived && quarterName !== 'Q4' ? [] : labelBreakdown(breakdown, fiscalYear, quarterName, isDerived);
  };
  return [
    ...breakdowns.filter(isQuarterly).flatMap((breakdown) => labelQuarter(breakdown, false)),
    ...fourthQuarters.flatMap((breakdown) => labelQuarter(breakdown, true)),
  ];
}

function isQuarterly({ start, end }: LeafBreakdown): boolean {
  const kind = detectPeriodKind(start, end);
  return kind === 'instant' || kind === 'quarter';
}

function labelBreakdown(
  breakdown: LeafBreakdown,
  fiscalYear: number | null,
  fiscalPeriod: string | null,
  isDerived: boolean,
): LabeledBreakdown[] {
  if (fiscalYear === null || fiscalPeriod === null) return [];
  const { end, accession, form, filed, total } = breakdown;
  return [{ breakdown, period: { fiscalYear, fiscalPeriod, end, accession, form, filed, derived: isDerived, total } }];
}

function assembleSeries(
  period: SegmentSeries['period'],
  labeledBreakdowns: readonly LabeledBreakdown[],
  reportedBreakdowns: readonly LeafBreakdown[],
  normalizeMember: (member: string) => string,
  labelByMember: ReadonlyMap<string, string>,
): SegmentSeries | null {
  const columns = keepLatestFiledPerPeriod(labeledBreakdowns);
  const firstColumn = columns[0];
  if (firstColumn === undefined || !columns.some(({ breakdown }) => breakdown.members.size > 1)) return null;
  // Each member is shown under its name in the latest period that contains the member.
  const memberByNormalizedName = new Map<string, string>();
  for (const { breakdown } of columns)
    for (const member of breakdown.members.keys())
      if (!memberByNormalizedName.has(normalizeMember(member)))
        memberByNormalizedName.set(normalizeMember(member), member);
  const columnValues = columns.map(
    ({ breakdown }) => new Map([...breakdown.members].map(([member, value]) => [normalizeMember(member), value])),
  );
  const basisNumbers = assignBasisNumbers(
    columns.map(({ breakdown }) => breakdown),
    reportedBreakdowns,
    normalizeMember,
  );
  const members = [...memberByNormalizedName].map(([normalizedName, member]) => ({
    member,
    label: labelMember(member, labelByMember),
    values: columnValues.map((column) => column.get(normalizedName) ?? null),
  }));
  return {
    period,
    axis: firstColumn.breakdown.axis,
    measure: firstColumn.breakdown.measure,
    concept: firstColumn.breakdown.concept,
    unit: firstColumn.breakdown.unit,
    periods: columns.map((column, index) => ({ ...column.period, basis: assertDefined(basisNumbers[index]) })),
    members: members.sort((a, b) => compareAtFirstDifference(a.values, b.values) || (a.member < b.member ? -1 : 1)),
  };
}

/**
 * Returns one breakdown per fiscal period, latest first. If a wrong date labels two breakdowns as the same fiscal
 * period, the later filed breakdown is used.
 */
function keepLatestFiledPerPeriod(labeledBreakdowns: readonly LabeledBreakdown[]): readonly LabeledBreakdown[] {
  const bestBreakdownByPeriod = new Map<string, LabeledBreakdown>();
  for (const labeledBreakdown of labeledBreakdowns) {
    const key = `${labeledBreakdown.period.fiscalYear} ${labeledBreakdown.period.fiscalPeriod}`;
    const existingBreakdown = bestBreakdownByPeriod.get(key);
    if (existingBreakdown === undefined || existingBreakdown.period.filed < labeledBreakdown.period.filed)
      bestBreakdownByPeriod.set(key, labeledBreakdown);
  }
  return [...bestBreakdownByPeriod.values()].sort((a, b) => (a.period.end > b.period.end ? -1 : 1));
}

/** Compares at the first period in which the values differ: larger values first, missing values last. */
function compareAtFirstDifference(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  for (const [index, leftValue] of a.entries()) {
    const rightValue = b[index] ?? null;
    if (leftValue === null && rightValue === null) continue;
    if (leftValue === null || rightValue === null) return leftValue === null ? 1 : -1;
    const order = compareDecimals(rightValue, leftValue);
    if (order !== 0) return order;
  }
  return 0;
}
