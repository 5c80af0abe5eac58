import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type BuildReport, buildRelease } from '../../../src/building/build.ts';
import { OPERATIONS, type OperationId } from '../../../src/contract/operations.ts';
import type { Filing, FilingSource, FilingsDay } from '../../../src/contract/resources/filings.ts';
import type { InsiderActivityPage, InsiderFiling } from '../../../src/contract/resources/insiders.ts';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import type { Service } from '../../../src/service/responses/service.ts';
import { createService } from '../../../src/service/responses/service.ts';
import { openRelease, type ReleaseReader } from '../../../src/store/reader.ts';
import type { Table } from '../../../src/store/schema/declare-table.ts';
import { RECENT_FILINGS } from '../../../src/store/schema/insiders.ts';
import { makeZip } from '../../edgar/make-zip.ts';
import { askBody, expectRefusal } from '../../service/ask.ts';
import { expectExactResource } from '../../service/exactly.ts';
import { makeCikFileName, makeFolder } from '../../store/public-source.ts';
import { writeFilingsSource } from './filings-source.ts';

let sourceDirectory = '';
let sharedBuildResult: BuildReport;
let service: Service;

async function build(overrides: Partial<Parameters<typeof buildRelease>[0]> = {}): Promise<BuildReport> {
  return buildRelease({
    sourceDirectory: sourceDirectory,
    home: await makeFolder('home'),
    workerScript: null,
    ...overrides,
  });
}

function createReleaseService({ directory }: BuildReport, omittedTable?: Table): Service {
  const release = openRelease(directory ?? '');
  if (omittedTable !== undefined) {
    const { rowsOf } = release;
    release.rowsOf = async <Row>(table: Table<Row>, key: number) =>
      table.name === omittedTable.name
        ? []
        : rowsOf.call<ReleaseReader, [Table<Row>, number], Promise<readonly Row[]>>(release, table, key);
  }
  return createService({ release: async () => release });
}

beforeAll(async () => {
  sourceDirectory = await writeFilingsSource();
  sharedBuildResult = await build();
  service = createReleaseService(sharedBuildResult);
});

async function getResponse<Data>(
  id: OperationId,
  target: string,
): Promise<{ data: Data; meta: Record<string, unknown> }> {
  const response = await askBody(target, { service });
  expectExactResource(id, response);
  return response;
}

test('the release passes its checks; skipped rows are counted, and source files are listed', () => {
  expect(sharedBuildResult).toMatchObject({ checks: 'passed', publication: 'published', date: '2026-07-31' });
  expect(sharedBuildResult.skipped).toMatchObject({
    'an XML document that is not an ownership filing': 1,
    'an ownership filing replaced by an amendment': 1,
  });
  expect(sharedBuildResult.problems).toEqual([]);
  expect(openRelease(sharedBuildResult.directory ?? '').manifest.sources.map(({ name }) => name)).toEqual([
    'companyfacts.zip',
    'files/company_tickers.json',
    'files/company_tickers_exchange.json',
    'index/0001045810-26-000024-index.htm',
    'index/master.20260305.idx',
    'ownership.zip',
    'submissions.zip',
  ]);
});

test("Exxon's announcement is before the market opens, because times in its list are read in New York time", async () => {
  const { data, meta } = await getResponse<Filing[]>(
    'filings',
    '/v1/securities/XOM/filings?forms=8-k&items=2.02,7.01&limit=1',
  );
  expect(meta).toMatchObject({ ticker: 'XOM', forms: '8-K', limit: 1, total: 2 });
  expect(data).toEqual([
    {
      cik: 34088,
      entity_name: 'EXXON MOBIL CORP',
      form: '8-K',
      accession_number: '0000034088-25-000059',
      accepted_at: '2025-10-31T06:31:49-04:00',
      announcement_timing: 'before_open',
      exchange: 'NYSE',
      filed_at: '2025-10-31',
      fiscal_period: null,
      fiscal_year: null,
      items: ['2.02', '7.01'],
      primary_document: 'xom-20251031.htm',
      report_date: '2025-10-31',
      source_url: 'https://www.sec.gov/Archives/edgar/data/34088/000003408825000059/xom-20251031.htm',
      ticker: 'XOM',
    },
  ]);
});

test('NVIDIA announces results after the market closes; other filings have no timing', async () => {
  const { data } = await getResponse<Filing[]>('filings', '/v1/securities/NVDA/filings');
  expect(data.map((filing) => [filing.accession_number, filing.accepted_at, filing.announcement_timing])).toEqual([
    ['0001045810-26-000024', '2026-03-06T16:11:25-05:00', null],
    ['0001045810-26-000019', '2026-02-25T16:31:25-05:00', 'after_close'],
    ['0001045810-25-000228', '2025-11-19T16:20:44-05:00', 'after_close'],
  ]);
});

test('a filing matches only if it has every requested item and exactly the requested form', async () => {
  const countFilings = async (query: string) =>
    (await getResponse<Filing[]>('filings', `/v1/securities/NVDA/filings?${query}`)).data.length;
  expect(await countFilings('items=2.02')).toBe(2);
  expect(await countFilings('items=2.02,5.02')).toBe(0);
  expect(await countFilings('forms=8-K')).toBe(3);
  expect(await countFilings('forms=8-K/A')).toBe(0);
});

test('a report has the fiscal period of its figures; without figures, the period is counted from a known fiscal year, or is null', async () => {
  const { data } = await getResponse<Filing[]>('filings', '/v1/securities/AAPL/filings?forms=10-K,10-Q');
  expect(data.map((filing) => [filing.report_date, filing.fiscal_year, filing.fiscal_period])).toEqual([
    ['2026-06-27', 2026, 'Q3'],
    // These two filings are in no list of filings, and the release lacks figures of their quarters.
    [null, null, null],
    [null, null, null],
    ['2025-09-27', 2025, 'FY'],
    ['2025-06-28', 2025, 'Q3'],
    ['2025-03-29', 2025, 'Q2'],
    ['2024-12-28', 2025, 'Q1'],
  ]);
});

test('the stored periods and revenues of reports equal those derived from reported values', async () => {
  const readChangedData = async (change: (release: ReleaseReader) => void) => {
    const release = openRelease(sharedBuildResult.directory ?? '');
    change(release);
    const changedService = createService({ release: async () => release });
    const targets = [
      '/v1/securities/AAPL/filings',
      '/v1/filings/day?date=2025-10-31',
      '/v1/filings/day?date=2025-08-01',
    ];
    const responses: { data: unknown }[] = [];
    for (const target of targets) responses.push(await askBody(target, { service: changedService }));
    return responses.map(({ data }) => data);
  };
  const responsesFromTables = await readChangedData((release) => {
    release.reportedValues = () => Promise.reject(new Error('reported values were read'));
  });
  const derivedResponses = await readChangedData((release) => {
    release.includes = (table, column) => column === undefined && table.name in release.manifest.tables;
  });
  expect(responsesFromTables).toEqual(derivedResponses);
  expect(responsesFromTables[1]).toMatchObject({
    reports: [{ report_date: '2025-09-27', fiscal_year: 2025, fiscal_period: 'FY', revenue: '416161000000' }],
  });
});

test('a filing lists its main document, then its exhibits, without the XBRL files', async () => {
  const { data } = await getResponse<FilingSource>('filing', '/v1/filings/000104581026000024');
  expect(data).toMatchObject({
    accession_number: '0001045810-26-000024',
    cik: 1045810,
    form: '8-K',
    folder: 'https://www.sec.gov/Archives/edgar/data/1045810/000104581026000024/',
    filed_at: '2026-03-06',
    ticker: 'NVDA',
  });
  expect(data.documents.map(({ document, kind }) => [document, kind])).toEqual([
    ['nvda-20260302.htm', '8-K'],
    ['formxex101xfy27variablecom.htm', 'EX-10.1'],
  ]);
});

test('the document of an ownership form is the XML file that was read, not its rendering for browsers', async () => {
  const { data } = await getResponse<FilingSource>('filing', '/v1/filings/0001494730-20-000001');
  expect(data.documents).toEqual([
    {
      document: 'edgardoc.xml',
      kind: '4',
      url: 'https://www.sec.gov/Archives/edgar/data/1318605/000149473020000001/edgardoc.xml',
      read: true,
    },
  ]);
});

test('a form that is in no list of filings is found, without a filing date', async () => {
  const { data } = await getResponse<FilingSource>('filing', '/v1/filings/0000796343-26-000103');
  expect(data).toMatchObject({ cik: 796343, form: '4', filed_at: null, accepted_at: null });
  expect(data.documents).toMatchObject([{ document: '0000796343-26-000103.txt', read: true }]);
});

test('a form that only an index lists has its filing date from the index, and its report date and document from its own file', async () => {
  const { data } = await getResponse<Filing[]>('filings', '/v1/securities/ADBE/filings?forms=4/A');
  expect(data).toMatchObject([
    { accession_number: '0000000001-26-000005', filed_at: '2026-03-06' },
    { accession_number: '0000000001-26-000002', filed_at: '2026-03-04', report_date: '2026-03-02', accepted_at: null },
  ]);
  expect(data[1]?.primary_document).toBe('form4a.xml');
});

test("a profile has the count and last date of the company's filings, and every figure is from one of these filings", async () => {
  for (const ticker of ['AAPL', 'NVDA', 'XOM', 'TSLA', 'ADBE']) {
    const { data, meta } = await getResponse<Filing[]>('filings', `/v1/securities/${ticker}/filings?limit=500`);
    const profile = (await askBody(`/v1/securities/${ticker}/profile`, { service })).data;
    expect(profile).toMatchObject({ filing_count: meta.total, latest_filing_at: data[0]?.filed_at ?? null });
    const listedAccessions = data.map(({ accession_number }) => accession_number);
    for (const { read_from } of (await askBody(`/v1/securities/${ticker}/metrics?period=all&limit=500`, { service }))
      .data) {
      expect(listedAccessions).toContain(read_from.accession_number);
      const { data: sourceFiling } = await getResponse<FilingSource>(
        'filing',
        `/v1/filings/${read_from.accession_number}`,
      );
      expect(sourceFiling).toMatchObject({ form: read_from.form, filed_at: read_from.filed_at });
    }
  }
});

test('an unknown accession number is 404, and a malformed accession number is 400', async () => {
  await expectRefusal('/v1/filings/0001045810-26-000025', 404, { service });
  await expectRefusal('/v1/filings/1045810', 400, { service });
});

test("a day lists Apple's annual report with the revenue of its year and of the previous year, and Exxon's announcement", async () => {
  const { data, meta } = await getResponse<FilingsDay>('day', '/v1/filings/day?date=2025-10-31');
  expect(meta.date).toBe('2025-10-31');
  expect(data).toMatchObject({
    latest: '2026-07-31',
    filings: 2,
    companies: 2,
    lines_total: 1,
    live: false,
    updated_at: '2025-10-31T06:31:49-04:00',
    forms: [
      { form: '10-K', filings: 1 },
      { form: '8-K', filings: 1 },
    ],
    days: [{ date: '2025-10-31', filings: 2 }],
  });
  expect(data.lines.map((line) => line.accession_number)).toEqual(['0000034088-25-000059']);
  expect(data.reports).toMatchObject([
    {
      form: '10-K',
      fiscal_year: 2025,
      fiscal_period: 'FY',
      revenue: '416161000000',
      revenue_start: '2024-09-29',
      revenue_end: '2025-09-27',
      prior_revenue: '391035000000',
      ticker: 'AAPL',
    },
  ]);
});

test('without a date, the answer is for the latest day; a day without filings has zeros, and a day outside the release is 404', async () => {
  expect((await getResponse<FilingsDay>('day', '/v1/filings/day')).data.date).toBe('2026-07-31');
  const { data } = await getResponse<FilingsDay>('day', '/v1/filings/day?date=2026-03-08');
  expect(data).toMatchObject({ filings: 0, companies: 0, lines: [], reports: [] });
  expect(data.days.map((day) => day.date)).toEqual([
    '2026-02-25',
    '2026-03-03',
    '2026-03-04',
    '2026-03-05',
    '2026-03-06',
  ]);
  expect((await expectRefusal('/v1/filings/day?date=2026-08-01', 404, { service })).detail).toContain('2026-07-31');
  await expectRefusal('/v1/filings/day?date=2020-02-18', 404, { service });
});

test('a filing of two companies counts once', async () => {
  const { data } = await getResponse<FilingsDay>('day', '/v1/filings/day?date=2026-03-05');
  expect(data).toMatchObject({ filings: 3, companies: 2 });
  expect(data.forms).toEqual([
    { form: '4', filings: 2 },
    { form: 'SC 13D/A', filings: 1 },
  ]);
  expect(data).toMatchObject({ lines: [], lines_total: 0, reports: [] });
});

test('a 13D is in the list of a day if forms names it, once for each of its companies', async () => {
  const path = '/v1/filings/day?date=2026-03-05&forms=4,sc%2013d/a';
  const { data, meta } = await getResponse<FilingsDay>('day', path);
  expect(data).toMatchObject({ filings: 3, companies: 2, lines_total: 2, reports: [] });
  expect(data.lines.map(({ form, ticker, accession_number: number }) => [form, ticker, number])).toEqual([
    ['SC 13D/A', 'ADBE', '0000000001-26-000009'],
    ['SC 13D/A', 'DVA', '0000000001-26-000009'],
  ]);
  expect(meta).toMatchObject({ forms: '4,SC 13D/A' });
  const { data: reports } = await getResponse<FilingsDay>('day', '/v1/filings/day?date=2025-10-31&forms=10-K');
  expect([reports.filings, reports.lines.length, reports.reports.length]).toEqual([2, 0, 1]);
});

test('the insider trades of 19 February 2020 include the purchase by Elon Musk', async () => {
  const { data } = await getResponse<FilingsDay>('day', '/v1/filings/day?date=2020-02-19');
  expect(data.insiders).toMatchObject({ purchases: 1, purchase_value: '9999379', sales: 0, sale_value: '0' });
  expect(data.insiders.largest).toEqual([
    {
      accession_number: '0001494730-20-000001',
      cik: 1318605,
      entity_name: 'Tesla, Inc.',
      kind: 'purchase',
      is_director: true,
      is_officer: true,
      is_ten_percent_owner: true,
      shares: '13037',
      value: '9999379',
      source_url: 'https://www.sec.gov/Archives/edgar/data/1318605/000149473020000001/0001494730-20-000001-index.htm',
      officer_title: 'CEO',
      owner_name: 'Musk Elon',
      ticker: 'TSLA',
    },
  ]);
});

test('in the insider activity of one company, an amendment with a trade replaces its original, one without trades does not, a repeated trade counts once, and doubtful values do not count', async () => {
  const { data } = await getResponse<InsiderActivityPage>('insiders', '/v1/securities/ADBE/insider-activity');
  expect(data.filings.map((filing) => [filing.accession_number, filing.form, filing.filed_at])).toEqual([
    ['0000000001-26-000004', '4', '2026-03-05'],
    ['0000000001-26-000003', '4', '2026-03-05'],
    ['0000000001-26-000002', '4/A', '2026-03-04'],
    ['0000796343-26-000103', '4', null],
  ]);
  expect(data).toMatchObject({
    total_transactions: 6,
    purchase_transactions: 4,
    sale_transactions: 2,
    uncounted_transactions: 2,
    reported_purchase_value: '251.5',
    reported_sale_value: '334354.8536',
  });
  expect(data.filings[1]?.transactions.map((trade) => trade.value_status)).toEqual([
    'suspect',
    'not_equity',
    'counted',
  ]);
  expect(data.filings[3]).toMatchObject({
    aff10b5_one: false,
    is_amendment: false,
    period_of_report: '2026-04-20',
    owners: [{ cik: 1610062, officer_title: 'EVP & CFO', other_text: null }],
    transactions: [
      { price_per_share: '248.0201', shares_owned_following: '42832.787', transaction_value: '331354.8536' },
    ],
  });
});

test('the limit of a page is a number of filings, and totals cover all pages', async () => {
  const readPage = (query: string) =>
    getResponse<InsiderActivityPage>('insiders', `/v1/securities/ADBE/insider-activity?${query}`).then(
      ({ data }) => data,
    );
  const firstPage = await readPage('limit=2');
  const secondPage = await readPage('limit=2&offset=2');
  expect([...firstPage.filings, ...secondPage.filings].map((filing) => filing.accession_number)).toHaveLength(4);
  expect({ ...secondPage, filings: [] }).toEqual({ ...firstPage, filings: [] });
  expect(await readPage('since=2026-03-05')).toMatchObject({
    total_transactions: 1,
    reported_sale_value: '331354.8536',
  });
  expect(await readPage('kind=purchase')).toMatchObject({
    total_transactions: 4,
    sale_transactions: 0,
    reported_sale_value: '0',
  });
  const purchasesPage = await readPage('kind=purchase&since=2026-03-04&limit=1');
  expect(purchasesPage.filings[0]?.transactions.every((trade) => trade.transaction_code === 'P')).toBe(true);
});

test('insider activity is the same without tickers, with the tickers of all companies with trades, and in older releases', async () => {
  // Serves the release without the table of the latest days' insider filings, like a release of an earlier version.
  const olderService = createReleaseService(sharedBuildResult, RECENT_FILINGS);
  expect(sharedBuildResult.rows.recent_insider_filings).toBeGreaterThan(1);
  const readActivity = (query = '') =>
    getResponse<InsiderActivityPage>('insider-activity', `/v1/insider-activity${query}`).then(({ data }) => data);
  for (const query of [
    '',
    'since=2026-03-04',
    'since=2019-01-01&kind=purchase',
    'kind=sale',
    'limit=2&offset=1',
    'since=2027-01-01',
  ]) {
    const unfilteredPage = await readActivity(`?${query}`);
    const tickersPage = await readActivity(`?tickers=ADBE,TSLA,AAPL&${query}`);
    expect(tickersPage, query).toEqual(unfilteredPage);
    expect((await askBody(`/v1/insider-activity?${query}`, { service: olderService })).data, query).toEqual(
      unfilteredPage,
    );
  }
  const latestPage = await readActivity('?limit=1');
  expect(latestPage.filings[0]).toMatchObject({ accession_number: '0000000001-26-000004', ticker: 'ADBE' });
  expect(latestPage).toMatchObject({ total_transactions: 7, reported_purchase_value: '9999630.5' });
  await expectRefusal('/v1/insider-activity?tickers=NOSUCH', 404, { service });
  await expectRefusal('/v1/insider-activity?limit=101', 400, { service });
});

test('a quarterly data set adds filing dates, and filings without a form in the sources; prices in a form take precedence', async () => {
  const folder = await writeFilingsSource();
  const toTsv = (...rows: readonly (readonly string[])[]) => rows.map((row) => `${row.join('\t')}\n`).join('');
  await makeZip(join(folder, '2026q2_form345.zip'), {
    'SUBMISSION.tsv': toTsv(
      ['ACCESSION_NUMBER', 'FILING_DATE', 'DOCUMENT_TYPE', 'ISSUERCIK'],
      ['0000796343-26-000103', '22-APR-2026', '4', '0000796343'],
      ['0000000001-26-000020', '23-APR-2026', '4', '0000796343'],
      ['0000000001-26-000021', '23-APR-2026', '4', '0000000021'],
    ),
    'REPORTINGOWNER.tsv': toTsv(
      ['ACCESSION_NUMBER', 'RPTOWNERCIK', 'RPTOWNERNAME', 'RPTOWNER_RELATIONSHIP'],
      ['0000796343-26-000103', '0001610062', 'Durn Daniel', 'Officer'],
      ['0000000001-26-000020', '0000000003', 'A Director', 'Director'],
      ['0000000001-26-000021', '0000000004', 'Of Another Company', 'Director'],
    ),
    'NONDERIV_TRANS.tsv': toTsv(
      [
        ...['ACCESSION_NUMBER', 'NONDERIV_TRANS_SK', 'SECURITY_TITLE', 'TRANS_DATE', 'TRANS_CODE', 'TRANS_SHARES'],
        ...['TRANS_PRICEPERSHARE', 'TRANS_ACQUIRED_DISP_CD'],
      ],
      ['0000796343-26-000103', '1', 'Common Stock', '20-APR-2026', 'S', '1336.0', '248.02', 'D'],
      ['0000000001-26-000020', '2', 'Common Stock', '22-APR-2026', 'S', '100.0', '250.50', 'D'],
    ),
    'FOOTNOTES.tsv': toTsv(['ACCESSION_NUMBER', 'FOOTNOTE_ID', 'FOOTNOTE_TXT']),
  });
  const secondBuild = await buildRelease({
    sourceDirectory: folder,
    home: await makeFolder('home'),
    workerScript: null,
  });
  expect(secondBuild.problems).toEqual([]);
  const { data } = await askBody('/v1/securities/ADBE/insider-activity?since=2026-04-01', {
    service: createReleaseService(secondBuild),
  });
  expect(
    data.filings.map((filing: InsiderFiling) => [filing.filed_at, filing.transactions[0]?.price_per_share]),
  ).toEqual([
    ['2026-04-23', '250.5'],
    ['2026-04-22', '248.0201'],
  ]);
  const filingsDay = (await askBody('/v1/filings/day?date=2026-04-22', { service: createReleaseService(secondBuild) }))
    .data;
  expect(filingsDay).toMatchObject({ filings: 1, insiders: { sales: 1, sale_value: '331354.8536' } });
});

test('a release without the text of footnotes has the same trades and footnote IDs', async () => {
  const reportWithoutFootnotes = await build({ withoutFootnotes: true });
  const [filingWithText] = (await askBody('/v1/securities/TSLA/insider-activity', { service })).data.filings;
  expect(reportWithoutFootnotes.skipped['the text of a footnote, replaced by the address of its filing']).toBe(
    filingWithText.footnotes.length,
  );
  const serviceWithoutFootnotes = createReleaseService(reportWithoutFootnotes);
  const [filing] = (await askBody('/v1/securities/TSLA/insider-activity', { service: serviceWithoutFootnotes })).data
    .filings;
  const text = `The text of this footnote is in the filing: ${filing.source_url}`;
  expect(filing).toEqual({
    ...filingWithText,
    footnotes: filingWithText.footnotes.map(({ id }: { id: string }) => ({ id, text })),
  });
  expect((await askBody('/v1/securities/TSLA/filings', { service: serviceWithoutFootnotes })).data).toHaveLength(1);
  expect(
    (await askBody('/v1/securities/ADBE/insider-activity', { service: serviceWithoutFootnotes })).data.filings,
  ).toHaveLength(4);
});

test('the screener includes companies with figures since a given day, and the build counts the omitted companies', async () => {
  const countScreenedAndSkipped = async (screenSince: string) => {
    const { directory, skipped } = await build({ screenSince });
    const rows = (await askBody('/v1/screen', { service: createReleaseService({ ...sharedBuildResult, directory }) }))
      .data;
    return [rows.length, skipped['a company whose figures are too old for the screener'] ?? 0];
  };
  const [countsSince2000, countsSinceLastDay] = [
    await countScreenedAndSkipped('2000-01-01'),
    await countScreenedAndSkipped('2026-07-31'),
  ];
  expect(countsSince2000).toEqual([1, 0]);
  expect(countsSinceLastDay).toEqual([0, 1]);
});

test('a listed company with only insider trades is in the release; trades of unlisted companies are counted as skipped', async () => {
  const folder = await writeFilingsSource();
  const archive = await openArchive(join(folder, 'submissions.zip'));
  const exxonList = (await archive.read(makeCikFileName(34088))).toString('utf8');
  archive.close();
  await makeZip(join(folder, 'submissions.zip'), { [makeCikFileName(34088)]: exxonList });
  await makeZip(join(folder, 'companyfacts.zip'), { [makeCikFileName(34088)]: '{"cik":34088,"facts":{}}' });
  const buildDespiteFailedChecks = async () =>
    buildRelease({
      sourceDirectory: folder,
      home: await makeFolder('home'),
      workerScript: null,
      publishFailed: true,
    });
  const reportWithTickerFiles = await buildDespiteFailedChecks();
  const serviceWithTickerFiles = createReleaseService(reportWithTickerFiles);
  expect(
    (await askBody('/v1/securities/TSLA/insider-activity', { service: serviceWithTickerFiles })).data.filings,
  ).toHaveLength(1);
  expect(
    (await askBody('/v1/securities/TSLA/profile', { service: serviceWithTickerFiles })).data.company_coverage_state,
  ).toBe('none');
  await expectRefusal('/v1/securities/NVDA/profile', 404, { service: serviceWithTickerFiles });
  rmSync(join(folder, 'files/company_tickers.json'));
  rmSync(join(folder, 'files/company_tickers_exchange.json'));
  const reportWithoutTickerFiles = await buildDespiteFailedChecks();
  const skippedReason = 'an ownership filing about a company that is not in the release (ownership.zip)';
  expect([reportWithTickerFiles.skipped[skippedReason], reportWithoutTickerFiles.skipped[skippedReason]]).toEqual([
    undefined,
    7,
  ]);
});

test('two builds from the same files give the same stamp, and five operations are about filings or insider trades', async () => {
  expect((await build()).stamp).toBe(sharedBuildResult.stamp);
  expect(OPERATIONS.filter(({ tag }) => tag === 'Filings' || tag === 'Insider trades')).toHaveLength(5);
});
