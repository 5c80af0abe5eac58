/**
 * Relations between amounts that filers state: totals and their parts, and income per share. A broken relation shows
 * that an amount is wrong, but not which one, so all its amounts are marked as unconfirmed (`unconfirmed.ts`). Used to
 * mark values when chains are built, and to verify that a release publishes no broken relation without a mark.
 */

import { divide, multiply, subtract, sum, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import { groupBy } from '../../platform/collections.ts';
import type { Figure } from '../derived/figure.ts';
import { groupByPeriod, groupByPeriodAndUnit } from '../periods/period-map.ts';
import type { FigureKey, ReportedValue } from '../revisions/revision-chain.ts';

/** Tolerance for amounts rounded to millions, for rounded ratios, and for amounts converted from another currency. */
export const ROUNDING_TOLERANCE: Decimal = '0.01';

/** Returns the amount of a metric; undefined if it is missing. */
type AmountFinder = (metricKey: string) => Decimal | undefined;

interface Relation {
  readonly name: string;
  /** Metrics that the relation compares. Of a list, the first with an amount. */
  readonly metricKeys: readonly (string | readonly string[])[];
  /**
   * Returns the excess, as a fraction, with which the amounts break the relation; zero if they fulfil it. Null if an
   * amount that the relation needs is missing.
   */
  readonly measure: (findAmount: AmountFinder) => Decimal | null;
}

/** Pairs of a part and a total of one statement: the part must not exceed the total. */
const PARTS_AND_TOTALS = [
  ['current_assets', 'assets'],
  ['cash_and_equivalents', 'assets'],
  ['current_liabilities', 'liabilities'],
  ['gross_profit', 'revenue'],
  ['operating_income', 'revenue'],
  ['depreciation', 'depreciation_and_amortization'],
  ['receivables', 'current_assets'],
  ['inventories', 'current_assets'],
  ['short_term_investments', 'current_assets'],
  ['property_plant_and_equipment', 'assets'],
  ['goodwill', 'assets'],
  ['intangible_assets', 'assets'],
  ['payables', 'current_liabilities'],
  ['deferred_revenue', 'current_liabilities'],
  ['short_term_debt', 'current_liabilities'],
  ['long_term_debt', 'liabilities'],
  ['research_and_development', 'operating_expenses'],
  ['selling_general_and_administrative', 'operating_expenses'],
  ['weighted_shares_basic', 'weighted_shares_diluted'],
] as const;

/** Relations between the amounts that one filing states for one period. */
export const STATEMENT_RELATIONS: readonly Relation[] = [
  makeBalanceRelation('assets = liabilities + equity'),
  makeDepreciationRelation('depreciation + amortization <= their reported total'),
  makeSumRelation('gross profit = revenue - cost of revenue', 'revenue', ['gross_profit', 'cost_of_revenue']),
  makeSumRelation('gross profit = operating income + operating expenses', 'gross_profit', [
    'operating_income',
    'operating_expenses',
  ]),
  makeSumRelation('long-term debt of all maturities = noncurrent + current portion', 'long_term_debt_with_current', [
    'long_term_debt',
    'current_portion_of_debt',
  ]),
  ...PARTS_AND_TOTALS.map(([part, total]) => makePartRelation(part, total)),
];

/**
 * Tolerated excess of a sum of parts, relative to the total: parts are often taken from the notes, whose amounts may
 * correct a line of the statement.
 */
const CORRECTION_TOLERANCE: Decimal = '0.05';

/** Relations between the current values of one period, which different filings may report. */
export const CURRENT_RELATIONS: readonly Relation[] = [
  makeBalanceRelation('assets = liabilities + equity, with the latest values from all filings'),
  ...(['basic', 'diluted'] as const).map(makeIncomePerShareRelation),
];

/**
 * Compares assets with the sum of liabilities, equity and temporary equity. Without total equity, noncontrolling
 * interests may be missing; assets may then exceed the sum, but must not be less than the sum.
 */
function makeBalanceRelation(name: string): Relation {
  return {
    name,
    metricKeys: ['assets', 'liabilities', ['total_equity', 'stockholders_equity'], 'temporary_equity'],
    measure: (findAmount) => {
      const [assets, liabilities, totalEquity] = ['assets', 'liabilities', 'total_equity'].map(findAmount);
      const equity = totalEquity ?? findAmount('stockholders_equity');
      if (assets === undefined || liabilities === undefined || equity === undefined) return null;
      const excess = subtract(sum([liabilities, equity, findAmount('temporary_equity') ?? '0']), assets);
      const difference = totalEquity === undefined ? excess : takeAbsoluteValue(excess);
      return computeRelativeExcess(difference, assets, ROUNDING_TOLERANCE);
    },
  };
}

/** Returns a relation that needs an amount of each of its metrics. */
function makeRelation<const Keys extends readonly string[]>(
  name: string,
  metricKeys: Keys,
  measure: (amounts: { readonly [Index in keyof Keys]: Decimal }) => Decimal | null,
): Relation {
  const measureAll = (find: AmountFinder) => {
    const amounts = metricKeys.map(find);
    return amounts.includes(undefined) ? null : measure(amounts as { readonly [Index in keyof Keys]: Decimal });
  };
  return { name, metricKeys, measure: measureAll };
}

function makeDepreciationRelation(name: string): Relation {
  const keys = ['depreciation', 'amortization', 'depreciation_and_amortization'] as const;
  return makeRelation(name, keys, ([depreciation, amortization, total]) => {
    const excess = subtract(sum([depreciation, amortization]), total);
    return compareDecimals(excess, '0') > 0 ? computeRelativeExcess(excess, total, CORRECTION_TOLERANCE) : '0';
  });
}

function makeSumRelation(name: string, totalKey: string, partKeys: readonly [string, string]): Relation {
  return makeRelation(name, [totalKey, ...partKeys], ([total, ...parts]) =>
    computeRelativeExcess(takeAbsoluteValue(subtract(total, sum(parts))), total, ROUNDING_TOLERANCE),
  );
}

function makePartRelation(partKey: string, totalKey: string): Relation {
  const name = `${formatKey(partKey)} <= ${formatKey(totalKey)}`;
  return makeRelation(name, [partKey, totalKey], ([part, total]) =>
    compareDecimals(part, total) > 0
      ? computeRelativeDifference(subtract(part, total), pickLargerMagnitude(part, total))
      : '0',
  );
}

/**
 * Maximum factor between net income and earnings per share times shares. Preferred dividends and rounding explain
 * smaller factors; the smallest error of scale is a factor of a thousand.
 */
const MAX_SCALE_FACTOR: Decimal = '30';
/** The amounts agree if both are at most a cent per share, because earnings per share are rounded to cents. */
const CENT: Decimal = '0.01';

/** Compares net income with earnings per share times weighted shares. */
function makeIncomePerShareRelation(kind: 'basic' | 'diluted'): Relation {
  const keys = ['net_income', `eps_${kind}`, `weighted_shares_${kind}`] as const;
  return makeRelation(`net income close to ${kind} EPS x weighted shares`, keys, ([netIncome, eps, shares]) => {
    if (isZero(eps)) return null;
    const sizes = [netIncome, multiply(eps, shares)].map(takeAbsoluteValue).sort(compareDecimals);
    const [smaller, larger] = sizes as [Decimal, Decimal];
    const isFar =
      compareDecimals(larger, multiply(smaller, MAX_SCALE_FACTOR)) > 0 &&
      compareDecimals(larger, multiply(shares, CENT)) > 0;
    return isFar ? computeRelativeDifference(subtract(larger, smaller), larger) : '0';
  });
}

/** The values that one filing reports for one period, or the current values of one period, by metric. */
export interface PeriodValues<Value> {
  /** The accession number; empty for current values of several filings. */
  readonly accession: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly values: ReadonlyMap<string, Value>;
}

const STATEMENT_METRICS = collectMetrics(STATEMENT_RELATIONS);
const CURRENT_METRICS = collectMetrics(CURRENT_RELATIONS);

/**
 * Returns the uncontradicted values by filing and period, if a relation may compare them: at least two of its metrics.
 */
function groupIntoStatements(values: Iterable<ReportedValue>): PeriodValues<ReportedValue>[] {
  const usable = [...values].filter((value) => value.contradictedOn === null && STATEMENT_METRICS.has(value.metricKey));
  return [...groupBy(usable, ({ accession }) => accession).values()]
    .flatMap(groupByPeriodAndUnit)
    .map((statement) => {
      const [{ accession, unit, start, end }] = statement;
      return { accession, unit, start, end, values: indexByMetric(statement) };
    })
    .filter(hasSeveralValues);
}

const indexByMetric = <Value extends FigureKey>(values: readonly Value[]): ReadonlyMap<string, Value> =>
  new Map(values.map((value) => [value.metricKey, value]));

const hasSeveralValues = ({ values }: PeriodValues<unknown>): boolean => values.size > 1;

/**
 * Returns the current reported figures by period and currency, if a relation may compare them. Share counts are in
 * the group of every currency of their period.
 */
function groupCurrentFigures(figures: readonly Figure[]): PeriodValues<Figure>[] {
  const comparedFigures = figures.filter(({ derived, metricKey }) => !derived && CURRENT_METRICS.has(metricKey));
  return groupByPeriod(comparedFigures).flatMap(groupByCurrency).filter(hasSeveralValues);
}

function groupByCurrency(figures: readonly [Figure, ...Figure[]]): PeriodValues<Figure>[] {
  const [{ start, end }] = figures;
  const currencies = new Set(figures.map(findCurrency).filter((currency) => currency !== SHARES));
  return [...currencies].map((currency) => {
    const ofCurrency = figures.filter((figure) => [SHARES, currency].includes(findCurrency(figure)));
    return { accession: '', unit: currency, start, end, values: indexByMetric(ofCurrency) };
  });
}

const SHARES = 'shares';

/** Returns the currency of an amount of money or an amount per share; `shares` for a number of shares. */
const findCurrency = ({ unit }: Figure): string => unit.split('/')[0] ?? unit;

/** A broken relation, with the values of a statement or with current values. */
export interface Comparison<Value> {
  readonly relation: Relation;
  readonly compared: PeriodValues<Value>;
  /** The excess that `measure` returns for the amounts, as a fraction; above zero. */
  readonly deviation: Decimal;
}

export interface RelationResult<Value> {
  readonly relation: Relation;
  readonly checked: number;
  readonly broken: readonly Comparison<Value>[];
}

/** The comparisons of all relations with a company's values. */
export interface RelationResults {
  readonly statements: readonly RelationResult<ReportedValue>[];
  readonly current: readonly RelationResult<Figure>[];
}

/**
 * Compares the values of each filing, and the current values.
 * @param figures the current figures of the values
 */
export function evaluateRelations(values: Iterable<ReportedValue>, figures: readonly Figure[]): RelationResults {
  return {
    statements: evaluate(STATEMENT_RELATIONS, groupIntoStatements(values)),
    current: evaluate(CURRENT_RELATIONS, groupCurrentFigures(figures)),
  };
}

function evaluate<Value extends { readonly value: Decimal }>(
  relations: readonly Relation[],
  groups: readonly PeriodValues<Value>[],
): RelationResult<Value>[] {
  const results = relations.map((relation) => ({ relation, checked: 0, broken: [] as Comparison<Value>[] }));
  for (const compared of groups) {
    const { values } = compared;
    const findAmount = (key: string) => values.get(key)?.value;
    for (const result of results) {
      const { relation } = result;
      const deviation = hasFirstMetrics(relation, values) ? relation.measure(findAmount) : null;
      if (deviation === null) continue;
      result.checked += 1;
      if (compareDecimals(deviation, '0') > 0) result.broken.push({ relation, compared, deviation });
    }
  }
  return results;
}

/**
 * Whether the relation's first two metrics are present, which every relation needs; most statements lack most metrics.
 */
const hasFirstMetrics = ({ metricKeys: [first, second] }: Relation, values: ReadonlyMap<string, unknown>): boolean =>
  typeof first === 'string' && values.has(first) && typeof second === 'string' && values.has(second);

export const listMetricKeys = ({ relation, compared }: Comparison<unknown>): string[] =>
  relation.metricKeys.flatMap((keys) => [keys].flat().find((key) => compared.values.has(key)) ?? []);

export const listComparedValues = <Value>(comparison: Comparison<Value>): Value[] =>
  listMetricKeys(comparison).flatMap((key) => comparison.compared.values.get(key) ?? []);

function collectMetrics(relations: readonly Relation[]): ReadonlySet<string> {
  return new Set(relations.flatMap(({ metricKeys }) => metricKeys.flat()));
}

const pickLargerMagnitude = (a: Decimal, b: Decimal): Decimal =>
  compareDecimals(takeAbsoluteValue(a), takeAbsoluteValue(b)) > 0 ? a : b;

function formatKey(key: string): string {
  return key.replaceAll('_', ' ');
}

/** Returns how far `difference / |reference|` exceeds the tolerated fraction; zero if it does not. */
export function computeRelativeExcess(difference: Decimal, reference: Decimal, tolerated: Decimal): Decimal {
  if (isZero(difference)) return '0';
  if (compareDecimals(difference, multiply(takeAbsoluteValue(reference), tolerated)) <= 0) return '0';
  return subtract(computeRelativeDifference(difference, reference), tolerated);
}

/** Returns `difference / |reference|`: zero if there is no difference, 1 if only the reference is zero. */
export const computeRelativeDifference = (difference: Decimal, reference: Decimal): Decimal =>
  isZero(difference) ? '0' : (divide(difference, takeAbsoluteValue(reference)) ?? '1');
