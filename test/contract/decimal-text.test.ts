import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareDecimals, isDecimal, isZero, parseDecimal, shiftDecimal } from '../../src/contract/decimal-text.ts';

const digitsArbitrary = fc.stringMatching(/^[0-9]{1,40}$/);
const decimalArbitrary = fc
  .tuple(fc.boolean(), digitsArbitrary, fc.option(digitsArbitrary))
  .map(
    ([isNegative, wholeDigits, fractionDigits]) =>
      `${isNegative ? '-' : ''}${wholeDigits}${fractionDigits === null ? '' : `.${fractionDigits}`}`,
  );

/** Returns the value in units of 10^-80, as an exact integer that does not depend on the tested code. */
function toScaledInteger(text: string): bigint {
  const [wholeDigits = '', fractionDigits = ''] = text.replace('-', '').split('.');
  const magnitude = BigInt(wholeDigits + fractionDigits.padEnd(80, '0'));
  return text.startsWith('-') ? -magnitude : magnitude;
}

test('the text of a number becomes a plain decimal, and other text becomes null', () => {
  const cases: [string, string | null][] = [
    ['2.30', '2.30'],
    ['+2', '2'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['007', '7'],
    ['-0', '0'],
    ['-0.00', '0.00'],
    ['1e-05', '0.00001'],
    ['1.5E+3', '1500'],
    ['-1.234e2', '-123.4'],
    ['9223372036854775807', '9223372036854775807'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['', null],
    ['.', null],
    ['-', null],
    ['NaN', null],
    ['Infinity', null],
    ['1,000', null],
    ['1e99999', null],
    ['0x10', null],
    [' 1', null],
  ];
  for (const [text, expected] of cases) expect(parseDecimal(text), text).toBe(expected);
});

test('every number that parses becomes a decimal of the same value', () => {
  fc.assert(
    fc.property(decimalArbitrary, (text) => {
      const parsedText = parseDecimal(text);
      expect(parsedText).not.toBeNull();
      if (parsedText === null) return;
      expect(isDecimal(parsedText)).toBe(true);
      expect(toScaledInteger(parsedText)).toBe(toScaledInteger(text));
    }),
  );
});

test('an exponent multiplies by a power of ten, exactly', () => {
  fc.assert(
    fc.property(decimalArbitrary, fc.integer({ min: -30, max: 30 }), (text, exponent) => {
      const parsedText = parseDecimal(`${text}e${exponent}`) ?? '';
      const scaledInteger = toScaledInteger(text);
      expect(toScaledInteger(parsedText)).toBe(
        exponent < 0 ? scaledInteger / 10n ** BigInt(-exponent) : scaledInteger * 10n ** BigInt(exponent),
      );
    }),
  );
});

test('shifting the decimal point and shifting it back gives the same value', () => {
  fc.assert(
    fc.property(decimalArbitrary, fc.integer({ min: -30, max: 30 }), (text, places) => {
      expect(compareDecimals(shiftDecimal(shiftDecimal(text, places), -places), text) === 0).toBe(true);
    }),
  );
});

test('the order of decimals is the order of their values', () => {
  fc.assert(
    fc.property(decimalArbitrary, decimalArbitrary, (a, b) => {
      const difference = toScaledInteger(a) - toScaledInteger(b);
      const order = compareDecimals(a, b);
      expect([order < 0, order > 0]).toEqual([difference < 0n, difference > 0n]);
    }),
  );
  expect(compareDecimals('2.3', '2.30')).toBe(0);
  expect(compareDecimals('-0', '0.0')).toBe(0);
});

test('zero is recognized in any spelling', () => {
  fc.assert(
    fc.property(decimalArbitrary, (text) => {
      expect(isZero(text)).toBe(toScaledInteger(text) === 0n);
    }),
  );
});
