import { type Document, OpenAPIBackend } from 'openapi-backend';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { type Service, startService } from './serve-process.ts';

/** What is asked of each operation; all of it is on the sample. */
const TARGETS: Record<string, readonly string[]> = {
  search: ['/v1/securities?query=apple&limit=5'],
  profile: ['/v1/securities/AAPL/profile', '/v1/securities/GOOGL/profile'],
  metrics: ['/v1/securities/AAPL/metrics?period=all&limit=500', '/v1/securities/TSM/metrics?as_of=2020-01-01'],
  catalog: ['/v1/metrics'],
  lineage: ['/v1/securities/AAPL/metrics/free_cash_flow/lineage?limit=50'],
  revisions: ['/v1/securities/AAPL/metrics/eps_diluted/revisions?limit=500'],
  'raw-concepts': ['/v1/securities/AAPL/raw-concepts?limit=100'],
  filings: ['/v1/securities/AAPL/filings?forms=8-K&items=2.02'],
  day: ['/v1/filings/day', '/v1/filings/day?date=2026-07-30'],
  filing: ['/v1/filings/0000320193-25-000079'],
  'insider-activity': ['/v1/insider-activity?kind=sale'],
  insiders: ['/v1/securities/ADBE/insider-activity'],
  holders: ['/v1/securities/AAPL/holders'],
  managers: ['/v1/holders', '/v1/holders?query=berkshire'],
  manager: ['/v1/holders/1067983?limit=20'],
  segments: ['/v1/securities/AAPL/segments', '/v1/securities/AAPL/segments?period=quarterly'],
  prices: ['/v1/securities/NVDA/prices?range=max'],
  screen: ['/v1/screen?limit=500', '/v1/screen?where=revenue_yoy:gt:0.2&columns=revenue,price&sort=revenue&dir=desc'],
  release: ['/v1/release'],
};

let service: Service;
const api = new OpenAPIBackend({
  // The document is made of plain JSON; the library's type of one is closed.
  definition: openApiDocument() as unknown as Document,
  // The document itself is held to OpenAPI 3.1 elsewhere; this library's own check knows 3.0 only.
  strict: false,
  quick: true,
  ajvOpts: { formats: { date: true, 'date-time': true, uri: true, uuid: true } },
});

beforeAll(async () => {
  service = await startService({ default: { minute: 1000 } });
  await api.init();
});
afterAll(() => service.stop());

const ask = (target: string, headers: Record<string, string> = { authorization: `Bearer ${service.keys[0]}` }) =>
  fetch(service.baseUrl + target, { headers });

test.each(OPERATIONS.map(({ id }) => id))(
  'an OpenAPI library validates the response of %s against the document',
  async (id) => {
    for (const target of TARGETS[id] ?? []) {
      const answer = await ask(target);
      expect(answer.status, target).toBe(200);
      const checked = api.validateResponse(await answer.json(), id, 200);
      expect(checked.errors ?? [], target).toEqual([]);
      const headers = Object.fromEntries(answer.headers);
      expect(Object.keys(headers)).toEqual(
        expect.arrayContaining(['etag', 'ratelimit', 'ratelimit-policy', 'x-request-id']),
      );
    }
    expect(TARGETS[id]?.length).toBeGreaterThan(0);
  },
);

test('it accepts the problems too, and refuses a response that is not of the interface', async () => {
  const refused: [string, number, Record<string, string>?][] = [
    ['/v1/screen?where=revenue:gt:x', 400],
    ['/v1/screen', 401, {}],
    ['/v1/securities/NOPE/profile', 404],
  ];
  for (const [target, status, headers] of refused) {
    const answer = await ask(target, headers);
    expect(answer.status, target).toBe(status);
    const id = target.includes('screen') ? 'screen' : 'profile';
    expect(api.validateResponse(await answer.json(), id, status).errors ?? [], target).toEqual([]);
  }
  expect(api.validateResponse({ data: [{ ticker: 1 }], meta: {} }, 'screen', 200).errors?.length).toBeGreaterThan(0);
});
