/** Tests responses about prices and holders, from releases that are built here. */
import { copyFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildRelease } from '../../../src/building/build.ts';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { createService } from '../../../src/service/responses/service.ts';
import { openRelease } from '../../../src/store/reader.ts';
import { makeZip } from '../../edgar/make-zip.ts';
import { parseFacts } from '../../figures/filed-facts.ts';
import { getPublicFilePath, testWithPublicFile } from '../../public-files.ts';
import { makeFolder, readSourceCompany, type SourceCompany, writeSource } from '../../store/public-source.ts';

const APPLE = readSourceCompany('aapl');
/**
 * NVIDIA's share counts before and after its split in 2021, the split ratio in two reports, and the latest share count.
 */
const SHARE_COUNT_FACTS = parseFacts(`
us-gaap WeightedAverageNumberOfDilutedSharesOutstanding shares 2019-01-28 2020-01-26 618000000 0001045810-21-000010 10-K 2021-02-26 2021 FY -
us-gaap WeightedAverageNumberOfDilutedSharesOutstanding shares 2019-01-28 2020-01-26 2472000000 0001045810-22-000036 10-K 2022-03-18 2022 FY CY2019
us-gaap WeightedAverageNumberOfDilutedSharesOutstanding shares 2020-01-27 2021-01-31 628000000 0001045810-21-000010 10-K 2021-02-26 2021 FY -
us-gaap WeightedAverageNumberOfDilutedSharesOutstanding shares 2020-01-27 2021-01-31 2510000000 0001045810-22-000036 10-K 2022-03-18 2022 FY CY2020
us-gaap StockholdersEquityNoteStockSplitConversionRatio1 pure - 2021-06-03 4 0001045810-21-000131 10-Q 2021-08-20 2022 Q2 -
us-gaap StockholdersEquityNoteStockSplitConversionRatio1 pure - 2021-07-19 4 0001045810-22-000036 10-K 2022-03-18 2022 FY -
dei EntityCommonStockSharesOutstanding shares - 2021-05-21 623000000 0001045810-21-000064 10-Q 2021-05-26 2022 Q1 CY2021Q2I
dei EntityCommonStockSharesOutstanding shares - 2022-11-11 2460000000 0001045810-22-000166 10-Q 2022-11-18 2023 Q3 CY2022Q3I
dei EntityCommonStockSharesOutstanding shares - 2026-02-20 24300000000 0001045810-26-000021 10-K 2026-02-25 2026 FY -
`);
const NVIDIA_WITHOUT_SHARE_COUNTS = readSourceCompany('nvda');
const NVIDIA = { ...NVIDIA_WITHOUT_SHARE_COUNTS, facts: [...NVIDIA_WITHOUT_SHARE_COUNTS.facts, ...SHARE_COUNT_FACTS] };
const KRAFT = readSourceCompany('khc');

interface TestReport {
  readonly accession: string;
  readonly filed: string;
  readonly form?: string;
  readonly cik?: number;
  readonly name?: string;
  readonly period: string;
  /** Number and type of the amendment. */
  readonly amendment?: readonly [string, string];
  /** Number of entries on the summary page; default: number of lines. */
  readonly entryTotal?: number;
  /** CIK and name of the manager that reports the positions, for a notice. */
  readonly reportedBy?: readonly [string, string];
  /** Issuer, class, CUSIP, value, amount, type of the amount (default SH), and Put or Call. */
  readonly lines: readonly (readonly [string, string, string, string, string, string?, string?])[];
}

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const formatDate = (day: string) => `${day.slice(8)}-${MONTHS[Number(day.slice(5, 7)) - 1]}-${day.slice(0, 4)}`;
const toTsv = (rows: readonly (readonly string[])[]) => `${rows.map((row) => row.join('\t')).join('\n')}\n`;

/** Returns the tables of a quarterly 13F data set, in the format of the SEC. */
function makeDataSet(reports: readonly TestReport[]): Record<string, string> {
  const makeTable = (header: string, makeRow: (report: TestReport) => readonly string[]) =>
    toTsv([header.split(' '), ...reports.map(makeRow)]);
  return {
    'SUBMISSION.tsv': makeTable('ACCESSION_NUMBER FILING_DATE SUBMISSIONTYPE CIK PERIODOFREPORT', (report) => [
      report.accession,
      formatDate(report.filed),
      report.form ?? '13F-HR',
      String(report.cik ?? 1067983).padStart(10, '0'),
      formatDate(report.period),
    ]),
    'COVERPAGE.tsv': makeTable(
      'ACCESSION_NUMBER REPORTCALENDARORQUARTER ISAMENDMENT AMENDMENTNO AMENDMENTTYPE FILINGMANAGER_NAME',
      (report) => [
        report.accession,
        formatDate(report.period),
        report.amendment === undefined ? '' : 'Y',
        ...(report.amendment ?? ['', '']),
        report.name ?? 'Berkshire Hathaway Inc',
      ],
    ),
    'SUMMARYPAGE.tsv': makeTable(
      'ACCESSION_NUMBER OTHERINCLUDEDMANAGERSCOUNT TABLEENTRYTOTAL TABLEVALUETOTAL',
      (report) => [
        report.accession,
        '14',
        String(report.entryTotal ?? report.lines.length),
        String(report.lines.reduce((sum, [, , , value]) => sum + BigInt(value), 0n)),
      ],
    ),
    'OTHERMANAGER.tsv': toTsv([
      ['ACCESSION_NUMBER', 'OTHERMANAGER_SK', 'CIK', 'NAME'],
      ...reports.flatMap(({ accession, reportedBy }) =>
        reportedBy === undefined ? [] : [[accession, '1', ...reportedBy]],
      ),
    ]),
    'INFOTABLE.tsv': toTsv([
      'ACCESSION_NUMBER INFOTABLE_SK NAMEOFISSUER TITLEOFCLASS CUSIP VALUE SSHPRNAMT SSHPRNAMTTYPE PUTCALL'.split(' '),
      ...reports.flatMap(({ accession, lines }) =>
        lines.map(([issuer, title, cusip, value, amount, type = 'SH', putCall = ''], index) => [
          accession,
          String(index),
          issuer,
          title,
          cusip,
          value,
          amount,
          type,
          putCall,
        ]),
      ),
    ]),
  };
}

/**
 * Some lines of Berkshire's report, in thousands of dollars. Apple has two lines, because two of Berkshire's companies
 * hold it. Some issuers are not in the release.
 */
const THIRD_QUARTER_REPORT: TestReport = {
  accession: '0000950123-22-012275',
  filed: '2022-11-14',
  period: '2022-09-30',
  lines: [
    ['APPLE INC', 'COM', '037833100', '100000000', '723590000'],
    ['APPLE INC', 'COM', '037833100', '23661679', '171212319'],
    ['KRAFT HEINZ CO', 'COM', '500754106', '10859921', '325634818'],
    ['ACTIVISION BLIZZARD INC', 'COM', '00507V109', '4470946', '60141866'],
    ['JOHNSON & JOHNSON', 'COM', '478160104', '53435', '327100'],
    ['PROCTER & GAMBLE CO', 'COM', '742718109', '39819', '315400'],
  ],
};
const FOURTH_QUARTER_REPORT: TestReport = {
  accession: '0000950123-23-002585',
  filed: '2023-02-14',
  period: '2022-12-31',
  lines: [
    ['APPLE INC', 'COM', '037833100', '116305043218', '895136175'],
    ['KRAFT HEINZ CO', 'COM', '500754106', '13256593441', '325634818'],
    ['ACTIVISION BLIZZARD INC', 'COM', '00507V109', '4035492091', '52717075'],
    ['JOHNSON & JOHNSON', 'COM', '478160104', '57782215', '327100'],
    ['MASTERCARD INC', 'CL A', '57636Q104', '1386277109', '3986648'],
  ],
};
/** Bull Street still reported values in thousands in February 2023: it states 287 for 2,397 shares of 3M. */
const BULL_STREET_REPORT: TestReport = {
  accession: '0001790837-23-000002',
  filed: '2023-02-28',
  cik: 1790837,
  name: 'Bull Street Advisors, LLC',
  period: '2022-12-31',
  lines: [
    ['3M Company', 'COM', '88579Y101', '287', '2397'],
    ['APPLE INC', 'COM', '037833100', '1300', '10000'],
    ['APPLE INC', 'COM', '037833100', '2600', '20000', 'SH', 'Put'],
    ['KRAFT HEINZ CO', 'COM', '500754106', '41', '1000'],
    ['KRAFT HEINZ CO', 'NOTE 4.375% 6/0', '500754AB1', '90', '100000', 'PRN'],
    ['X CORP', 'COM', 'X00000001', '10', '100'],
    ['Y CORP', 'COM', 'Y00000001', '12', '100'],
  ],
};
/** Reports of an invented manager, which restates its report and then adds holdings. */
const RESTATED_REPORTS: readonly TestReport[] = [
  {
    accession: '0000000009-22-000001',
    filed: '2022-11-10',
    cik: 9,
    name: 'R',
    period: '2022-09-30',
    lines: [['APPLE INC', 'COM', '037833100', '1382', '10000']],
  },
  {
    accession: '0000000009-22-000002',
    filed: '2022-11-20',
    form: '13F-HR/A',
    amendment: ['1', 'RESTATEMENT'],
    cik: 9,
    name: 'R',
    period: '2022-09-30',
    lines: [['APPLE INC', 'COM', '037833100', '2764', '20000']],
  },
  {
    accession: '0000000009-22-000003',
    filed: '2022-12-01',
    form: '13F-HR/A',
    amendment: ['2', 'NEW HOLDINGS'],
    cik: 9,
    name: 'R',
    period: '2022-09-30',
    lines: [['KRAFT HEINZ CO', 'COM', '500754106', '33', '1000']],
  },
  {
    accession: '0000000009-23-000001',
    filed: '2023-02-10',
    cik: 9,
    name: 'R',
    period: '2022-12-31',
    lines: [['KRAFT HEINZ CO', 'COM', '500754106', '40710', '1000']],
  },
];

const FAILS_FILE_TEXT = `SETTLEMENT DATE|CUSIP|SYMBOL|QUANTITY (FAILS)|DESCRIPTION|PRICE
20221201|037833100|AAPL|1000|APPLE INC|148.03
20221202|037833100|AAPL|1000|APPLE INC|148.31
20230103|037833100|AAPL|1000|APPLE INC|129.93
20230103|500754106|KHC|10|KRAFT HEINZ CO/THE COM|40.71
20210610|67066G104|NVDA|240|NVIDIA CORP|694.33
20210720|67066G104|NVDA|51|NVIDIA CORP|751.19
20210721|67066G104|NVDA|602|NVIDIA CORP|186.12
20221205|67066G104|NVDA|57889|NVIDIA CORP|168.76
Trailer record count 6
Trailer total quantity of shares 60137
`;

async function writeMarketSource(companies: readonly SourceCompany[], reports: readonly TestReport[]): Promise<string> {
  const source = await writeSource(companies);
  await makeZip(join(source, '2023q1_form13f.zip'), makeDataSet(reports));
  await makeZip(join(source, 'cnsfails202301a.zip'), { 'cnsfails202301a.txt': FAILS_FILE_TEXT });
  return source;
}

async function buildService(source: string) {
  const report = await buildRelease({ sourceDirectory: source, home: await makeFolder('home'), workerScript: null });
  expect(report.checkResults.filter(({ passed }) => !passed)).toEqual([]);
  const release = openRelease(report.directory ?? '');
  const service = createService({ release: async () => release });
  const ask = async (target: string, status = 200) => {
    const response = await service({ method: 'GET', target, headers: {}, id: 'r-0', baseUrl: 'local:' });
    const body = response.body.join('');
    expect(response.status, body).toBe(status);
    return JSON.parse(body);
  };
  return { ask, report, release };
}

let marketService: Awaited<ReturnType<typeof buildService>>;

beforeAll(async () => {
  marketService = await buildService(
    await writeMarketSource(
      [APPLE, NVIDIA, KRAFT],
      [THIRD_QUARTER_REPORT, FOURTH_QUARTER_REPORT, BULL_STREET_REPORT, ...RESTATED_REPORTS],
    ),
  );
});

test("a manager's positions are in dollars, sum the lines of a security, and have the amounts of the previous quarter", async () => {
  const { data } = await marketService.ask('/v1/holders/1067983');
  expect(data).toMatchObject({
    name: 'Berkshire Hathaway Inc',
    period: '2022-12-31',
    accession_number: '0000950123-23-002585',
    filed_at: '2023-02-14',
    positions: 5,
    other_managers: 14,
    opened: 1,
    closed: 1,
    prior_period: '2022-09-30',
    rows_total: 5,
  });
  expect(data.rows[0]).toEqual({
    cusip: '037833100',
    issuer: 'APPLE INC',
    class: 'COM',
    put_call: '',
    amount: '895136175',
    amount_type: 'SH',
    value: '116305043218',
    cik: 320193,
    entity_name: 'Apple Inc.',
    ticker: 'AAPL',
    prior_amount: '894802319',
    prior_value: '123661679000',
    weight: '0.8612560721',
  });
  expect(data.rows.find((row: { issuer: string }) => row.issuer === 'MASTERCARD INC')).toMatchObject({
    prior_amount: null,
    cik: null,
    ticker: null,
  });
  expect(data.quarters.map((quarter: Record<string, unknown>) => [quarter.period, quarter.value_total])).toEqual([
    ['2022-12-31', '135041188074'],
    ['2022-09-30', '139085800000'],
  ]);
});

test('a restated 13F report replaces the original, and new holdings are added', async () => {
  const { data } = await marketService.ask('/v1/holders/9');
  expect(data.quarters[1]).toEqual({
    period: '2022-09-30',
    filed_at: '2022-11-20',
    accession_number: '0000000009-22-000002',
    positions: 2,
    value_total: '2797000',
  });
  expect([data.opened, data.closed, data.rows[0].prior_amount]).toEqual([0, 1, '1000']);
});

test('amounts of holders count shares only; "opened" and "closed" count managers that reported both quarters', async () => {
  const { data } = await marketService.ask('/v1/securities/AAPL/holders');
  expect(data).toMatchObject({
    cik: 320193,
    ticker: 'AAPL',
    period: '2022-12-31',
    prior_period: '2022-09-30',
    holders: 2,
    // The amount excludes Bull Street's put options, because options are not shares.
    amount_held: '895146175',
    value_held: '116306343218',
    prior_amount_held: '894822319',
    prior_holders: 2,
    opened: 0,
    closed: 1,
    rows_total: 2,
  });
  expect(data.rows.map((row: Record<string, unknown>) => [row.holder_name, row.prior_known, row.prior_amount])).toEqual(
    [
      ['Berkshire Hathaway Inc', true, '894802319'],
      ['Bull Street Advisors, LLC', false, null],
    ],
  );
  // Notes are listed with the company, by their principal amount, and are not counted as shares.
  const kraftHolders = (await marketService.ask('/v1/securities/KHC/holders')).data;
  expect(kraftHolders.amount_held).toBe('325636818');
  expect(
    kraftHolders.rows.map((row: Record<string, unknown>) => [row.holder_cik, row.amount, row.amount_type, row.value]),
  ).toEqual([
    [1067983, '325634818', 'SH', '13256593441'],
    [1790837, '100000', 'PRN', '90000'],
    [1790837, '1000', 'SH', '41000'],
    [9, '1000', 'SH', '40710'],
  ]);
  // Among the manager's positions, the notes also have the name and ticker of the company.
  const bullStreetPositions = (await marketService.ask('/v1/holders/1790837')).data.rows;
  expect(bullStreetPositions.filter((row: Record<string, unknown>) => row.cusip === '500754AB1')).toEqual([
    expect.objectContaining({ cik: 1637459, entity_name: kraftHolders.entity_name, ticker: 'KHC', amount_type: 'PRN' }),
  ]);
  const secondPage = (await marketService.ask('/v1/securities/KHC/holders?limit=1&offset=2')).data;
  expect([secondPage.rows.length, secondPage.rows[0].amount, secondPage.rows_total, secondPage.holders]).toEqual([
    1,
    '1000',
    4,
    3,
  ]);
});

type Lines = TestReport['lines'];
const APPLE_LINES: Lines = [['APPLE INC', 'COM', '037833100', '1300000', '10000']];
const makeManagerReport = (
  cik: number,
  serial: number,
  quarter: Pick<TestReport, 'period' | 'filed'>,
  lines: Lines,
  overrides: Partial<TestReport> = {},
): TestReport => ({
  ...{ accession: `${String(cik).padStart(10, '0')}-23-00000${serial}`, cik, name: `Manager ${cik}`, lines },
  ...{ ...quarter, ...overrides },
});
const THIRD_QUARTER = { period: '2022-09-30', filed: '2022-11-10' };
const FOURTH_QUARTER = { period: '2022-12-31', filed: '2023-02-10' };

test.each<[string, Lines, Partial<TestReport>]>([
  ['an empty table', [], {}],
  ['a row of zeros', [['N/A', 'N/A', '000000000', '0', '0']], {}],
  ['a row of nines', [['NONE', 'NONE', '999999999', '0', '0']], {}],
])('a holdings report with %s is the latest report, and closes all positions', async (_, lines, overrides) => {
  const { ask, report } = await buildService(
    await writeMarketSource(
      [APPLE],
      [
        makeManagerReport(11, 1, THIRD_QUARTER, APPLE_LINES),
        makeManagerReport(11, 2, FOURTH_QUARTER, lines, overrides),
        makeManagerReport(12, 1, THIRD_QUARTER, APPLE_LINES),
        makeManagerReport(12, 2, FOURTH_QUARTER, APPLE_LINES),
      ],
    ),
  );
  expect((await ask('/v1/holders/11')).data).toMatchObject({
    ...{ period: '2022-12-31', accession_number: '0000000011-23-000002', positions: 0, value_total: '0' },
    ...{ opened: 0, closed: 1, prior_period: '2022-09-30', rows: [], rows_total: 0 },
    quarters: [
      { period: '2022-12-31', positions: 0 },
      { period: '2022-09-30', positions: 1 },
    ],
  });
  expect((await ask('/v1/securities/AAPL/holders')).data).toMatchObject({
    ...{ period: '2022-12-31', holders: 1, closed: 1, prior_holders: 2, amount_held: '10000' },
  });
  expect(report.problems.filter((problem) => problem.includes('13F'))).toEqual([]);
});

test('a restatement to nothing replaces the report', async () => {
  const restatement = { form: '13F-HR/A', amendment: ['1', 'RESTATEMENT'], filed: '2023-03-01' } as const;
  const { ask } = await buildService(
    await writeMarketSource(
      [APPLE],
      [
        makeManagerReport(11, 1, THIRD_QUARTER, APPLE_LINES),
        makeManagerReport(11, 2, FOURTH_QUARTER, APPLE_LINES),
        makeManagerReport(11, 3, FOURTH_QUARTER, [], restatement),
      ],
    ),
  );
  const { data } = await ask('/v1/holders/11');
  expect(data).toMatchObject({ accession_number: '0000000011-23-000003', positions: 0, closed: 1 });
  // All holders sold, so that the quarter without holders is shown.
  expect((await ask('/v1/securities/AAPL/holders')).data).toMatchObject({
    ...{ period: '2022-12-31', holders: 0, closed: 1, prior_holders: 1, prior_period: '2022-09-30', rows: [] },
  });
});

test('a report whose table is missing is skipped with its reason, and closes nothing', async () => {
  const { ask, report } = await buildService(
    await writeMarketSource(
      [APPLE],
      [
        makeManagerReport(11, 1, THIRD_QUARTER, APPLE_LINES),
        makeManagerReport(11, 2, FOURTH_QUARTER, [], { entryTotal: 3 }),
        makeManagerReport(12, 2, FOURTH_QUARTER, APPLE_LINES),
      ],
    ),
  );
  expect((await ask('/v1/holders/11')).data).toMatchObject({ period: '2022-09-30', positions: 1 });
  expect((await ask('/v1/securities/AAPL/holders')).data).toMatchObject({ holders: 1, closed: 0 });
  expect(report.problems).toContain('0000000011-23-000002: a 13F cover page without its information table');
});

test('a notice closes nothing, and names the manager that reports the positions', async () => {
  const notice = { form: '13F-NT', reportedBy: ['0000000012', 'Manager 12'] } as const;
  const { ask } = await buildService(
    await writeMarketSource(
      [APPLE],
      [
        makeManagerReport(11, 1, THIRD_QUARTER, APPLE_LINES),
        makeManagerReport(11, 2, FOURTH_QUARTER, [], notice),
        makeManagerReport(12, 2, FOURTH_QUARTER, APPLE_LINES),
        makeManagerReport(13, 1, FOURTH_QUARTER, [], notice),
      ],
    ),
  );
  expect((await ask('/v1/holders/11')).data).toMatchObject({
    ...{ period: '2022-09-30', positions: 1, closed: null },
    notice: {
      ...{ period: '2022-12-31', filed_at: '2023-02-10', accession_number: '0000000011-23-000002' },
      reported_by: [{ cik: 12, name: 'Manager 12' }],
    },
  });
  expect((await ask('/v1/securities/AAPL/holders')).data).toMatchObject({ holders: 1, closed: 0 });
  expect((await ask('/v1/holders/12')).data).not.toHaveProperty('notice');
  const noPositions = /13F-NT\) for the quarter that ended on 2022-12-31: .* are reported by Manager 12 \(CIK 12\)/;
  expect((await ask('/v1/holders/13', 404)).detail).toMatch(noPositions);
  expect((await ask('/v1/holders/11?quarter=2022-12-31', 404)).detail).toMatch(noPositions);
});

test('earlier quarters are answered like the latest quarter', async () => {
  const quarters = [
    { period: '2022-03-31', filed: '2022-05-10' },
    { period: '2022-06-30', filed: '2022-08-10' },
    ...[THIRD_QUARTER, FOURTH_QUARTER],
  ];
  const makeLines = (amount: number): Lines => [
    ['APPLE INC', 'COM', '037833100', String(amount * 130), String(amount)],
    ['KRAFT HEINZ CO', 'COM', '500754106', '40710', '1000'],
  ];
  const { ask } = await buildService(
    await writeMarketSource(
      [APPLE, KRAFT],
      quarters.map((quarter, index) => makeManagerReport(11, index + 1, quarter, makeLines((index + 1) * 1000))),
    ),
  );
  for (const [index, { period }] of quarters.entries()) {
    const { data, meta } = await ask(`/v1/holders/11?quarter=${period}`);
    expect(meta.quarter).toBe(period);
    expect(data).toMatchObject({ period, positions: 2, rows_total: 2, opened: index === 0 ? null : 0 });
    expect(data.quarters).toHaveLength(4);
    expect(data.rows.map((row: Record<string, unknown>) => [row.ticker, row.amount, row.prior_amount])).toEqual([
      ['AAPL', `${index + 1}000`, index === 0 ? null : `${index}000`],
      ['KHC', '1000', index === 0 ? null : '1000'],
    ]);
    const holders = (await ask(`/v1/securities/AAPL/holders?quarter=${period}`)).data;
    expect(holders).toMatchObject({
      ...{ period, holders: 1, amount_held: `${index + 1}000`, prior_amount_held: index === 0 ? null : `${index}000` },
      rows: [{ holder_cik: 11, prior_known: index > 0 }],
    });
  }
  const secondRow = (await ask('/v1/holders/11?quarter=2022-06-30&limit=1&offset=1')).data;
  expect([secondRow.rows.map((row: { ticker: string }) => row.ticker), secondRow.rows_total]).toEqual([['KHC'], 2]);
  expect((await ask('/v1/holders/11?quarter=2022-06-30&offset=2')).data.rows).toEqual([]);
  expect((await ask('/v1/holders/11')).meta).not.toHaveProperty('quarter');
  expect((await ask('/v1/holders/11?quarter=2021-12-31', 404)).detail).toContain('2022-03-31, 2022-06-30');
  expect((await ask('/v1/securities/AAPL/holders?quarter=2021-12-31', 404)).detail).toContain('from 2022-03-31 to');
  expect((await ask('/v1/holders/11?quarter=2022-06-15', 400)).detail).toContain('last day of a calendar quarter');
  expect((await ask('/v1/securities/AAPL/holders?quarter=2022-06-15', 400)).detail).toContain('last day of a');
});

test('a position in a listed company that is not in the release names no company', async () => {
  // Neither facts nor filings of Mastercard are available, but its CUSIP is in the fails-to-deliver file.
  const mastercard = { cik: 1141391, name: 'MASTERCARD INC', ticker: 'MA', facts: [] };
  const source = await writeMarketSource([APPLE, mastercard], [FOURTH_QUARTER_REPORT]);
  await makeZip(join(source, 'cnsfails202301b.zip'), {
    'cnsfails202301b.txt': FAILS_FILE_TEXT.replace('67066G104|NVDA|240|NVIDIA CORP', '57636Q104|MA|240|MASTERCARD INC'),
  });
  const { ask } = await buildService(source);
  await ask('/v1/securities/MA/profile', 404);
  const { data } = await ask('/v1/holders/1067983');
  expect(data.rows.find((row: { issuer: string }) => row.issuer === 'MASTERCARD INC')).toMatchObject({
    cik: null,
    entity_name: null,
    ticker: null,
  });
});

test('holders of two quarters with a split between them have its ratio, and amounts as filed', async () => {
  const makeReport = (period: string, filed: string, value: string, amount: string): TestReport => ({
    ...{ accession: `0000000009-21-00000${period.slice(6, 7)}`, filed, cik: 9, name: 'R', period },
    lines: [['NVIDIA CORP', 'COM', '67066G104', value, amount]],
  });
  const source = await writeMarketSource(
    [NVIDIA],
    [makeReport('2021-06-30', '2021-08-10', '8001', '10000'), makeReport('2021-09-30', '2021-11-10', '8286', '40000')],
  );
  const { ask } = await buildService(source);
  expect((await ask('/v1/securities/NVDA/holders')).data).toMatchObject({
    ...{ period: '2021-09-30', prior_period: '2021-06-30', split_ratio: '4' },
    ...{ amount_held: '40000', prior_amount_held: '10000', rows: [{ amount: '40000', prior_amount: '10000' }] },
  });
  expect((await ask('/v1/holders/9')).data.rows).toMatchObject([
    { amount: '40000', prior_amount: '10000', split_ratio: '4' },
  ]);
  expect((await marketService.ask('/v1/securities/AAPL/holders')).data).not.toHaveProperty('split_ratio');
});

test('a 13F report for a period that does not end with a quarter, and a 13F file that is too large, are skipped and counted', async () => {
  const source = await writeMarketSource(
    [APPLE],
    [THIRD_QUARTER_REPORT, { ...FOURTH_QUARTER_REPORT, period: '2022-12-30' }],
  );
  const largeFile = join(source, '13f-large.xml');
  writeFileSync(largeFile, '');
  truncateSync(largeFile, 128 * 1024 * 1024 + 1);
  const { ask, report } = await buildService(source);
  expect(report.skipped).toMatchObject({
    'a 13F file that cannot be read': 1,
    'a 13F report for a period that does not end with a quarter': 1,
  });
  expect(report.problems).toEqual(['13f-large.xml: it has 134217729 bytes, more than the allowed 134217728']);
  const { data } = await ask('/v1/holders/1067983');
  expect(data.quarters.map(({ period }: { period: string }) => period)).toEqual(['2022-09-30']);
});

test('a company that no 13F report lists has no holders; managers are found by words of their names, largest first', async () => {
  const { data } = await marketService.ask('/v1/securities/NVDA/holders');
  expect(data).toMatchObject({
    holders: 0,
    amount_held: '0',
    opened: null,
    prior_period: null,
    rows: [],
    rows_total: 0,
  });
  const allManagersResponse = await marketService.ask('/v1/holders');
  expect(allManagersResponse.data.map((hit: { cik: number }) => hit.cik)).toEqual([1067983, 1790837, 9]);
  expect(allManagersResponse.data[0]).toEqual({
    cik: 1067983,
    name: 'Berkshire Hathaway Inc',
    latest_period: '2022-12-31',
    latest_positions: 5,
    latest_value: '135041188074',
  });
  expect(
    (await marketService.ask('/v1/holders?query=street+bull')).data.map((hit: { cik: number }) => hit.cik),
  ).toEqual([1790837]);
  expect((await marketService.ask('/v1/holders?query=treet')).data).toEqual([]);
  expect((await marketService.ask('/v1/holders/4', 404)).detail).toContain('CIK 4');
});

const SEC_ATTRIBUTION = 'Prices derived from public data of the U.S. Securities and Exchange Commission';

test('prices in lists of fails to deliver are closing prices of the day before settlement; days without a price are not filled', async () => {
  const { data, meta } = await marketService.ask('/v1/securities/AAPL/prices?range=max');
  expect(data).toMatchObject({
    from: '2022-09-30',
    to: '2022-12-30',
    days: ['2022-09-30', '2022-11-30', '2022-12-01', '2022-12-30'],
    price: ['138.20', '148.03', '148.31', '129.93'],
    source: ['thirteen_f', 'fails', 'fails', 'fails'],
    latest: { symbol: 'AAPL', day: '2022-12-30', price: '129.93', prior_day: '2022-12-01', prior_price: '148.31' },
  });
  expect(data.marks).toEqual([
    { day: '2022-09-30', close: '138.20', source: 'thirteen_f', sample: 2, agreement: '1' },
    { day: '2022-12-30', close: '129.93', source: 'thirteen_f', sample: 2, agreement: '1' },
  ]);
  expect(meta.attribution.text).toBe(
    `${SEC_ATTRIBUTION}: fails-to-deliver data and institutional holdings of Form 13F.`,
  );
  const novemberPricesResponse = await marketService.ask('/v1/securities/AAPL/prices?from=2022-11-01&to=2022-12-01');
  expect(novemberPricesResponse.data.days).toEqual(['2022-11-30', '2022-12-01']);
  expect((await marketService.ask('/v1/securities/AAPL/prices?from=2023-01-02&to=2023-01-01', 400)).detail).toContain(
    '"from"',
  );
  await marketService.ask('/v1/securities/AAPL/prices?range=1y&from=2022-01-01', 400);
});

test("prices and share counts prove NVIDIA's four-for-one split in July 2021", async () => {
  const { data } = await marketService.ask('/v1/securities/NVDA/prices?range=max');
  expect(data.days).toEqual(['2021-06-09', '2021-07-19', '2021-07-20', '2022-12-02']);
  expect(data.price).toEqual(['694.33', '751.19', '186.12', '168.76']);
  // No price proves the date of the split in 2024, so the split is undated; all prices here are earlier than the split.
  expect(data.adj_price).toEqual(['17.35825', '18.77975', '18.612', '16.876']);
  const anyAccession = expect.stringMatching(/^\d{10}-\d{2}-\d{6}$/);
  expect(data.actions).toEqual([
    { ex_date: '2021-07-20', kind: 'split', source: 'fails', evidence: anyAccession, ratio: '4' },
  ]);
  expect(data.undated_splits).toEqual([
    { after: '2024-02-21', until: '2024-08-28', ratio: '10', evidence: anyAccession },
  ]);
  // Market caps before and after the split are similar, because shares increase from 623 million to 2.49 billion.
  expect(data.market_cap).toEqual(['432567590000', '467991370000', '463811040000', '415149600000']);
});

test('the profile has the last price with attribution, and the screener omits old prices', async () => {
  const { data, meta } = await marketService.ask('/v1/securities/AAPL/profile');
  expect(data.price).toMatchObject({ day: '2022-12-30', price: '129.93', source: 'fails', record_source: 'fails' });
  expect(meta.attribution.text).toContain(SEC_ATTRIBUTION);
  const screenResponse = await marketService.ask('/v1/screen?columns=price,pe,market_cap');
  expect(screenResponse.data.every((row: { price: unknown }) => row.price === null)).toBe(true);
  expect(screenResponse.meta.attribution.text).toContain('Form 13F');
  expect((await marketService.ask('/v1/screen?columns=revenue')).meta.attribution).toBeUndefined();
});

const VENUE_FILE_TEXT = `# attribution: Data provided for free by A Venue.
# url: https://venue.example/terms
day,symbol,last_sale,last_sale_at,official_close
2026-05-11,AAPL,290.00,2026-05-11T15:59:58-04:00,290.10
2026-05-12,AAPL,292.50,2026-05-12T15:59:59-04:00,
2026-05-12,NVDA,200.00,,
2026-05-12,NOBODY,1.00,,
2027-05-12,AAPL,1.00,,
`;

test('prices of a venue have its attribution and terms, and a recent price gives ratios', async () => {
  const source = await writeMarketSource([APPLE, NVIDIA, KRAFT], [FOURTH_QUARTER_REPORT]);
  writeFileSync(join(source, 'venue-2026.csv'), VENUE_FILE_TEXT);
  const { ask } = await buildService(source);
  const { data, meta } = await ask('/v1/securities/AAPL/prices?range=1m');
  expect([data.days, data.source]).toEqual([
    ['2026-05-11', '2026-05-12'],
    ['venue', 'venue'],
  ]);
  expect(data.latest).toMatchObject({
    price: '292.50',
    last_sale_at: '2026-05-12T15:59:59-04:00',
    record_close: '290.10',
    record_day: '2026-05-11',
    record_source: 'venue_official',
  });
  expect(meta.attribution).toEqual({ text: 'Data provided for free by A Venue.', url: 'https://venue.example/terms' });
  const { data: rows, meta: screenMeta } = await ask(
    '/v1/screen?where=pe:gt:0&columns=price,price_day,pe,market_cap,eps_diluted',
  );
  expect(rows).toMatchObject([
    { ticker: 'NVDA', price: '200.00', price_day: '2026-05-12', market_cap: '4860000000000' },
  ]);
  // Diluted earnings per share of fiscal 2024 are 1.19, restated for the split of that year.
  expect(rows[0].pe).toBe('168.0672268908');
  expect(screenMeta.attribution.text).toBe(
    `Data provided for free by A Venue. ${SEC_ATTRIBUTION}: fails-to-deliver data and institutional holdings of Form 13F.`,
  );
});

test('each price is attributed to its venue, and different prices of two venues are reported', async () => {
  const source = await writeMarketSource([APPLE, NVIDIA], []);
  writeFileSync(join(source, 'venue-1.csv'), VENUE_FILE_TEXT);
  const secondVenueLines = [
    '# attribution: Prices of B Venue.',
    '# url: https://b.example/terms',
    'day,symbol,last_sale,last_sale_at,official_close',
    '2026-05-11,AAPL,291.00,,',
    '2026-05-11,MSFT,1.00,,',
    '2026-05-11,NVDA,201.00,,',
  ];
  writeFileSync(join(source, 'venue-2.csv'), `${secondVenueLines.join('\n')}\n`);
  const { ask, report } = await buildService(source);
  const readAttribution = async (path: string) => (await ask(path)).meta.attribution.text;
  // Apple's second price of the day is not used, so its venue is not attributed.
  expect(await readAttribution('/v1/securities/AAPL/prices?range=1m')).toBe('Data provided for free by A Venue.');
  expect(await readAttribution('/v1/securities/NVDA/prices?from=2026-05-11&to=2026-05-11')).toBe(
    `Data provided for free by A Venue. Prices of B Venue. ${SEC_ATTRIBUTION}: fails-to-deliver data.`,
  );
  expect((await ask('/v1/securities/AAPL/prices?range=1m')).data.price).toEqual(['290.00', '292.50']);
  expect(report.checkResults.find(({ name }) => name === 'prices')?.detail).toContain(
    '1 price has two different values in one source, such as AAPL on 2026-05-11: 290.00 and 291.00 (of exchange prices, the first is used; of prices in fails-to-deliver data, neither)',
  );
});

test('without a readable source file, prices are empty and holders are 404; a broken file does not stop the build', async () => {
  const source = await writeSource([APPLE]);
  writeFileSync(join(source, 'venue.csv'), 'day,symbol\n');
  writeFileSync(join(source, 'cnsfails202301a.zip'), 'no zip');
  mkdirSync(join(source, '13f'));
  writeFileSync(join(source, '13f/infotable.xml'), '<informationTable><infoTable>');
  const { ask, report } = await buildService(source);
  expect(report.problems).toEqual([
    expect.stringMatching(/^cnsfails202301a\.zip: .*cannot be read as a zip file/),
    '13f/infotable.xml: 1:29: unclosed tag: infoTable',
    'venue.csv: a line "# attribution: …" is missing',
  ]);
  const { data, meta } = await ask('/v1/securities/AAPL/prices');
  expect([data.days, data.latest, meta.attribution]).toEqual([[], null, undefined]);
  expect((await ask('/v1/securities/AAPL/profile')).data.price).toBeNull();
  for (const target of ['/v1/securities/AAPL/holders', '/v1/holders']) {
    const problem = await ask(target, 404);
    expect(problem).toMatchObject({ code: 'not_found', detail: expect.stringContaining('not included') });
  }
});

testWithPublicFile(
  '13f.zip',
  "Berkshire's table is matched to its cover page by the stated totals, and to its accession number by the list of filings",
  async () => {
    const source = await writeSource([APPLE, KRAFT]);
    const archive = await openArchive(getPublicFilePath('13f.zip'));
    mkdirSync(join(source, '13f'));
    for (const name of [
      'berkshire_2022q3_primary_doc_x01.xml',
      'BRK_B_13f_ancient.xml',
      'baupost_2026q1_primary_doc.xml',
      'BRK_B_13f_modern.xml',
    ]) {
      writeFileSync(join(source, '13f', name), String(await archive.read(name)));
    }
    archive.close();
    copyFileSync(getPublicFilePath('submissions.zip'), join(source, 'submissions.zip'));
    const { ask, report } = await buildService(source);
    expect(report.problems).toEqual([
      '13f/BRK_B_13f_modern.xml: a 13F information table without a cover page',
      '13f/baupost 2026q1: a 13F report whose accession number is unknown',
    ]);
    const { data } = await ask('/v1/holders/1067983?limit=1');
    expect(data).toMatchObject({
      accession_number: '0000950123-22-012275',
      filed_at: '2022-11-14',
      positions: 49,
      value_total: '296096640000',
      rows: [{ ticker: 'AAPL', amount: '894802319', value: '123661679000' }],
    });
  },
);

/** A company with 100 million shares, of which a cover of February 2025 states the number. */
const WIDGETS: SourceCompany = {
  cik: 9400005,
  name: 'WIDGETS INC',
  ticker: 'WIDG',
  facts: parseFacts(`
us-gaap Revenues USD 2024-01-01 2024-12-31 1000000 0009400005-25-000001 10-K 2025-02-20 2024 FY CY2024
us-gaap Assets USD - 2024-12-31 5000000 0009400005-25-000001 10-K 2025-02-20 2024 FY CY2024Q4I
dei EntityCommonStockSharesOutstanding shares - 2025-02-14 100000000 0009400005-25-000001 10-K 2025-02-20 2024 FY CY2025Q1I
us-gaap Assets USD - 2025-06-30 5000000 0009400005-25-000003 10-Q 2025-08-01 2025 Q2 CY2025Q2I
`),
};
const OLD_CUSIP = '94040W105';
const NEW_CUSIP = '94040W204';
/** A later cover, after a reverse split of one for ten. */
const LATER_COVER = parseFacts(`
dei EntityCommonStockSharesOutstanding shares - 2025-04-30 10000000 0009400005-25-000002 10-Q 2025-05-10 2025 Q1 CY2025Q2I
us-gaap Assets USD - 2025-03-31 5000000 0009400005-25-000002 10-Q 2025-05-10 2025 Q1 CY2025Q1I
`);

async function askForWidgets(rows: readonly (readonly [day: string, cusip: string, price: string])[], later = false) {
  const facts = later ? [...WIDGETS.facts, ...LATER_COVER] : WIDGETS.facts;
  const source = await writeSource([{ ...WIDGETS, facts }]);
  const lines = rows.map(([day, cusip, price]) => `${day}|${cusip}|WIDG|100|WIDGETS INC COM|${price}`);
  const header = 'SETTLEMENT DATE|CUSIP|SYMBOL|QUANTITY (FAILS)|DESCRIPTION|PRICE';
  writeFileSync(join(source, 'cnsfails202503a.txt'), `${[header, ...lines].join('\n')}\n`);
  const { ask } = await buildService(source);
  const { data } = await ask('/v1/securities/WIDG/prices?range=max');
  const screen = await ask('/v1/screen?columns=price,market_cap');
  return {
    caps: data.days.map((day: string, index: number) => [day, data.price[index], data.market_cap[index]]),
    latest: data.latest?.market_cap,
    screened: screen.data[0]?.market_cap,
  };
}

test('after a new CUSIP whose price is ten times as high, an older count of shares gives no market cap', async () => {
  const { caps, latest, screened } = await askForWidgets([
    ['20250304', OLD_CUSIP, '0.50'],
    ['20250306', OLD_CUSIP, '0.51'],
    // The price of the first row is the close of the day before, which is still a price of the old shares.
    ['20250310', NEW_CUSIP, '0.50'],
    ['20250311', NEW_CUSIP, '5.02'],
    ['20250312', NEW_CUSIP, '5.05'],
  ]);
  expect(caps).toEqual([
    ['2025-03-03', '0.50', '50000000'],
    ['2025-03-05', '0.51', '51000000'],
    ['2025-03-07', '0.50', '50000000'],
    ['2025-03-10', '5.02', null],
    ['2025-03-11', '5.05', null],
  ]);
  expect([latest, screened]).toEqual([null, null]);
});

test('a new CUSIP on the next day whose price is a quarter of the old one gives no market cap', async () => {
  const { caps } = await askForWidgets([
    ['20250306', OLD_CUSIP, '20.40'],
    ['20250307', OLD_CUSIP, '20.30'],
    ['20250310', NEW_CUSIP, '5.05'],
    ['20250311', NEW_CUSIP, '5.02'],
  ]);
  expect(caps.map(([, , cap]: readonly string[]) => cap)).toEqual(['2040000000', '2030000000', null, null]);
});

test('a new CUSIP that files state for a few days while they still state the old one is a change', async () => {
  const { caps, latest } = await askForWidgets([
    ['20250306', OLD_CUSIP, '0.51'],
    ['20250310', OLD_CUSIP, '0.51'],
    ['20250312', NEW_CUSIP, '5.05'],
    ['20250313', OLD_CUSIP, '0.51'],
    ['20250314', OLD_CUSIP, '0.51'],
  ]);
  expect(caps.at(-1)).toEqual(['2025-03-11', '5.05', null]);
  expect(latest).toBeNull();
});

test('a count of shares after the change of the CUSIP gives a market cap again', async () => {
  const { latest, screened } = await askForWidgets(
    [
      ['20250306', OLD_CUSIP, '0.51'],
      ['20250312', NEW_CUSIP, '5.05'],
      ['20250516', NEW_CUSIP, '5.10'],
    ],
    true,
  );
  expect([latest, screened]).toEqual(['51000000', '51000000']);
});

test('a price of the old CUSIP after its change is no price of the share', async () => {
  const { caps } = await askForWidgets([
    ['20250306', OLD_CUSIP, '0.51'],
    ['20250312', NEW_CUSIP, '5.05'],
    ['20250314', OLD_CUSIP, '0.51'],
    ['20250318', NEW_CUSIP, '5.06'],
  ]);
  expect(caps).toEqual([
    ['2025-03-05', '0.51', '51000000'],
    ['2025-03-11', '5.05', null],
    ['2025-03-17', '5.06', null],
  ]);
});

test('a new CUSIP with equal prices, as of a new domicile, does not change the market cap', async () => {
  const { latest, screened } = await askForWidgets([
    ['20250306', OLD_CUSIP, '0.51'],
    ['20250310', NEW_CUSIP, '0.50'],
    ['20250312', NEW_CUSIP, '0.52'],
  ]);
  expect([latest, screened]).toEqual(['52000000', '52000000']);
});

test('a new CUSIP without a price of the old one gives no market cap, because nothing proves equal shares', async () => {
  const source = await writeSource([WIDGETS]);
  const holding = (period: string, filed: string, cusip: string, serial: number): TestReport => ({
    ...{ accession: `0000000011-25-00000${serial}`, cik: 11, name: 'Manager 11', period, filed },
    lines: [['WIDGETS INC', 'COM', cusip, '500000', '100000']],
  });
  await makeZip(
    join(source, '2025q2_form13f.zip'),
    makeDataSet([
      holding('2024-12-31', '2025-02-10', OLD_CUSIP, 1),
      {
        ...holding('2025-03-31', '2025-05-10', NEW_CUSIP, 2),
        lines: [['WIDGETS INC', 'COM', NEW_CUSIP, '505000', '100000']],
      },
    ]),
  );
  writeFileSync(
    join(source, 'cnsfails202503b.txt'),
    `SETTLEMENT DATE|CUSIP|SYMBOL|QUANTITY (FAILS)|DESCRIPTION|PRICE\n20250401|${NEW_CUSIP}|WIDG|100|WIDGETS INC COM|5.05\n`,
  );
  const { ask } = await buildService(source);
  expect((await ask('/v1/securities/WIDG/prices?range=max')).data.latest).toMatchObject({
    ...{ day: '2025-03-31', price: '5.05', market_cap: null, shares: null },
  });
});
