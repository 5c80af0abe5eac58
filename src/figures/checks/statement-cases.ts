/**
 * Checks of figures of one period. Most checks compare the amounts that one filing reports; some compare the current
 * values from all filings.
 */

import { multiply, subtract, sum, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { getOrInsert } from '../../platform/collections.ts';
import type { Figure } from '../derived/figure.ts';
import { PeriodMap } from '../periods/period-map.ts';
import { type CheckRecorder, computeRelativeDifference, computeRelativeExcess, ROUNDING_TOLERANCE } from './case.ts';

/** The figures that one filing reports for one period, by metric. */
export interface Statement extends Pick<Figure, 'unit' | 'start' | 'end'> {
  readonly accession: string;
  readonly amounts: ReadonlyMap<string, Decimal>;
}

/** Returns the statements that have at least two amounts to compare. */
export function groupStatements(figures: readonly Figure[]): Statement[] {
  const statementsByFiling = new Map<string, Map<string, PeriodMap<MutableStatement>>>();
  const statements: MutableStatement[] = [];
  for (const figure of figures) {
    const { derived, terms, unit, start, end } = figure;
    const [term] = terms;
    if (derived || term === undefined) continue;
    const { accession } = term.source.reported;
    const statementsByUnit = getOrInsert(
      statementsByFiling,
      accession,
      () => new Map<string, PeriodMap<MutableStatement>>(),
    );
    const statementByPeriod = getOrInsert(statementsByUnit, unit, () => new PeriodMap<MutableStatement>());
    let statement = statementByPeriod.get(figure);
    if (statement === undefined) {
      statement = { accession, unit, start, end, amounts: new Map() };
      statementByPeriod.set(figure, statement);
      statements.push(statement);
    }
    statement.amounts.set(figure.metricKey, figure.value);
  }
  return statements.filter(({ amounts }) => amounts.size > 1);
}

type MutableStatement = Statement & { readonly amounts: Map<string, Decimal> };

function describeStatement({ accession, unit, start, end }: Statement): string {
  const period = start === null ? end : `${start} to ${end}`;
  return accession === '' ? `the current values in ${unit}, ${period}` : `${accession}, ${unit}, ${period}`;
}

/**
 * Compares assets with the sum of liabilities, equity and temporary equity. If a filing reports only the parent's own
 * equity, noncontrolling interests may be missing; assets may then exceed the sum, but must not be less than the sum.
 */
export function checkBalances(statements: readonly Statement[], recordCheck: CheckRecorder): void {
  for (const statement of statements) {
    const { amounts } = statement;
    const [assets, liabilities, totalEquity] = [
      amounts.get('assets'),
      amounts.get('liabilities'),
      amounts.get('total_equity'),
    ];
    const equity = totalEquity ?? amounts.get('stockholders_equity');
    if (assets === undefined || liabilities === undefined || equity === undefined) continue;
    const excess = subtract(sum([liabilities, equity, amounts.get('temporary_equity') ?? '0']), assets);
    const difference = totalEquity === undefined ? excess : takeAbsoluteValue(excess);
    recordCheck(
      computeRelativeExcess(difference, assets, ROUNDING_TOLERANCE),
      () => `assets of ${describeStatement(statement)}`,
    );
  }
}

/**
 * Compares the current values of assets, liabilities and equity on the same day, even if different filings report them.
 */
export function checkBalancesAcrossFilings(figures: readonly Figure[], recordCheck: CheckRecorder): void {
  const sheetByUnitAndDay = new Map<string, MutableStatement>();
  for (const { derived, metricKey, unit, start, end, value } of figures) {
    if (derived || start !== null || !BALANCE_METRICS.has(metricKey)) continue;
    const sheet = getOrInsert(sheetByUnitAndDay, `${unit} ${end}`, () => ({
      accession: '',
      unit,
      start,
      end,
      amounts: new Map(),
    }));
    sheet.amounts.set(metricKey, value);
  }
  checkBalances([...sheetByUnitAndDay.values()], recordCheck);
}

const BALANCE_METRICS: ReadonlySet<string> = new Set([
  'assets',
  'liabilities',
  'stockholders_equity',
  'total_equity',
  'temporary_equity',
]);

/** Compares net income with earnings per share times weighted shares, for each period that has all three. */
export function checkIncomePerShare(figures: readonly Figure[], recordCheck: CheckRecorder): void {
  const figuresByPeriod = new Map<string, Map<string, Figure>>();
  for (const figure of figures) {
    if (figure.derived || !INCOME_PER_SHARE_METRICS.has(figure.metricKey)) continue;
    getOrInsert(figuresByPeriod, `${figure.start} ${figure.end}`, () => new Map<string, Figure>()).set(
      figure.metricKey,
      figure,
    );
  }
  for (const figureByMetric of figuresByPeriod.values()) {
    const netIncome = figureByMetric.get('net_income');
    for (const shareKind of ['basic', 'diluted']) {
      const [earningsPerShare, shares] = [
        figureByMetric.get(`eps_${shareKind}`),
        figureByMetric.get(`weighted_shares_${shareKind}`),
      ];
      if (netIncome === undefined || earningsPerShare === undefined || shares === undefined) continue;
      if (earningsPerShare.unit !== `${netIncome.unit}/shares` || isZero(earningsPerShare.value)) continue;
      const impliedIncome = multiply(earningsPerShare.value, shares.value);
      const [smallerAmount, largerAmount] = [takeAbsoluteValue(netIncome.value), takeAbsoluteValue(impliedIncome)].sort(
        compareDecimals,
      ) as [Decimal, Decimal];
      const isFarApart =
        compareDecimals(largerAmount, multiply(smallerAmount, MAX_SCALE_FACTOR)) > 0 &&
        compareDecimals(largerAmount, multiply(shares.value, CENT)) > 0;
      recordCheck(
        isFarApart ? computeRelativeDifference(subtract(largerAmount, smallerAmount), largerAmount) : '0',
        () => `weighted_shares_${shareKind} ${shares.start} to ${shares.end}`,
      );
    }
  }
}

const INCOME_PER_SHARE_METRICS: ReadonlySet<string> = new Set([
  'net_income',
  'eps_basic',
  'eps_diluted',
  'weighted_shares_basic',
  'weighted_shares_diluted',
]);
/**
 * Maximum factor between net income and earnings per share times shares. Preferred dividends and rounding explain
 * smaller factors; the smallest error of scale is a factor of a thousand.
 */
const MAX_SCALE_FACTOR: Decimal = '30';
/** The check passes if both amounts are at most a cent per share, because earnings per share are rounded to cents. */
const CENT: Decimal = '0.01';

/** Compares a total with the sum of its parts, in statements that report the total and all parts. */
export function checkPartsAddUpToTotal(
  statements: readonly Statement[],
  totalKey: string,
  partKeys: readonly string[],
  recordCheck: CheckRecorder,
): void {
  for (const statement of statements) {
    const { amounts } = statement;
    const totalAmount = amounts.get(totalKey);
    if (totalAmount === undefined || !partKeys.every((partKey) => amounts.has(partKey))) continue;
    const partAmounts = partKeys.map((part) => assertDefined(amounts.get(part)));
    const difference = takeAbsoluteValue(subtract(totalAmount, sum(partAmounts)));
    recordCheck(
      computeRelativeExcess(difference, totalAmount, ROUNDING_TOLERANCE),
      () => `${totalKey} of ${describeStatement(statement)}`,
    );
  }
}

/** Checks that the sum of the parts does not exceed their total, in statements that report the total and all parts. */
export function checkPartSumAtMostTotal(
  statements: readonly Statement[],
  partKeys: readonly string[],
  totalKey: string,
  recordCheck: CheckRecorder,
): void {
  for (const statement of statements) {
    const totalAmount = statement.amounts.get(totalKey);
    const partAmounts = partKeys.flatMap((partKey) => statement.amounts.get(partKey) ?? []);
    if (totalAmount === undefined || partAmounts.length < partKeys.length) continue;
    const excess = subtract(sum(partAmounts), totalAmount);
    recordCheck(
      compareDecimals(excess, '0') > 0 ? computeRelativeExcess(excess, totalAmount, CORRECTION_TOLERANCE) : '0',
      () => `${totalKey} of ${describeStatement(statement)}`,
    );
  }
}

/**
 * Tolerated excess of a sum of parts, relative to the total: parts are often taken from the notes, whose amounts may
 * correct a line of the statement.
 */
const CORRECTION_TOLERANCE: Decimal = '0.05';

/** Checks that a part does not exceed its total, in statements that report both amounts. */
export function checkPartAtMostTotal(
  statements: readonly Statement[],
  partKey: string,
  totalKey: string,
  recordCheck: CheckRecorder,
): void {
  for (const statement of statements) {
    const { amounts } = statement;
    const [partAmount, totalAmount] = [amounts.get(partKey), amounts.get(totalKey)];
    if (partAmount === undefined || totalAmount === undefined) continue;
    const isPartAboveTotal = compareDecimals(partAmount, totalAmount) > 0;
    recordCheck(
      isPartAboveTotal
        ? computeRelativeDifference(subtract(partAmount, totalAmount), pickLargerMagnitude(partAmount, totalAmount))
        : '0',
      () => `${partKey} of ${describeStatement(statement)}`,
    );
  }
}

function pickLargerMagnitude(a: Decimal, b: Decimal): Decimal {
  return compareDecimals(takeAbsoluteValue(a), takeAbsoluteValue(b)) > 0 ? a : b;
}
