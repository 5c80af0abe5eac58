import { expect, test } from 'vitest';
import type { Parameter } from '../../src/contract/parameters.ts';
import { readParameter } from '../../src/contract/read-parameter.ts';
import { API_WORDING, formatText } from '../../src/contract/text/text.ts';

const makeParameter = (kind: Parameter['kind'], overrides: Partial<Parameter> = {}): Parameter => ({
  ...{ name: 'x', in: 'query', kind, required: false, source: 'ours', help: '' },
  ...overrides,
});
/** Returns the parsed value, or the fault as the service prints it. */
function readTexts(kind: Parameter['kind'], overrides: Partial<Parameter>, ...texts: string[]) {
  const parseResult = readParameter(makeParameter(kind, overrides), texts);
  return 'fault' in parseResult ? { ...parseResult, fault: formatText(parseResult.fault, API_WORDING) } : parseResult;
}

test.each([
  ['accession', '000032019325000079', '0000320193-25-000079'],
  ['cik', '0000320193', 320193],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['date', '2024-02-29', '2024-02-29'],
  ['uuid', '56A34DDB-145D-50CD-9036-427333214C4D', '56a34ddb-145d-50cd-9036-427333214c4d'],
  ['integer', '-7', -7],
] as const)('%s %s is read as %j', (kind, text, value) => {
  expect(readTexts(kind, {}, text)).toEqual({ value });
});

test.each([
  ['accession', 'x', 'x "x" is not an accession number'],
  ['cik', '12345678901', 'x "12345678901" is not a CIK'],
  ['boolean', 'TRUE', 'must be true or false'],
  ['date', '2023-02-29', /"2023-02-29" .*calendar|date/],
  ['date', '2023-2-9', 'of the form YYYY-MM-DD'],
  ['uuid', '56a34ddb', 'is not a UUID'],
  ['integer', '1.0', 'is not a whole number'],
  ['integer', '1e3', 'is not a whole number'],
  ['integer', '9007199254740993', 'is not a whole number'],
] as const)('%s %s is refused', (kind, text, fault) => {
  expect(readTexts(kind, {}, text)).toEqual(expect.objectContaining({ fault: expect.stringMatching(fault) }));
});

test('our own bounds are distinguished from those of the interface', () => {
  const bounds = { min: 1, max: 50 };
  for (const text of ['1', '50']) expect(readTexts('integer', bounds, text)).toEqual({ value: Number(text) });
  for (const text of ['0', '51'])
    expect(readTexts('integer', bounds, text)).toMatchObject({
      fault: expect.stringContaining('from 1 to 50'),
      source: 'ours',
    });
  expect(readTexts('integer', bounds, 'ten')).toMatchObject({ source: 'stated' });
});

test('a repeated parameter and a missing path segment break rules of the interface', () => {
  expect(readTexts('string', {}, 'a', 'b')).toEqual({ fault: 'x was given 2 times; give it once.', source: 'stated' });
  for (const text of ['', '  ', '.', '..'])
    expect(readTexts('ticker', { in: 'path' }, text)).toMatchObject({
      fault: expect.stringMatching(/^x must not be/),
      source: 'stated',
    });
});

test('a path segment with a million spaces is checked in linear time', () => {
  // In quadratic time, a text of this length would take longer than the timeout of the test.
  expect(readTexts('string', { in: 'path' }, `${' '.repeat(1_000_000)}x`)).toHaveProperty('value');
});

test('texts and lists that exceed their bounds are refused, and so are lists with empty items', () => {
  expect(readTexts('string', { min: 1 }, '')).toEqual({ fault: 'x must not be empty.' });
  expect(readTexts('string', { max: 3 }, 'abcd')).toEqual({ fault: 'x is longer than 3 characters.' });
  expect(readTexts('string', { max: 3 }, '𝐀𝐁𝐂')).toEqual({ value: '𝐀𝐁𝐂' });
  expect(readTexts('list', { anyCase: true }, ' 10-k, 8-K ')).toEqual({ value: ['10-K', '8-K'] });
  expect(readTexts('list', { min: 1 }, 'a,,b')).toMatchObject({
    fault: 'x "a,,b" has an empty item.',
    source: 'stated',
  });
  expect(readTexts('list', { maxItems: 1 }, 'a,b')).toEqual({ fault: 'x has 2 items; the maximum is 1.' });
});

test('the fault of an unknown name has the source "stated" only if the name is similar to a known name; other names may be newer', () => {
  const values = ['revenue', 'net_income', 'assets', 'equity', 'cash', 'debt', 'price', 'shares', 'margin'];
  const statedChoiceFields = { values, source: 'stated' } as const;
  expect(readTexts('choice', statedChoiceFields, 'revenu')).toMatchObject({
    fault: expect.stringContaining('revenue'),
    source: 'stated',
  });
  expect(readTexts('choice', statedChoiceFields, 'zzzzzzzz')).toMatchObject({ source: 'ours' });
  expect(readTexts('choice', { values: ['asc', 'desc'] }, 'up')).toEqual({
    fault: 'Unknown value "up" for x. Use asc or desc.',
  });
  const clauseRules = { values: ['revenue'], maxItems: 1 };
  expect(readTexts('clauses', clauseRules, 'revenue:gt:1')).toMatchObject({ value: [{ column: 'revenue' }] });
  expect(readTexts('clauses', clauseRules, 'revenue')).toHaveProperty('fault');
  expect(readTexts('clauses', clauseRules, 'revenue:gt:1', 'revenue:lt:2')).toMatchObject({
    fault: expect.stringContaining('the maximum is 1'),
  });
});
