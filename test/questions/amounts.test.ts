import { expect, test } from 'vitest';
import { divideOrNull, subtractOrNull } from '../../src/questions/amounts/amounts.ts';

test('differences are exact and quotients have at most ten decimals; a missing figure or a division by zero gives null', () => {
  expect(subtractOrNull('0.3', '0.1')).toBe('0.2');
  expect(subtractOrNull('12345678901234567890.12', '0.02')).toBe('12345678901234567890.1');
  expect(subtractOrNull('1', null)).toBeNull();
  expect(divideOrNull('1', '3')).toBe('0.3333333333');
  expect(divideOrNull('1', '0')).toBeNull();
  expect(divideOrNull('-50', '200.0')).toBe('-0.25');
});
