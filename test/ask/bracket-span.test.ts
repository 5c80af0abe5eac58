import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bracketSpan } from '../../src/ask/fetch/all-pages.ts';

const content = (json: string, path: readonly string[]): string | null => {
  const span = bracketSpan(json, path);
  return span === null ? null : json.slice(span.start, span.end);
};

test.each<[string, string[], string | null]>([
  ['{"data":[1, 2]}', ['data'], '1, 2'],
  ['{"data":[],"meta":{"data":[3]}}', ['data'], ''],
  ['{"meta":{"data":[3]},"data":[[4],{"data":[5]}]}', ['data'], '[4],{"data":[5]}'],
  ['{"data":{"rows":[{"rows":[1]}, "]"],"x":"[\\"{"}}', ['data', 'rows'], '{"rows":[1]}, "]"'],
  ['{"data":{"rows":null}}', ['data', 'rows'], null],
  ['{"data":"[]"}', ['data'], null],
  ['{"d\\u0061ta":[1.10]}', ['data'], '1.10'],
  ['[{"data":[1]}]', ['data'], null],
  ['{"data":[1],"data":[2]}', ['data'], '2'],
])('of %s the content at %j is %j', (json, path, expected) => {
  expect(content(json, path)).toBe(expected);
});

test('the array is found whatever surrounds it', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), fc.jsonValue(), (rows, before, after) => {
      const json = JSON.stringify({ before, data: { first: before, rows, last: after }, after }, null, 1);
      expect(JSON.parse(`[${content(json, ['data', 'rows'])}]`)).toEqual(JSON.parse(JSON.stringify(rows)));
    }),
  );
});
