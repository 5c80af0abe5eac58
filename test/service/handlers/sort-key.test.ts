import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareDecimals } from '../../../src/contract/decimal-text.ts';
import { sortKey } from '../../../src/service/handlers/sort-key.ts';

const digits = (least: number) => fc.stringMatching(new RegExp(`^[0-9]{${least},12}$`));
const decimal = fc
  .tuple(fc.constantFrom('', '-'), digits(1), fc.option(digits(1)))
  .map(([sign, whole, fraction]) => sign + whole + (fraction === null ? '' : `.${fraction}`));

test('keys sort as the decimals do', () => {
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      const [one, other] = [sortKey(a), sortKey(b)];
      const order = one < other ? -1 : one > other ? 1 : 0;
      expect(order).toBe(Math.sign(compareDecimals(a, b)));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['2.3', '2.30'],
  ['0', '-0.00'],
  ['007', '7'],
])('%s and %s are one', (a, b) => {
  expect(sortKey(a)).toBe(sortKey(b));
});

test('a hundred digits are told apart by the last', () => {
  const long = '9'.repeat(99);
  expect(sortKey(`${long}1`) < sortKey(`${long}2`)).toBe(true);
  expect(sortKey(`-${long}1`) > sortKey(`-${long}2`)).toBe(true);
  expect(sortKey('-1.5') > sortKey('-1.55')).toBe(true);
});
