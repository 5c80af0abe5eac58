import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundToPlaces } from '../../../src/contract/decimal.ts';
import type { Measure } from '../../../src/contract/statements/formula.ts';
import { abbreviate, groupThousands } from '../../../src/render/text/format-values.ts';

test.each<[string, Measure, string]>([
  // Apple's revenue of fiscal 2024.
  ['391035000000', 'money', '391.04B'],
  ['-1877000000', 'money', '-1.88B'],
  ['999994999', 'money', '999.99M'],
  ['999996000', 'money', '1.00B'],
  ['999999999999999', 'money', '1,000.00T'],
  ['3253431000000', 'money', '3.25T'],
  ['12345', 'money', '12.35K'],
  ['999', 'money', '999'],
  ['999.996', 'money', '1.00K'],
  ['999.5', 'shares', '999.5'],
  ['0', 'money', '0'],
  ['-0.004', 'money', '0.00'],
  ['15115823000', 'shares', '15.12B'],
  ['6.08', 'per_share', '6.08'],
  ['6', 'per_share', '6.00'],
  ['0.795', 'per_share', '0.795'],
  ['0.000456', 'per_share', '0.0005'],
  ['123456.7', 'per_share', '123,456.70'],
  ['0.2431', 'fraction', '24.3 %'],
  ['0.24350', 'fraction', '24.4 %'],
  ['-0.5', 'fraction', '-50.0 %'],
  ['12.5', 'fraction', '1,250.0 %'],
  ['0.00042', 'fraction', '0.04 %'],
  ['0.0000001', 'fraction', '0.0 %'],
  ['24.3149', 'multiple', '24.31'],
  // Values of nineteen and thirty digits, which a double cannot represent.
  ['1234567890123456789', 'money', '1,234,567.89T'],
  ['123456789012345678901234567890', 'multiple', '123,456,789,012,345,678,901,234,567,890.00'],
  ['not a number', 'money', 'not a number'],
])('%s with the measure %s is shown as %s', (value, measure, expected) => {
  expect(abbreviate(value, measure)).toBe(expected);
});

const makeArbitraryDigits = (maxDigits: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${maxDigits}}$`));

test('rounding is within half a unit of the last place, and does not change a value with fewer places', () => {
  fc.assert(
    fc.property(
      makeArbitraryDigits(25),
      makeArbitraryDigits(12),
      fc.boolean(),
      fc.integer({ min: 0, max: 6 }),
      (integerDigits, decimals, isNegative, places) => {
        const scale = 20;
        const value = `${isNegative ? '-' : ''}${BigInt(integerDigits)}.${decimals}`;
        const toScaledInteger = (text: string): bigint => {
          const [head = '', tail = ''] = text.replace('-', '').split('.');
          return BigInt(head + tail.padEnd(scale, '0')) * (text.startsWith('-') ? -1n : 1n);
        };
        const difference = toScaledInteger(roundToPlaces(value, places)) - toScaledInteger(value);
        const halfUnit = 5n * 10n ** BigInt(scale - places - 1);
        expect(difference <= halfUnit && difference >= -halfUnit).toBe(true);
        if (decimals.length <= places) expect(difference).toBe(0n);
      },
    ),
  );
});

test('commas separate thousands of the integer part only', () => {
  expect(groupThousands('1234567.12345')).toBe('1,234,567.12345');
  expect(groupThousands('-123')).toBe('-123');
  expect(groupThousands('-123456')).toBe('-123,456');
  expect(groupThousands('12345678')).toBe('12,345,678');
});
