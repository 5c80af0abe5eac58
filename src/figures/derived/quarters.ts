/**
 * Derives single quarters that no filing reports: a year, or a year to date, less its earlier parts.
 * Only flows of money add up over time, and only values of one concept: a company that changes concepts within a year
 * has reported two different things. A derived quarter never replaces a reported one.
 */

import { absolute, add, multiply, subtract, sum } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { getOrInsert, pushTo } from '../../platform/collections.ts';
import { addDays, dayNumber, daysBetween } from '../../platform/dates.ts';
import { isAdditive, isOneDirection } from '../metrics/metric-rules.ts';
import { SAME_PERIOD_DAYS } from '../periods/align-periods.ts';
import type { FigurePeriodKind, PeriodKind } from '../periods/period-kind.ts';
import { isQuarterLength, isYearApart } from '../periods/period-kind.ts';
import { isRecastSince, type PriorYearValues } from '../revisions/recast.ts';
import { groupByMetricAndUnit, type StandingValue } from '../revisions/revision-chain.ts';
import type { Figure } from './figure.ts';
import { combine, DERIVED_CONFIDENCE, pickSubject } from './figure.ts';

/** The longest part first: the year less nine months is tried before the year less three quarters. */
const PART_KINDS: readonly PeriodKind[] = ['nine_month', 'half', 'quarter'];
const LAST_QUARTER_OF: Readonly<Partial<Record<FigurePeriodKind, string>>> = {
  half: 'Q2',
  nine_month: 'Q3',
  annual: 'Q4',
};
/**
 * Metrics for which, as for flows in one direction, a negative remainder means that the parts do not match the whole.
 */
const NEVER_NEGATIVE_METRICS: ReadonlySet<string> = new Set([
  'revenue',
  'cost_of_revenue',
  'acquisitions',
  'depreciation_and_amortization',
]);

/** The first day of each quarter that filings report, by its last day. */
export type QuarterStarts = ReadonlyMap<string, string>;

export function indexQuarterStarts(
  reportedFigures: readonly Pick<Figure, 'periodKind' | 'start' | 'end'>[],
): QuarterStarts {
  const startByEnd = new Map<string, string>();
  for (const { periodKind, start, end } of reportedFigures) {
    if (periodKind === 'quarter' && start !== null) startByEnd.set(end, start);
  }
  return startByEnd;
}

/** A day, and the metric whose figures that end earlier are not needed. */
export interface MetricCutoff {
  readonly metricKey: string;
  readonly end: string;
}

/** Figures that may be left out: metrics that are not named (null names all), and days of one metric. */
interface QuarterSelection {
  readonly neededKeys: ReadonlySet<string> | null;
  readonly cutoff: MetricCutoff | null;
  /** Derived quarters end on this day or later, for every metric. */
  readonly from?: string | null;
}

/** Maximum number of days from the end of the first of four quarters to the end of their sum. */
const MAX_FOUR_QUARTERS_DAYS = 400;

/**
 * Derives the unreported quarters of one company from reported figures. With `cutoff`, also quarters of twelve months
 * that end on that day.
 * @param starts starts of the company's reported quarters, of any metric: derived quarters start the same way
 */
export function deriveQuarters(
  reportedFigures: readonly Figure[],
  starts: Pick<QuarterStarts, 'get'>,
  selection: QuarterSelection,
): Figure[] {
  const { neededKeys, cutoff, from = null } = selection;
  const earliestEnd = cutoff === null ? null : addDays(cutoff.end, -MAX_FOUR_QUARTERS_DAYS);
  return groupSeries(reportedFigures).flatMap((series) => {
    const { metricKey, figures } = series;
    if (neededKeys?.has(metricKey) === false) return [];
    const firstEnd = earliestEnd !== null && metricKey === cutoff?.metricKey ? earliestEnd : from;
    return deriveSeriesQuarters(
      firstEnd === null ? figures : figures.filter(({ end }) => end >= firstEnd),
      series,
      starts,
    );
  });
}

/** The same for quarters that end on one day; sorts the reported figures only once. */
export function quartersByEnd(reportedFigures: readonly Figure[], starts: QuarterStarts): (end: string) => Figure[] {
  const wholesByEnd = new Map<string, Map<Series, Figure[]>>();
  for (const series of groupSeries(reportedFigures)) {
    for (const figure of series.figures)
      pushTo(
        getOrInsert(wholesByEnd, figure.end, () => new Map<Series, Figure[]>()),
        series,
        figure,
      );
  }
  return (end) =>
    [...(wholesByEnd.get(end) ?? [])].flatMap(([series, wholes]) => deriveSeriesQuarters(wholes, series, starts));
}

/** A company's reported figures of one metric in one unit. */
class Series {
  readonly metricKey: string;
  readonly figures: readonly Figure[];
  #byStart: Map<number, Figure[]> | null = null;
  readonly #startingNear = new Map<number, readonly Figure[]>();
  readonly #priorYears = new Map<PeriodKind, Map<string, Figure | null>>();

  constructor(figures: readonly Figure[]) {
    this.metricKey = assertDefined(figures[0]).metricKey;
    this.figures = figures;
  }

  /**
   * Yields the figures that start on the day, then one day off, then two: a filer may date a year and its parts
   * differently.
   */
  figuresStartingNear(day: number): readonly Figure[] {
    return getOrInsert(this.#startingNear, day, () => {
      const nearFigures: Figure[] = [];
      for (const offsetDays of NEAR_DAYS) {
        const figures = this.byStart.get(day + offsetDays);
        if (figures !== undefined) nearFigures.push(...figures);
      }
      return nearFigures;
    });
  }

  /** The figures by their first day. */
  get byStart(): ReadonlyMap<number, readonly Figure[]> {
    if (this.#byStart === null) {
      this.#byStart = new Map();
      for (const figure of this.figures)
        if (figure.start !== null) pushTo(this.#byStart, dayNumber(figure.start), figure);
    }
    return this.#byStart;
  }

  /** The figure of the same months a year before those that end on the day; null if missing. */
  findPriorYear(kind: PeriodKind, end: string): Figure | null {
    const priorYearByEnd = getOrInsert(this.#priorYears, kind, () => new Map<string, Figure | null>());
    const isPriorYear = (figure: Figure) => figure.periodKind === kind && isYearApart(figure.end, end);
    return getOrInsert(priorYearByEnd, end, () => this.figures.find(isPriorYear) ?? null);
  }
}

/** The series of metrics that add up over time. */
function groupSeries(reportedFigures: readonly Figure[]): readonly Series[] {
  const flows = reportedFigures.filter(({ metricKey, start }) => start !== null && isAdditive(metricKey));
  return groupByMetricAndUnit(flows).map((figures) => new Series(figures));
}

/** @param wholes longer periods of the series; for each day on which one ends, all that end on it */
function deriveSeriesQuarters(wholes: readonly Figure[], series: Series, starts: Pick<QuarterStarts, 'get'>): Figure[] {
  const quarterEnds = new Set<string>();
  for (const { periodKind, end } of wholes) if (periodKind === 'quarter') quarterEnds.add(end);
  const priorYearValues: PriorYearValues = ({ periodKind, end }) =>
    series.findPriorYear(periodKind, end)?.terms[0]?.source.knownValues ?? [];
  const derivedFigures: Figure[] = [];
  for (const whole of wholes) {
    const fiscalPeriod = LAST_QUARTER_OF[whole.periodKind];
    if (fiscalPeriod === undefined || whole.start === null || whole.fiscalPeriod === null) continue;
    if (quarterEnds.has(whole.end)) continue;
    const partitionsOfWhole = findPartitions(whole, whole.start, series);
    const quarterContext = { fiscalPeriod, start: starts.get(whole.end) ?? null, priorYearValues };
    const quarter = remainingQuarter(whole, quarterContext, partitionsOfWhole);
    if (quarter === null) continue;
    quarterEnds.add(whole.end);
    derivedFigures.push(quarter);
  }
  return derivedFigures;
}

function isNear(a: string, b: string): boolean {
  return Math.abs(daysBetween(a, b)) <= SAME_PERIOD_DAYS;
}

/** Consecutive parts from the start of a longer period, and the first day after them. */
interface Partition {
  readonly parts: readonly Figure[];
  readonly from: string;
}

/**
 * Yields every sequence of consecutive parts from the start of `wholeFigure` that leaves a quarter, the longest part first.
 */
function* findPartitions(
  wholeFigure: Figure,
  start: string,
  series: Series,
  parts: readonly Figure[] = [],
): Generator<Partition> {
  if (parts.length > 0 && start <= wholeFigure.end && isQuarterLength(start, wholeFigure.end)) {
    yield { parts, from: start };
    return;
  }
  const nextFigures = series.figuresStartingNear(dayNumber(start));
  for (const partKind of PART_KINDS) {
    for (const part of nextFigures) {
      if (part.periodKind !== partKind || part.end >= wholeFigure.end) continue;
      yield* findPartitions(wholeFigure, addDays(part.end, 1), series, [...parts, part]);
    }
  }
}

/** 0, -1, 1, -2, 2, … */
const NEAR_DAYS: readonly number[] = Array.from({ length: 2 * SAME_PERIOD_DAYS + 1 }, (_, index) =>
  index % 2 === 0 ? index / 2 : -(index + 1) / 2,
);

/**
 * The quarter that remains of a period after its parts, at their current values, the longest parts first. Null if
 * different parts leave different quarters: then the period was restated, but not all of its parts.
 * @param quarterContext its fiscal period, the day on which other figures start the quarter with this end, and earlier
 *   values
 */
function remainingQuarter(
  wholeFigure: Figure,
  quarterContext: {
    readonly fiscalPeriod: string;
    readonly start: string | null;
    readonly priorYearValues: PriorYearValues;
  },
  partitionsOfWhole: Iterable<Partition>,
): Figure | null {
  let quarter: Figure | null = null;
  const sums: Decimal[] = [];
  for (const { parts, from } of partitionsOfWhole) {
    sums.push(sum(parts.map(({ value }) => value)));
    if (quarter !== null) continue;
    const start = quarterContext.start !== null && isNear(quarterContext.start, from) ? quarterContext.start : from;
    const { fiscalPeriod } = quarterContext;
    const subject = { ...pickSubject(wholeFigure), start, periodKind: 'quarter' as const, fiscalPeriod };
    const inputs = { plus: [wholeFigure], minus: parts, atMost: DERIVED_CONFIDENCE.quarter };
    quarter = combine(subject, inputs, (values) =>
      canBeSubtracted(wholeFigure.metricKey, values, quarterContext.priorYearValues),
    );
  }
  const [firstSum] = sums;
  return sums.every((partsSum) => areRounded(partsSum, firstSum ?? partsSum, [wholeFigure.value])) ? quarter : null;
}

/** Sums of rounded lines differ by at most one part in this number. */
const ROUNDED_PARTS: Decimal = '200';

/**
 * Whether two sums over the same months are equal except for rounding. Rounding is measured against the amounts,
 * because these may cancel out in the sum.
 */
export function areRounded(a: Decimal, b: Decimal, amounts: readonly Decimal[]): boolean {
  if (a === b) return true;
  const scaledDifference = multiply(absolute(subtract(a, b)), ROUNDED_PARTS);
  return compareDecimals(scaledDifference, sum(amounts.map(absolute))) <= 0;
}

/**
 * Whether the parts can be subtracted from the whole: they have a concept in common, no part was reported before the
 * whole was recast, and the remainder is plausible.
 */
function canBeSubtracted(
  metricKey: string,
  [wholeValue, ...parts]: readonly StandingValue[],
  priorYearValues: PriorYearValues,
): boolean {
  if (wholeValue === undefined || parts.some((part) => isRecastSince(wholeValue, part, priorYearValues))) return false;
  const concepts = conceptsOf(wholeValue);
  if (!parts.every((part) => conceptsOf(part).some((concept) => concepts.includes(concept)))) return false;
  if (!NEVER_NEGATIVE_METRICS.has(metricKey) && !isOneDirection(metricKey)) return true;
  const partsTotal = parts.reduce((runningTotal, { reported }) => add(runningTotal, reported.value), '0');
  return compareDecimals(partsTotal, wholeValue.reported.value) <= 0;
}

/** All concepts by which filings reported the value; a later filing may repeat it with a synonym. */
function conceptsOf({ reported, chain }: StandingValue): string[] {
  return chain.filter(({ value }) => value === reported.value).map(({ concept }) => concept);
}
