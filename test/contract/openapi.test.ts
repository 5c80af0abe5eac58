import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { makeOpenApiDocument } from '../../src/contract/openapi.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';

test('the document passes the recommended rules of an OpenAPI linter', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const findings = await lintFromString({ source: JSON.stringify(makeOpenApiDocument()), config });
  expect(findings.map((finding) => `${finding.ruleId} ${finding.location[0]?.pointer}: ${finding.message}`)).toEqual(
    [],
  );
});

test('the document describes each operation under its path', () => {
  const { paths } = makeOpenApiDocument() as { paths: Record<string, { get: { operationId: string } }> };
  expect(Object.entries(paths).map(([path, { get }]) => [path, get.operationId])).toEqual(
    OPERATIONS.map((operation) => [operation.path, operation.id]),
  );
});
