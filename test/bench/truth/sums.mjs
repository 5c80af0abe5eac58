/** Compares amounts of one filing: sums, roundings and quotients, exactly. */
import Decimal from 'decimal.js';

/** Enough digits to add amounts and to multiply them by share counts exactly. */
export const Exact = Decimal.clone({ precision: 80 });
export const ZERO = new Exact(0);

const CENT = new Exact('0.01');

/** Unit of the last digit that is not zero, such as 1000 for 52,000. */
function unitOf(value) {
  if (value.isZero()) return new Exact('1e30');
  const digits = value.toFixed();
  if (digits.includes('.')) return new Exact(10).pow(-value.decimalPlaces());
  return new Exact(10).pow(digits.length - digits.replace(/0+$/, '').length);
}

const sum = (values) => values.reduce((total, value) => total.plus(value), ZERO);

/** Whether the parts add up to the total, to the digit. */
export function isSum(total, ...parts) {
  return total.eq(sum(parts));
}

/** Whether the parts add up to the total except for two units of rounding. A total of zero proves nothing. */
export function isRoundedSum(total, ...parts) {
  if (total.isZero()) return false;
  const unit = Exact.min(...[total, ...parts].map(unitOf));
  const difference = sum(parts).minus(total).abs();
  return difference.lte(unit.times(2)) && difference.times(1000).lte(total.abs());
}

/** Whether income by shares is EPS, to the last digit of EPS. */
export function isEps(eps, income, shares) {
  if (shares.lte(0) || income.isZero()) return false;
  const tolerance = Exact.min(unitOf(eps), CENT).times(eps.isZero() ? '0.5' : '0.75');
  return income.div(shares).minus(eps).abs().lte(tolerance);
}

/** Whether a count in thousands or millions of shares, or one multiplied by them, is what income and EPS require. */
export function isMisscaled(shares, income, eps) {
  if (income.isZero() || eps.isZero()) return false;
  return ['1e3', '1e6', '1e-3', '1e-6'].some((scale) =>
    shares.times(scale).times(eps).minus(income).abs().times(4).lte(income.abs()),
  );
}

/** Whether two values are equal, or one is the other with fewer digits (at least two), such as 52,000 of 51,987. */
export function isSame(one, other, minUnit) {
  return isRounded(one, other, minUnit) || isRounded(other, one, minUnit);
}

/** @param minUnit the unit that the coarse value has at least, because trailing zeros of cents are not stated */
export function isRounded(coarse, fine, minUnit) {
  if (coarse.eq(fine)) return true;
  if (coarse.isZero() || fine.isZero() || coarse.precision() < 2) return false;
  const unit = minUnit === undefined ? unitOf(coarse) : Exact.min(unitOf(coarse), minUnit);
  return unitOf(fine).lt(unit) && fine.minus(coarse).abs().times(2).lte(unit);
}

/** Returns distinct amounts other than zero, then the sums of two of them. */
export function listSums(values) {
  const distinct = values.filter(
    (value, index) => !value.isZero() && values.findIndex((other) => other.eq(value)) === index,
  );
  const pairs = distinct.flatMap((one, index) => distinct.slice(0, index).map((other) => one.plus(other)));
  return [...distinct, ...pairs.filter((value) => !value.isZero())];
}

/** Whether a combination of one element of each list passes the test. */
export function anyOf(lists, test) {
  return lists
    .reduce((combinations, list) => combinations.flatMap((each) => list.map((item) => [...each, item])), [[]])
    .some((combination) => test(...combination));
}
