/** Checks of the figures that one filing reports for one period. */

import { absolute, multiply, subtract, sum } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { getOrInsert } from '../../platform/collections.ts';
import type { Figure } from '../derived/figure.ts';
import { PeriodMap } from '../periods/period-map.ts';
import { type CheckRecorder, computeExcess, computeRelativeDifference, ROUNDING_TOLERANCE } from './case.ts';

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
    const statementsByPeriod = getOrInsert(statementsByUnit, unit, () => new PeriodMap<MutableStatement>());
    let statement = statementsByPeriod.get(figure);
    if (statement === undefined) {
      statement = { accession, unit, start, end, amounts: new Map() };
      statementsByPeriod.set(figure, statement);
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
    const difference = totalEquity === undefined ? excess : absolute(excess);
    recordCheck(
      computeExcess(difference, assets, ROUNDING_TOLERANCE),
      () => `assets of ${describeStatement(statement)}`,
    );
  }
}

/**
 * Compares the current values of assets, liabilities and equity on the same day, even if different filings report them.
 */
export function checkCurrentBalances(figures: readonly Figure[], recordCheck: CheckRecorder): void {
  const sheetsByDay = new Map<string, MutableStatement>();
  for (const { derived, metricKey, unit, start, end, value } of figures) {
    if (derived || start !== null || !BALANCE_METRICS.has(metricKey)) continue;
    const sheet = getOrInsert(sheetsByDay, `${unit} ${end}`, () => ({
      accession: '',
      unit,
      start,
      end,
      amounts: new Map(),
    }));
    sheet.amounts.set(metricKey, value);
  }
  checkBalances([...sheetsByDay.values()], recordCheck);
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
    if (figure.derived || !SHARE_METRICS.has(figure.metricKey)) continue;
    getOrInsert(figuresByPeriod, `${figure.start} ${figure.end}`, () => new Map<string, Figure>()).set(
      figure.metricKey,
      figure,
    );
  }
  for (const figuresByMetric of figuresByPeriod.values()) {
    const income = figuresByMetric.get('net_income');
    for (const kind of ['basic', 'diluted']) {
      const [earnings, shares] = [figuresByMetric.get(`eps_${kind}`), figuresByMetric.get(`weighted_shares_${kind}`)];
      if (income === undefined || earnings === undefined || shares === undefined) continue;
      if (earnings.unit !== `${income.unit}/shares` || isZero(earnings.value)) continue;
      const product = multiply(earnings.value, shares.value);
      const [smallerAmount, largerAmount] = [absolute(income.value), absolute(product)].sort(compareDecimals) as [
        Decimal,
        Decimal,
      ];
      const isFarApart =
        compareDecimals(largerAmount, multiply(smallerAmount, MAX_SCALE_FACTOR)) > 0 &&
        compareDecimals(largerAmount, multiply(shares.value, CENT)) > 0;
      recordCheck(
        isFarApart ? computeRelativeDifference(subtract(largerAmount, smallerAmount), largerAmount) : '0',
        () => `weighted_shares_${kind} ${shares.start} to ${shares.end}`,
      );
    }
  }
}

const SHARE_METRICS: ReadonlySet<string> = new Set([
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
/** Amounts of at most a cent per share are not compared, because earnings per share are rounded to cents. */
const CENT: Decimal = '0.01';

/** Compares a total with the sum of its parts, in statements that report the total and all parts. */
export function checkSum(
  statements: readonly Statement[],
  total: string,
  parts: readonly string[],
  recordCheck: CheckRecorder,
): void {
  for (const statement of statements) {
    const { amounts } = statement;
    const totalAmount = amounts.get(total);
    if (totalAmount === undefined || !parts.every((part) => amounts.has(part))) continue;
    const partAmounts = parts.map((part) => assertDefined(amounts.get(part)));
    const difference = absolute(subtract(totalAmount, sum(partAmounts)));
    recordCheck(
      computeExcess(difference, totalAmount, ROUNDING_TOLERANCE),
      () => `${total} of ${describeStatement(statement)}`,
    );
  }
}

/** Checks that the sum of the parts does not exceed their total, in statements that report the total and all parts. */
export function checkPartsAtMost(
  statements: readonly Statement[],
  parts: readonly string[],
  total: string,
  recordCheck: CheckRecorder,
): void {
  for (const statement of statements) {
    const totalAmount = statement.amounts.get(total);
    const partAmounts = parts.flatMap((part) => statement.amounts.get(part) ?? []);
    if (totalAmount === undefined || partAmounts.length < parts.length) continue;
    const excess = subtract(sum(partAmounts), totalAmount);
    recordCheck(
      compareDecimals(excess, '0') > 0 ? computeExcess(excess, totalAmount, CORRECTION_TOLERANCE) : '0',
      () => `${total} of ${describeStatement(statement)}`,
    );
  }
}

/** Tolerated excess of a sum of parts, relative to the total: parts are often from notes, which may correct a line. */
const CORRECTION_TOLERANCE: Decimal = '0.05';

/** Checks that a part does not exceed its total, in statements that report both amounts. */
export function checkPartAtMost(
  statements: readonly Statement[],
  part: string,
  total: string,
  recordCheck: CheckRecorder,
): void {
  for (const statement of statements) {
    const { amounts } = statement;
    const [partAmount, totalAmount] = [amounts.get(part), amounts.get(total)];
    if (partAmount === undefined || totalAmount === undefined) continue;
    const isAbove = compareDecimals(partAmount, totalAmount) > 0;
    recordCheck(
      isAbove ? computeRelativeDifference(subtract(partAmount, totalAmount), pickLarger(partAmount, totalAmount)) : '0',
      () => `${part} of ${describeStatement(statement)}`,
    );
  }
}

function pickLarger(a: Decimal, b: Decimal): Decimal {
  return compareDecimals(absolute(a), absolute(b)) > 0 ? a : b;
}
