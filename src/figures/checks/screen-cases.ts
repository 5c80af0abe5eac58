/** Checks of one company's row in the screener. */

import { divide, negate, subtract, sum, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, extractSignificantDigits, isZero } from '../../contract/decimal-text.ts';
import { FIGURES, isMetric } from '../../contract/figures.ts';
import type { Figure, Term } from '../derived/figure.ts';
import { computeRelativeExcess, ROUNDING_TOLERANCE } from '../relations/relations.ts';
import { MARGINS } from '../screen/derive-screen-row.ts';
import type { CheckedCase, CheckedCompany, CheckRecorder } from './case.ts';

const CURRENCY_PATTERN = /^[A-Z]{3}$/;
/**
 * Ratios between a price and a value per share. These ratios are not checked, because a split between filing and price
 * changes the value per share.
 */
const SHARE_BASED_RATIO_KEYS: ReadonlySet<string> = new Set(['pe', 'pe_ttm', 'dividend_yield']);

/** Returns the amount of a column; null if it is missing. */
type AmountLookup = (key: string) => Decimal | null;

/**
 * Recomputes the ratios and one-year growth rates in the company's screener row from the amounts in the row, and
 * compares the results.
 */
export function checkScreenRatios({ screen, figures }: CheckedCompany, record: CheckRecorder): void {
  if (screen === null) return;
  // The row's amounts are in dollars; its growth rates are computed in the company's own currency.
  const isForeign = figures.some(({ unit }) => CURRENCY_PATTERN.test(unit) && unit !== 'USD');
  const find = (key: string): Decimal | null => {
    const cell = screen[key];
    return typeof cell === 'string' ? cell : null;
  };
  for (const definition of FIGURES) {
    if (isMetric(definition) || SHARE_BASED_RATIO_KEYS.has(definition.key)) continue;
    const { key, formula } = definition;
    if (isForeign && (formula.kind === 'growth' || hasOperandWithFewDigits(formula, find))) continue;
    const shownValue = find(key);
    const expected = shownValue === null ? null : computeExpectedValue(formula, find);
    if (shownValue === null || expected === null) continue;
    const deviate = (value: Decimal) =>
      computeRelativeExcess(takeAbsoluteValue(subtract(shownValue, value)), value, ROUNDING_TOLERANCE);
    const isEarlier = () => listEarlierQuotients(formula, find, figures).some((quotient) => isZero(deviate(quotient)));
    const deviation = deviate(expected);
    record(isZero(deviation) || isEarlier() ? '0' : deviation, () => describeColumn(key));
  }
}

/** Minimum number of significant digits of amounts whose quotient can be compared within `ROUNDING_TOLERANCE`. */
const MIN_COMPARED_DIGITS = 3;

/**
 * Whether an operand of a ratio has few digits, such as a rounded translation into dollars by a company that also
 * reports in another currency.
 */
function hasOperandWithFewDigits(formula: DefinedFormula, find: AmountLookup): boolean {
  if (formula.kind !== 'ratio') return false;
  const hasFewDigits = (key: string) => extractSignificantDigits(find(key) ?? '').length < MIN_COMPARED_DIGITS;
  return hasFewDigits(formula.numerator) || hasFewDigits(formula.denominator);
}

/**
 * Returns all quotients of values that filings reported for the two amounts of a ratio. Any of them may be in the
 * screener, which uses the values of one filing, even if a later filing restated one of the amounts.
 */
function listEarlierQuotients(formula: DefinedFormula, find: AmountLookup, figures: readonly Figure[]): Decimal[] {
  if (formula.kind !== 'ratio') return [];
  const list = (key: string): readonly Decimal[] => {
    const amount = find(key);
    if (amount === null) return [];
    const matching = figures.filter(({ metricKey, value }) => metricKey === key && value === amount);
    return [amount, ...matching.flatMap(({ terms }) => listSumsByFilingDay(terms))];
  };
  const denominators = list(formula.denominator);
  return list(formula.numerator)
    .flatMap((numerator) => denominators.map((denominator) => divideIfPresent(numerator, denominator)))
    .filter((value) => value !== null);
}

/** Returns the sum of the terms as of each day on which a filing reported a term. */
function listSumsByFilingDay(terms: readonly Term[]): Decimal[] {
  const days = new Set(terms.flatMap(({ source }) => source.knownValues.map(({ filed }) => filed)));
  return [...days].flatMap((day) => {
    const values = terms.map(({ source, negative }) => {
      const value = source.knownValues.findLast(({ filed }) => filed <= day)?.value;
      return value !== undefined && negative ? negate(value) : value;
    });
    return values.every((value) => value !== undefined) ? [sum(values)] : [];
  });
}

type DefinedFormula = Exclude<(typeof FIGURES)[number]['formula'], undefined>;

function computeExpectedValue(formula: DefinedFormula, find: AmountLookup): Decimal | null {
  if (formula.kind === 'ratio') return divideIfPresent(find(formula.numerator), find(formula.denominator));
  if (formula.kind !== 'growth' || formula.years > 1) return null;
  const priorFigure = FIGURES.find(({ formula: other }) => other?.kind === 'year_before' && other.of === formula.of);
  if (priorFigure === undefined) return null;
  const [current, prior] = [find(formula.of), find(priorFigure.key)];
  return current === null || prior === null ? null : divide(subtract(current, prior), takeAbsoluteValue(prior));
}

const divideIfPresent = (dividend: Decimal | null, divisor: Decimal | null): Decimal | null =>
  dividend === null || divisor === null ? null : divide(dividend, divisor);

/**
 * Compares the margins with 1: a gain or an error of the filer can make operating income exceed revenue. Rows mark such
 * a margin as unconfirmed.
 */
export function checkScreenMargins({ screen }: CheckedCompany, record: CheckRecorder): void {
  for (const key of MARGINS) {
    const margin = screen?.[key];
    if (typeof margin !== 'string') continue;
    const unconfirmed = String(screen?.unconfirmed ?? '').split(' ');
    record(
      compareDecimals(margin, '1') > 0 ? subtract(margin, '1') : '0',
      () => describeColumn(key),
      () => unconfirmed.includes(key),
    );
  }
}

const describeColumn = (key: string): CheckedCase => ({ subject: key, keys: [key], asOf: null });
