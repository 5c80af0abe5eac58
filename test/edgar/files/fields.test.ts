import { expect, test } from 'vitest';
import { toCik } from '../../../src/edgar/files/fields.ts';

test('a CIK may be a number or text, with or without leading zeros; other values are refused', () => {
  for (const cik of [320193, '320193', '0000320193']) expect(toCik(cik)).toBe(320193);
  for (const invalidCik of [0, '0', -1, 1.5, '', 'x', '12345678901', null, undefined, true])
    expect(toCik(invalidCik)).toBeNull();
});
