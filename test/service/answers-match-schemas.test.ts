import Compile from 'typebox/compile';
import { expect, test } from 'vitest';
import { OPERATIONS, returnsList } from '../../src/contract/operations.ts';
import { RESOURCES } from '../../src/contract/resource-schemas.ts';
import { Meta, Problem } from '../../src/contract/resources/envelope.ts';
import { TARGETS_BY_OPERATION } from '../operation-targets.ts';
import { ask, askBody, expectRefusal, makeService } from './ask.ts';
import { openSample } from './sample.ts';

const { release } = openSample();
const service = makeService({ release: async () => release });

test.each(OPERATIONS)(
  'the answers of $id conform to the schema of its resource, and have no other fields',
  async (operation) => {
    const schema = RESOURCES[operation.resource];
    if (schema === undefined) throw new Error(`no resource ${operation.resource}`);
    const compiledSchema = Compile(schema);
    const metaSchema = Compile(Meta);
    for (const target of TARGETS_BY_OPERATION[operation.id]) {
      const answer = await askBody(target, { service });
      const rows = returnsList(operation) ? answer.data : [answer.data];
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        expect([...compiledSchema.Errors(row)]).toEqual([]);
        // The service sends no field outside the schema.
        const schemaFields = Object.keys((schema as unknown as { properties: object }).properties);
        expect(Object.keys(row).filter((field) => !schemaFields.includes(field))).toEqual([]);
      }
      expect([...metaSchema.Errors(answer.meta)]).toEqual([]);
      expect(answer.meta.route).toBe(operation.path);
    }
  },
);

test('every figure in every body is a string, not a number', async () => {
  const targets = ['/v1/screen?limit=500', ...Object.values(TARGETS_BY_OPERATION).flat()];
  const texts = await Promise.all(targets.map(async (target) => (await ask(target, { service })).body));
  // The only numbers are counts, years, ids, positions and signs.
  const numericFieldNames = texts.flatMap((text) =>
    [...text.matchAll(/"(\w+)":\[?(-?\d[\d.eE+-]*)/g)].map((match) => match[1]),
  );
  expect([...new Set(numericFieldNames)].sort()).toEqual([
    ...['cik', 'companies', 'covered_company_count', 'documents', 'fact_count'],
    ...['filing_count', 'filings', 'fiscal_year', 'holder_cik', 'holders'],
    ...['latest_positions', 'limit', 'lines_total', 'metric_value_count', 'offset'],
    ...['ordinal', 'other_managers', 'positions', 'priority', 'purchase_transactions'],
    ...['purchases', 'raw_fact_count', 'revision_count', 'revision_rank', 'rows_total'],
    ...['sale_transactions', 'sales', 'sample', 'set_aside', 'sign_multiplier'],
    ...['total', 'total_transactions', 'uncounted_transactions', 'universe'],
  ]);
});

test('problems conform to the schema of problems', async () => {
  const problemSchema = Compile(Problem);
  for (const [target, status] of [
    ['/v1/nothing', 404],
    ['/v1/screen?limit=0', 400],
    ['/v1/holders', 404],
  ] as const) {
    expect([...problemSchema.Errors(await expectRefusal(target, status))]).toEqual([]);
  }
});
