import { expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../../src/contract/operations.ts';
import { parseQuestion, type RawParameters } from '../../../src/contract/question.ts';
import { answerQuestion } from '../../../src/service/answers/answer-question.ts';
import { openSample } from '../sample.ts';

const { release } = openSample();

/** A valid value for every parameter, by name. */
const VALUE_BY_PARAMETER: Readonly<Record<string, string>> = {
  ticker: 'AAPL',
  metric_key: 'revenue',
  accession: '0000320193-25-000079',
  cik: '1067983',
  query: 'a',
  as_of: '2024-01-01',
  values: 'first',
  split_adjusted: 'true',
  set_aside_by: 'true',
  missing_by: 'true',
  period: 'annual',
  keys: 'revenue',
  collapse: 'true',
  metric_value_id: '37d6cc25-8168-5dba-8ba2-a9139864d50c',
  fiscal_year: '2024',
  fiscal_period: 'FY',
  forms: '10-K',
  items: '2.02',
  tickers: 'AAPL',
  since: '2024-01-01',
  until: '2025-12-31',
  kind: 'purchase',
  range: '1y',
  from: '2026-01-01',
  to: '2026-08-01',
  date: '2026-08-03',
  where: 'revenue:gt:1',
  sort: 'revenue',
  dir: 'desc',
  columns: 'revenue',
  industry: 'software',
  sic: '7372',
  peers_of: 'AAPL',
  concept: 'Assets',
  search: 'assets',
  quarter: '2024-12-31',
  limit: '5',
  offset: '0',
};

async function collectReadParameters(id: OperationId, rawParameters: RawParameters): Promise<string[]> {
  const question = parseQuestion(id, rawParameters);
  expect(question.faults).toEqual([]);
  const readNames = new Set<string>();
  const parameters = new Proxy(question.parameters, {
    get(target, name) {
      readNames.add(String(name));
      return Reflect.get(target, name);
    },
    // Hides the names from `meta`, which lists them, so that only reads by the handler are recorded.
    ownKeys: () => [],
  });
  await answerQuestion(release, { ...question, parameters }, AbortSignal.timeout(10_000)).catch((error: Error) => {
    // The sample may lack the data; the handler has read the parameter by then.
    if (!('code' in error)) throw error;
  });
  return [...readNames];
}

test.each(OPERATIONS.map(({ id }) => id))('the handler of %s reads every parameter', async (id) => {
  const { parameters, exclusive = [] } = OPERATIONS.find(
    (operation) => operation.id === id,
  ) as (typeof OPERATIONS)[number];
  const exclusiveNames = new Set(exclusive.map(([name]) => name));
  const listParameterPairs = (names: readonly string[]): RawParameters =>
    names.map((name) => {
      const value = VALUE_BY_PARAMETER[name];
      if (value === undefined) throw new Error(`write a value for the parameter ${name}`);
      return [name, value];
    });
  const parameterNames = parameters.map(({ name }) => name);
  const excludedNames = exclusive.flatMap(([, more]) => more);
  const readNames = [
    ...(await collectReadParameters(
      id,
      listParameterPairs(parameterNames.filter((name) => !exclusiveNames.has(name))),
    )),
    ...(exclusiveNames.size === 0
      ? []
      : await collectReadParameters(
          id,
          listParameterPairs(parameterNames.filter((name) => !excludedNames.includes(name))),
        )),
  ];
  expect(parameterNames.filter((name) => !readNames.includes(name))).toEqual([]);
});
