/** Checks that a response conforms to the schema of its resource, and has no other fields at any depth. */
import Compile from 'typebox/compile';
import { expect } from 'vitest';
import { getOperation, type OperationId, returnsList } from '../../src/contract/operations.ts';
import { RESOURCES } from '../../src/contract/resource-schemas.ts';
import { Meta } from '../../src/contract/resources/envelope.ts';

interface Envelope {
  readonly data: unknown;
  readonly meta: { readonly route?: unknown };
}

const validatorByResource = new Map<string, ReturnType<typeof Compile>>();

function getValidator(resource: string): ReturnType<typeof Compile> {
  const validator = validatorByResource.get(resource) ?? Compile(closeSchema(RESOURCES[resource]) as object);
  validatorByResource.set(resource, validator);
  return validator;
}

const metaValidator = Compile(Meta);

export function expectExactResource(id: OperationId, { data, meta }: Envelope): void {
  const operation = getOperation(id);
  const resourceValidator = getValidator(operation.resource);
  for (const row of returnsList(operation) ? (data as readonly unknown[]) : [data]) {
    expect([...resourceValidator.Errors(row)]).toEqual([]);
  }
  expect([...metaValidator.Errors(meta)]).toEqual([]);
  expect(meta.route).toBe(operation.path);
}

/** Returns the schema with `additionalProperties: false` in every object. */
function closeSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, closeSchema(value)]);
  return { ...Object.fromEntries(entries), ...('properties' in schema ? { additionalProperties: false } : {}) };
}
