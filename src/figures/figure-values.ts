/** All figures of a company from its reported values: current, or as of a day. */

import { compareText } from '../contract/compare-text.ts';
import { METRIC_KEYS } from '../contract/figures.ts';
import { assertDefined } from '../platform/assert-defined.ts';
import { groupBy } from '../platform/collections.ts';
import { daysBetween } from '../platform/dates.ts';
import { type Figure, type FigureValue, firstFiled, reportedFigure, toFigureValue } from './derived/figure.ts';
import { deriveMetrics, figuresOfFormulas, isOnRequest, operandsOfMetric } from './derived/formulas.ts';
import { deriveQuarters, type QuarterStarts, quarterStarts, type Since } from './derived/quarters.ts';
import { coversFirst, withCredibleCounts } from './derived/share-counts.ts';
import { trailingTwelveMonths } from './derived/twelve-months.ts';
import { latestFigures } from './latest-figures.ts';
import { isInternal, metricOrder } from './metrics/metric-rules.ts';
import type { FigurePeriodKind } from './periods/period-kind.ts';
import {
  byMetricAndUnit,
  chainsOf,
  contradictedValue,
  type FigureKey,
  firstValue,
  isStatement,
  type ReportedValue,
  standingValue,
  type ValueChoice,
} from './revisions/revision-chain.ts';
import type { Split } from './shares/splits.ts';

export interface FigureQuery {
  /** Uses values filed by the end of this day. Absent or null: current values. */
  readonly asOf?: string | null;
  /** Current values, or values as first reported. Default: current. */
  readonly values?: ValueChoice | undefined;
  /**
   * Restricts the result to these figures. Figures that are not metrics, such as ratios, are included only when
   * named. Absent or null: all metrics.
   */
  readonly keys?: readonly string[] | null;
  /** Restricts the result to these periods. Default: all. */
  readonly period?: PeriodChoice;
  /** Restricts the result to the first figures of an answer. Not together with `keys`. */
  readonly first?: FirstFigures | null;
  /** Whether to include trailing twelve months of flows of money, and of ratios of such flows. */
  readonly twelveMonths?: boolean;
  /** Whether to include values that filings show to be wrong, as filed and with the role `contradicted`. */
  readonly contradicted?: boolean;
  /** The company's splits, to compare share counts over time. */
  readonly splits?: readonly Split[];
  /** The starts of the company's reported quarters, when `values` does not have all metrics. */
  readonly starts?: QuarterStarts | undefined;
}

/** The first figures of an answer. */
export interface FirstFigures {
  /** In the order of statements. */
  readonly metricKeys: readonly string[];
  /** Periods of the last of these metrics that end earlier are not shown. */
  readonly lastSince: string;
  /** Current figures of these metrics, by metric, so that they are computed only once. */
  readonly standing: ReadonlyMap<string, readonly Figure[]>;
}

/**
 * Returns reported and derived figures in the order of the statements, latest end first. The result depends only on
 * values filed by the day: no later filing changes it.
 */
export function figureValues(values: readonly ReportedValue[], query: FigureQuery = {}): FigureValue[] {
  return inOrder(selectFigures(values, query)).map(toFigureValue);
}

/** The figures of the values, before they are put in the order of an answer. */
export interface SelectedFigures {
  readonly standing: readonly Figure[];
  /** Empty unless the query includes them. */
  readonly contradicted: readonly Figure[];
}

/** All figures in the order of an answer. */
export function inOrder({ standing, contradicted }: SelectedFigures): readonly Figure[] {
  return contradicted.length === 0 ? standing : [...standing, ...contradicted].sort(compareFigures);
}

export function selectFigures(values: readonly ReportedValue[], query: FigureQuery = {}): SelectedFigures {
  const { asOf = null, keys = null, period = 'all', splits = [], first = null } = query;
  const all = chainsOf(values);
  const shown = keys ?? first?.metricKeys ?? null;
  const wanted = shown === null ? null : new Set(shown);
  const named = (keys ?? []).filter(isOnRequest);
  const needed = shown === null || named.length > 0 ? null : new Set(shown.flatMap(withOperands));
  // Twelve months, and the latest ratios, are derived from other periods too.
  const only = query.twelveMonths === true || (named.length > 0 && period !== 'annual') ? 'all' : period;
  // The latest days, and the fiscal years, depend on all metrics.
  const chains = only === 'latest' || only === 'annual' ? all : ofMetrics(all, needed);
  const reported = [...groupBy(chains, metricOfChain)].flatMap(
    ([metricKey, own]) => first?.standing.get(metricKey) ?? standingFigures(own, asOf, query.values),
  );
  const wrong = contradictedFigures(chains, asOf);
  const starts = query.starts ?? startsOfQuarters(values, asOf);
  const since = first === null ? null : sinceOf(first);
  const discrete =
    only === 'latest'
      ? latestFigures(reported, wrong, starts)
      : discreteFigures(reported, wrong, { period: only, needed, starts, since });
  const isWanted = ({ metricKey }: Figure) => !isInternal(metricKey) && (wanted === null || wanted.has(metricKey));
  const windows =
    query.twelveMonths === true
      ? trailingTwelveMonths(named.length > 0 ? discrete : discrete.filter(isWanted), since)
      : [];
  const figures = [...discrete, ...windows];
  const metrics = figures.filter(isWanted);
  const derived = named.length === 0 ? [] : figuresOfFormulas(named, withCredibleCounts(figures, splits), splits);
  return {
    standing: [...selectPeriods(metrics, period), ...selectPeriods(derived, period)].sort(compareFigures),
    contradicted: query.contradicted === true ? wrong.filter(isWanted).sort(compareFigures) : [],
  };
}

type Chains = readonly (readonly ReportedValue[])[];

/**
 * The first metrics, in the order of the statements, that have at least `limit` reported figures together; null if
 * all metrics have fewer. Does not apply to the latest periods.
 */
export function firstFigures(
  values: readonly ReportedValue[],
  { asOf = null, period = 'all', values: choice }: Pick<FigureQuery, 'asOf' | 'period' | 'values'>,
  limit: number,
): FirstFigures | null {
  const byMetric = groupBy(chainsOf(values), metricOfChain);
  const standing = new Map<string, readonly Figure[]>();
  let rows = 0;
  for (const [at, key] of METRIC_KEYS.entries()) {
    const reported = standingFigures(byMetric.get(key) ?? [], asOf, choice);
    standing.set(key, reported);
    const figures = selectPeriods(coversFirst(reported), period);
    const ends = figures.map(({ end }) => end).sort();
    const lastSince = ends[ends.length - (limit - rows)];
    if (lastSince !== undefined) return { metricKeys: METRIC_KEYS.slice(0, at + 1), lastSince, standing };
    rows += figures.length;
  }
  return null;
}

/** Figures derived from the last metric are needed only for the days of it that are shown. */
function sinceOf({ metricKeys, lastSince }: FirstFigures): Since | null {
  const last = assertDefined(metricKeys.at(-1));
  const isOperand = metricKeys.some((key) => operandsOfMetric(key).includes(last));
  return isOperand ? null : { metricKey: last, end: lastSince };
}

function ofMetrics(chains: Chains, metrics: ReadonlySet<string> | null): Chains {
  return metrics === null ? chains : chains.filter((chain) => metrics.has(metricOfChain(chain)));
}

const metricOfChain = ([first]: readonly ReportedValue[]): string => assertDefined(first).metricKey;

/** The starts of quarters with a current value on the day, of all metrics in `values`. */
export function startsOfQuarters(values: Iterable<ReportedValue>, asOf: string | null): QuarterStarts {
  const standing: ReportedValue[] = [];
  for (const value of values) if (value.periodKind === 'quarter' && isStatement(value, asOf)) standing.push(value);
  return quarterStarts(standing);
}

/** Selects the figures of the latest periods that an answer has. */
export function latestOf(figures: readonly Figure[]): Figure[] {
  return selectPeriods(
    figures.filter(({ metricKey }) => !isInternal(metricKey)),
    'latest',
  ).sort(compareFigures);
}

/** The metrics whose reported values these figures are derived from; null if all are needed. */
export function inputMetrics(keys: readonly string[]): string[] | null {
  return keys.some(isOnRequest) ? null : [...new Set(keys.flatMap(withOperands))];
}

function withOperands(key: string): string[] {
  return [key, ...operandsOfMetric(key)];
}

/** The figures of reported values, internal figures included. */
export function figuresOf(values: readonly ReportedValue[], asOf: string | null): Figure[] {
  return figuresOfChains(chainsOf(values), asOf);
}

/** The same for values that are already grouped into chains. */
export function figuresOfChains(chains: Chains, asOf: string | null): Figure[] {
  const reported = standingFigures(chains, asOf);
  const everything = { period: 'all', needed: null, starts: quarterStarts(reported), since: null } as const;
  return discreteFigures(reported, contradictedFigures(chains, asOf), everything);
}

/** Figures that may be left out: those of other periods, and metrics that are not needed. */
interface Scope {
  readonly period: PeriodChoice;
  /** The needed metrics and their inputs; null: all. */
  readonly needed: ReadonlySet<string> | null;
  /** Which quarters to derive: those of these metrics that end on this day or later. Default: all needed ones. */
  readonly quarters?: { readonly of: ReadonlySet<string>; readonly from: string };
  /** The starts of the quarters that filings report, of all metrics. */
  readonly starts: Pick<QuarterStarts, 'get'>;
  readonly since: Since | null;
}

/** Reported figures, and the quarters and metrics derived from them. */
export function discreteFigures(reported: readonly Figure[], contradicted: readonly Figure[], scope: Scope): Figure[] {
  const { period, needed, quarters, starts, since } = scope;
  const filed = coversFirst(reported);
  const discrete = (period === 'annual' ? ofFiscalYears(filed) : null) ?? [
    ...filed,
    ...deriveQuarters(reported, starts, { needed: quarters?.of ?? needed, since, from: quarters?.from ?? null }),
  ];
  const sources = quarters === undefined ? discrete : discrete.filter((figure) => isSince(quarters.from, figure));
  return [...discrete, ...deriveMetrics(sources, contradicted, needed)];
}

/** Whether a figure is of a year or a balance, or of a shorter period that ends on the day or later. */
function isSince(day: string, { periodKind, start, end }: Figure): boolean {
  return start === null || periodKind === 'annual' || end >= day;
}

/** Minimum length in days of a fiscal year; every derived quarter is shorter, however its filer dates it. */
const LONGER_THAN_QUARTER = 200;

/**
 * Figures with the dates of fiscal years, and all years and balances: figures of fiscal years, and ratios of these, are
 * derived only from these. Null if a fiscal year is as short as a quarter, as after a change of its end.
 */
function ofFiscalYears(figures: readonly Figure[]): Figure[] | null {
  const years = figures.filter(({ fiscalPeriod }) => fiscalPeriod === 'FY');
  const isLong = ({ start, end }: Figure) => start === null || daysBetween(start, end) > LONGER_THAN_QUARTER;
  if (!years.every(isLong)) return null;
  const datesOf = ({ unit, start, end }: Figure) => `${unit} ${start} ${end}`;
  const dates = new Set(years.map(datesOf));
  const isYearOrBalance = ({ periodKind }: Figure) => periodKind === 'annual' || periodKind === 'instant';
  return figures.filter((figure) => isYearOrBalance(figure) || dates.has(datesOf(figure)));
}

function standingFigures(chains: Chains, asOf: string | null, choice?: ValueChoice): Figure[] {
  return chains.map((chain) => standingFigure(chain, asOf, choice)).filter((figure) => figure !== null);
}

/** The figure of a chain's current value, or of its first; null if none was filed by the day. */
export function standingFigure(
  chain: readonly ReportedValue[],
  asOf: string | null,
  choice: ValueChoice = 'latest',
): Figure | null {
  const value = choice === 'first' ? firstValue(chain, asOf) : standingValue(chain, asOf);
  return value === null ? null : reportedFigure(value);
}

/**
 * Figures that the company's filings show to be wrong in all of their reports. Answers leave them out, and nothing is
 * derived from them.
 */
function contradictedFigures(chains: Chains, asOf: string | null): Figure[] {
  return chains.map((chain) => contradictedFigure(chain, asOf)).filter((figure) => figure !== null);
}

/** The figure of a chain if all reports of it by the day are shown to be wrong; otherwise null. */
export function contradictedFigure(chain: readonly ReportedValue[], asOf: string | null): Figure | null {
  const source = contradictedValue(chain, asOf);
  return source === null ? null : { contradicted: true, ...reportedFigure(source) };
}

/** The order of figures in an answer: by metric, then latest end, then the longer period, then unit. */
function compareFigures(a: FigureKey, b: FigureKey): number {
  return (
    metricOrder(a.metricKey) - metricOrder(b.metricKey) ||
    compareText(a.metricKey, b.metricKey) ||
    compareText(b.end, a.end) ||
    compareText(a.start ?? '', b.start ?? '') ||
    compareText(a.unit, b.unit)
  );
}

type PeriodChoice = 'latest' | 'annual' | 'quarterly' | 'all';

/** The period of a figure. */
interface Dated extends FigureKey {
  readonly periodKind: FigurePeriodKind;
  readonly fiscalPeriod: string | null;
}

/** Precedence of periods that end on the same day. */
const PREFERENCE: Readonly<Record<FigurePeriodKind, number>> = {
  annual: 0,
  quarter: 1,
  nine_month: 2,
  half: 3,
  instant: 4,
  ttm: 5,
};

/**
 * Selects figures and keeps their order:
 * - `latest`: the figure with the latest end of each metric and unit, even if an older period was restated later; if
 * several end together, the annual, then the quarter, then the longest.
 * - `annual`: fiscal years, balances at their ends, and the covers of annual reports.
 * - `quarterly`: quarters, balances at quarter ends (including year ends), and the covers of all reports.
 */
export function selectPeriods<F extends Dated>(values: readonly F[], choice: PeriodChoice): F[] {
  switch (choice) {
    case 'all':
      return [...values];
    case 'annual':
      return values.filter((value) => value.fiscalPeriod === 'FY');
    case 'quarterly':
      return values.filter(
        ({ periodKind, fiscalPeriod }) =>
          periodKind === 'quarter' || (periodKind === 'instant' && fiscalPeriod !== null),
      );
    case 'latest':
      return byMetricAndUnit(values)
        .map((one) => one.reduce((best, value) => (isLater(value, best) ? value : best)))
        .sort(compareFigures);
  }
}

function isLater(a: Dated, b: Dated): boolean {
  return a.end === b.end ? PREFERENCE[a.periodKind] < PREFERENCE[b.periodKind] : a.end > b.end;
}

/**
 * One row per metric, unit, kind of period and end. A reported value precedes a derived one; then the value filed
 * first; then the period that starts later.
 */
export function collapse(figures: readonly Figure[]): Figure[] {
  return keepBest(
    figures,
    (value) => `${value.metricKey} ${value.unit} ${value.periodKind} ${value.end}`,
    (a, b) =>
      Number(a.derived) - Number(b.derived) ||
      compareText(firstFiled(a), firstFiled(b)) ||
      compareText(b.start ?? '', a.start ?? ''),
  );
}

function keepBest<F extends Dated>(
  values: readonly F[],
  keyOf: (value: F) => string,
  order: (a: F, b: F) => number,
): F[] {
  const best = new Map<string, F>();
  for (const value of values) {
    const key = keyOf(value);
    const known = best.get(key);
    if (known === undefined || order(value, known) < 0) best.set(key, value);
  }
  return [...best.values()].sort(compareFigures);
}
