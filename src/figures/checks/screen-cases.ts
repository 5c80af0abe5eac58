/** Comparisons within a company's row of the screener. */

import { absolute, divide, negate, subtract, sum } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import { FIGURES, isMetric } from '../../contract/figures.ts';
import type { Figure, Term } from '../derived/figure.ts';
import { type CheckedCompany, type Compare, excessOf } from './case.ts';

/** Ratios are rounded to ten places, and amounts converted from another currency are rounded. */
const ROUNDED: Decimal = '0.01';
const CURRENCY = /^[A-Z]{3}$/;
const MARGINS = ['gross_margin', 'operating_margin'];
/** Ratios over a value per share, which splits change. */
const ON_SHARE_BASIS: ReadonlySet<string> = new Set(['pe', 'pe_ttm', 'dividend_yield']);

/** Compares every ratio and growth rate with its formula, computed from the amounts of the row. */
export function ratiosOfScreen({ screen, figures }: CheckedCompany, compare: Compare): void {
  if (screen === null) return;
  // The row's amounts are in dollars; its growth rates are in the company's own currency.
  const isForeign = figures.some(({ unit }) => CURRENCY.test(unit) && unit !== 'USD');
  const at = (key: string): Decimal | null => {
    const cell = screen[key];
    return typeof cell === 'string' ? cell : null;
  };
  for (const figure of FIGURES) {
    if (isMetric(figure) || ON_SHARE_BASIS.has(figure.key)) continue;
    if (isForeign && figure.formula.kind === 'growth') continue;
    const shown = at(figure.key);
    const expected = shown === null ? null : expectedOf(figure.formula, at);
    if (shown === null || expected === null) continue;
    const offBy = (formed: Decimal) => excessOf(absolute(subtract(shown, formed)), formed, ROUNDED);
    const isAsFiled = () => earlierQuotients(figure.formula, at, figures).some((one) => isZero(offBy(one)));
    const off = offBy(expected);
    compare(isZero(off) || isAsFiled() ? '0' : off, () => figure.key);
  }
}

/**
 * Returns the ratio of each two values that filings reported for its amounts: a ratio keeps the basis of one filing
 * where a later filing restated only one of the two.
 */
function earlierQuotients(
  formula: DefinedFormula,
  at: (key: string) => Decimal | null,
  figures: readonly Figure[],
): Decimal[] {
  if (formula.kind !== 'ratio') return [];
  const reported = (key: string): readonly Decimal[] => {
    const amount = at(key);
    if (amount === null) return [];
    const standing = figures.filter(({ metricKey, value }) => metricKey === key && value === amount);
    return [amount, ...standing.flatMap(({ terms }) => earlierSums(terms))];
  };
  const denominators = reported(formula.denominator);
  return reported(formula.numerator)
    .flatMap((numerator) => denominators.map((denominator) => quotient(numerator, denominator)))
    .filter((value) => value !== null);
}

/** Returns the sum as of each filing of one of its terms. */
function earlierSums(terms: readonly Term[]): Decimal[] {
  const days = new Set(terms.flatMap(({ source }) => source.known.map(({ filed }) => filed)));
  return [...days].flatMap((day) => {
    const values = terms.map(({ source, negative }) => {
      const value = source.known.findLast(({ filed }) => filed <= day)?.value;
      return value !== undefined && negative ? negate(value) : value;
    });
    return values.every((value) => value !== undefined) ? [sum(values)] : [];
  });
}

type DefinedFormula = Exclude<(typeof FIGURES)[number]['formula'], undefined>;

function expectedOf(formula: DefinedFormula, at: (key: string) => Decimal | null): Decimal | null {
  if (formula.kind === 'ratio') return quotient(at(formula.numerator), at(formula.denominator));
  if (formula.kind !== 'growth' || formula.years > 1) return null;
  const before = FIGURES.find(({ formula: other }) => other?.kind === 'year_before' && other.of === formula.of);
  if (before === undefined) return null;
  const [now, then] = [at(formula.of), at(before.key)];
  return now === null || then === null ? null : quotient(subtract(now, then), absolute(then));
}

function quotient(a: Decimal | null, b: Decimal | null): Decimal | null {
  return a === null || b === null ? null : divide(a, b);
}

/** Checks that profit is not more than revenue. */
export function marginsOfScreen(screen: CheckedCompany['screen'], compare: Compare): void {
  for (const key of MARGINS) {
    const margin = screen?.[key];
    if (typeof margin !== 'string') continue;
    compare(compareDecimals(margin, '1') > 0 ? subtract(margin, '1') : '0', () => key);
  }
}
