import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLimitsFinder } from '../../../src/service/limits/limits.ts';
import { makeDirectory } from '../http/running.ts';

const writeLimits = (json: string) => {
  const path = join(makeDirectory(), 'limits.json');
  writeFileSync(path, json);
  return path;
};

test('a limit that the limits file omits has its default value', () => {
  const findLimits = readLimitsFinder(
    writeLimits('{"default": {"minute": 100}, "accounts": {"acme": {"month": 7, "concurrent": 8, "seconds": 5}}}'),
  );
  expect(findLimits('acme')).toEqual({ minute: 100, month: 7, concurrent: 8, seconds: 5 });
  expect(findLimits('other')).toEqual({ minute: 100, month: 20_000, concurrent: 4, seconds: 60 });
  expect(readLimitsFinder(writeLimits('{}'))('x')).toEqual({ minute: 60, month: 20_000, concurrent: 4, seconds: 60 });
});

test.each([
  ['not json', 'the file is not JSON'],
  ['[]', 'the file is not an object'],
  ['{"defaults": {}}', 'the file has the unknown field "defaults"; known fields: default, accounts'],
  [
    '{"default": {"minutes": 1}}',
    'default has the unknown field "minutes"; known fields: minute, month, concurrent, seconds',
  ],
  ['{"default": {"minute": 0}}', 'default.minute is 0, not a whole number greater than zero'],
  ['{"accounts": {"a": {"month": "5"}}}', 'accounts.a.month is "5", not a whole number greater than zero'],
  ['{"default": {"seconds": 7}}', 'default.seconds is 7, but must divide 60 without a remainder'],
  ['{"accounts": {"a": 5}}', 'accounts.a is not an object'],
])('a limits file with %s is refused with the reason', (text, message) => {
  expect(() => readLimitsFinder(writeLimits(text))).toThrow(message);
});

test('a missing limits file is refused with the reason', () => {
  expect(() => readLimitsFinder('/nowhere/limits.json')).toThrow('the file cannot be read');
});
