import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDisplayedNumber } from '../../../src/edgar/reports/xbrl-number.ts';

const read = (text: string, attributes: { format?: string; scale?: string; sign?: string } = {}) =>
  readDisplayedNumber({ text, format: attributes.format, scale: attributes.scale, sign: attributes.sign });

test.each([
  ['391,035', 'ixt:num-dot-decimal', '6', undefined, '391035000000'],
  ['6.0', 'ixt:num-dot-decimal', '9', undefined, '6000000000'],
  ['16.1', 'ixt:num-dot-decimal', '-2', undefined, '0.161'],
  ['6.08', 'ixt:num-dot-decimal', undefined, undefined, '6.08'],
  ['2.30', 'ixt:num-dot-decimal', '0', '-', '-2.30'],
  ['1 234 567,8', 'ixt:num-comma-decimal', '3', undefined, '1234567800'],
  ['1.234,50', 'ixt:numcommadecimal', '0', undefined, '1234.50'],
  ['\u2014', 'ixt:fixed-zero', '6', '-', '0'],
  ['\u2014', 'ixt:zerodash', '6', undefined, '0'],
  ['three', 'ixt-sec:numwordsen', undefined, undefined, '3'],
  ['No', 'ixt-sec:numwordsen', undefined, undefined, '0'],
  [' 15,115,823,000 ', 'ixt:num-dot-decimal', '0', undefined, '15115823000'],
  ['1,000', 'ixt:num-dot-decimal', '15', undefined, '1000000000000000000'],
  ['42', undefined, undefined, undefined, '42'],
])('%s in the form %s at scale %s, sign %s, is %s', (text, format, scale, sign, value) => {
  expect(read(text, { ...(format && { format }), ...(scale && { scale }), ...(sign && { sign }) })).toEqual({ value });
});

test.each([
  ['(5,000)', 'ixt:num-dot-decimal', '6', 'a number that cannot be read'],
  ['5,000', undefined, undefined, 'a number that cannot be read'],
  ['n/a', 'ixt:num-dot-decimal', '0', 'a number that cannot be read'],
  ['', 'ixt:num-dot-decimal', '0', 'a number that cannot be read'],
  ['forty thousand', 'ixt-sec:numwordsen', undefined, 'a number in words'],
  ['P2Y', 'ixt-sec:durwordsen', undefined, 'a number in a form that is not known'],
  ['5', 'ixt:num-dot-decimal', '999999', 'a scale that cannot be read'],
  ['9'.repeat(300), 'ixt:num-dot-decimal', '0', 'a number that cannot be read'],
])('%s in the form %s at scale %s is refused', (text, format, scale, reason) => {
  expect(read(text, { ...(format && { format }), ...(scale && { scale }) })).toBe(reason);
});

test('every displayed digit is read', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 12 }), (value, scale) => {
      const displayed = value.toString().replace(/\B(?=(?:\d{3})+$)/g, ',');
      expect(read(displayed, { format: 'ixt:num-dot-decimal', scale: String(scale) })).toEqual({
        value: (value * 10n ** BigInt(scale)).toString(),
      });
    }),
  );
});
