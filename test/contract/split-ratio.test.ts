import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divide } from '../../src/contract/decimal.ts';
import {
  combineRatios,
  convertToDecimal,
  convertToNewShares,
  convertToPerNewShare,
  findExactRatio,
  formatSplitRatio,
} from '../../src/contract/split-ratio.ts';

test.each([
  ['4', '4:1'],
  ['1.5', '1.5:1'],
  ['0.5', '1:2'],
  ['0.125', '1:8'],
  // Reverse splits of SUNation Energy: one for fifteen, and one for two hundred.
  ['0.0666666667', '1:15'],
  ['0.005', '1:200'],
  ['0.6666666667', '1:1.5'],
  ['0.0123', '0.0123:1'],
])('the decimal ratio %s is printed as %s', (ratio, text) => {
  expect(formatSplitRatio(ratio)).toBe(text);
});

test('the ratio of every reverse split of one for n shares is exact', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5000 }), fc.bigInt({ min: 1n, max: 10n ** 12n }), (oldShares, shares) => {
      const ratio = findExactRatio(divide('1', String(oldShares)) ?? '');
      expect(ratio).toEqual({ newShares: '1', oldShares: String(oldShares) });
      const sharesBefore = String(shares * BigInt(oldShares));
      expect(convertToNewShares(sharesBefore, ratio)).toBe(String(shares));
      expect(convertToPerNewShare(String(shares), ratio)).toBe(sharesBefore);
    }),
  );
});

test('the ratio of two splits is the product of exact fractions, not of rounded decimals', () => {
  const combinedRatio = combineRatios(findExactRatio('0.0666666667'), findExactRatio('0.005'));
  expect(convertToDecimal(combinedRatio)).toBe('0.0003333333');
  expect(convertToNewShares('3000000', combinedRatio)).toBe('1000');
});
