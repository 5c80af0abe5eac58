/**
 * Derives single quarters that no filing reports: a year, or a year to date, less its earlier parts. Only flows of
 * money add up over time, and only values of one concept: a company that changes concepts within a year has reported
 * two different quantities. A derived quarter never replaces a reported quarter.
 */

import { multiply, subtract, sum, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isEqual, isZero } from '../../contract/decimal-text.ts';
import { assertDefined, getOrInsert, pushTo, sortIfNeeded } from '../../platform/collections.ts';
import { addDays, toDayNumber } from '../../platform/dates.ts';
import { isAdditive, isOneDirectional } from '../metrics/metric-rules.ts';
import { isSameBoundary, MAX_DATE_SHIFT_DAYS } from '../periods/align-periods.ts';
import { areYearsApart, type FigurePeriodKind, isQuarterLength, type PeriodKind } from '../periods/period-kind.ts';
import { isRecastSince, type PriorYearLookup } from '../revisions/recast.ts';
import { groupByMetricAndUnit, type SelectedValue } from '../revisions/revision-chain.ts';
import { DERIVED_CONFIDENCE, type Figure, pickSubject, sumFiguresOnOneBasis, toComparablePair } from './figure.ts';

/** Longest part first, so that the year less nine months is tried before the year less three quarters. */
const PART_KINDS: readonly FigurePeriodKind[] = ['nine_month', 'half', 'quarter'];
const LAST_QUARTER_BY_PERIOD_KIND: Readonly<Partial<Record<FigurePeriodKind, string>>> = {
  half: 'Q2',
  nine_month: 'Q3',
  annual: 'Q4',
};
/**
 * Metrics that, like one-directional flows, are never negative. If a derived quarter would be negative, the parts do
 * not belong to the longer period.
 */
const NEVER_NEGATIVE_METRICS: ReadonlySet<string> = new Set([
  'revenue',
  'cost_of_revenue',
  'acquisitions',
  'depreciation_and_amortization',
]);

/** The first day of each reported quarter, by its last day. */
export type QuarterStarts = ReadonlyMap<string, string>;
export type StartLookup = Pick<QuarterStarts, 'get'>;

export function indexQuarterStarts(reported: readonly Pick<Figure, 'periodKind' | 'start' | 'end'>[]): QuarterStarts {
  const starts = new Map<string, string>();
  for (const { periodKind, start, end } of reported) {
    if (periodKind === 'quarter' && start !== null) starts.set(end, start);
  }
  return starts;
}

/** A metric, and the earliest period end for which its figures are needed. */
export interface MetricCutoff {
  readonly metricKey: string;
  readonly earliestEnd: string;
}

/** Selects the quarters to derive, by metric and by period end; null selects all. */
interface QuarterSelection {
  readonly neededKeys: ReadonlySet<string> | null;
  readonly cutoff: MetricCutoff | null;
  /** Earliest end of derived quarters; does not apply to the metric of `cutoff`. */
  readonly earliestEnd?: string | null | undefined;
}

/** Upper bound for the number of days between the ends of the first and the last of four quarters (usually 275). */
const MAX_FOUR_QUARTERS_DAYS = 400;

/**
 * Derives the unreported quarters of one company from reported figures, such as Q4 from a year and nine months. For the
 * metric of `cutoff`, omits quarters that are too early for any twelve months on or after the cutoff.
 * @param starts starts of the company's reported quarters of all metrics: a derived quarter starts on the same
 * day as a reported quarter with the same end
 */
export function deriveQuarters(
  reported: readonly Figure[],
  starts: StartLookup,
  { neededKeys, cutoff, earliestEnd = null }: QuarterSelection,
): Figure[] {
  const firstEnd = cutoff === null ? null : addDays(cutoff.earliestEnd, -MAX_FOUR_QUARTERS_DAYS);
  const neededFigures = neededKeys === null ? reported : reported.filter(({ metricKey }) => neededKeys.has(metricKey));
  return groupSeries(neededFigures).flatMap((series) => {
    const { metricKey, figures } = series;
    const since = firstEnd !== null && metricKey === cutoff?.metricKey ? firstEnd : earliestEnd;
    return deriveSeriesQuarters(since === null ? figures : figures.filter(({ end }) => end >= since), series, starts);
  });
}

/** A company's reported figures of one metric in one unit. */
class MetricSeries {
  readonly metricKey: string;
  readonly figures: readonly Figure[];
  readonly #partsByStartDay = new Map<number, Figure[]>();
  readonly #partsByNearbyStart = new Map<string, readonly Figure[]>();
  readonly #priorYears = new Map<string, Figure | null>();

  constructor(figures: readonly Figure[]) {
    this.metricKey = assertDefined(figures[0]).metricKey;
    this.figures = figures;
    for (const figure of figures)
      if (figure.start !== null && PART_KINDS.includes(figure.periodKind))
        pushTo(this.#partsByStartDay, toDayNumber(figure.start), figure);
  }

  /**
   * Returns parts of years that start on or near the given day, longest first and then nearest first: a filer may date
   * a year and its parts differently.
   */
  findPartsStartingNear(start: string): readonly Figure[] {
    return getOrInsert(this.#partsByNearbyStart, start, () => {
      const day = toDayNumber(start);
      const near: Figure[] = [];
      for (const offset of NEAR_DAY_OFFSETS) {
        const parts = this.#partsByStartDay.get(day + offset);
        if (parts !== undefined) near.push(...parts);
      }
      return sortIfNeeded(near, (a, b) => PART_KINDS.indexOf(a.periodKind) - PART_KINDS.indexOf(b.periodKind));
    });
  }

  /** Returns the figure of this kind that ends a year before the day; null if missing. */
  findPriorYear(kind: PeriodKind, end: string): Figure | null {
    const isPrior = (figure: Figure) => figure.periodKind === kind && areYearsApart(figure.end, end);
    return getOrInsert(this.#priorYears, `${kind} ${end}`, () => this.figures.find(isPrior) ?? null);
  }
}

/** Returns one series for each metric and unit, of the metrics whose values add up over time. */
function groupSeries(reported: readonly Figure[]): readonly MetricSeries[] {
  const flows = reported.filter(({ metricKey, start }) => start !== null && isAdditive(metricKey));
  return groupByMetricAndUnit(flows).map((figures) => new MetricSeries(figures));
}

/** @param figures figures of the series: longer periods, such as years, and all reported quarters with the same ends */
function deriveSeriesQuarters(figures: readonly Figure[], series: MetricSeries, starts: StartLookup): Figure[] {
  const ends = new Set<string>();
  for (const { periodKind, end } of figures) if (periodKind === 'quarter') ends.add(end);
  const findPrior: PriorYearLookup = ({ periodKind, end }) =>
    series.findPriorYear(periodKind, end)?.terms[0]?.source.knownValues ?? [];
  const derivedQuarters: Figure[] = [];
  for (const longer of figures) {
    const fiscalPeriod = LAST_QUARTER_BY_PERIOD_KIND[longer.periodKind];
    if (fiscalPeriod === undefined || longer.start === null || longer.fiscalPeriod === null) continue;
    if (ends.has(longer.end)) continue;
    const partitions = listPartitions(longer, longer.start, series);
    const context = { fiscalPeriod, start: starts.get(longer.end) ?? null, findPrior };
    const quarter = deriveRemainingQuarter(longer, context, partitions);
    if (quarter === null) continue;
    ends.add(longer.end);
    derivedQuarters.push(quarter);
  }
  return derivedQuarters;
}

/**
 * The first day of a remaining quarter according to other figures, its fiscal period, and values of the year before.
 */
interface QuarterContext {
  readonly fiscalPeriod: string;
  readonly start: string | null;
  readonly findPrior: PriorYearLookup;
}

/** Consecutive parts from the start of a longer period, and the first day after the last part. */
interface Partition {
  readonly parts: readonly Figure[];
  readonly remainderStart: string;
}

/** Day offsets, nearest first: 0, -1, 1, -2, 2, … */
const NEAR_DAY_OFFSETS: readonly number[] = Array.from({ length: 2 * MAX_DATE_SHIFT_DAYS + 1 }, (_, index) =>
  index % 2 === 0 ? index / 2 : -(index + 1) / 2,
);

/**
 * Returns every sequence of consecutive parts of the longer period that leaves only its last quarter. Longest parts
 * first: nine months before three quarters.
 */
function listPartitions(
  longer: Figure,
  start: string,
  series: MetricSeries,
  parts: readonly Figure[] = [],
  partitions: Partition[] = [],
): readonly Partition[] {
  if (parts.length > 0 && start <= longer.end && isQuarterLength(start, longer.end)) {
    partitions.push({ parts, remainderStart: start });
    return partitions;
  }
  for (const part of series.findPartsStartingNear(start))
    if (part.end < longer.end) listPartitions(longer, addDays(part.end, 1), series, [...parts, part], partitions);
  return partitions;
}

/**
 * Returns the last quarter of a longer period: the longer figure minus the first comparable partition, such as a year
 * minus nine months. If the longer figure was restated but its parts were not, its earlier value is read. Null if no
 * partition is comparable, or if the partitions have different sums, because a restatement changed only some parts.
 */
function deriveRemainingQuarter(
  longer: Figure,
  { fiscalPeriod, start: knownStart, findPrior }: QuarterContext,
  partitions: readonly Partition[],
): Figure | null {
  for (const { parts, remainderStart } of partitions) {
    const start = knownStart !== null && isSameBoundary(knownStart, remainderStart) ? knownStart : remainderStart;
    const subject = { ...pickSubject(longer), start, periodKind: 'quarter' as const, fiscalPeriod };
    const accepts = (values: readonly SelectedValue[]) => canBeSubtracted(longer.metricKey, values, findPrior);
    const subtractParts = (whole: Figure) =>
      sumFiguresOnOneBasis(
        subject,
        { plus: [whole], minus: parts, maxConfidence: DERIVED_CONFIDENCE.quarter },
        accepts,
      );
    let quarter = subtractParts(longer);
    if (quarter === null && longer.periodKind === 'annual') {
      const earlierVersion = findVersionOnBasisOf(longer, parts);
      if (earlierVersion !== null) quarter = subtractParts(earlierVersion);
    }
    if (quarter !== null) return haveEqualSums(partitions, longer.value) ? quarter : null;
  }
  return null;
}

/** Whether the parts of every partition have the same sum, except for rounding relative to the whole. */
function haveEqualSums(partitions: readonly Partition[], whole: Decimal): boolean {
  if (partitions.length === 1) return true;
  const [first, ...otherSums] = partitions.map(({ parts }) => sum(parts.map(({ value }) => value)));
  return otherSums.every((other) => areEqualExceptRounding(other, first ?? other, [whole]));
}

/**
 * Returns the longer figure as stated before it was restated, if the shown parts were not restated with it; null if
 * there is no such version. The quarter then belongs to the shown quarters, and the year is marked as different.
 */
function findVersionOnBasisOf(longer: Figure, parts: readonly Figure[]): Figure | null {
  const pairs = parts.map((part) => toComparablePair(longer, part));
  const [first] = pairs;
  if (first === undefined || first === null || first[0] === longer) return null;
  // A business that was acquired later had no such amount before.
  if (isZero(first[0].value)) return null;
  const isShown = (pair: (typeof pairs)[number], index: number) =>
    pair !== null && isEqual(pair[1].value, parts[index]?.value ?? '') && isEqual(pair[0].value, first[0].value);
  return pairs.every(isShown) ? first[0] : null;
}

/** Sums of rounded lines differ by at most 0.5 % (1 / 200) of their amounts. */
const ROUNDING_TOLERANCE_DIVISOR: Decimal = '200';

/**
 * Whether two sums over the same months are equal except for rounding. The tolerance is relative to the amounts, not to
 * their sum, in which amounts of opposite sign cancel out.
 */
export function areEqualExceptRounding(a: Decimal, b: Decimal, amounts: readonly Decimal[]): boolean {
  if (a === b) return true;
  const scaled = multiply(takeAbsoluteValue(subtract(a, b)), ROUNDING_TOLERANCE_DIVISOR);
  return compareDecimals(scaled, sum(amounts.map(takeAbsoluteValue))) <= 0;
}

/**
 * Whether the parts can be subtracted from the longer period. Each part must share a concept with the longer period,
 * and must not predate a recast (`isRecastSince`). If the metric is never negative, the remainder must not be negative.
 */
function canBeSubtracted(key: string, [longer, ...parts]: readonly SelectedValue[], prior: PriorYearLookup): boolean {
  if (longer === undefined || parts.some((part) => isRecastSince(longer, part, prior))) return false;
  if (!parts.every((part) => haveOneConcept(longer, part))) return false;
  if (!NEVER_NEGATIVE_METRICS.has(key) && !isOneDirectional(key)) return true;
  const total = sum(parts.map(({ reported }) => reported.value));
  return compareDecimals(total, longer.reported.value) <= 0;
}

function haveOneConcept(a: SelectedValue, b: SelectedValue): boolean {
  if (a.reported.concept === b.reported.concept) return true;
  const concepts = listConceptsOfValue(a);
  return listConceptsOfValue(b).some((concept) => concepts.includes(concept));
}

/** Returns all concepts by which filings reported the value: a later filing may repeat a value with a synonym. */
const listConceptsOfValue = ({ reported, chain }: SelectedValue): string[] =>
  chain.filter(({ value }) => isEqual(value, reported.value)).map(({ concept }) => concept);
