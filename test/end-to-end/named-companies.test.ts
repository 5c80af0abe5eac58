/** A CIK in place of a ticker, and names in place of parameters that need a ticker or CIK. */
import { expect, test } from 'vitest';
import { serve } from '../http-service.ts';
import { makeHome, makeProblem, sendJson } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

test('metrics, compare and manager accept a CIK, with or without prefix', async () => {
  const revenueOptions = ['--keys', 'revenue', '-q'];
  const [byTicker, byCik, byPaddedCik] = await Promise.all(
    ['AAPL', '320193', 'CIK0000320193'].map((name) => runFin(['metrics', name, ...revenueOptions])),
  );
  expect(byTicker?.code).toBe(0);
  expect([byCik, byPaddedCik]).toEqual([byTicker, byTicker]);
  expect((await runFin(['compare', '320193', 'MSFT', ...revenueOptions])).out).toMatch(/^Revenue.*\n +AAPL +MSFT\n/);
  expect((await runFin(['manager', 'CIK0000007195', '-q'])).out).toContain('(CIK 7195)');
});

test('a CIK without a company, or with several securities, is an error with suggestions', async () => {
  const unknownCikRun = await runFin(['metrics', '999999999']);
  expect(unknownCikRun).toMatchObject({ code: 3, out: '' });
  expect(unknownCikRun.err).toContain('fin: No company in the release has the CIK "999999999".\n');
  const ambiguousCikRun = await runFin(['prices', '1652044']);
  expect(ambiguousCikRun).toMatchObject({ code: 2, out: '' });
  expect(ambiguousCikRun.err).toMatch(/has several tickers: GOOG, GOOGL/);
  // Figures belong to the company, so any of its tickers gives the same answer.
  expect((await runFin(['metrics', '1652044', '-q'])).code).toBe(0);
});

test('a name in place of a ticker or CIK is refused with suggestions', async () => {
  const appleRun = await runFin(['metrics', 'apple']);
  expect(appleRun).toMatchObject({ code: 3, out: '' });
  expect(appleRun.err).toContain('\nCompanies with similar names: AAPL (Apple Inc.)\n');
  const argusRun = await runFin(['manager', 'argus']);
  expect(argusRun).toMatchObject({ code: 2, out: '' });
  expect(argusRun.err).toMatch(/\nManagers with that name: 7195 \(ARGUS INVESTORS/);
});

test('an unknown name, industry or concept of fin peers and fin facts gets a hint with the next command', async () => {
  const peersRun = await runFin(['peers', 'micosoft']);
  expect(peersRun.err).toContain('Companies with similar names: MSFT (MICROSOFT CORP)');
  expect((await runFin(['peers', 'SUNE'])).err).toContain(
    'Choose an industry by SIC code: fin peers SUNE --sic <codes>',
  );
  expect((await runFin(['facts', 'KO', 'NetSales'])).err).toContain(
    'Find concepts of the company: fin facts KO --search <words>',
  );
});

test('a single unknown name causes one search request, and unknown names in a list cause none', async () => {
  const meta = { schema: 'svc.data.v1', route: '/', request_id: 'r-1', release: null };
  const hit = {
    ...{
      ticker: 'META',
      ticker_normalized: 'META',
      exchange: 'Nasdaq',
      cik: 1326801,
      entity_name: 'Meta Platforms, Inc.',
    },
    ...{ security_coverage_state: 'covered', company_coverage_state: 'covered' },
  };
  const { baseUrl, requests } = await serve(({ url = '' }, response) =>
    url.startsWith('/v1/securities?')
      ? sendJson(response, 200, JSON.stringify({ data: [hit], meta }))
      : sendJson(response, 404, makeProblem(404, 'not_found', 'No such ticker.')),
  );
  const env = { FIN_BASE_URL: baseUrl, FIN_API_KEY: `svc_${'a'.repeat(38)}`, HOME: makeHome() };
  const singleRun = await runFin(['metrics', 'facebook'], { env });
  expect(singleRun.err).toContain('\nCompanies with similar names: META (Meta Platforms, Inc.)\n');
  expect(singleRun.err).toContain('Request id: req-42');
  expect(requests).toHaveLength(2);
  await runFin(['metrics', 'meta', 'platforms'], { env });
  expect(requests).toHaveLength(4);
});
