import { Decimal as BigDecimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  add,
  computeCompoundGrowthRate,
  divide,
  floorToMultiple,
  isNearlyEqual,
  multiply,
  negate,
  roundToPlaces,
  roundToWhole,
  subtract,
} from '../../src/contract/decimal.ts';

const ExactDecimal = BigDecimal.clone({
  precision: 400,
  rounding: BigDecimal.ROUND_HALF_EVEN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
});
const decimalArbitrary = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }))
  .map(([isNegative, digits, places]) => {
    const paddedDigits = digits.toString().padStart(places + 1, '0');
    const unsignedText =
      places === 0 ? paddedDigits : `${paddedDigits.slice(0, -places)}.${paddedDigits.slice(-places)}`;
    return isNegative && digits > 0n ? `-${unsignedText}` : unsignedText;
  });

test('a quotient is exact to ten places, rounded half to even', () => {
  fc.assert(
    fc.property(decimalArbitrary, decimalArbitrary, (a, b) => {
      const expectedQuotient = /[1-9]/.test(b) ? new ExactDecimal(a).dividedBy(b).toDecimalPlaces(10) : null;
      expect(divide(a, b)).toBe(
        expectedQuotient === null ? null : expectedQuotient.isZero() ? '0' : expectedQuotient.toFixed(),
      );
    }),
    { numRuns: 2000 },
  );
  expect(divide('1', '20000000000')).toBe('0');
  expect(divide('3', '20000000000')).toBe('0.0000000002');
  expect(divide('-1', '3')).toBe('-0.3333333333');
  expect(divide('2', '3')).toBe('0.6666666667');
  expect(divide('1000', '10')).toBe('100');
  expect(divide('1', '0.00')).toBeNull();
});

const anyInteger = fc
  .oneof(fc.bigInt({ min: -40n, max: 40n }), fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }))
  .map(String);

test('integers are divided and compared like other decimals', () => {
  fc.assert(
    fc.property(anyInteger, anyInteger, fc.constantFrom('0.01', '0.1', '2'), (a, b, fraction) => {
      expect(divide(a, b)).toBe(divide(`${a}.0`, `${b}.0`));
      expect(isNearlyEqual(a, b, fraction)).toBe(isNearlyEqual(`${a}.0`, `${b}.0`, fraction));
    }),
    { numRuns: 2000 },
  );
});

test('numbers are nearly equal if they differ by at most the given fraction of the second, compared exactly', () => {
  fc.assert(
    fc.property(decimalArbitrary, decimalArbitrary, (a, b) => {
      const exactB = new ExactDecimal(b);
      const isNear = new ExactDecimal(a).minus(exactB).abs().lessThanOrEqualTo(exactB.abs().times('0.05'));
      expect(isNearlyEqual(a, b, '0.05')).toBe(isNear);
    }),
    { numRuns: 1000 },
  );
  expect(isNearlyEqual('-99', '-100', '0.01')).toBe(true);
  expect(isNearlyEqual('98.99', '100', '0.01')).toBe(false);
});

test('sums, differences and products are exact, and rounding gives the nearest integer', () => {
  fc.assert(
    fc.property(decimalArbitrary, decimalArbitrary, (a, b) => {
      expect(add(a, b)).toBe(new ExactDecimal(a).plus(b).plus(0).toFixed());
      expect(subtract(a, b)).toBe(new ExactDecimal(a).minus(b).plus(0).toFixed());
      expect(negate(a)).toBe(new ExactDecimal(a).negated().plus(0).toFixed());
      expect(multiply(a, b)).toBe(new ExactDecimal(a).times(b).plus(0).toFixed());
      expect(roundToWhole(a)).toBe(new ExactDecimal(a).toDecimalPlaces(0).plus(0).toFixed());
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['0.125', 2, '0.13'],
  ['-0.125', 2, '-0.13'],
  ['2', 2, '2.00'],
  ['-0.004', 2, '0.00'],
  ['12345678901234567890.5', 0, '12345678901234567891'],
])('%s rounded to %i places, half away from zero, is %s', (value, places, rounded) => {
  expect(roundToPlaces(value, places)).toBe(rounded);
});

test.each([
  ['391035000000', '50000000000', '350000000000'],
  ['-0.3', '0.2', '-0.4'],
  ['0.4', '0.2', '0.4'],
  ['0', '5', '0'],
])('the greatest multiple of %2$s up to %1$s is %3$s', (value, step, multiple) => {
  expect(floorToMultiple(value, step)).toBe(multiple);
});

test('a yearly rate compounds to the growth of all years, and is rounded to ten places', () => {
  expect(computeCompoundGrowthRate('100', '133.1', 3)).toBe('0.1');
  expect(computeCompoundGrowthRate('161051', '100000', 5)).toBe('-0.0909090909');
  expect(computeCompoundGrowthRate('7', '7.00', 5)).toBe('0');
  const anyPositiveInteger = fc.bigInt({ min: 1n, max: 10n ** 15n }).map(String);
  fc.assert(
    fc.property(anyPositiveInteger, anyPositiveInteger, fc.constantFrom(3, 5), (a, b, years) => {
      const growthFactor = new ExactDecimal(computeCompoundGrowthRate(a, b, years)).plus(1);
      const halfUnit = new ExactDecimal('0.5e-10');
      expect(growthFactor.minus(halfUnit).pow(years).times(a).lte(b)).toBe(true);
      expect(growthFactor.plus(halfUnit).pow(years).times(a).gte(b)).toBe(true);
    }),
  );
});
