import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { makeOpenApiDocument } from '../../src/contract/openapi.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { FILTER_COLUMNS } from '../../src/contract/screen-columns.ts';

test('the document passes the recommended rules of an OpenAPI linter', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const findings = await lintFromString({ source: JSON.stringify(makeOpenApiDocument()), config });
  expect(findings.map((finding) => `${finding.ruleId} ${finding.location[0]?.pointer}: ${finding.message}`)).toEqual(
    [],
  );
});

test('resources have the names of the interface, and refusals the headers that they are sent with', () => {
  const { components } = makeOpenApiDocument() as {
    components: { schemas: object; responses: Record<string, { headers: object }> };
  };
  expect(Object.keys(components.schemas)).toContain('PriceAction');
  const headersByResponse = Object.fromEntries(
    Object.entries(components.responses).map(([name, { headers }]) => [name, Object.keys(headers)]),
  );
  expect(headersByResponse).toMatchObject({
    Problem400: ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'],
    Problem401: ['X-Request-Id', 'WWW-Authenticate'],
    Problem429: ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
  });
});

test('the document describes each operation under its path', () => {
  const { paths } = makeOpenApiDocument() as { paths: Record<string, { get: { operationId: string } }> };
  expect(Object.entries(paths).map(([path, { get }]) => [path, get.operationId])).toEqual(
    OPERATIONS.map((operation) => [operation.path, operation.id]),
  );
});

test('the pattern of filters accepts every figure that the service filters by', () => {
  const { paths } = makeOpenApiDocument() as {
    paths: Record<string, { get: { parameters: { name?: string; schema: { items: { pattern: string } } }[] } }>;
  };
  const where = paths['/v1/screen']?.get.parameters.find(({ name }) => name === 'where');
  const pattern = new RegExp(where?.schema.items.pattern ?? '');
  expect(FILTER_COLUMNS.filter((column) => !pattern.test(`${column}:gte:-0.5`))).toEqual([]);
});
