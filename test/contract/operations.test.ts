import { expect, test } from 'vitest';
import { dependsOnPrice } from '../../src/contract/figures.ts';
import { getOperation, matchPath, OPERATIONS } from '../../src/contract/operations.ts';
import { RESOURCES } from '../../src/contract/resource-schemas.ts';
import {
  ADDED_COLUMNS,
  DATE_COLUMNS,
  DEFAULT_COLUMNS,
  FILTER_COLUMNS,
  SCREEN_COLUMNS,
  SCREEN_FIGURES,
} from '../../src/contract/screen-columns.ts';

/** Parameters by path, with their defaults and bounds: copied by hand from the HTTP API, plus the additions of fin. */
const EXPECTED_PARAMETER_TEXTS: Record<string, Record<string, string>> = {
  '/v1/securities': { query: 'required', limit: '25 1..500' },
  '/v1/securities/{ticker}/profile': { ticker: 'required' },
  '/v1/securities/{ticker}/metrics': {
    ticker: 'required',
    period: 'latest',
    keys: '',
    collapse: 'false',
    limit: '25 1..5000',
    as_of: '',
    values: '',
    split_adjusted: 'false',
  },
  '/v1/metrics': {},
  '/v1/securities/{ticker}/metrics/{metric_key}/lineage': {
    ticker: 'required',
    metric_key: 'required',
    metric_value_id: '',
    limit: '25 1..500',
    as_of: '',
    values: '',
    split_adjusted: 'false',
  },
  '/v1/securities/{ticker}/metrics/{metric_key}/revisions': {
    ticker: 'required',
    metric_key: 'required',
    metric_value_id: '',
    fiscal_year: '',
    fiscal_period: '',
    limit: '25 1..500',
    split_adjusted: 'false',
  },
  '/v1/securities/{ticker}/raw-concepts': {
    ...{ ticker: 'required', limit: '25 1..500' },
    ...{ concept: '', search: '', as_of: '' },
  },
  '/v1/securities/{ticker}/filings': {
    ticker: 'required',
    forms: '',
    items: '',
    limit: '25 1..500',
    since: '',
    until: '',
    offset: '0 0..1000000',
  },
  '/v1/filings/day': { date: '', forms: '' },
  '/v1/filings/{accession}': { accession: 'required' },
  '/v1/insider-activity': { tickers: '', since: '', kind: 'all', limit: '25 1..100', offset: '0 0..1000000' },
  '/v1/securities/{ticker}/insider-activity': {
    ticker: 'required',
    since: '',
    kind: 'all',
    limit: '25 1..100',
    offset: '0 0..1000000',
  },
  '/v1/securities/{ticker}/holders': { ticker: 'required', limit: '25 1..500', offset: '0 0..1000000', quarter: '' },
  '/v1/holders': { query: '', limit: '10 1..50' },
  '/v1/holders/{cik}': { cik: 'required', limit: '100 1..500', offset: '0 0..1000000', quarter: '' },
  '/v1/securities/{ticker}/segments': { ticker: 'required', period: 'annual' },
  '/v1/securities/{ticker}/prices': { ticker: 'required', range: '', from: '', to: '' },
  '/v1/screen': {
    where: '',
    sort: 'ticker',
    dir: 'asc',
    limit: '25 1..500',
    offset: '0 0..1000000',
    columns: '',
    as_of: '',
    industry: '',
    sic: '',
    peers_of: '',
    set_aside_by: 'false',
    missing_by: 'false',
    split_adjusted: 'false',
  },
  '/v1/release': {},
};

test('the operations have the parameters, defaults and bounds of the interface and its additions', () => {
  const parameterTextsByPath = Object.fromEntries(
    OPERATIONS.map((operation) => [
      operation.path,
      Object.fromEntries(
        operation.parameters.map((parameter) => {
          const boundsText =
            'max' in parameter && parameter.kind === 'integer' ? ` ${parameter.min}..${parameter.max}` : '';
          const parameterText = parameter.required ? 'required' : `${parameter.default ?? ''}${boundsText}`;
          return [parameter.name, parameterText];
        }),
      ),
    ]),
  );
  expect(parameterTextsByPath).toEqual(EXPECTED_PARAMETER_TEXTS);
});

test('every operation returns a documented resource, and its path parameters are required', () => {
  for (const operation of OPERATIONS) {
    expect(RESOURCES[operation.resource], operation.id).toBeDefined();
    const placeholderNames = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const pathParameters = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect(pathParameters.map(({ name, required }) => [name, required])).toEqual(
      placeholderNames.map((name) => [name, true]),
    );
  }
});

test.each(OPERATIONS.flatMap(({ id, resource, rows }) => (rows === null ? [] : [{ id, resource, rows }])))(
  'the rows of $id are in the stated field, and have their identifying fields',
  ({ resource, rows }) => {
    const fields = getProperties(RESOURCES[resource]);
    if (rows.field !== null) expect(fields).toHaveProperty([rows.field, 'items']);
    const rowFields = rows.field === null ? fields : getProperties(fields[rows.field]?.items);
    for (const name of rows.identity ?? []) expect(rowFields).toHaveProperty(name);
    if (rows.total !== undefined) expect(fields).toHaveProperty(rows.total);
  },
);

interface Schema {
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const getProperties = (schema: unknown): Readonly<Record<string, Schema>> => (schema as Schema).properties ?? {};

test('the screener has the 54 decimal figures of the interface, and 55 filters including fiscal_year', () => {
  const figureKeys = SCREEN_FIGURES.map((figure) => figure.key).filter((key) => !ADDED_COLUMNS.has(key));
  expect(figureKeys).toHaveLength(54);
  expect(FILTER_COLUMNS.filter((name) => !ADDED_COLUMNS.has(name))).toHaveLength(55);
  expect(new Set(DEFAULT_COLUMNS).size).toBe(
    54 + 1 + DATE_COLUMNS.filter((name) => !ADDED_COLUMNS.has(name)).length + 1,
  );
  expect(SCREEN_COLUMNS).toEqual(expect.arrayContaining([...DEFAULT_COLUMNS, ...ADDED_COLUMNS]));
  expect(figureKeys.filter(dependsOnPrice).join(' ')).toBe(
    'price market_cap pe ps pb fcf_yield dividend_yield pe_ttm ps_ttm fcf_yield_ttm',
  );
});

test('a path is matched to its operation; a literal segment takes precedence over a parameter', () => {
  expect(matchPath('/v1/filings/day')?.operation.id).toBe('day');
  expect(matchPath('/v1/filings/0000320193-25-000079')).toEqual({
    operation: getOperation('filing'),
    path: { accession: '0000320193-25-000079' },
  });
  expect(matchPath('/v1/securities/BRK%2FB/metrics/revenue/lineage')?.path).toEqual({
    ticker: 'BRK%2FB',
    metric_key: 'revenue',
  });
  for (const path of ['/', '/v1', '/v1/securities/', '/v1/securities//profile', '/v1/release/', '/v2/release', '']) {
    expect(matchPath(path), path).toBeNull();
  }
});
