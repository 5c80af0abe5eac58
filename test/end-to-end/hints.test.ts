/** What a newcomer types amiss is answered with what to type. */
import { expect, test } from 'vitest';
import { fin, json, problem, serve } from './run-fin.ts';

test.each([
  [['metrics', 'AAPL,MSFT'], 'separate them with spaces.\nfin metrics AAPL MSFT\n'],
  [['revisions', 'AAPL,MSFT', 'revenue'], 'fin revisions takes one.\nfin revisions AAPL revenue\n'],
  [['filing', '0000320193-25-000057,0000320193-25-000079'], '\nfin filing 0000320193-25-000057 0000320193-25-000079\n'],
  [
    ['screen', '--where', 'revenue_yoy:gt:20x'],
    '\nWrite column:op:value: op gte, lte, gt or lt, the value as 0.2, 20% or',
  ],
  [['screen', '--limit', '1000'], 'from 1 to 500.\n--all brings every row, however many.\n'],
  [['screen', '--columns', 'revenue,foo'], '\nfin help figures lists the figures. Nothing was asked.\n'],
  [['metrics', 'AAPL', '--keys', 'sales'], '\nfin catalog lists the metrics. Nothing was asked.\n'],
  [['metrics', 'AAPL', '--keys', 'eps'], '"eps" is not known. Did you mean eps_diluted, ps?\n'],
  [['manager', 'berkshire'], '\nfin managers <name> finds the CIK of a manager. Nothing was asked.\n'],
  [['filing', 'AAPL'], '\nfin filings <ticker> lists accession numbers. Nothing was asked.\n'],
])('fin %j', async (args, hint) => {
  const { code, out, err } = await fin(args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(hint);
});

test('a ticker that is a name is looked for as one, with quotes where a shell needs them', async () => {
  const { code, err } = await fin(['profile', 'Common Stock']);
  expect(code).toBe(3);
  expect(err).toContain("\nTo find a ticker by name: fin search 'Common Stock'\n");
  const pasted = await fin(['search', 'Common Stock']);
  expect(pasted.code).toBe(0);
});

test('what only the service can refuse is asked, and then answered with the same advice', async () => {
  const { baseUrl, requests } = await serve((_, response) =>
    json(response, 400, problem(400, 'bad_request', 'keys: sales is none.')),
  );
  const { code, err } = await fin(['metrics', 'AAPL', '--keys', 'sales', '--base-url', baseUrl]);
  expect(code).toBe(2);
  expect(err).toContain('fin: keys: sales is none.');
  expect(err).toContain('fin catalog lists the metrics.');
  expect(requests).toHaveLength(1);
});
