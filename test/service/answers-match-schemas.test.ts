import Compile from 'typebox/compile';
import { expect, test } from 'vitest';
import { isList, type OperationId, operationOf } from '../../src/contract/operations.ts';
import { Meta, Problem } from '../../src/contract/resources/envelope.ts';
import { RESOURCES } from '../../src/contract/resources/index.ts';
import { ask, body, refused } from './ask.ts';

const TARGETS: Partial<Record<OperationId, readonly string[]>> = {
  search: ['/v1/securities?query=a'],
  profile: ['/v1/securities/AAPL/profile'],
  metrics: ['/v1/securities/AAPL/metrics?period=all', '/v1/securities/AAPL/metrics?keys=fcf_margin&period=annual'],
  catalog: ['/v1/metrics'],
  lineage: ['/v1/securities/AAPL/metrics/free_cash_flow/lineage'],
  revisions: ['/v1/securities/AAPL/metrics/eps_diluted/revisions'],
  'raw-concepts': ['/v1/securities/AAPL/raw-concepts'],
  screen: ['/v1/screen?limit=500', '/v1/screen?columns=revenue,fiscal_year,coverage_state,annual_end_date'],
  release: ['/v1/release'],
};

test.each(Object.entries(TARGETS))('%s answers with its resource, whole', async (id, targets) => {
  const operation = operationOf(id as OperationId);
  const schema = RESOURCES[operation.resource];
  if (schema === undefined) throw new Error(`no resource ${operation.resource}`);
  const resource = Compile(schema);
  const meta = Compile(Meta);
  for (const target of targets) {
    const answer = await body(target);
    const rows = isList(operation) ? answer.data : [answer.data];
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect([...resource.Errors(row)]).toEqual([]);
      // The service sends no field of its own.
      const fields = Object.keys((schema as unknown as { properties: object }).properties);
      expect(Object.keys(row).filter((field) => !fields.includes(field))).toEqual([]);
    }
    expect([...meta.Errors(answer.meta)]).toEqual([]);
    expect(answer.meta.route).toBe(operation.path);
  }
});

test('every figure is a string: no body has a figure as a number', async () => {
  const { body: text } = await ask('/v1/screen?limit=500');
  const numbers = [...text.matchAll(/"(\w+)":(-?\d[\d.eE+-]*)/g)].map((match) => match[1]);
  expect([...new Set(numbers)].sort()).toEqual([
    'cik',
    'fiscal_year',
    'limit',
    'offset',
    'set_aside',
    'total',
    'universe',
  ]);
});

test('problems are problems of the interface', async () => {
  const problem = Compile(Problem);
  for (const [target, status] of [
    ['/v1/nothing', 404],
    ['/v1/screen?limit=0', 400],
    ['/v1/holders', 503],
  ] as const) {
    expect([...problem.Errors(await refused(target, status))]).toEqual([]);
  }
});
