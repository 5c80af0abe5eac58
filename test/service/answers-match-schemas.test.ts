import Compile from 'typebox/compile';
import { expect, test } from 'vitest';
import { isList, OPERATIONS } from '../../src/contract/operations.ts';
import { Meta, Problem } from '../../src/contract/resources/envelope.ts';
import { RESOURCES } from '../../src/contract/resources/index.ts';
import { OPERATION_TARGETS } from '../operation-targets.ts';
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
    for (const target of OPERATION_TARGETS[operation.id]) {
      const answer = await askBody(target, { service });
      const rows = isList(operation) ? answer.data : [answer.data];
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
  const { body: text } = await ask('/v1/screen?limit=500');
  const numericFieldNames = [...text.matchAll(/"(\w+)":(-?\d[\d.eE+-]*)/g)].map((match) => match[1]);
  expect([...new Set(numericFieldNames)].sort()).toEqual([
    'cik',
    'fiscal_year',
    'limit',
    'offset',
    'set_aside',
    'total',
    'universe',
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
