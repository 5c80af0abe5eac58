import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cikOf, parseFigures } from '../../src/edgar/json.ts';

test('every digit of a figure survives', () => {
  const long = ['9223372036854775807', '123456789012345678901234567890', '-0.10', '2.30', '1e-05', '0'];
  for (const digits of long)
    expect(parseFigures(`{"a": [{"val": ${digits}, "fy": 2024}]}`)).toEqual({ a: [{ val: digits, fy: 2024 }] });
  expect(parseFigures('{"val" : 12 }')).toEqual({ val: '12' });
  expect(parseFigures('{"val":null}')).toEqual({ val: null });
  expect(parseFigures('[{"val":1},{"val":2}]')).toEqual([{ val: '1' }, { val: '2' }]);
});

test('text that looks like a figure stays text', () => {
  const labels = ['the "val": 1 of things', '"val":2', '\\"val\\": 3', 'val: 4', '{"val":5}'];
  for (const label of labels) expect(parseFigures(JSON.stringify({ label, val: 7 }))).toEqual({ label, val: '7' });
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const label = `${a}"val":${b}`;
      expect(parseFigures(JSON.stringify({ label }))).toEqual({ label });
    }),
  );
});

test('what is not JSON is refused', () => {
  expect(() => parseFigures('{"val": 1')).toThrow(SyntaxError);
});

test('a CIK comes as a number, as text, with zeros or without', () => {
  for (const cik of [320193, '320193', '0000320193']) expect(cikOf(cik)).toBe(320193);
  for (const none of [0, '0', -1, 1.5, '', 'x', '12345678901', null, undefined, true]) expect(cikOf(none)).toBeNull();
});
