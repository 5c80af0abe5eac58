import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeLowerBound, encodeUpperBound, findBounds } from '../../../src/store/parquet/write/page-content.ts';

test('bounds of texts are in the order of their bytes', () => {
  expect(findBounds([])).toBeNull();
  expect(findBounds(['b', 'a', 'c'])).toEqual({ min: 'a', max: 'c' });
  expect(findBounds(['\uffee', '\u{1f3d4}', 'z'])).toEqual({ min: 'z', max: '\u{1f3d4}' });
  expect(findBounds([-(10n ** 37n), 5n])).toEqual({ min: -(10n ** 37n), max: 5n });
});

test('a bound of up to 64 bytes is the value itself', () => {
  const text = `é${'a'.repeat(62)}`;
  for (const bound of [encodeLowerBound(text, 'text'), encodeUpperBound(text, 'text')])
    expect(bound).toEqual({ bytes: Buffer.from(text), isExact: true });
  expect(encodeLowerBound(-2, 'int32')).toEqual({ bytes: Uint8Array.of(254, 255, 255, 255), isExact: true });
});

test('the lower bound of a longer text is its beginning, and the upper bound is the next greater short text', () => {
  const text = `${'a'.repeat(63)}é and more`;
  expect(encodeLowerBound(text, 'text')).toEqual({ bytes: Buffer.from('a'.repeat(63)), isExact: false });
  expect(encodeUpperBound(text, 'text')).toEqual({ bytes: Buffer.from(`${'a'.repeat(62)}b`), isExact: false });
  // The last code point has no successor; and the successor of the last code point before the surrogates is the first
  // after them, because UTF-8 cannot encode surrogates.
  expect(encodeUpperBound(`a${'\u{10ffff}'.repeat(20)}`, 'text')).toEqual({ bytes: Buffer.from('b'), isExact: false });
  expect(encodeUpperBound(`${'\ud7ff'.repeat(22)}`, 'text').bytes).toEqual(Buffer.from(`${'\ud7ff'.repeat(20)}\ue000`));
  const greatestText = '\u{10ffff}'.repeat(20);
  expect(encodeUpperBound(greatestText, 'text')).toEqual({ bytes: Buffer.from(greatestText), isExact: true });
});

test('every text lies between its bounds, which are UTF-8', () => {
  const arbitraryText = fc.string({ unit: 'binary', minLength: 15, maxLength: 90 });
  fc.assert(
    fc.property(arbitraryText, (text) => {
      const [lower, upper] = [encodeLowerBound(text, 'text').bytes, encodeUpperBound(text, 'text').bytes];
      expect(Buffer.compare(lower, Buffer.from(text))).toBeLessThanOrEqual(0);
      expect(Buffer.compare(upper, Buffer.from(text))).toBeGreaterThanOrEqual(0);
      for (const bytes of [lower, upper])
        expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).not.toThrow();
    }),
  );
});
