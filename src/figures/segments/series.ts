/** A company's breakdowns over time, as its reports together state them. */

import type { Decimal } from '../../contract/decimal-text.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import type { Segments } from '../../contract/resources/segments.ts';
import type { FiledReport } from '../../edgar/reports/tagged-report.ts';
import { formClass } from '../filings/forms.ts';
import type { FiscalCalendar } from '../periods/fiscal-calendar.ts';
import { periodKind } from '../periods/period-kind.ts';
import type { AxisName } from './axes.ts';
import { shortName } from './axes.ts';
import { breakdownsOf } from './breakdowns.ts';
import { chooseBreakdowns, leafBreakdowns } from './choose-breakdowns.ts';
import { fourthQuarters } from './fourth-quarters.ts';
import { memberLabel } from './labels.ts';
import type { MeasureName } from './measures.ts';
import { MEASURES } from './measures.ts';
import type { LeafBreakdown } from './subtotals.ts';

/** One measure along one axis over time. Periods latest first; members by their latest value, largest first. */
export interface SegmentSeries {
  readonly period: Segments['period'];
  readonly axis: AxisName;
  readonly measure: MeasureName;
  readonly concept: string;
  readonly unit: string;
  readonly periods: readonly SeriesPeriod[];
  readonly members: readonly SeriesMember[];
}

export interface SeriesMember {
  readonly member: string;
  readonly label: string;
  /** One per period, in the periods' order. */
  readonly values: readonly (Decimal | null)[];
}

export interface SeriesPeriod {
  readonly fiscalYear: number;
  readonly fiscalPeriod: string;
  readonly end: string;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  /** A fourth quarter, taken as the year less three quarters. */
  readonly derived: boolean;
  readonly total: Decimal | null;
}

const AXIS_ORDER: readonly AxisName[] = ['segment', 'geography', 'product'];

interface Placed {
  readonly cut: LeafBreakdown;
  readonly period: SeriesPeriod;
}

/** Annual and quarterly series, in order of axis, measure, and latest period. `calendar` names the company's years. */
export function segmentSeries(reports: readonly FiledReport[], calendar: FiscalCalendar): readonly SegmentSeries[] {
  // Prospectuses and proxies state figures of their own making.
  const periodic = reports.filter(({ form }) => formClass(form) !== null);
  const stated = groupBySeries(leafBreakdowns(periodic.flatMap(breakdownsOf)));
  const chosen = groupBySeries(chooseBreakdowns([...stated.values()].flat()));
  const labels = new Map(
    [...reports].sort((a, b) => (a.filed < b.filed ? -1 : 1)).flatMap(({ labels: own }) => [...own]),
  );
  const series: SegmentSeries[] = [];
  for (const [key, cuts] of chosen) {
    const all = stated.get(key) ?? cuts;
    const fold = foldOf(all);
    const fourth = fourthQuarters(cuts, all, fold);
    const placed = { annual: annual(cuts, calendar), quarterly: quarterly(cuts, fourth, calendar) };
    for (const period of ['annual', 'quarterly'] as const) {
      const made = assemble(period, placed[period], fold, labels);
      if (made !== null) series.push(made);
    }
  }
  return series.sort(byPlace);
}

function groupBySeries(cuts: readonly LeafBreakdown[]): Map<string, LeafBreakdown[]> {
  const groups = new Map<string, LeafBreakdown[]>();
  for (const cut of cuts) {
    const key = `${cut.axis} ${cut.measure} ${cut.concept} ${cut.unit}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [cut]);
    else group.push(cut);
  }
  return groups;
}

function byPlace(a: SegmentSeries, b: SegmentSeries): number {
  const order =
    (a.period === b.period ? 0 : a.period === 'annual' ? -1 : 1) ||
    AXIS_ORDER.indexOf(a.axis) - AXIS_ORDER.indexOf(b.axis) ||
    MEASURES.indexOf(a.measure) - MEASURES.indexOf(b.measure);
  if (order !== 0) return order;
  const [endA, endB] = [a.periods[0]?.end ?? '', b.periods[0]?.end ?? ''];
  if (endA !== endB) return endA > endB ? -1 : 1;
  return a.concept < b.concept ? -1 : 1;
}

function annual(cuts: readonly LeafBreakdown[], calendar: FiscalCalendar): Placed[] {
  return cuts.flatMap((cut) => {
    const kind = periodKind(cut.start, cut.end);
    if (kind !== 'annual' && kind !== 'instant') return [];
    const label = calendar.label(cut.end, kind);
    return label.fiscalPeriod === 'FY' ? place(cut, label.fiscalYear, 'FY', false) : [];
  });
}

function quarterly(
  cuts: readonly LeafBreakdown[],
  fourth: readonly LeafBreakdown[],
  calendar: FiscalCalendar,
): Placed[] {
  const named = (cut: LeafBreakdown, derived: boolean): Placed[] => {
    const kind = cut.start === null ? 'instant' : 'quarter';
    const { fiscalYear, fiscalPeriod } = calendar.label(cut.end, kind);
    // A balance at the year's end is that of its last quarter too.
    const name = fiscalPeriod === 'FY' ? 'Q4' : fiscalPeriod;
    return derived && name !== 'Q4' ? [] : place(cut, fiscalYear, name, derived);
  };
  return [
    ...cuts
      .filter((cut) => ['instant', 'quarter'].includes(periodKind(cut.start, cut.end) ?? ''))
      .flatMap((cut) => named(cut, false)),
    ...fourth.flatMap((cut) => named(cut, true)),
  ];
}

function place(cut: LeafBreakdown, fiscalYear: number | null, fiscalPeriod: string | null, derived: boolean): Placed[] {
  if (fiscalYear === null || fiscalPeriod === null) return [];
  const { end, accession, form, filed, total } = cut;
  return [{ cut, period: { fiscalYear, fiscalPeriod, end, accession, form, filed, derived, total } }];
}

function assemble(
  period: SegmentSeries['period'],
  placed: readonly Placed[],
  fold: (member: string) => string,
  labels: ReadonlyMap<string, string>,
): SegmentSeries | null {
  const columns = onePerPeriod(placed);
  const first = columns[0];
  if (first === undefined || !columns.some(({ cut }) => cut.members.size > 1)) return null;
  // A member's name is that of the latest period that has it.
  const names = new Map<string, string>();
  for (const { cut } of columns)
    for (const member of cut.members.keys()) if (!names.has(fold(member))) names.set(fold(member), member);
  const values = columns.map(({ cut }) => new Map([...cut.members].map(([member, value]) => [fold(member), value])));
  const members = [...names].map(([folded, member]) => ({
    member,
    label: memberLabel(member, labels),
    values: values.map((column) => column.get(folded) ?? null),
  }));
  return {
    period,
    axis: first.cut.axis,
    measure: first.cut.measure,
    concept: first.cut.concept,
    unit: first.cut.unit,
    periods: columns.map((column) => column.period),
    members: members.sort((a, b) => compareFirstValues(a.values, b.values) || (a.member < b.member ? -1 : 1)),
  };
}

/** Latest first; where dates slipped and two stretches bear one name, the later filed. */
function onePerPeriod(placed: readonly Placed[]): readonly Placed[] {
  const best = new Map<string, Placed>();
  for (const entry of placed) {
    const key = `${entry.period.fiscalYear} ${entry.period.fiscalPeriod}`;
    const known = best.get(key);
    if (known === undefined || known.period.filed < entry.period.filed) best.set(key, entry);
  }
  return [...best.values()].sort((a, b) => (a.period.end > b.period.end ? -1 : 1));
}

/** Larger first, in the first period that tells the two apart; a member that has gone comes after those that stand. */
function compareFirstValues(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? null;
    if (left === null && right === null) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    const order = compareDecimals(right, left);
    if (order !== 0) return order;
  }
  return 0;
}

/** Spellings that are one member: whatever the prefix, the case, and the word Segment at the end, unless a filing tells two apart by just that. */
function foldOf(cuts: readonly LeafBreakdown[]): (member: string) => string {
  const plain = (member: string) =>
    shortName(member)
      .replace(/(?<=.)Segments?$/, '')
      .toLowerCase();
  const distinct = new Set<string>();
  for (const { members } of cuts) {
    const seen = new Set<string>();
    for (const member of members.keys()) {
      const folded = plain(member);
      if (seen.has(folded)) distinct.add(folded);
      seen.add(folded);
    }
  }
  return (member) => (distinct.has(plain(member)) ? member : plain(member));
}
