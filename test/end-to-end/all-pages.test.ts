import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serve } from '../http-service.ts';
import { makeHome, makeProblem, sendJson } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

const makeMeta = (stamp: string, overrides: object = {}) => ({
  schema: 'svc.data.v1',
  route: '/v1/screen',
  request_id: 'r-1',
  release: { date: '2026-08-18', checks: 'passed', published_at: '2026-08-19T04:00:00Z', stamp },
  ...overrides,
});

const makeCompanyJson = (number: number) =>
  `{"cik": ${number}, "ticker":"T${number}","exchange":"X","entity_name":"Company ${number}","revenue":"${number}.10"}`;

/**
 * Starts a service with a screen of `companyCount` companies. `stampAt` returns the release stamp of a response by the
 * number of its request (from 0).
 */
async function serveScreen(companyCount: number, stampAt: (request: number) => string = () => 's-1') {
  let requestNumber = 0;
  const service = await serve(({ url = '' }, response) => {
    if (url === DESCRIPTION) return sendJson(response, 404, makeProblem(404, 'not_found', 'No such path.'));
    const query = new URL(url, 'http://localhost').searchParams;
    const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
    const rowTexts = Array.from({ length: Math.max(0, Math.min(limit, companyCount - offset)) }, (_, index) =>
      makeCompanyJson(offset + index),
    );
    const pageMeta = JSON.stringify(
      makeMeta(stampAt(requestNumber), { offset, limit, total: companyCount, request_id: `r-${requestNumber}` }),
    );
    requestNumber += 1;
    sendJson(response, 200, `{"data": [${rowTexts.join(', ')}],\n "meta": ${pageMeta}}\n`);
  });
  return {
    baseUrl: service.baseUrl,
    listPageRequests: () => service.requests.filter(({ url }) => url !== DESCRIPTION),
  };
}

/** Says which parameters the service has; requested before the first page. */
const DESCRIPTION = '/openapi.json';

const SCREEN_ARGUMENTS = ['screen', '--columns', 'revenue', '--all', '--quiet', '--no-cache'];

test('--all requests every page with the maximum limit, and writes each row once', async () => {
  const { baseUrl, listPageRequests } = await serveScreen(1203);
  const { code, out } = await runFin([...SCREEN_ARGUMENTS, '--csv'], { env: { FIN_BASE_URL: baseUrl } });
  expect(code).toBe(0);
  expect(listPageRequests().map(({ url }) => new URL(url ?? '', baseUrl).searchParams.get('offset'))).toEqual([
    null,
    '500',
    '1000',
  ]);
  const lines = out.trimEnd().split('\r\n');
  expect(lines).toHaveLength(1204);
  expect(new Set(lines).size).toBe(1204);
  expect(lines.at(-1)).toBe('1202,T1202,X,Company 1202,1202.10,');
});

test('rows that exceed the memory limit are written in order, each with every digit', async () => {
  const { baseUrl } = await serveScreen(20_603);
  const csvRun = await runFin([...SCREEN_ARGUMENTS, '--csv'], { env: { FIN_BASE_URL: baseUrl } });
  const tickers = Array.from({ length: 20_603 }, (_, number) => `T${number}`);
  expect(
    csvRun.out
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[1]),
  ).toEqual(tickers);
  const { out } = await runFin([...SCREEN_ARGUMENTS, '--json'], { env: { FIN_BASE_URL: baseUrl } });
  expect(JSON.parse(out).data.map(({ ticker }: { ticker: string }) => ticker)).toEqual(tickers);
  expect(JSON.parse(out).data.at(-1)).toEqual(JSON.parse(makeCompanyJson(20_602)));
});

test('--all with --json prints one envelope with every digit of every row, and one meta for all pages', async () => {
  const { baseUrl } = await serveScreen(5);
  const { out } = await runFin([...SCREEN_ARGUMENTS, '--limit', '2', '--json'], { env: { FIN_BASE_URL: baseUrl } });
  const { data, meta: firstMeta, fin: joinedInfo } = JSON.parse(out);
  expect(data.map(({ cik }: { cik: number }) => cik)).toEqual([0, 1, 2, 3, 4]);
  expect(firstMeta).toMatchObject({ total: 5, request_id: 'r-0' });
  expect(firstMeta).not.toHaveProperty('limit');
  expect(firstMeta).not.toHaveProperty('offset');
  expect(joinedInfo).toEqual({ requests: 3 });
  for (let number = 0; number < 5; number += 1) expect(data[number]).toEqual(JSON.parse(makeCompanyJson(number)));
});

test('if the release changes between pages, all pages are requested again, and rows of the first pass are not written', async () => {
  const { baseUrl, listPageRequests } = await serveScreen(6, (request) => (request < 1 ? 's-1' : 's-2'));
  const { code, out } = await runFin([...SCREEN_ARGUMENTS, '--limit', '2', '--csv'], {
    env: { FIN_BASE_URL: baseUrl },
  });
  expect({ code, lines: out.trimEnd().split('\r\n').length, requests: listPageRequests().length }).toEqual({
    code: 0,
    lines: 7,
    requests: 5,
  });
});

test('if rows move between pages in every pass, the command fails and prints no row', async () => {
  const { baseUrl, listPageRequests } = await serveScreen(6, (request) => `s-${request}`);
  const env = { FIN_BASE_URL: baseUrl, TMPDIR: makeHome() };
  const { code, out, err } = await runFin([...SCREEN_ARGUMENTS, '--limit', '2', '--csv'], { env });
  expect({ code, out, requests: listPageRequests().length }).toEqual({ code: 6, out: '', requests: 6 });
  expect(err).toMatch(/changed 3 times while its pages were fetched/);
  expect(readdirSync(env.TMPDIR).filter((name) => name.startsWith('fin-'))).toEqual([]);
});

test('if a page fails, no row is written', async () => {
  const { baseUrl } = await serve(({ url = '' }, response) => {
    if (url.includes('offset=2')) sendJson(response, 404, makeProblem(404, 'not_found', 'Gone.'));
    else
      sendJson(
        response,
        200,
        `{"data":[${makeCompanyJson(0)},${makeCompanyJson(1)}],"meta":${JSON.stringify(makeMeta('s-1', { total: 4 }))}}`,
      );
  });
  const { code, out } = await runFin([...SCREEN_ARGUMENTS, '--limit', '2', '--csv'], {
    env: { FIN_BASE_URL: baseUrl },
  });
  expect({ code, out }).toEqual({ code: 3, out: '' });
});

const COVERAGE_STATES = { security_coverage_state: 'covered', company_coverage_state: 'covered' };
const HITS = ['CO', 'COB'].map((ticker) => ({
  ...{ ticker, ticker_normalized: ticker, exchange: 'X', cik: 1, entity_name: 'Co', ...COVERAGE_STATES },
}));

/** Returns a page of insider filings with these numbers, as JSON. */
const makeInsiderActivityJson = (numbers: readonly number[], total: number) => {
  const filings = numbers.map((number) => ({
    accession_number: `0000000001-26-00000${number}`,
    cik: 1,
    entity_name: 'One',
    form: '4',
    is_amendment: false,
    source_url: 'https://example.org/',
    owners: [],
    transactions: [
      { ordinal: 1, security_title: 'Common', transaction_code: 'S', footnote_ids: [], value_status: 'counted' },
    ],
    footnotes: [],
  }));
  const totals = { total_transactions: total, purchase_transactions: 0, sale_transactions: total };
  const reportedValueFields = {
    uncounted_transactions: 0,
    reported_purchase_value: '0',
    reported_sale_value: '1000.50',
  };
  return JSON.stringify({ data: { ...totals, ...reportedValueFields, filings }, meta: makeMeta('s-1', { total }) });
};

test('insider totals are those of the service, never sums of pages; if a new filing shifts pages, all are requested again', async () => {
  const filingNumbersBefore = [3, 2, 1];
  const filingNumbersAfter = [4, 3, 2, 1];
  let requestCount = 0;
  const { baseUrl } = await serve(({ url = '' }, response) => {
    const offset = Number(new URL(url, 'http://localhost').searchParams.get('offset'));
    const filingNumbers = requestCount < 1 ? filingNumbersBefore : filingNumbersAfter;
    requestCount += 1;
    // The total is 3 in the first two responses, although a filing was added: only the repeated row reveals the new
    // filing.
    sendJson(response, 200, makeInsiderActivityJson(filingNumbers.slice(offset, offset + 2), requestCount < 3 ? 3 : 4));
  });
  const args = ['insiders', 'ONE', '--all', '--limit', '2', '--no-cache', '--json'];
  const { out } = await runFin(args, { env: { FIN_BASE_URL: baseUrl } });
  const { data } = JSON.parse(out);
  expect(data.filings.map((filing: { accession_number: string }) => filing.accession_number.at(-1))).toEqual([
    '4',
    '3',
    '2',
    '1',
  ]);
  expect(data).toMatchObject({ total_transactions: 4, reported_sale_value: '1000.50' });
});

test.each([
  ['search co --all', '/v1/securities?query=co', 2],
  ['revisions ONE revenue', '/v1/securities/ONE/metrics/revenue/revisions?', 0],
  ['search co --limit 300', '/v1/securities?query=co', null],
])(
  'if a service refuses the limit of fin %s, smaller limits are tried unless the user set it',
  async (line, path, rowCount) => {
    const { baseUrl, requests } = await serve(({ url = '' }, response) => {
      const limit = Number(new URL(url, 'http://localhost').searchParams.get('limit'));
      if (limit > 50) sendJson(response, 400, makeProblem(400, 'bad_request', 'limit must be from 1 to 50.'));
      else sendJson(response, 200, JSON.stringify({ data: rowCount === 2 ? HITS : [], meta: makeMeta('s-1') }));
    });
    const { code, out } = await runFin([...line.split(' '), '--no-cache', '--json'], {
      env: { FIN_BASE_URL: baseUrl },
    });
    const limits = requests.map(({ url }) => /limit=(\d+)/.exec(url)?.[1]);
    expect(requests[0]?.url.startsWith(path)).toBe(true);
    if (rowCount === null) expect({ code, limits }).toEqual({ code: 2, limits: ['300'] });
    else {
      expect({ code, limits }).toEqual({ code: 0, limits: ['500', '100', '25'] });
      expect(JSON.parse(out).data).toHaveLength(rowCount);
    }
  },
);

test.each([
  'search bank',
  'raw-concepts AAPL --search lease',
  'metrics AAPL --keys revenue,net_income --period annual',
  'lineage AAPL revenue',
  'facts AAPL InventoryNet',
  'screen --tickers AAPL,MSFT,NVDA',
  'insiders AAPL --sort value',
])('fin %s --all has all rows, whatever the limit', async (line) => {
  const args = [...line.split(' '), '--all', '--csv'];
  const [complete, limited] = await Promise.all([runFin(args), runFin([...args, '--limit', '2'])]);
  expect(limited).toEqual(complete);
  expect(limited.out.split('\n').length).toBeGreaterThan(4);
  expect(limited.err).not.toContain('Showing');
});

test('--all is refused if an answer is always complete, and requests the largest page if the operation has no offset', async () => {
  const { code, out, err } = await runFin(['prices', 'AAPL', '--all']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain('fin prices does not need --all: its answer always has all rows.');
  const countRows = async (...args: string[]) => (await runFin([...args, '-o', 'ndjson'])).out.split('\n').length - 1;
  expect(await countRows('search', 'c')).toBe(25);
  expect(await countRows('search', 'c', '--all')).toBeGreaterThan(25);
  expect(await countRows('metrics', 'AAPL', '--all')).toBe(await countRows('metrics', 'AAPL'));
  expect((await runFin(['screen', '--all', '--offset', '5'])).err).toMatch(/remove --offset/);
});

test.each([
  ['screen --columns revenue,roe', '500'],
  ['manager 1994827', '500'],
  ['holders AAPL', '500'],
  ['insiders ADBE', '100'],
  ['insider-activity --tickers ADBE --kind sale', '100'],
])('many small pages of fin %s are equal to one large page', async (line, maxLimit) => {
  const args = [...line.split(' '), '--csv', '--quiet'];
  const [small, large] = await Promise.all([
    runFin([...args, '--all', '--limit', '2']),
    runFin([...args, '--limit', maxLimit]),
  ]);
  expect(small.out).toBe(large.out);
  expect(small.out.split('\n').length).toBeGreaterThan(2);
});
