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
import { isRecastSince, type YearBefore } from '../revisions/recast.ts';
import { byMetricAndUnit, type StandingValue } from '../revisions/revision-chain.ts';
import type { Figure } from './figure.ts';
import { combine, DERIVED_CONFIDENCE, subjectOf } from './figure.ts';

/** The longest part first: the year less nine months is tried before the year less three quarters. */
const PARTS: readonly PeriodKind[] = ['nine_month', 'half', 'quarter'];
const QUARTER_OF: Readonly<Partial<Record<FigurePeriodKind, string>>> = { half: 'Q2', nine_month: 'Q3', annual: 'Q4' };
/**
 * Metrics for which, as for flows in one direction, a negative remainder means that the parts do not match the whole.
 */
const NEVER_NEGATIVE: ReadonlySet<string> = new Set([
  'revenue',
  'cost_of_revenue',
  'acquisitions',
  'depreciation_and_amortization',
]);

/** The first day of each quarter that filings report, by its last day. */
export type QuarterStarts = ReadonlyMap<string, string>;

export function quarterStarts(reported: readonly Pick<Figure, 'periodKind' | 'start' | 'end'>[]): QuarterStarts {
  const starts = new Map<string, string>();
  for (const { periodKind, start, end } of reported) {
    if (periodKind === 'quarter' && start !== null) starts.set(end, start);
  }
  return starts;
}

/** A day, and the metric whose figures that end earlier are not needed. */
export interface Since {
  readonly metricKey: string;
  readonly end: string;
}

/** Figures that may be left out: metrics that are not named (null names all), and days of one metric. */
interface Wanted {
  readonly needed: ReadonlySet<string> | null;
  readonly since: Since | null;
  /** Derived quarters end on this day or later, for every metric. */
  readonly from?: string | null;
}

/** Maximum number of days from the end of the first of four quarters to the end of their sum. */
const FOUR_QUARTERS_DAYS = 400;

/**
 * Derives the unreported quarters of one company from reported figures. With `since`, also quarters of twelve months
 * that end on that day.
 * @param starts starts of the company's reported quarters, of any metric: derived quarters start the same way
 */
export function deriveQuarters(
  reportedFigures: readonly Figure[],
  starts: Pick<QuarterStarts, 'get'>,
  wanted: Wanted,
): Figure[] {
  const { needed, since, from = null } = wanted;
  const first = since === null ? null : addDays(since.end, -FOUR_QUARTERS_DAYS);
  return seriesOf(reportedFigures).flatMap((series) => {
    const { metricKey, figures } = series;
    if (needed?.has(metricKey) === false) return [];
    const earliest = first !== null && metricKey === since?.metricKey ? first : from;
    return quartersOf(earliest === null ? figures : figures.filter(({ end }) => end >= earliest), series, starts);
  });
}

/** The same for quarters that end on one day; sorts the reported figures only once. */
export function quartersByEnd(reportedFigures: readonly Figure[], starts: QuarterStarts): (end: string) => Figure[] {
  const byEnd = new Map<string, Map<Series, Figure[]>>();
  for (const series of seriesOf(reportedFigures)) {
    for (const figure of series.figures)
      pushTo(
        getOrInsert(byEnd, figure.end, () => new Map<Series, Figure[]>()),
        series,
        figure,
      );
  }
  return (end) => [...(byEnd.get(end) ?? [])].flatMap(([series, wholes]) => quartersOf(wholes, series, starts));
}

/** A company's reported figures of one metric in one unit. */
class Series {
  readonly metricKey: string;
  readonly figures: readonly Figure[];
  #byStart: Map<number, Figure[]> | null = null;
  readonly #startingNear = new Map<number, readonly Figure[]>();
  readonly #yearsBefore = new Map<PeriodKind, Map<string, Figure | null>>();

  constructor(figures: readonly Figure[]) {
    this.metricKey = assertDefined(figures[0]).metricKey;
    this.figures = figures;
  }

  /**
   * Yields the figures that start on the day, then one day off, then two: a filer may date a year and its parts
   * differently.
   */
  startingNear(day: number): readonly Figure[] {
    return getOrInsert(this.#startingNear, day, () => {
      const nearFigures: Figure[] = [];
      for (const apart of NEAR_DAYS) {
        const figures = this.byStart.get(day + apart);
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
  yearBefore(kind: PeriodKind, end: string): Figure | null {
    const byEnd = getOrInsert(this.#yearsBefore, kind, () => new Map<string, Figure | null>());
    const isBefore = (figure: Figure) => figure.periodKind === kind && isYearApart(figure.end, end);
    return getOrInsert(byEnd, end, () => this.figures.find(isBefore) ?? null);
  }
}

/** The series of metrics that add up over time. */
function seriesOf(reportedFigures: readonly Figure[]): readonly Series[] {
  const flows = reportedFigures.filter(({ metricKey, start }) => start !== null && isAdditive(metricKey));
  return byMetricAndUnit(flows).map((figures) => new Series(figures));
}

/** @param wholes longer periods of the series; for each day on which one ends, all that end on it */
function quartersOf(wholes: readonly Figure[], series: Series, starts: Pick<QuarterStarts, 'get'>): Figure[] {
  const quarterEnds = new Set<string>();
  for (const { periodKind, end } of wholes) if (periodKind === 'quarter') quarterEnds.add(end);
  const yearBefore: YearBefore = ({ periodKind, end }) =>
    series.yearBefore(periodKind, end)?.terms[0]?.source.known ?? [];
  const derivedFigures: Figure[] = [];
  for (const whole of wholes) {
    const fiscalPeriod = QUARTER_OF[whole.periodKind];
    if (fiscalPeriod === undefined || whole.start === null || whole.fiscalPeriod === null) continue;
    if (quarterEnds.has(whole.end)) continue;
    const found = partitions(whole, whole.start, series);
    const known = { fiscalPeriod, start: starts.get(whole.end) ?? null, yearBefore };
    const quarter = quarterOf(whole, known, found);
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
function* partitions(
  wholeFigure: Figure,
  from: string,
  series: Series,
  parts: readonly Figure[] = [],
): Generator<Partition> {
  if (parts.length > 0 && from <= wholeFigure.end && isQuarterLength(from, wholeFigure.end)) {
    yield { parts, from };
    return;
  }
  const nextFigures = series.startingNear(dayNumber(from));
  for (const kind of PARTS) {
    for (const part of nextFigures) {
      if (part.periodKind !== kind || part.end >= wholeFigure.end) continue;
      yield* partitions(wholeFigure, addDays(part.end, 1), series, [...parts, part]);
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
 * @param known its fiscal period, the day on which other figures start the quarter with this end, and earlier values
 */
function quarterOf(
  wholeFigure: Figure,
  known: { readonly fiscalPeriod: string; readonly start: string | null; readonly yearBefore: YearBefore },
  found: Iterable<Partition>,
): Figure | null {
  let quarter: Figure | null = null;
  const sums: Decimal[] = [];
  for (const { parts, from } of found) {
    sums.push(sum(parts.map(({ value }) => value)));
    if (quarter !== null) continue;
    const start = known.start !== null && isNear(known.start, from) ? known.start : from;
    const { fiscalPeriod } = known;
    const subject = { ...subjectOf(wholeFigure), start, periodKind: 'quarter' as const, fiscalPeriod };
    const inputs = { plus: [wholeFigure], minus: parts, atMost: DERIVED_CONFIDENCE.quarter };
    quarter = combine(subject, inputs, (values) => belongTogether(wholeFigure.metricKey, values, known.yearBefore));
  }
  const [longest] = sums;
  return sums.every((one) => areRounded(one, longest ?? one, [wholeFigure.value])) ? quarter : null;
}

/** Sums of rounded lines differ by at most one part in this number. */
const ROUNDED_PARTS: Decimal = '200';

/**
 * Whether two sums over the same months are equal except for rounding. Rounding is measured against the amounts,
 * because these may cancel out in the sum.
 */
export function areRounded(a: Decimal, b: Decimal, amounts: readonly Decimal[]): boolean {
  if (a === b) return true;
  const apart = multiply(absolute(subtract(a, b)), ROUNDED_PARTS);
  return compareDecimals(apart, sum(amounts.map(absolute))) <= 0;
}

/**
 * Whether a concept of the whole reported all parts, no part is older than the whole's recast, and the remainder is
 * plausible.
 */
function belongTogether(
  metricKey: string,
  [wholeValue, ...parts]: readonly StandingValue[],
  yearBefore: YearBefore,
): boolean {
  if (wholeValue === undefined || parts.some((part) => isRecastSince(wholeValue, part, yearBefore))) return false;
  const concepts = conceptsOf(wholeValue);
  if (!parts.every((part) => conceptsOf(part).some((concept) => concepts.includes(concept)))) return false;
  if (!NEVER_NEGATIVE.has(metricKey) && !isOneDirection(metricKey)) return true;
  const total = parts.reduce((so, { reported }) => add(so, reported.value), '0');
  return compareDecimals(total, wholeValue.reported.value) <= 0;
}

/** All concepts by which filings reported the value; a later filing may repeat it with a synonym. */
function conceptsOf({ reported, chain }: StandingValue): string[] {
  return chain.filter(({ value }) => value === reported.value).map(({ concept }) => concept);
}
