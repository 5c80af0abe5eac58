import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { BASE_URL, makeService } from './ask.ts';

const PARAMETER_NAMES = [...new Set(OPERATIONS.flatMap(({ parameters }) => parameters.map(({ name }) => name)))];
const PARAMETER_VALUES = [
  ...['AAPL', 'aem', 'revenue', 'free_cash_flow', 'fcf_margin', 'shares_change', 'market_cap', 'ticker', 'fiscal_year'],
  ...['annual', 'quarterly', 'all', 'latest', 'true', 'false', 'asc', 'desc', 'FY', 'q1', '2025', '2025-10-31'],
  ...[
    '0',
    '1',
    '25',
    '500',
    '5000',
    '-1',
    '1e3',
    'revenue:gt:0',
    'assets:lt:1.5',
    'revenue,net_income',
    '%',
    '%41',
    '+',
    '',
  ],
  ...['0000320193-25-000079', '320193', '37d6cc25-8168-5dba-8ba2-a9139864d50c', 'constructor', '__proto__', 'toString'],
];
const anyParameterValue = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...PARAMETER_VALUES) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }).map(encodeURIComponent) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
);
const anyQuestionTarget = fc
  .tuple(
    fc.constantFrom(...OPERATIONS.map(({ path }) => path)),
    fc.array(anyParameterValue, { minLength: 2, maxLength: 2 }),
    fc.array(fc.tuple(fc.oneof(fc.constantFrom(...PARAMETER_NAMES), anyParameterValue), anyParameterValue), {
      maxLength: 5,
    }),
  )
  .map(([template, pathValues, parameterPairs]) => {
    const path = template.replace(/\{\w+\}/g, () => pathValues.pop() ?? '');
    return `${path}?${parameterPairs.map(([name, text]) => `${name}=${text}`).join('&')}`;
  });

test('any question is answered or refused with 400, 404 or 405, and no defect is reported', async () => {
  const defects: unknown[] = [];
  const service = makeService({ onDefect: (error) => defects.push(error) });
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(anyQuestionTarget, fc.constantFrom('GET', 'GET', 'GET', 'POST'), async (requestTarget, method) => {
      const answer = await service({ method, target: requestTarget, headers: {}, id: 'r-0', baseUrl: BASE_URL });
      statuses.add(answer.status);
      expect([200, 400, 404, 405]).toContain(answer.status);
      const text = answer.body.join('');
      const body = JSON.parse(text);
      if (answer.status === 200) expect(body.meta.request_id).toBe(answer.headers['x-request-id']);
      else expect([body.status, typeof body.detail]).toEqual([answer.status, 'string']);
      expect(text).not.toMatch(/\p{Cc}/u);
    }),
    { numRuns: 3000 },
  );
  expect(defects).toEqual([]);
  // The random questions had different faults, and some were valid.
  expect([...statuses].sort()).toEqual([200, 400, 404, 405]);
});
