/** `fin compare` in a real process: rows, documents, failures and costs. */
import { expect, test } from 'vitest';
import { serve } from '../http-service.ts';
import { makeHome, makeProblem, runShell, sendJson } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

test('companies are in adjacent columns, and an unknown company is named', async () => {
  const { code, out, err } = await runFin(['compare', 'AAPL', 'MSFT', 'ZZZZ', '--keys', 'revenue', '--years', '2']);
  expect(code).toBe(8);
  expect(out).toMatch(/^Revenue, fiscal years, in USD\n +AAPL +MSFT\n20\d\d /);
  expect(err).toContain('fin: ZZZZ: ');
  expect((await runFin(['compare', 'ZZZZ'])).code).toBe(3);
});

test('rows and JSON have every digit, and the filing of each value', async () => {
  const args = ['compare', 'AAPL', 'MSFT', '--keys', 'revenue', '--years', '1', '-q'];
  const [csvRun, jsonRun] = await Promise.all([runFin([...args, '--csv']), runFin([...args, '--json'])]);
  const [head = '', ...rows] = csvRun.out.trim().split('\r\n');
  expect(head).toMatch(/^metric_key,metric_label,calendar_period,ticker,cik,entity_name,value,unit,/);
  const { data, meta } = JSON.parse(jsonRun.out);
  expect(data).toHaveLength(rows.length);
  expect(rows[0]).toContain(`,${data[0].value},USD,`);
  expect(data[0].read_from_accession_number).toMatch(/^\d{10}-\d\d-\d{6}$/);
  expect(meta).toMatchObject({
    period: 'annual',
    keys: ['revenue'],
    aligned_by: 'calendar year that the fiscal year mostly covers',
  });
});

test('--as-of compares values that filings had reported by the day', async () => {
  const args = ['compare', 'AAPL', 'MSFT', '--keys', 'revenue', '--years', '1', '-q', '--csv'];
  const { out } = await runFin([...args, '--as-of', '2019-06-28', '--fields', 'ticker,value,read_from_filed_at']);
  expect(out.trim().split('\r\n')).toEqual([
    'ticker,value,read_from_filed_at',
    'AAPL,265595000000,2018-11-05',
    'MSFT,110360000000,2018-08-03',
  ]);
});

test('fin compare reads tickers from stdin', async () => {
  const { code, out } = await runShell(
    "printf 'ticker\\nAAPL\\nMSFT\\n' | fin compare - --keys revenue -q -o tsv --fields ticker",
  );
  expect(code).toBe(0);
  expect(new Set(out.trim().split('\n'))).toEqual(new Set(['ticker', 'AAPL', 'MSFT']));
});

test('invalid options are refused before any request', async () => {
  expect(await runFin(['compare', 'AAPL', '--keys', 'sales'])).toMatchObject({ code: 2, out: '' });
  expect((await runFin(['compare', 'AAPL', '--keys', 'sales'])).err).toContain(
    'Did you mean revenue, investment_sales, property_sales?',
  );
  expect((await runFin(['compare', 'AAPL', '--period', 'latest'])).code).toBe(2);
  expect((await runFin(['compare', 'AAPL', '--years', '0'])).code).toBe(2);
  expect((await runFin(['compare', 'AAPL', '--as-of', 'foo'])).err).toContain('--as-of "foo"');
});

test('--plan sends no request, and a comparison sends one request for each company', async () => {
  const { baseUrl, requests } = await serve(({ url = '' }, response) =>
    url.includes('/AAPL/')
      ? sendJson(response, 404, makeProblem(404, 'not_found', 'No such ticker.'))
      : sendJson(
          response,
          200,
          JSON.stringify({ data: [], meta: { schema: 'svc.data.v1', route: '/', request_id: 'r-1', release: null } }),
        ),
  );
  const env = { FIN_BASE_URL: baseUrl, FIN_API_KEY: `svc_${'a'.repeat(38)}`, HOME: makeHome() };
  const planRun = await runFin(['compare', 'AAPL', 'MSFT', '--plan', '--json'], { env });
  expect(JSON.parse(planRun.out)).toMatchObject({ requests: 2 });
  expect(requests).toHaveLength(0);
  const { code, err } = await runFin(['compare', 'AAPL', 'MSFT', '--period', 'ttm'], { env });
  expect(code).toBe(8);
  expect(err).toContain('no trailing twelve months');
  expect(requests).toHaveLength(2);
});
