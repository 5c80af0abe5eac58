/** All figures of a company from its reported values: as they stand, or as they stood on a day. */

import { compareText } from '../contract/compare-text.ts';
import { METRIC_KEYS } from '../contract/figures.ts';
import { daysBetween } from '../platform/dates.ts';
import { latestFigures } from './latest-figures.ts';
import { type Figure, type FigureValue, firstFiled, reportedFigure, toFigureValue } from './metrics/figure.ts';
import { deriveMetrics, figuresOfFormulas, isOnRequest, operandsOfMetric } from './metrics/formulas.ts';
import { isInternal, metricOrder } from './metrics/metric-rules.ts';
import type { FigurePeriodKind } from './periods/period-kind.ts';
import { deriveQuarters } from './periods/quarters.ts';
import { trailingTwelveMonths } from './periods/twelve-months.ts';
import {
  chainsOf,
  contradictedValue,
  type FigureKey,
  type ReportedValue,
  standingValue,
} from './revisions/revision-chain.ts';
import { coversFirst, withCredibleCounts } from './shares/share-counts.ts';
import type { Split } from './shares/splits.ts';

export interface FigureQuery {
  /** Read as of the end of this day; absent or null: as they stand. */
  readonly asOf?: string | null;
  /** Only these figures. Figures that are no metrics, like ratios, come only when named. Absent or null: every metric. */
  readonly keys?: readonly string[] | null;
  /** Only these periods; all by default. */
  readonly period?: PeriodChoice;
  /** So many are enough, the first in order; more may come. Without keys. */
  readonly limit?: number;
  /** Whether flows of money, and ratios that have any, come over trailing twelve months too. */
  readonly twelveMonths?: boolean;
  /** Whether values that filings show to be wrong come too, as filed and in the role `contradicted`. */
  readonly contradicted?: boolean;
  /** The company's splits, for figures that compare share counts over time. */
  readonly splits?: readonly Split[];
}

/**
 * Reported and derived figures, in the order of the statements, latest end first.
 * A pure function of the values filed by the day: no later filing can change its result.
 */
export function figureValues(values: readonly ReportedValue[], query: FigureQuery = {}): FigureValue[] {
  const { standing, contradicted } = selectFigures(values, query);
  return [...standing.map(toFigureValue), ...contradicted.map(toContradictedValue)].sort(compareFigures);
}

/** The figures behind the values, in their order. */
export interface SelectedFigures {
  readonly standing: readonly Figure[];
  /** Empty unless the query wants them. */
  readonly contradicted: readonly Figure[];
}

export function selectFigures(values: readonly ReportedValue[], query: FigureQuery = {}): SelectedFigures {
  const { asOf = null, keys = null, period = 'all', splits = [] } = query;
  const chains = chainsOf(values);
  const reported = standingFigures(chains, asOf);
  const wrong = contradictedFigures(chains, asOf);
  const shown = keys ?? firstMetrics(coversFirst(reported), period, query.limit);
  const wanted = shown === null ? null : new Set(shown);
  const named = (keys ?? []).filter(isOnRequest);
  const needed = shown === null || named.length > 0 ? null : new Set(shown.flatMap(withOperands));
  // Ratios and twelve months are made of other periods too.
  const only = named.length > 0 || query.twelveMonths === true ? 'all' : period;
  const discrete =
    only === 'latest' ? latestFigures(reported, wrong) : discreteFigures(reported, wrong, { period: only, needed });
  const isWanted = ({ metricKey }: Figure) => !isInternal(metricKey) && (wanted === null || wanted.has(metricKey));
  const windows =
    query.twelveMonths === true ? trailingTwelveMonths(named.length > 0 ? discrete : discrete.filter(isWanted)) : [];
  const figures = [...discrete, ...windows];
  const metrics = figures.filter(isWanted);
  const derived = named.length === 0 ? [] : figuresOfFormulas(named, withCredibleCounts(figures, splits), splits);
  return {
    standing: [...selectPeriods(metrics, period), ...selectPeriods(derived, period)].sort(compareFigures),
    contradicted: query.contradicted === true ? wrong.filter(isWanted).sort(compareFigures) : [],
  };
}

/** In the order of the statements the metrics whose reported figures alone are as many as that; null where all are not. */
function firstMetrics(reported: readonly Figure[], period: PeriodChoice, limit: number | undefined): string[] | null {
  if (limit === undefined || period === 'latest') return null;
  const counts = new Map<string, number>();
  for (const { metricKey } of selectPeriods(reported, period)) counts.set(metricKey, (counts.get(metricKey) ?? 0) + 1);
  let rows = 0;
  const last = METRIC_KEYS.findIndex((key) => {
    rows += counts.get(key) ?? 0;
    return rows >= limit;
  });
  return last < 0 ? null : METRIC_KEYS.slice(0, last + 1);
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
export function figuresOfChains(chains: readonly (readonly ReportedValue[])[], asOf: string | null): Figure[] {
  const everything = { period: 'all', needed: null } as const;
  return discreteFigures(standingFigures(chains, asOf), contradictedFigures(chains, asOf), everything);
}

/** What may be left out: figures of other periods, and metrics that are not needed. */
interface Scope {
  readonly period: PeriodChoice;
  /** With what they are derived from; null: all. */
  readonly needed: ReadonlySet<string> | null;
}

/** Reported figures, and those derived from them. */
function discreteFigures(reported: readonly Figure[], contradicted: readonly Figure[], scope: Scope): Figure[] {
  const { period, needed } = scope;
  const filed = coversFirst(reported);
  const discrete = (period === 'annual' ? ofFiscalYears(filed) : null) ?? [
    ...filed,
    ...deriveQuarters(reported, needed),
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

function standingFigures(chains: readonly (readonly ReportedValue[])[], asOf: string | null): Figure[] {
  return chains.flatMap((chain) => {
    const standing = standingValue(chain, asOf);
    return standing === null ? [] : [reportedFigure(standing)];
  });
}

/** Figures whose every report the company's filings show to be wrong: no answer contains them, and nothing is derived from them. */
function contradictedFigures(chains: readonly (readonly ReportedValue[])[], asOf: string | null): Figure[] {
  return chains.flatMap((chain) => {
    const source = contradictedValue(chain, asOf);
    return source === null ? [] : [reportedFigure(source)];
  });
}

function toContradictedValue(figure: Figure): FigureValue {
  const value = toFigureValue(figure);
  return { ...value, inputs: value.inputs.map(({ reported }) => ({ role: 'contradicted', reported })) };
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
      return keepBest(
        values,
        (value) => `${value.metricKey} ${value.unit}`,
        (a, b) => (a.end === b.end ? PREFERENCE[a.periodKind] - PREFERENCE[b.periodKind] : a.end < b.end ? 1 : -1),
      );
  }
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
