import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../src/contract/operations.ts';
import { changeQuestion, makeRequestTarget, parseQuestion, type RawParameters } from '../../src/contract/question.ts';
import { API_WORDING, formatText } from '../../src/contract/text/text.ts';

/** Returns the details of faults, as a service writes them. */
const listFaultDetails = (id: OperationId, ...givenParameters: [string, string][]) =>
  parseParameters(id, ...givenParameters).faults.map(({ detail }) => formatText(detail, API_WORDING));

const parseParameters = (id: OperationId, ...givenParameters: [string, string][]) => parseQuestion(id, givenParameters);
const listFaultSources = (id: OperationId, ...givenParameters: [string, string][]) =>
  parseParameters(id, ...givenParameters).faults.map(({ parameter, source }) => `${parameter} ${source}`);

test('missing parameters get their defaults', () => {
  expect(parseParameters('screen')).toMatchObject({
    parameters: { sort: 'ticker', dir: 'asc', limit: 25, offset: 0 },
    faults: [],
  });
  expect(parseParameters('manager', ['cik', '0001067983']).parameters).toEqual({ cik: 1067983, limit: 100, offset: 0 });
});

test('a misspelt screen column is named, with a suggestion', () => {
  const [fault] = parseParameters('screen', ['where', 'revenu_yoy:gt:0.2']).faults;
  expect(listFaultDetails('screen', ['where', 'revenu_yoy:gt:0.2'])).toEqual([
    'Unknown figure "revenu_yoy" in where. Did you mean revenue_yoy?',
  ]);
  expect(fault).toMatchObject({
    parameter: 'where',
    source: 'stated',
  });
});

test('an unknown column that resembles no known column may exist in a newer service, so its fault has the source "ours"', () => {
  expect(listFaultSources('screen', ['where', 'altman_z:gt:1'])).toEqual(['where ours']);
  expect(listFaultSources('screen', ['columns', 'revenue,altman_z'])).toEqual(['columns ours']);
});

test.each<[string, OperationId, [string, string], string]>([
  ['limit below its bound', 'insiders', ['limit', '0'], 'limit stated'],
  ['limit above its bound', 'insiders', ['limit', '101'], 'limit stated'],
  ['a bound that only fin has', 'raw-concepts', ['limit', '501'], 'limit ours'],
  ['a limit that is not a whole number', 'raw-concepts', ['limit', '2.5'], 'limit stated'],
  ['offset past a million', 'holders', ['offset', '1000001'], 'offset stated'],
  ['a day that is not in the calendar', 'insiders', ['since', '2025-02-29'], 'since stated'],
  ['an unknown kind of trade', 'insiders', ['kind', 'gift'], 'kind stated'],
  ['as_of for an operation without it', 'holders', ['as_of', '2020-01-01'], 'as_of stated'],
  ['a short item number', 'filings', ['items', '2.2'], 'items stated'],
  ['an empty form', 'filings', ['forms', '10-K,'], 'forms stated'],
  ['a range that fin does not have', 'prices', ['range', '7y'], 'range ours'],
])('a question is faulty: %s', (_, id, givenParameter, expected) => {
  const pathParameters: [string, string][] = [['ticker', 'AAPL']];
  expect(listFaultSources(id, ...pathParameters, givenParameter)).toEqual([expected]);
});

test('a required parameter that is missing is named', () => {
  expect(listFaultDetails('search')).toEqual(['query is required.']);
});

test('a repeated parameter is a fault; only `where` may be given up to 64 times', () => {
  expect(listFaultSources('metrics', ['ticker', 'A'], ['limit', '1'], ['limit', '1'])).toEqual(['limit stated']);
  const clauses = Array.from({ length: 64 }, (): [string, string] => ['where', 'pe:gt:1']);
  expect(parseParameters('screen', ...clauses).faults).toEqual([]);
  expect(listFaultSources('screen', ...clauses, ['where', 'pe:gt:1'])).toEqual(['where stated']);
});

test('a where value is a plain decimal of at most 32 characters', () => {
  expect(parseParameters('screen', ['where', `revenue:gt:${'9'.repeat(32)}`]).faults).toEqual([]);
  for (const invalidNumber of ['9'.repeat(33), '1e9', '20%', '', '+1', '.5', '1.', '1_000', 'NaN']) {
    expect(listFaultSources('screen', ['where', `revenue:gt:${invalidNumber}`]), invalidNumber).toEqual([
      'where stated',
    ]);
  }
  for (const invalidClause of ['revenue', 'revenue:gt', 'revenue:eq:1', ':gt:1', 'revenue:gt:1:2']) {
    expect(listFaultSources('screen', ['where', invalidClause]), invalidClause).toEqual(['where stated']);
  }
});

test('form types and fiscal periods are accepted in either case', () => {
  expect(
    parseParameters('revisions', ['ticker', 'AAPL'], ['metric_key', 'revenue'], ['fiscal_period', 'q3']).parameters,
  ).toMatchObject({ fiscal_period: 'Q3' });
  expect(parseParameters('filings', ['ticker', 'AAPL'], ['forms', '10-k, 8-K']).parameters).toMatchObject({
    forms: ['10-K', '8-K'],
  });
});

test('"range" cannot be combined with "from" or "to"', () => {
  const parameterPairs: [string, string][] = [
    ['ticker', 'AAPL'],
    ['range', '1y'],
    ['from', '2020-01-01'],
  ];
  expect(listFaultDetails('prices', ...parameterPairs)).toEqual(['range cannot be given together with from.']);
});

test('an accession number is accepted with or without dashes, a CIK with or without leading zeros', () => {
  expect(parseParameters('filing', ['accession', '000032019325000079']).parameters).toEqual({
    accession: '0000320193-25-000079',
  });
  expect(listFaultSources('filing', ['accession', '320193-25-79'])).toEqual(['accession ours']);
  expect(listFaultSources('manager', ['cik', '0'])).toEqual(['cik ours']);
  expect(listFaultSources('manager', ['cik', 'x'])).toEqual(['cik stated']);
});

test('a fault contains no control characters of a parameter name', () => {
  const [fault] = parseParameters('search', ['nam\u001b[2Je', 'x'], ['query', 'a']).faults;
  expect(fault?.detail).not.toContain('\u001b');
});

test('the target of a search parses to the same parameters', () => {
  const anyQueryText = fc.string({ minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(anyQueryText, fc.integer({ min: 1, max: 500 }), (query, limit) => {
      const question = parseQuestion('search', [
        ['query', query],
        ['limit', `${limit}`],
      ]);
      const url = new URL(makeRequestTarget(question), 'http://service.invalid');
      expect(parseQuestion('search', [...url.searchParams]).parameters).toEqual(question.parameters);
    }),
  );
});

test('no text makes the parser throw: each parameter is parsed or has a fault', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...OPERATIONS),
      fc.array(fc.tuple(fc.string(), fc.string())),
      (operation, parameterPairs) => {
        const parameterNames = operation.parameters.map((parameter) => parameter.name);
        const namedPairs = parameterPairs.map(([name, text], index): [string, string] => [
          parameterNames[index % (parameterNames.length + 1)] ?? name,
          text,
        ]);
        const { parameters, faults } = parseQuestion(operation.id, namedPairs);
        const parsedOrFaultyNames = [...Object.keys(parameters), ...faults.map(({ parameter }) => parameter)];
        expect(parsedOrFaultyNames).toEqual(expect.arrayContaining(namedPairs.map(([name]) => name)));
      },
    ),
  );
});

const formatTarget = (id: OperationId, ...givenParameters: RawParameters) =>
  makeRequestTarget(parseQuestion(id, givenParameters));

test('parameters are in the contract’s order, whatever order they were given in', () => {
  expect(
    formatTarget(
      'metrics',
      ['as_of', '2020-01-01'],
      ['keys', 'revenue,net_income'],
      ['ticker', 'BRK/B'],
      ['period', 'annual'],
    ),
  ).toBe('/v1/securities/BRK%2FB/metrics?period=annual&keys=revenue,net_income&as_of=2020-01-01');
});

test('each filter is a separate parameter', () => {
  expect(formatTarget('screen', ['limit', '5'], ['where', 'revenue_yoy:gt:0.2'], ['where', 'pe:lt:15'])).toBe(
    '/v1/screen?where=revenue_yoy:gt:0.2&where=pe:lt:15&limit=5',
  );
});

test('characters that end or split a query are escaped', () => {
  expect(formatTarget('search', ['query', 'a&b=c#d e+f'])).toBe('/v1/securities?query=a%26b%3Dc%23d%20e%2Bf');
});

test('a valid value is sent in its canonical spelling, an invalid value or a raw question unchanged', () => {
  const question = parseQuestion('filing', [['accession', '000032019325000079']]);
  expect(makeRequestTarget(question)).toBe('/v1/filings/0000320193-25-000079');
  expect(makeRequestTarget(question, 'raw')).toBe('/v1/filings/000032019325000079');
  expect(formatTarget('metrics', ['ticker', 'AAPL'], ['keys', 'revenu'], ['newer', 'x&y'])).toBe(
    '/v1/securities/AAPL/metrics?keys=revenu&newer=x%26y',
  );
});

test('changing a question replaces the changed parameters and keeps all others', () => {
  const originalQuestion = parseQuestion('screen', [
    ['where', 'revenue_yoy:gt:0.2'],
    ['limit', '5'],
  ]);
  expect(originalQuestion.parameters.where).toEqual([{ column: 'revenue_yoy', op: 'gt', value: '0.2' }]);
  const changedQuestion = changeQuestion(originalQuestion, [['limit', '10']]);
  expect(makeRequestTarget(changedQuestion)).toBe('/v1/screen?where=revenue_yoy:gt:0.2&limit=10');
  expect(changedQuestion.parameters.where).toEqual(originalQuestion.parameters.where);
  expect(changeQuestion(originalQuestion, [['limit', '0']]).faults).toHaveLength(1);
});

test('filters are parsed only by parseQuestion, and filters by own formulas by the same function', () => {
  const sourceDirectory = resolve(import.meta.dirname, '../../src');
  const sourceFiles = readdirSync(sourceDirectory, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const listFilesWith = (pattern: RegExp) =>
    sourceFiles.filter((file) => pattern.test(readFileSync(join(sourceDirectory, file), 'utf8'))).sort();
  expect(listFilesWith(/\bparseClause\b/)).toEqual([
    ...['read-parameter.ts', 'where-clause.ts'].map((file) => join('contract', file)),
    join('questions', 'screens', 'formula-columns.ts'),
  ]);
  expect(listFilesWith(/\breadParameter\b/)).toEqual(
    ['question.ts', 'read-parameter.ts'].map((file) => join('contract', file)),
  );
});
