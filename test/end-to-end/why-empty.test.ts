/** Notices that explain an empty answer without another request, and notices about data that is not shown. */
import { expect, test } from 'vitest';
import { serve } from '../http-service.ts';
import { makeAppleFigure } from '../questions/envelopes.ts';
import { sendJson } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';
import { startService } from './serve-process.ts';

const runFin = everyEighthAsProcess();

const REVENUE_FIGURE = { metric_key: 'revenue', metric_label: 'Revenue', value: '260174000000' };

const fetchNotice = async (line: string): Promise<string> => {
  const { code, err } = await runFin(line.split(' '));
  expect(code).toBe(0);
  return err.split('\n').slice(1).join('\n');
};

test.each([
  // The first tagged report of Apple is the 10-Q of July 2009.
  ['metrics AAPL --as-of 1990-01-01', 'The first value was reported on 2009-07-22, after --as-of 1990-01-01.'],
  [
    'metrics GOOGL --as-of 2014-06-30',
    "reported on 2015-10-29, after --as-of 2014-06-30. On 2015-10-02 the company succeeded another registrant (Form 8-K12B or 8-K12G3): earlier reports are under that registrant's CIK.",
  ],
  ['lineage AAPL revenue --as-of 2009-07-21', 'The first value was reported on 2009-07-22, after --as-of 2009-07-21.'],
  [
    'metrics AAPL --keys roe --period quarterly',
    'No requested metric has values for --period quarterly. Try: --period annual',
  ],
  ['metrics JPM --keys gross_profit', 'This release has no values of gross_profit for JPM.'],
  ['metrics DDS', "The release has no figures of DDS. The company's filings: fin filings DDS"],
  ['revisions AAPL free_cash_flow', 'derived (operating_cash_flow - capital_expenditures)'],
  ['revisions AAPL free_cash_flow', 'fin revisions AAPL operating_cash_flow, fin revisions AAPL capital_expenditures.'],
  ['revisions AAPL revenue --fiscal-year 1950', 'No filing reports this metric for 1950. Latest reported year: 20'],
  [
    'revisions MSFT net_income --fiscal-period q4 --fiscal-year 2023',
    'for Q4 2023. Reported periods: 9M, FY, H1, Q1, Q2, Q3',
  ],
  [
    `lineage AAPL revenue --metric-value-id ${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`,
    'This metric has values, but none with the given --metric-value-id',
  ],
  ['filings AAPL --forms 10k', /None of the company's \d+ filings is of form 10k\. Did you mean 10-K\?/],
  ['insiders JPM --since 2030-01-01', /To see trades, such as one on 20\d\d-\d\d-\d\d, remove --since\./],
  ['insiders PFE', 'The list has only open-market purchases and sales that Forms 4 and 5 report.'],
  [
    'prices AAPL --from 1980-01-01 --to 1980-02-01',
    /from 1980-01-01 to 1980-02-01\. The security has prices from 20\d\d-/,
  ],
  [
    'segments BKTI --csv',
    'No results. Segments are read from XBRL reports, and the release has no such report of this company.',
  ],
  [
    'screen --where revenue:gt:100T',
    /None of the \d+ companies that have all figures used in the filters passes revenue:gt:1/,
  ],
  ['screen --where revenue:gt:100T --where roe:gt:0', /Filters that no company passes: revenue:gt:10+$/m],
  [
    'screen --as-of 2005-01-01 --sic 7372',
    'By 2005-01-01, no company of this release had reported a fiscal year that ended within the 18 months before.',
  ],
  ['search zzzzz', 'No ticker starts with the search text, and no company name matches it.'],
])('fin %s explains its empty answer', async (line, why) => {
  const printedNotice = await fetchNotice(line);
  expect(printedNotice).toMatch(/^(?:[A-Z]+: )?No results\. [A-Za-z]/m);
  if (typeof why === 'string') expect(printedNotice).toContain(why);
  else expect(printedNotice).toMatch(why);
});

test.each([
  [
    'metrics AAPL --keys pe,ps',
    2,
    'Only the screener has pe (needs a price), ps (needs a price). See: fin screen --columns pe,ps',
  ],
  ['lineage AAPL revenue_ttm', 3, 'Only the screener has revenue_ttm. See: fin screen --columns revenue_ttm'],
  ['revisions AAPL pe', 3, 'Only the screener has pe (needs a price). See: fin screen --columns pe'],
])('fin %s is refused, and the hint names the screener', async (line, exitCode, why) => {
  const { code, err } = await runFin(line.split(' '));
  expect(code).toBe(exitCode);
  expect(err).toContain(why);
});

test.each([
  ['insiders NVDA', 'The built-in sample includes few insider filings'],
  ['holders KO', 'The built-in sample includes few managers'],
  [
    'screen --where market_cap:gt:0',
    /^The filter on market_cap leaves out companies without a price from 20\d\d-\d\d-\d\d or later \(at most 180 days old\)\. The latest prices of many companies are from 20\d\d-\d\d-\d\d or earlier\. To screen as of that day: --as-of 20\d\d-\d\d-\d\d$/m,
  ],
  ['metrics SMCI --as-of 2019-03-01', 'No annual or quarterly report is listed between 2017-05-10 and 2019-05-17.'],
  ['metrics META', 'The latest figures are for the period to 2024-12-31.'],
  ['day 2026-05-20', 'Not listed here: 7 of 11 filings (4: 5, 3: 1, 424B5: 1)'],
])('fin %s adds a notice to an answer with rows', async (line, notice) => {
  if (typeof notice === 'string') expect(await fetchNotice(line)).toContain(notice);
  else expect(await fetchNotice(line)).toMatch(notice);
});

test('for a screen filtered by figures that no company has, a notice names these figures', async () => {
  const { baseUrl, requests } = await serve((_, response) => {
    const meta = { schema: 'svc.data.v1', route: '/v1/screen', release: null, request_id: 'r', where: ['pe:gt:0'] };
    sendJson(response, 200, JSON.stringify({ data: [], meta: { ...meta, set_aside: 5, total: 0, universe: 5 } }));
  });
  const screenArgs = ['screen', '--where', 'pe:gt:0', '--where', 'roe:gt:0', '--base-url', baseUrl];
  // The request in addition to the question asks which parameters of fin the service has.
  expect((await runFin(screenArgs)).err).toContain(
    'No results. None of the 5 companies has all figures used in the filters. These figures need a recent price: pe\n',
  );
  expect(requests).toHaveLength(2);
});

test('an empty answer has no notice under --quiet, and exits 0', async () => {
  const { code, out, err } = await runFin(['revisions', 'AAPL', 'free_cash_flow', '--json', '--quiet']);
  expect({ code, data: JSON.parse(out).data }).toEqual({ code: 0, data: [] });
  expect(err).toBe('');
});

test('a notice names a key without values, whatever page was requested', async () => {
  const truncationNotice = await fetchNotice('metrics AAPL --limit 20');
  expect(truncationNotice).toContain('Showing rows 1 to 20; there may be more. To see all: --all\n');
  expect(await fetchNotice('metrics AAPL --keys revenue,net_income --period annual --limit 3')).toContain(
    'This page has no rows of net_income; later pages may have some.\n',
  );
  const missingMetricNotice = await fetchNotice('metrics JPM --keys revenue,gross_profit');
  expect(missingMetricNotice).toContain('This release has no values of gross_profit for these periods.\n');
  expect(await fetchNotice('metrics AAPL --keys revenue --period annual')).toBe('');
  // A notice mentions metrics without values only if the user requested these metrics.
  expect(await fetchNotice('metrics NVDA --period annual')).toBe('');
});

test('notices distinguish a future day, a day after the release, and a day without filings', async () => {
  expect(await fetchNotice('metrics AAPL --keys revenue --as-of 2126-01-01')).toMatch(
    /^AAPL: 2126-01-01 is in the future; the release has only what was reported by 2\d{3}-\d\d-\d\d\.$/m,
  );
  expect(await fetchNotice('metrics AAPL --keys revenue --as-of 2026-01-01')).toBe(
    'AAPL: The results for the period to 2025-09-27 were announced on 2025-10-30 (8-K, item 2.02) and reported on 2025-10-31. With --as-of, they are included from 2025-10-31 on.\n',
  );
  const release = { date: '2020-01-02', checks: 'passed', published_at: '2020-01-02T04:00:00Z', stamp: '2020-01-02-0' };
  const { baseUrl } = await serve((request, response) => {
    const as_of = new URL(request.url ?? '', 'http://x').searchParams.get('as_of');
    const meta = { schema: 'svc.data.v1', route: '/v1', release, request_id: 'r', as_of };
    sendJson(
      response,
      200,
      JSON.stringify({ data: [makeAppleFigure({ ...REVENUE_FIGURE, end_date: '2019-09-28' })], meta }),
    );
  });
  const fetchNoticeAsOf = async (day: string) =>
    (await runFin(['metrics', 'AAPL', '--as-of', day, '--base-url', baseUrl])).err;
  expect(await fetchNoticeAsOf('2020-06-01')).toBe(
    'AAPL: The release ends on 2020-01-02; later filings, up to 2020-06-01, are not included.\n',
  );
  expect(await fetchNoticeAsOf('2020-01-09')).toBe('');
  // 15 August 2026 is a Saturday.
  expect(await fetchNotice('day 2026-08-15')).toContain(
    'No filings on 2026-08-15. The previous day with filings: fin day 2026-08-14',
  );
});

test("a notice counts companies without the price that a screen's figures need", async () => {
  expect(await fetchNotice('screen --columns pe,revenue --limit 6')).toMatch(
    /^Some values are missing because they need a (recent )?price[^:]*: pe \(\d+ of \d+ companies\)\. .* fin prices/m,
  );
  expect(await fetchNotice('screen --columns revenue --limit 6')).not.toContain('missing');
});

test('finding the reason for an empty answer sends no request', async () => {
  const service = await startService({}, { accounts: 1 });
  try {
    const env = { FIN_BASE_URL: service.baseUrl, FIN_API_KEY: service.keys[0] ?? '' };
    const ask = async (line: string): Promise<string> => (await service.home.run(line.split(' '), env)).stderr;
    expect(await ask('metrics AAPL --keys revenue --as-of 1990-01-01')).toBe(
      'AAPL: No results. No values were reported by 1990-01-01.\n',
    );
    expect(await ask('revisions AAPL free_cash_flow')).toContain('so no filing reports it');
    expect(service.requests()).toHaveLength(2);
    await ask('metrics AAPL --keys revenue');
    expect(await ask('metrics AAPL --keys revenue --as-of 1990-01-02')).toBe(
      'AAPL: No results. No values were reported by 1990-01-02. To see later values, remove --as-of.\n',
    );
    expect(service.requests()).toHaveLength(4);
  } finally {
    await service.stop();
  }
});
