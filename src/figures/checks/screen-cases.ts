/** Checks of one company's row in the screener. */

import { divide, negate, subtract, sum, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, extractSignificantDigits, isZero } from '../../contract/decimal-text.ts';
import { FIGURES, isMetric } from '../../contract/figures.ts';
import type { Figure, Term } from '../derived/figure.ts';
import { computeRelativeExcess, ROUNDING_TOLERANCE } from '../evidence/relations.ts';
import { MARGIN_KEYS } from '../screen/screen.ts';
import type { CheckedCase, CheckedCompany, CheckRecorder } from './case.ts';

const CURRENCY_PATTERN = /^[A-Z]{3}$/;
/**
 * Ratios between a price and a value per share. These ratios are not checked, because a split between filing and price
 * changes the value per share.
 */
const SHARE_BASED_RATIO_KEYS: ReadonlySet<string> = new Set(['pe', 'pe_ttm', 'dividend_yield']);

/**
 * Recomputes the ratios and one-year growth rates in the company's screener row from the amounts in the row, and
 * compares the results.
 */
export function checkScreenRatios({ screen, figures }: CheckedCompany, recordCheck: CheckRecorder): void {
  if (screen === null) return;
  // The row's amounts are in dollars; its growth rates are computed in the company's own currency.
  const hasNonDollarFigure = figures.some(({ unit }) => CURRENCY_PATTERN.test(unit) && unit !== 'USD');
  const findScreenValue = (key: string): Decimal | null => {
    const cell = screen[key];
    return typeof cell === 'string' ? cell : null;
  };
  for (const figureDefinition of FIGURES) {
    if (isMetric(figureDefinition) || SHARE_BASED_RATIO_KEYS.has(figureDefinition.key)) continue;
    if (
      hasNonDollarFigure &&
      (figureDefinition.formula.kind === 'growth' || hasOperandWithFewDigits(figureDefinition.formula, findScreenValue))
    )
      continue;
    const shownValue = findScreenValue(figureDefinition.key);
    const expectedValue = shownValue === null ? null : computeExpectedValue(figureDefinition.formula, findScreenValue);
    if (shownValue === null || expectedValue === null) continue;
    const computeDeviationFrom = (computedValue: Decimal) =>
      computeRelativeExcess(takeAbsoluteValue(subtract(shownValue, computedValue)), computedValue, ROUNDING_TOLERANCE);
    const matchesEarlierReports = () =>
      listEarlierQuotients(figureDefinition.formula, findScreenValue, figures).some((earlierQuotient) =>
        isZero(computeDeviationFrom(earlierQuotient)),
      );
    const deviation = computeDeviationFrom(expectedValue);
    recordCheck(isZero(deviation) || matchesEarlierReports() ? '0' : deviation, () =>
      describeColumn(figureDefinition.key),
    );
  }
}

/** Minimum number of significant digits of amounts whose quotient can be compared within `ROUNDING_TOLERANCE`. */
const MIN_COMPARED_DIGITS = 3;

/**
 * Whether an operand of a ratio has few digits, such as a rounded translation into dollars by a company that also
 * reports in another currency.
 */
function hasOperandWithFewDigits(formula: DefinedFormula, findScreenValue: (key: string) => Decimal | null): boolean {
  return (
    formula.kind === 'ratio' &&
    [formula.numerator, formula.denominator].some(
      (key) => extractSignificantDigits(findScreenValue(key) ?? '').length < MIN_COMPARED_DIGITS,
    )
  );
}

/**
 * Returns all quotients of values that filings reported for the two amounts of a ratio. Any of them may be in the
 * screener, which uses the values of one filing, even if a later filing restated one of the amounts.
 */
function listEarlierQuotients(
  formula: DefinedFormula,
  findScreenValue: (key: string) => Decimal | null,
  figures: readonly Figure[],
): Decimal[] {
  if (formula.kind !== 'ratio') return [];
  const listReportedAmounts = (key: string): readonly Decimal[] => {
    const amount = findScreenValue(key);
    if (amount === null) return [];
    const matchingFigures = figures.filter(({ metricKey, value }) => metricKey === key && value === amount);
    return [amount, ...matchingFigures.flatMap(({ terms }) => listSumsByFilingDay(terms))];
  };
  const denominators = listReportedAmounts(formula.denominator);
  return listReportedAmounts(formula.numerator)
    .flatMap((numeratorAmount) =>
      denominators.map((denominatorAmount) => divideIfPresent(numeratorAmount, denominatorAmount)),
    )
    .filter((value) => value !== null);
}

/** Returns the sum of the terms as of each day on which a filing reported a term. */
function listSumsByFilingDay(terms: readonly Term[]): Decimal[] {
  const filingDays = new Set(terms.flatMap(({ source }) => source.knownValues.map(({ filed }) => filed)));
  return [...filingDays].flatMap((filingDay) => {
    const values = terms.map(({ source, negative }) => {
      const value = source.knownValues.findLast(({ filed }) => filed <= filingDay)?.value;
      return value !== undefined && negative ? negate(value) : value;
    });
    return values.every((value) => value !== undefined) ? [sum(values)] : [];
  });
}

type DefinedFormula = Exclude<(typeof FIGURES)[number]['formula'], undefined>;

function computeExpectedValue(
  formula: DefinedFormula,
  findScreenValue: (key: string) => Decimal | null,
): Decimal | null {
  if (formula.kind === 'ratio')
    return divideIfPresent(findScreenValue(formula.numerator), findScreenValue(formula.denominator));
  if (formula.kind !== 'growth' || formula.years > 1) return null;
  const priorYearDefinition = FIGURES.find(
    ({ formula: otherFormula }) => otherFormula?.kind === 'year_before' && otherFormula.of === formula.of,
  );
  if (priorYearDefinition === undefined) return null;
  const [currentValue, priorValue] = [findScreenValue(formula.of), findScreenValue(priorYearDefinition.key)];
  return currentValue === null || priorValue === null
    ? null
    : divideIfPresent(subtract(currentValue, priorValue), takeAbsoluteValue(priorValue));
}

function divideIfPresent(dividend: Decimal | null, divisor: Decimal | null): Decimal | null {
  return dividend === null || divisor === null ? null : divide(dividend, divisor);
}

/**
 * Compares the margins with 1: a gain or an error of the filer can make operating income exceed revenue. Rows mark such
 * a margin as unconfirmed.
 */
export function checkScreenMargins(screen: CheckedCompany['screen'], recordCheck: CheckRecorder): void {
  for (const key of MARGIN_KEYS) {
    const margin = screen?.[key];
    if (typeof margin !== 'string') continue;
    recordCheck(
      compareDecimals(margin, '1') > 0 ? subtract(margin, '1') : '0',
      () => describeColumn(key),
      () =>
        String(screen?.unconfirmed ?? '')
          .split(' ')
          .includes(key),
    );
  }
}

const describeColumn = (key: string): CheckedCase => ({ subject: key, keys: [key], asOf: null });
