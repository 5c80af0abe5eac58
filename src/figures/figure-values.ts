/** Derives all figures of a company from its reported values: the current figures, or those as of a day. */

import { compareText } from '../contract/compare-text.ts';
import { METRIC_KEYS } from '../contract/figures.ts';
import { assertDefined, groupBy } from '../platform/collections.ts';
import { addQuartersAndMetrics, collectContradictedFigures, readReportedFigures } from './derived/derive-figures.ts';
import { indexQuarterStarts, type MetricCutoff, type QuarterStarts } from './derived/derive-quarters.ts';
import { type Figure, type FigureValue, findFirstKnownDay, toFigureValue } from './derived/figure.ts';
import { deriveFiguresOfFormulas, isDerivedOnRequest, listOperandsOfMetric } from './derived/formulas.ts';
import { createShareBasisCheck, listInputsOfFourthQuarter } from './derived/quarterly-eps.ts';
import { preferCoverCounts, removeImplausibleCounts } from './derived/share-counts.ts';
import { deriveTrailingTwelveMonths } from './derived/twelve-months.ts';
import { getFigurePosition, isInternal } from './metrics/metric-rules.ts';
import type { FigurePeriodKind } from './periods/period-kind.ts';
import {
  type FigureKey,
  groupByMetricAndUnit,
  isReliableNewValue,
  type ReportedValue,
  splitIntoChains,
  type ValueChoice,
} from './revisions/revision-chain.ts';
import type { Split } from './shares/splits.ts';

export type PeriodChoice = 'latest' | 'annual' | 'quarterly' | 'all';

export interface FigureQuery {
  /** Uses only values filed by the end of this day. Absent or null: current values. */
  readonly asOf?: string | null;
  /** Whether to read current values or values as first reported. Default: current values. */
  readonly values?: ValueChoice | undefined;
  /**
   * Restricts the result to figures with these keys. Absent or null: all metrics, without other figures such as ratios.
   */
  readonly keys?: readonly string[] | null;
  /** Restricts the result to these periods. Default: all. */
  readonly period?: PeriodChoice;
  /** Restricts the result to the first figures of a response. Cannot be combined with `keys`. */
  readonly firstFigures?: FirstFiguresLimit | null;
  /** Whether to include trailing twelve months of amounts that add up over time, and of ratios of such amounts. */
  readonly twelveMonths?: boolean;
  /**
   * Whether to include values that filings show to be wrong; these are shown as filed, with the role `contradicted`.
   */
  readonly includesContradicted?: boolean;
  /** The company's splits, to compare share counts and values per share over time. */
  readonly splits?: readonly Split[];
  /** The starts of the company's reported quarters; required if only the values of some metrics were read. */
  readonly quarterStarts?: QuarterStarts | undefined;
}

/** Limits a response to its first figures. */
interface FirstFiguresLimit {
  /** Keys in the order of the statements. */
  readonly metricKeys: readonly string[];
  /** Earliest period end to show for the last of `metricKeys`, at which the response ends; others are complete. */
  readonly lastMetricSince: string;
  /** Figures of these metrics, by key, so that `selectFigures` does not derive them again. */
  readonly currentFiguresByKey: ReadonlyMap<string, readonly Figure[]>;
}

/**
 * Returns reported and derived figures in the order of the statements, latest end first, from values filed by
 * `query.asOf`.
 */
export const listFigureValues = (values: readonly ReportedValue[], query: FigureQuery = {}): FigureValue[] =>
  mergeAndSortFigures(selectFigures(values, query)).map(toFigureValue);

/** The figures that a query selects, in two lists that are each sorted. */
export interface SelectedFigures {
  /** Figures of current values, or of the values that `asOf` or `values` selects. */
  readonly currentFigures: readonly Figure[];
  /** Empty if the query excludes contradicted values. */
  readonly contradictedFigures: readonly Figure[];
}

/** Merges both lists of figures, in the order of a response. */
export function mergeAndSortFigures({ currentFigures, contradictedFigures }: SelectedFigures): readonly Figure[] {
  return [...currentFigures, ...contradictedFigures].sort(compareFigures);
}

/** Selects the figures of a query as `listFigureValues` does, but separates current from contradicted figures. */
export function selectFigures(values: readonly ReportedValue[], query: FigureQuery = {}): SelectedFigures {
  const { asOf = null, keys = null, period = 'all', splits = [], firstFigures = null } = query;
  const allChains = splitIntoChains(values);
  const shownKeys = keys ?? firstFigures?.metricKeys ?? null;
  const requestedKeys = shownKeys === null ? null : new Set(shownKeys);
  const formulaKeys = (keys ?? []).filter(isDerivedOnRequest);
  const neededKeys = shownKeys === null || formulaKeys.length > 0 ? null : new Set(shownKeys.flatMap(listWithOperands));
  // Twelve months are also derived from other periods than years.
  const derivesOnlyYears = period === 'annual' && query.twelveMonths !== true;
  // The chains of all metrics determine the fiscal years.
  const isNeeded = (chain: readonly ReportedValue[]) => neededKeys === null || neededKeys.has(getMetricKey(chain));
  const chains = derivesOnlyYears ? allChains : allChains.filter(isNeeded);
  const knownFigures = firstFigures?.currentFiguresByKey;
  const reportedFigures = [...groupBy(chains, getMetricKey)].flatMap(
    ([key, ofMetric]) => knownFigures?.get(key) ?? readReportedFigures(ofMetric, asOf, query.values),
  );
  const contradicted = collectContradictedFigures(chains, asOf);
  const quarterStarts = query.quarterStarts ?? collectQuarterStarts(values, asOf);
  const cutoff = firstFigures === null ? null : findCutoff(firstFigures);
  const haveOneShareBasis = createShareBasisCheck(chains, splits, asOf);
  const scope = { derivesOnlyYears, neededKeys, quarterStarts, cutoff, haveOneShareBasis };
  const ofPeriods = addQuartersAndMetrics(reportedFigures, contradicted, scope);
  const isRequested = ({ metricKey }: Figure) =>
    !isInternal(metricKey) && (requestedKeys === null || requestedKeys.has(metricKey));
  const trailing =
    query.twelveMonths === true
      ? deriveTrailingTwelveMonths(
          formulaKeys.length > 0 ? ofPeriods : ofPeriods.filter(isRequested),
          cutoff,
          haveOneShareBasis,
        )
      : [];
  const figures = [...ofPeriods, ...trailing];
  const ofMetrics = figures.filter(isRequested);
  const ofFormulas =
    formulaKeys.length === 0
      ? []
      : deriveFiguresOfFormulas(formulaKeys, removeImplausibleCounts(figures, splits), splits);
  const current = [...selectFiguresOfPeriods(ofMetrics, period), ...selectFiguresOfPeriods(ofFormulas, period)];
  return {
    currentFigures: current.sort(compareFigures),
    contradictedFigures:
      query.includesContradicted === true ? contradicted.filter(isRequested).sort(compareFigures) : [],
  };
}

/**
 * Returns the first metrics, in the order of the statements, that together have at least `limit` reported figures; null
 * if all metrics together have fewer. Must not be called with `period: latest`.
 */
export function findMetricsThatFillLimit(
  values: readonly ReportedValue[],
  { asOf = null, period = 'all', values: choice }: Pick<FigureQuery, 'asOf' | 'period' | 'values'>,
  limit: number,
): FirstFiguresLimit | null {
  const byMetric = groupBy(splitIntoChains(values), getMetricKey);
  const currentFiguresByKey = new Map<string, readonly Figure[]>();
  let count = 0;
  for (const [index, key] of METRIC_KEYS.entries()) {
    const ofMetric = readReportedFigures(byMetric.get(key) ?? [], asOf, choice);
    currentFiguresByKey.set(key, ofMetric);
    const figures = selectFiguresOfPeriods(preferCoverCounts(ofMetric), period);
    const ends = figures.map(({ end }) => end).sort();
    const since = ends[ends.length - (limit - count)];
    if (since !== undefined)
      return { metricKeys: METRIC_KEYS.slice(0, index + 1), lastMetricSince: since, currentFiguresByKey };
    count += figures.length;
  }
  return null;
}

/**
 * Returns the last of the metrics, and the earliest period end for which its figures are shown. Null if another of the
 * metrics is derived from the last one, and so may need earlier figures.
 */
function findCutoff({ metricKeys, lastMetricSince }: FirstFiguresLimit): MetricCutoff | null {
  const lastKey = assertDefined(metricKeys.at(-1));
  const isOperand = metricKeys.some((key) => key !== lastKey && listWithOperands(key).includes(lastKey));
  return isOperand ? null : { metricKey: lastKey, earliestEnd: lastMetricSince };
}

const getMetricKey = ([first]: readonly ReportedValue[]): string => assertDefined(first).metricKey;

/**
 * Returns the starts of the quarters for which any metric has a value that was filed by the day `asOf` and not
 * contradicted by then.
 */
export function collectQuarterStarts(values: Iterable<ReportedValue>, asOf: string | null): QuarterStarts {
  const quarterly: ReportedValue[] = [];
  for (const value of values)
    if (value.periodKind === 'quarter' && isReliableNewValue(value, asOf)) quarterly.push(value);
  return indexQuarterStarts(quarterly);
}

/** Returns the figures of the latest periods, in the order of a response. */
export function selectLatestFigures(figures: readonly Figure[]): Figure[] {
  const publicFigures = figures.filter(({ metricKey }) => !isInternal(metricKey));
  return selectFiguresOfPeriods(publicFigures, 'latest').sort(compareFigures);
}

/** Returns the metrics from whose reported values the figures with these keys are derived; null if all are needed. */
export const listInputMetrics = (keys: readonly string[]): string[] | null =>
  keys.some(isDerivedOnRequest) ? null : [...new Set(keys.flatMap(listWithOperands))];

const listWithOperands = (key: string): string[] =>
  [key, ...listInputsOfFourthQuarter(key)].flatMap((input) => [input, ...listOperandsOfMetric(input)]);

/** Compares figures in the order of a response: by statement order, then latest end, then longer period, then unit. */
function compareFigures(a: FigureKey, b: FigureKey): number {
  return (
    getFigurePosition(a.metricKey) - getFigurePosition(b.metricKey) ||
    compareText(a.metricKey, b.metricKey) ||
    compareText(b.end, a.end) ||
    compareText(a.start ?? '', b.start ?? '') ||
    compareText(a.unit, b.unit)
  );
}

/** A figure with the fields that `selectFiguresOfPeriods` reads. */
type DatedFigure = FigureKey & Pick<Figure, 'periodKind' | 'fiscalPeriod'>;

/** Precedence of periods that end on the same day. */
const PERIOD_RANK: Readonly<Record<FigurePeriodKind, number>> = {
  annual: 0,
  quarter: 1,
  nine_month: 2,
  half: 3,
  instant: 4,
  ttm: 5,
};

/**
 * Selects figures. Keeps their order, except that `latest` sorts them in the order of a response:
 * - `latest`: the figure with the latest end of each metric and unit, even if an older period was restated later. If
 *   several figures have this end, the annual figure is selected, then the quarter, then the longer year to date.
 * - `annual`: fiscal years, balances at their ends, and the covers of annual reports.
 * - `quarterly`: quarters, balances at quarter ends (including year ends), and the covers of all reports.
 */
export function selectFiguresOfPeriods<F extends DatedFigure>(figures: readonly F[], choice: PeriodChoice): F[] {
  switch (choice) {
    case 'all':
      return [...figures];
    case 'annual':
      return figures.filter((value) => value.fiscalPeriod === 'FY');
    case 'quarterly':
      return figures.filter(
        ({ periodKind, fiscalPeriod }) =>
          periodKind === 'quarter' || (periodKind === 'instant' && fiscalPeriod !== null),
      );
    case 'latest':
      return groupByMetricAndUnit(figures)
        .map((series) => series.reduce((latest, value) => (replacesLatest(value, latest) ? value : latest)))
        .sort(compareFigures);
  }
}

const replacesLatest = (a: DatedFigure, b: DatedFigure): boolean =>
  a.end === b.end ? PERIOD_RANK[a.periodKind] < PERIOD_RANK[b.periodKind] : a.end > b.end;

/**
 * Returns one figure per metric, unit, kind of period and end. Prefers a reported to a derived value, then the value
 * filed first, then the period that starts later.
 */
export function dropDuplicates(figures: readonly Figure[]): Figure[] {
  const compare = (a: Figure, b: Figure) =>
    Number(a.derived) - Number(b.derived) ||
    compareText(findFirstKnownDay(a), findFirstKnownDay(b)) ||
    compareText(b.start ?? '', a.start ?? '');
  const byKey = groupBy(figures, ({ metricKey, unit, periodKind, end }) => `${metricKey} ${unit} ${periodKind} ${end}`);
  return [...byKey.values()].map((same) => same.reduce((a, b) => (compare(b, a) < 0 ? b : a))).sort(compareFigures);
}
