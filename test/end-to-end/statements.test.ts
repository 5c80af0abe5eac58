/** Commands that print statements: with the built-in sample, and with a service that has other metrics. */
import { expect, test } from 'vitest';
import { KEY, makeEnvelope, sendAnswer, serve } from '../http-service.ts';
import { makeHome, runShell } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

test('an income statement of five years is printed with growth', async () => {
  const { code, out } = await runFin(['metrics', 'AAPL', '--statement', 'income', '--years', '5', '--growth']);
  expect(code).toBe(0);
  const lines = out.split('\n');
  expect(lines[0]).toMatch(/: income statement, annual, in USD$/);
  expect(lines[1]?.trim().split(/\s+/)).toHaveLength(5);
  expect(
    lines
      .find((line) => line.startsWith('Revenue'))
      ?.trim()
      .split(/\s+/),
  ).toHaveLength(6);
  expect(lines.find((line) => line.startsWith('  growth'))?.match(/[+-]\d+\.\d %/g)).toHaveLength(5);
});

test('a list of tickers prints the periods of all under one header, and one Markdown table each', async () => {
  const printTickersCommand = "printf 'AAPL\\nJPM\\n'";
  const csvRun = await runShell(
    `${printTickersCommand} | fin metrics - --years 3 --keys revenue --fields ticker,fiscal_year,revised --csv`,
  );
  expect(csvRun.out.replace(/,(true|false)/g, '').split('\r\n')).toEqual([
    'ticker,fiscal_year,revised',
    ...['AAPL', 'JPM'].flatMap((ticker) => ['2025', '2024', '2023'].map((year) => `${ticker},${year}`)),
    '',
  ]);
  const { out } = await runShell(`${printTickersCommand} | fin metrics - --years 3 -o md`);
  expect(out.match(/^### /gm)).toHaveLength(2);
  expect(out.match(/^\| {2}\|(?: FY\d{4}<br>[\d-]+ \|){3}$/gm)).toHaveLength(2);
});

test('rows have the same order of metrics, whether they come from one request or from several', async () => {
  const listMetricKeys = async (period: string): Promise<readonly string[]> => {
    const { out } = await runFin(['metrics', 'AAPL', '--period', period, '--fields', 'metric_key', '--csv', '--quiet']);
    return [...new Set(out.trim().split('\r\n').slice(1))];
  };
  const annualKeys = await listMetricKeys('annual');
  const allPeriodKeys = await listMetricKeys('all');
  expect(annualKeys).toContain('other_investing_cash_flow');
  expect(annualKeys.indexOf('other_investing_cash_flow')).toBe(annualKeys.indexOf('investing_cash_flow') - 1);
  expect(allPeriodKeys.filter((key) => annualKeys.includes(key))).toEqual(annualKeys);
});

test('a chart shows as many years as --years requests', async () => {
  const { out } = await runFin(['metrics', 'AAPL', '--keys', 'revenue', '--chart', '--years', '3']);
  expect(out.match(/^FY\d{4} /gm)).toHaveLength(3);
});

test('a tagged concept in place of a metric is answered with the metrics that are read from it', async () => {
  const { code, err } = await runFin(['metrics', 'AAPL', '--keys', 'us-gaap:revenues,assets,NetIncomeLoss']);
  expect(code).toBe(2);
  expect(err).toContain(
    'fin: "us-gaap:revenues" is an XBRL concept, not a metric. Metrics that use the concept: revenue. "NetIncomeLoss" is an XBRL concept, not a metric. Metrics that use the concept: net_income, consolidated_net_income.\n' +
      'Values of these metrics: fin metrics AAPL --keys revenue,assets,net_income,consolidated_net_income. Source facts of revenue: fin lineage AAPL revenue\n',
  );
  expect((await runFin(['lineage', 'AAPL', 'us-gaap:NetIncomeLoss'])).err).toContain('\nfin lineage AAPL net_income\n');
  expect((await runFin(['metrics', 'AAPL', '--keys', 'us-gaap:NoSuchConcept'])).err).toContain(
    "No metric uses the concept.\nTo list the company's concepts, without values: fin raw-concepts AAPL\n",
  );
});

const makeCatalogEntry = (key: string, statement: string) => ({
  ...{ key, statement, label: key, description: key, value_kind: 'reported' },
  ...{ covered_company_count: 1, mappings: [] },
});

const makeMetricValue = (key: string, year: number) => ({
  ...{ metric_value_id: '37d6cc25-8168-5dba-8ba2-a9139864d50c', cik: 1, entity_name: 'A Company', ticker: 'A' },
  ...{ metric_key: key, metric_label: key, statement: 'income', value: `${year}`, unit: 'USD', confidence: '1' },
  ...{ period_kind: 'annual', start_date: `${year}-01-01`, end_date: `${year}-12-31`, value_kind: 'reported' },
  ...{ fiscal_year: year, fiscal_period: 'FY' },
});

/** Starts a service with two income metrics of three years each, which returns at most four rows at a time. */
async function startOtherService() {
  return serve(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname === '/v1/metrics') {
      return sendAnswer(
        response,
        makeEnvelope([makeCatalogEntry('turnover', 'income'), makeCatalogEntry('net_income', 'income')]),
      );
    }
    const keys = (searchParams.get('keys') ?? '').split(',');
    const rows = keys.flatMap((key) => [2025, 2024, 2023].map((year) => makeMetricValue(key, year))).slice(0, 4);
    return sendAnswer(response, makeEnvelope(rows, { limit: 4, ticker: 'A' }));
  });
}

test("metrics of the service's catalog are requested, in as many requests as all rows need", async () => {
  const { baseUrl, requests } = await startOtherService();
  const env = { FIN_BASE_URL: baseUrl, FIN_API_KEY: KEY, HOME: makeHome() };
  const args = ['metrics', 'A', '--statement', 'income', '--years', '3'];
  const fetchPlan = async () => JSON.parse((await runFin([...args, '--plan', '--json'], { env })).out);
  expect(await fetchPlan()).toMatchObject({ requests: 2, more_may_be_needed: true });
  const { code, out } = await runFin([...args, '--fields', 'metric_key,fiscal_year', '--csv'], { env });
  expect(code).toBe(0);
  expect(out.split('\r\n').slice(1, -1)).toEqual([
    ...['2025', '2024', '2023'].map((year) => `net_income,${year}`),
    ...['2025', '2024', '2023'].map((year) => `turnover,${year}`),
  ]);
  const requestedKeys = requests.map(({ url }) => new URL(url, 'http://localhost').searchParams.get('keys'));
  expect(requestedKeys).toEqual([null, 'net_income,turnover', 'turnover']);
  // The catalog, the full response for both metrics and the response for the second metric are cached.
  expect(await fetchPlan()).toMatchObject({ requests: 0, cached: 3, more_may_be_needed: false });
});

test('a statement of which the service has no metrics is an error that names the statement', async () => {
  const { baseUrl } = await startOtherService();
  const env = { FIN_BASE_URL: baseUrl, FIN_API_KEY: KEY, HOME: makeHome() };
  const { code, err } = await runFin(['metrics', 'A', '--statement', 'balance'], { env });
  expect(code).toBe(3);
  expect(err).toBe('fin: The service has no metrics of the balance sheet.\nList of metrics: fin catalog\n');
});
