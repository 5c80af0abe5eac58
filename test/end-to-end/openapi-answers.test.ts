import { type Document, OpenAPIBackend } from 'openapi-backend';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeOpenApiDocument } from '../../src/contract/openapi.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { TARGETS_BY_OPERATION } from '../operation-targets.ts';
import { type Service, startService } from './serve-process.ts';

let service: Service;
const openApiValidator = new OpenAPIBackend({
  // The document is plain JSON, but the library's type for documents is closed.
  definition: makeOpenApiDocument() as unknown as Document,
  // Another test validates the document as OpenAPI 3.1; this library can only check 3.0.
  strict: false,
  quick: true,
  ajvOpts: { formats: { date: true, 'date-time': true, uri: true, uuid: true } },
});

beforeAll(async () => {
  service = await startService({ default: { minute: 1000 } });
  await openApiValidator.init();
});
afterAll(() => service.stop());

const ask = (target: string, headers: Record<string, string> = { authorization: `Bearer ${service.keys[0]}` }) =>
  fetch(service.baseUrl + target, { headers });

test.each(OPERATIONS.map(({ id }) => id))(
  'an OpenAPI library validates the response of %s against the document',
  async (id) => {
    for (const target of TARGETS_BY_OPERATION[id]) {
      const answer = await ask(target);
      expect(answer.status, target).toBe(200);
      const validation = openApiValidator.validateResponse(await answer.json(), id, 200);
      expect(validation.errors ?? [], target).toEqual([]);
      const headers = Object.fromEntries(answer.headers);
      expect(Object.keys(headers)).toEqual(
        expect.arrayContaining(['etag', 'ratelimit', 'ratelimit-policy', 'x-request-id']),
      );
    }
  },
);

test('the OpenAPI library accepts problems, and refuses a response that does not follow the interface', async () => {
  const refusedRequests: [string, number, Record<string, string>?][] = [
    ['/v1/screen?where=revenue:gt:x', 400],
    ['/v1/screen', 401, {}],
    ['/v1/securities/NOPE/profile', 404],
  ];
  for (const [target, status, headers] of refusedRequests) {
    const answer = await ask(target, headers);
    expect(answer.status, target).toBe(status);
    const id = target.includes('screen') ? 'screen' : 'profile';
    expect(openApiValidator.validateResponse(await answer.json(), id, status).errors ?? [], target).toEqual([]);
  }
  expect(
    openApiValidator.validateResponse({ data: [{ ticker: 1 }], meta: {} }, 'screen', 200).errors?.length,
  ).toBeGreaterThan(0);
});
