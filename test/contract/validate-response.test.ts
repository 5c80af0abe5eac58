import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { getOperation, OPERATIONS, type OperationId } from '../../src/contract/operations.ts';
import { describeMissingTexts } from '../../src/contract/text/missing-text.ts';
import { validateResponse } from '../../src/contract/validate-response.ts';

const META = { schema: 'svc.data.v1', release: null };
const findFault = (id: OperationId, data: unknown, overrides: object = {}) =>
  validateResponse(getOperation(id), { data, meta: { ...META, ...overrides } });

const ROW = { cik: 320193, ticker: 'AAPL', exchange: 'Nasdaq', entity_name: 'Apple Inc.', revenue: '416161000000' };

test('unknown fields and missing optional fields are accepted', () => {
  expect(findFault('screen', [ROW, { ...ROW, revenue: null, enterprise_value: '1', nested: [[[1]]] }])).toBeNull();
  expect(findFault('screen', [ROW], { newer: 5, where: ['revenue:gt:1'] })).toBeNull();
  expect(findFault('screen', [])).toBeNull();
});

test('an unknown value of a closed set is accepted', () => {
  const insiderActivity = {
    total_transactions: 0,
    purchase_transactions: 0,
    sale_transactions: 0,
    uncounted_transactions: 0,
    reported_purchase_value: '0',
    reported_sale_value: '0',
    filings: [],
  };
  expect(findFault('insiders', insiderActivity, { kind: 'gift' })).toBeNull();
});

test.each<[OperationId, unknown, object, string]>([
  ['screen', {}, {}, 'screen: data is an object, not a list.'],
  ['screen', [1, 2], {}, 'screen: data[0] is 1, not an object.'],
  ['screen', [[[[[1]]]]], {}, 'screen: data[0] is a list, not an object.'],
  [
    'screen',
    [ROW, { ...ROW, revenue: 416161000000 }],
    {},
    'screen: data[1].revenue is 416161000000, not a decimal as text.',
  ],
  ['screen', [{ ...ROW, revenue: '4.1e11' }], {}, 'screen: data[0].revenue is "4.1e11", not a decimal as text.'],
  ['screen', [{ ...ROW, ticker: undefined }], {}, 'screen: data[0].ticker is missing.'],
  ['screen', [{ ...ROW, cik: '320193' }], {}, 'screen: data[0].cik is "320193", not a whole number.'],
  ['screen', [ROW], { total: '3' }, 'screen: meta.total is "3", not a whole number.'],
  ['profile', null, {}, 'profile: data is null, not an object.'],
  ['release', { date: '2026-08-18' }, {}, 'release: data.checks is missing.'],
  ['release', { date: 'today' }, {}, 'release: data.date is "today", not a date of the form YYYY-MM-DD.'],
  ['screen', [{ ...ROW, price_day: '' }], {}, 'screen: data[0].price_day is "", not a date of the form YYYY-MM-DD.'],
  ['screen', [ROW], { as_of: '2026-13-01' }, 'screen: meta.as_of is "2026-13-01", not a date of the form YYYY-MM-DD.'],
  [
    'release',
    { date: '2026-08-18', checks: 'passed', published_at: 'now' },
    {},
    'release: data.published_at is "now", not a date with a time.',
  ],
])('an answer of %s is refused with its first invalid field: %j', (id, data, metaOverrides, expected) => {
  expect(findFault(id, data, metaOverrides)).toBe(expected);
});

test('a null or absent text is replaced and counted, and the response is valid', () => {
  const data = [ROW, { ...ROW, ticker: null, exchange: undefined }, { cik: 1, entity_name: null }];
  const missingTextCounts = new Map<string, number>();
  expect(validateResponse(getOperation('screen'), { data, meta: META }, missingTextCounts)).toBeNull();
  expect(Object.fromEntries(missingTextCounts)).toEqual({ ticker: 2, exchange: 2, entity_name: 1 });
  expect(data[2]).toEqual({ cik: 1, ticker: '–', exchange: '–', entity_name: '–' });
  expect(describeMissingTexts([...missingTextCounts])).toBe(
    'The response lacks required text, shown as "–", in ticker (2 times), exchange (2 times), entity_name.',
  );
});

const MEASURE = { measure: 'revenue', concept: 'c', unit: 'USD', periods: [], members: [], totals: [] };
const makeSegments = (measure: object) => ({
  cik: 1,
  ticker: 'A',
  entity_name: 'A',
  period: 'annual',
  axes: [{ axis: 'segment', measures: [measure] }],
  documents: 1,
});

test('missing numbers, dates and lists are refused even if missing texts are accepted', () => {
  const findRemainingFault = (id: OperationId, data: unknown) =>
    validateResponse(getOperation(id), { data, meta: META }, new Map());
  expect(findRemainingFault('screen', [{ ...ROW, cik: null }])).toBe('screen: data[0].cik is null.');
  expect(findRemainingFault('screen', [{ ...ROW, ticker: 5 }])).toBe('screen: data[0].ticker is 5, not text.');
  expect(findRemainingFault('release', { date: null, checks: null, published_at: 'x', stamp: null })).toBe(
    'release: data.date is null.',
  );
  expect(findRemainingFault('segments', makeSegments({ ...MEASURE, unit: null, members: null }))).toBe(
    'segments: data.axes[0].measures[0].members is null.',
  );
});

test('parallel lists must have equal lengths', () => {
  const prices = {
    ...{ cik: 1, ticker: 'A', entity_name: 'A', from: '2026-01-02', to: '2026-01-05', marks: [], actions: [] },
    days: ['2026-01-02', '2026-01-05'],
    price: ['1', '2'],
    adj_price: ['1', '2'],
    source: ['venue', 'venue'],
    market_cap: [null, null],
  };
  expect(findFault('prices', prices)).toBeNull();
  for (const name of ['price', 'adj_price', 'source', 'market_cap']) {
    const pricesWithUnequalLists = { ...prices, [name]: prices.price.slice(1) };
    expect(findFault('prices', pricesWithUnequalLists)).toBe(
      `prices: data.${name} has length 1, but days has length 2.`,
    );
  }
  const period = { fiscal_year: 2025, fiscal_period: 'FY', end_date: '2025-12-31', accession_number: 'a', form: 'f' };
  const member = { member: 'm', label: 'M', values: ['1'] };
  const measure = { ...MEASURE, periods: [period], members: [member], totals: [null] };
  expect(findFault('segments', makeSegments(measure))).toBeNull();
  expect(findFault('segments', makeSegments({ ...measure, members: [member, { ...member, values: [] }] }))).toBe(
    'segments: data.axes[0].measures[0].members[1].values has length 0, but periods has length 1.',
  );
});

test('an invalid field is found at any depth', () => {
  const segments = {
    cik: 1,
    ticker: 'A',
    entity_name: 'A',
    period: 'annual',
    axes: [
      {
        axis: 'segment',
        measures: [{ measure: 'revenue', concept: 'c', unit: 'USD', periods: [], members: [], totals: ['1', 2] }],
      },
    ],
    documents: 1,
  };
  expect(findFault('segments', segments)).toBe(
    'segments: data.axes[0].measures[0].totals[1] is 2, not a decimal as text.',
  );
});

test('every operation validates responses, and the client bundle contains no schemas', () => {
  for (const operation of OPERATIONS)
    expect(typeof validateResponse(operation, { data: 0, meta: META })).toBe('string');
  const clientBundle = readFileSync(resolve(import.meta.dirname, '../../dist/client.cjs'), 'utf8');
  expect(clientBundle).not.toContain('additionalProperties');
});
