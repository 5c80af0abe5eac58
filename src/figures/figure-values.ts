/** All figures of a company from its reported values: as they stand, or as they stood on a day. */

import { compareText } from '../contract/compare-text.ts';
import { METRIC_KEYS } from '../contract/figures.ts';
import { assertDefined } from '../platform/assert-defined.ts';
import { groupBy } from '../platform/collections.ts';
import { daysBetween } from '../platform/dates.ts';
import { latestFigures } from './latest-figures.ts';
import { type Figure, type FigureValue, firstFiled, reportedFigure, toFigureValue } from './metrics/figure.ts';
import { deriveMetrics, figuresOfFormulas, isOnRequest, operandsOfMetric } from './metrics/formulas.ts';
import { isInternal, metricOrder } from './metrics/metric-rules.ts';
import type { FigurePeriodKind } from './periods/period-kind.ts';
import { deriveQuarters, type QuarterStarts, quarterStarts, type Since } from './periods/quarters.ts';
import { trailingTwelveMonths } from './periods/twelve-months.ts';
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
import { coversFirst, withCredibleCounts } from './shares/share-counts.ts';
import type { Split } from './shares/splits.ts';

export interface FigureQuery {
  /** Read as of the end of this day; absent or null: as they stand. */
  readonly asOf?: string | null;
  /** The values as they stand, or as they were first reported; those that stand by default. */
  readonly values?: ValueChoice | undefined;
  /** Only these figures. Figures that are no metrics, like ratios, come only when named. Absent or null: every metric. */
  readonly keys?: readonly string[] | null;
  /** Only these periods; all by default. */
  readonly period?: PeriodChoice;
  /** Which of them are shown, where not all are. Without keys. */
  readonly first?: FirstFigures | null;
  /** Whether flows of money, and ratios that have any, come over trailing twelve months too. */
  readonly twelveMonths?: boolean;
  /** Whether values that filings show to be wrong come too, as filed and in the role `contradicted`. */
  readonly contradicted?: boolean;
  /** The company's splits, for figures that compare share counts over time. */
  readonly splits?: readonly Split[];
  /** The starts of the company's reported quarters, where the values are not of all metrics. */
  readonly starts?: QuarterStarts | undefined;
}

/** The first figures of an answer. */
export interface FirstFigures {
  /** In the order of the statements. */
  readonly metricKeys: readonly string[];
  /** Of the last of these metrics nothing that ends earlier is shown. */
  readonly lastSince: string;
  /** What stands of the reported values of these metrics, by metric, so that it is found out once. */
  readonly standing: ReadonlyMap<string, readonly Figure[]>;
}

/**
 * Reported and derived figures, in the order of the statements, latest end first.
 * A pure function of the values filed by the day: no later filing can change its result.
 */
export function figureValues(values: readonly ReportedValue[], query: FigureQuery = {}): FigureValue[] {
  return inOrder(selectFigures(values, query)).map(toFigureValue);
}

/** The figures behind the values, in their order. */
export interface SelectedFigures {
  readonly standing: readonly Figure[];
  /** Empty unless the query wants them. */
  readonly contradicted: readonly Figure[];
}

/** All of them in the order of an answer. */
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
  // Ratios and twelve months are made of other periods too.
  const only = named.length > 0 || query.twelveMonths === true ? 'all' : period;
  // Which days are the latest, and which years are fiscal years, depends on every metric.
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
 * The first metrics, in the order of the statements, whose reported figures alone are as many as `limit`; null where all
 * that the values have are fewer. Not for the latest periods.
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

/** What follows from figures of the last metric of all is derived only for the days that are shown of it. */
function sinceOf({ metricKeys, lastSince }: FirstFigures): Since | null {
  const last = assertDefined(metricKeys.at(-1));
  const isOperand = metricKeys.some((key) => operandsOfMetric(key).includes(last));
  return isOperand ? null : { metricKey: last, end: lastSince };
}

function ofMetrics(chains: Chains, metrics: ReadonlySet<string> | null): Chains {
  return metrics === null ? chains : chains.filter((chain) => metrics.has(metricOfChain(chain)));
}

const metricOfChain = ([first]: readonly ReportedValue[]): string => assertDefined(first).metricKey;

/** The starts of the quarters of which a value stands on the day, of every metric that the values are of. */
export function startsOfQuarters(values: Iterable<ReportedValue>, asOf: string | null): QuarterStarts {
  const standing: ReportedValue[] = [];
  for (const value of values) if (value.periodKind === 'quarter' && isStatement(value, asOf)) standing.push(value);
  return quarterStarts(standing);
}

/** What an answer has of the latest periods, of all figures of a company. */
export function latestOf(figures: readonly Figure[]): Figure[] {
  return selectPeriods(
    figures.filter(({ metricKey }) => !isInternal(metricKey)),
    'latest',
  ).sort(compareFigures);
}

/** The metrics whose reported values the figures of these keys follow from; null where all are needed. */
export function inputMetrics(keys: readonly string[]): string[] | null {
  return keys.some(isOnRequest) ? null : [...new Set(keys.flatMap(withOperands))];
}

function withOperands(key: string): string[] {
  return [key, ...operandsOfMetric(key)];
}

/** The figures behind the values, internal ones too. */
export function figuresOf(values: readonly ReportedValue[], asOf: string | null): Figure[] {
  return figuresOfChains(chainsOf(values), asOf);
}

/** The same for values that are in chains already. */
export function figuresOfChains(chains: Chains, asOf: string | null): Figure[] {
  const reported = standingFigures(chains, asOf);
  const everything = { period: 'all', needed: null, starts: quarterStarts(reported), since: null } as const;
  return discreteFigures(reported, contradictedFigures(chains, asOf), everything);
}

/** What may be left out: figures of other periods, and metrics that are not needed. */
interface Scope {
  readonly period: PeriodChoice;
  /** With what they are derived from; null: all. */
  readonly needed: ReadonlySet<string> | null;
  /** The quarters that are derived: of these metrics, ending on this day or later; by default all of those that are needed. */
  readonly quarters?: { readonly of: ReadonlySet<string>; readonly from: string };
  /** Of the quarters that filings report, of every metric. */
  readonly starts: QuarterStarts;
  readonly since: Since | null;
}

/** Reported figures, and those derived from them. */
export function discreteFigures(reported: readonly Figure[], contradicted: readonly Figure[], scope: Scope): Figure[] {
  const { period, needed, quarters, starts, since } = scope;
  const filed = coversFirst(reported);
  const discrete = (period === 'annual' ? ofFiscalYears(filed) : null) ?? [
    ...filed,
    ...deriveQuarters(reported, starts, { needed: quarters?.of ?? needed, since, from: quarters?.from ?? null }),
  ];
  return [...discrete, ...deriveMetrics(discrete, contradicted, needed)];
}

/** A derived quarter is shorter, however its filer dates it. */
const LONGER_THAN_QUARTER = 200;

/**
 * The figures of the dates of fiscal years, from which alone figures of fiscal years are derived. Null where one is as
 * short as a quarter, as after a change of fiscal year.
 */
function ofFiscalYears(figures: readonly Figure[]): Figure[] | null {
  const years = figures.filter(({ fiscalPeriod }) => fiscalPeriod === 'FY');
  const isLong = ({ start, end }: Figure) => start === null || daysBetween(start, end) > LONGER_THAN_QUARTER;
  if (!years.every(isLong)) return null;
  const datesOf = ({ unit, start, end }: Figure) => `${unit} ${start} ${end}`;
  const dates = new Set(years.map(datesOf));
  return figures.filter((figure) => dates.has(datesOf(figure)));
}

function standingFigures(chains: Chains, asOf: string | null, choice?: ValueChoice): Figure[] {
  return chains.map((chain) => standingFigure(chain, asOf, choice)).filter((figure) => figure !== null);
}

/** The figure that a chain's standing value, or its first, gives; null where none was filed by the day. */
export function standingFigure(
  chain: readonly ReportedValue[],
  asOf: string | null,
  choice: ValueChoice = 'latest',
): Figure | null {
  const value = choice === 'first' ? firstValue(chain, asOf) : standingValue(chain, asOf);
  return value === null ? null : reportedFigure(value);
}

/** Figures whose every report the company's filings show to be wrong: no answer contains them, and nothing is derived from them. */
function contradictedFigures(chains: Chains, asOf: string | null): Figure[] {
  return chains.map((chain) => contradictedFigure(chain, asOf)).filter((figure) => figure !== null);
}

/** The figure of a chain whose every report by the day is shown to be wrong; else null. */
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

/** What period a figure is of. */
interface Dated extends FigureKey {
  readonly periodKind: FigurePeriodKind;
  readonly fiscalPeriod: string | null;
}

/** Which of several periods that end on one day comes first. */
const PREFERENCE: Readonly<Record<FigurePeriodKind, number>> = {
  annual: 0,
  quarter: 1,
  nine_month: 2,
  half: 3,
  instant: 4,
  ttm: 5,
};

/**
 * - `latest`: of each metric and unit the figure that ends last (a late restatement of an older period never
 *   moves it back); of several that end together the annual, then the quarter, then the longer.
 * - `annual`: fiscal years, balances at their ends, and the covers of annual reports.
 * - `quarterly`: quarters, balances at quarter ends (a year's end is one), and the covers of all reports.
 * The order of the figures is kept.
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
 * One row per metric, unit, kind of period and end: a reported value where there is one, else a derived one; of equals
 * the one filed first, and of those filed on one day the one that starts later.
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
