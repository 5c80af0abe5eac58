import { expect, test } from 'vitest';
import { serve } from '../http-service.ts';
import { makeResource } from '../resource.ts';
import { makeHome, sendJson } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

const KEY = `svc_${'a'.repeat(38)}`;
const LIMIT_HEADERS = {
  'ratelimit-policy': '"minute";q=10;w=60, "month";q=500, "concurrent";q=4;qu="concurrent-requests"',
  ratelimit: '"minute";r=9;t=42, "month";r=100;t=600000, "concurrent";r=3',
};

async function startService() {
  return serve(({ url = '' }, response) => {
    const query = new URL(url, 'http://localhost').searchParams;
    const meta = {
      schema: 'svc.data.v1',
      route: '/v1/screen',
      request_id: 'r-1',
      release: { date: '2026-08-18', checks: 'passed', published_at: '2026-08-19T04:00:00Z', stamp: 's-1' },
      total: 1600,
      offset: Number(query.get('offset')),
    };
    sendJson(response, 200, JSON.stringify({ data: [], meta }), { etag: 'W/"1"', ...LIMIT_HEADERS });
  });
}

test('--plan counts requests, cached answers and minutes, and sends no request', async () => {
  const { baseUrl, requests } = await startService();
  const env = { FIN_BASE_URL: baseUrl, FIN_API_KEY: KEY, HOME: makeHome() };
  const fetchPlan = async (...args: string[]) => JSON.parse((await runFin([...args, '--plan', '--json'], { env })).out);
  const tickers = Array.from({ length: 25 }, (_, index) => `T${index}`);
  expect(await fetchPlan('metrics', ...tickers)).toMatchObject({ requests: 25, cached: 0, minutes: 0 });
  expect(requests).toHaveLength(0);

  // After one request, its response is cached and the account's limits are known.
  await runFin(['metrics', 'T0', '--json'], { env });
  expect(requests).toHaveLength(1);
  const secondPlan = await fetchPlan('metrics', ...tickers);
  expect(secondPlan).toMatchObject({ requests: 24, cached: 1, month_remaining: 100 });
  // Nine requests fit into this minute, ten into the next, and the last five into the minute after.
  expect([9, 10]).toContain(secondPlan.minute_remaining);
  expect(secondPlan.minutes).toBe(2);
  expect((await fetchPlan('metrics', 'T0')).requests).toBe(0);
  expect(requests).toHaveLength(1);
});

test('--plan with --all knows the number of pages once the first page is cached', async () => {
  const { baseUrl, requests } = await startService();
  const env = { FIN_BASE_URL: baseUrl, FIN_API_KEY: KEY, HOME: makeHome() };
  const planArgs = ['screen', '--columns', 'revenue', '--all', '--plan', '--json'];
  expect(JSON.parse((await runFin(planArgs, { env })).out)).toMatchObject({ requests: 1, more_may_be_needed: true });
  await runFin(['screen', '--columns', 'revenue', '--limit', '500', '--json'], { env });
  const { out } = await runFin(planArgs, { env });
  expect(JSON.parse(out)).toMatchObject({ requests: 3, cached: 1, more_may_be_needed: false });
  expect(requests.filter(({ url }) => url !== '/openapi.json')).toHaveLength(1);
});

test('--plan counts the search for the ticker of a company that is named by its CIK', async () => {
  const release = { date: '2026-08-18', checks: 'passed', published_at: '2026-08-19T04:00:00Z', stamp: 's-1' };
  const hit = makeResource('SecuritySearchHit', { ticker: 'AAPL', cik: 320193 });
  const { baseUrl, requests } = await serve(({ url = '' }, response) => {
    const meta = { schema: 'svc.data.v1', route: url, request_id: 'r-1', release };
    const data = url.includes('query=320193') ? [hit] : [];
    sendJson(response, 200, JSON.stringify({ data, meta }), { etag: 'W/"1"', ...LIMIT_HEADERS });
  });
  const env = { FIN_BASE_URL: baseUrl, FIN_API_KEY: KEY, HOME: makeHome() };
  const args = ['metrics', 'CIK0000320193', '--keys', 'revenue', '--json'];
  const fetchPlan = async () => JSON.parse((await runFin([...args, '--plan'], { env })).out);
  expect(await fetchPlan()).toMatchObject({ requests: 2, cached: 0 });
  await runFin(args, { env });
  expect(requests).toHaveLength(2);
  expect(await fetchPlan()).toMatchObject({ requests: 0, cached: 2 });
});

test('--plan of a question to local: counts no requests', async () => {
  const { code, out } = await runFin(['metrics', 'AAPL', '--plan']);
  expect(code).toBe(0);
  expect(out).toMatch(/Requests +0\n/);
});
