import { expect, test } from 'vitest';
import { operationOf } from '../../../src/contract/operations.ts';
import { requestPath } from '../../../src/contract/question/request-path.ts';

test('parameters stand in the contract’s order, whatever order they came in', () => {
  const asked = { as_of: '2020-01-01', keys: ['revenue', 'net_income'], ticker: 'BRK/B', period: 'annual' };
  expect(requestPath(operationOf('metrics'), asked)).toBe(
    '/v1/securities/BRK%2FB/metrics?period=annual&keys=revenue,net_income&as_of=2020-01-01',
  );
});

test('each filter is a parameter of its own', () => {
  const where = ['revenue_yoy:gt:0.2', 'pe:lt:15'];
  expect(requestPath(operationOf('screen'), { where, limit: 5 })).toBe(
    '/v1/screen?where=revenue_yoy:gt:0.2&where=pe:lt:15&limit=5',
  );
});

test('what would end or split a query is escaped', () => {
  expect(requestPath(operationOf('search'), { query: 'a&b=c#d e+f' })).toBe(
    '/v1/securities?query=a%26b%3Dc%23d%20e%2Bf',
  );
});
