import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expandFilters } from '../../src/ask/values/screen-filters.ts';
import { respellParameters } from '../../src/ask/values/spellings.ts';
import { compareDecimals } from '../../src/contract/decimal-text.ts';
import { getOperation } from '../../src/contract/operations.ts';
import { FILTER_COLUMNS } from '../../src/contract/screen-columns.ts';

const expandFilter = (text: string) => expandFilters([['where', text]], { unchecked: true }).parameters[0]?.[1];
const listWarnings = (text: string) =>
  expandFilters([['where', text]]).notices.map(({ text: noticeText }) => noticeText);

test.each([
  ['revenue_yoy:gt:20%', 'revenue_yoy:gt:0.20'],
  ['revenue_yoy:gt:-2.5%', 'revenue_yoy:gt:-0.025'],
  ['revenue:gte:1.5B', 'revenue:gte:1500000000'],
  ['revenue:gte:10k', 'revenue:gte:10000'],
  ['assets:lt:0.000001T', 'assets:lt:1000000'],
  ['revenue:gt:1e9', 'revenue:gt:1e9'],
  ['revenue_yoy:gt:.2', 'revenue_yoy:gt:0.2'],
  ['revenue_yoy:gt:-.5%', 'revenue_yoy:gt:-0.005'],
  ['revenue:gt:.', 'revenue:gt:.'],
  ['nonsense', 'nonsense'],
])('%s is sent as %s', (typedText, sentText) => {
  expect(expandFilter(typedText)).toBe(sentText);
});

test('a percentage is sent as exactly a hundredth of its number', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (number) => {
      const value = expandFilter(`roe:gt:${number}%`)?.split(':')[2] ?? '';
      expect(BigInt(value.replace('.', ''))).toBe(number);
      expect(compareDecimals(value, String(number))).toBeLessThanOrEqual(0);
      expect(value.split('.')[1]).toHaveLength(2);
    }),
  );
});

test('a filter that compares a fraction with a probable percentage gives a warning, unless written with a percent sign', () => {
  expect(listWarnings('revenue_yoy:gt:24')).toEqual([
    'revenue_yoy is a fraction: 24 is 2400 %. For 24 % write revenue_yoy:gt:24%.',
  ]);
  expect(listWarnings('net_margin:lt:-20')).toHaveLength(1);
  for (const validFilter of [
    'revenue_yoy:gt:0.24',
    'revenue_yoy:gt:1',
    'revenue_yoy:gt:2400%',
    'pe:lt:24',
    'revenue:gt:24',
  ]) {
    expect(listWarnings(validFilter)).toEqual([]);
  }
});

test('a filter that compares an amount with a percentage gives a warning', () => {
  expect(listWarnings('revenue:gt:20%')).toEqual([
    'revenue is not a fraction: 20% is 0.20. For growth write revenue_yoy.',
  ]);
  expect(listWarnings('assets:gt:5%')).toEqual(['assets is not a fraction: 5% is 0.05.']);
  expect(listWarnings('current_ratio:gt:150%')).toEqual([]);
});

test('percent signs and scales are expanded in filters only', () => {
  const parameters = [
    ['columns', 'revenue'],
    ['where', 'roe:gt:5%'],
    ['sort', 'roe'],
  ] as const;
  expect(expandFilters(parameters).parameters).toEqual([
    ['columns', 'revenue'],
    ['where', 'roe:gt:0.05'],
    ['sort', 'roe'],
  ]);
});

test.each([
  ['revenue:gt:1e9', 'revenue:gt:1000000000'],
  ['revenue:gt:10bn', 'revenue:gt:10B'],
  ['revenue:gt:-1.5 Million', 'revenue:gt:-1.5M'],
  ['revenue:gt:1,000', 'revenue:gt:1000'],
  ['revenue:gt:12,345,678.5', 'revenue:gt:12345678.5'],
  ['revenue:gt:1,000M', 'revenue:gt:1000M'],
  ['revenue:gt:$1_000', 'revenue:gt:1000'],
  ['roe:gt:20 %', 'roe:gt:20%'],
  ['roe:gt:+2', 'roe:gt:2'],
  // "1,5" gets no suggestion, because it could mean 1.5 or 15.
  ['revenue:gt:1,5', null],
  ['revenue:gt:1,0000', null],
  ['revenue:gt:10x', null],
  ['revenue:gt:', null],
  [`revenue:gt:${'9'.repeat(33)}`, null],
  ['revenue:gt:1e40', null],
])('%s is refused with the suggestion %s', (text, suggestion) => {
  const expandInvalidFilter = () => expandFilters([['where', text]]);
  expect(expandInvalidFilter).toThrow('Invalid number ');
  if (suggestion === null) expect(expandInvalidFilter).not.toThrow('Did you mean');
  else expect(expandInvalidFilter).toThrow(`Did you mean ${suggestion}?`);
});

test('valid filters, and texts that are not filters of numbers, are not refused', () => {
  for (const text of ['revenue:gt:1.5B', 'roe:gt:-.5%', 'roe:lt:0', 'nonsense', 'roe:eq:1e9', 'roe:gt:1:2'])
    expect(() => expandFilters([['where', text]])).not.toThrow();
  expect(() => expandFilters([['columns', 'roe:gt:x']])).not.toThrow();
});

test.each(FILTER_COLUMNS)('--sort %s:desc sorts by that figure, largest first', (column) => {
  expect(respellParameters(getOperation('screen'), [['sort', `${column}:desc`]])).toEqual([
    ['sort', column],
    ['dir', 'desc'],
  ]);
});
