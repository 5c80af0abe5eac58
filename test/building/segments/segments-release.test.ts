/** Tests answers about a release of Apple, Adobe, IBM, Netflix and Mastercard, built from their public files. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TSchema } from 'typebox';
import Compile from 'typebox/compile';
import { afterAll, beforeAll, expect } from 'vitest';
import { type BuildReport, buildRelease } from '../../../src/building/build.ts';
import { FactLocation } from '../../../src/contract/resources/metrics.ts';
import { Segments } from '../../../src/contract/resources/segments.ts';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { createService } from '../../../src/service/responses/service.ts';
import { openRelease } from '../../../src/store/reader.ts';
import { getExcerptPath, getPublicFilePath, testWithPublicFile } from '../../public-files.ts';

const APPLE_CIK = '0000320193';
const CIKS = [APPLE_CIK, '0000796343', '0000051143', '0001065280', '0001141391'];
const FILING_FOLDER = '000032019325000057';
const REPORT_FILE_NAMES = [
  'aapl-10-q-2025-08-01.html',
  'apple_20240928_10k.html',
  'ibm-10-k-2025-02-25.html',
  'nflx-10-k-2025-01-27.html',
  'ma-10-k-2025-02-12.html',
  // The filing of Tesla's report is unknown: the source files lack Tesla's company facts and list of filings.
  'tsla-10-k-2025-04-30.html',
];

interface BuiltRelease {
  readonly folder: string;
  readonly report: BuildReport;
  ask(target: string): Promise<{ status: number; data: never; meta: Record<string, unknown> }>;
}

let builtReleasePromise: Promise<BuiltRelease> | undefined;
const getRelease = () => {
  builtReleasePromise ??= build();
  return builtReleasePromise;
};
beforeAll(async () => {
  if (existsSync(getPublicFilePath('instances.zip'))) await getRelease();
}, 120_000);
afterAll(async () => {
  if (builtReleasePromise !== undefined) await rm((await builtReleasePromise).folder, { recursive: true, force: true });
});

async function extractMembers(
  zip: string,
  members: readonly (readonly [from: string, to: string])[],
  directory: string,
) {
  const archive = await openArchive(getPublicFilePath(zip), undefined, 'path');
  for (const [from, to] of members) {
    if (!archive.has(from)) continue;
    const bytes = await archive.read(from);
    await mkdir(dirname(join(directory, to)), { recursive: true });
    await writeFile(join(directory, to), bytes);
  }
  archive.close();
}

async function build(): Promise<BuiltRelease> {
  const folder = await mkdtemp(join(tmpdir(), 'fin-segments-'));
  const source = join(folder, 'files');
  await mkdir(join(source, 'datasets'), { recursive: true });
  const fileNames = CIKS.map((cik) => `CIK${cik}.json`);
  await extractMembers(
    'companyfacts.zip',
    fileNames.map((name) => [name, `companyfacts/${name}`]),
    source,
  );
  await extractMembers(
    'submissions.zip',
    fileNames.map((name) => [name, `submissions/${name}`]),
    source,
  );
  const cikAndTickerByKey = {
    '0': [796343, 'ADBE'],
    '1': [51143, 'IBM'],
    '2': [1065280, 'NFLX'],
    '3': [320193, 'AAPL'],
    '4': [1141391, 'MA'],
  };
  const tickerEntries = Object.entries(cikAndTickerByKey).map(([key, [cik, ticker]]) => [
    key,
    { cik_str: cik, ticker, title: ticker },
  ]);
  await writeFile(join(source, 'company_tickers.json'), JSON.stringify(Object.fromEntries(tickerEntries)));
  await extractMembers(
    'instances.zip',
    REPORT_FILE_NAMES.map((name) => [name, `instances/${name}`]),
    source,
  );
  await extractMembers(
    'filings.zip',
    [
      'aapl-20250329.htm',
      'aapl-20250329_htm.xml',
      'aapl-20250329_lab.xml',
      'aapl-20250329_cal.xml',
      'a10-qexhibit31103292025.htm',
    ].map((name) => [`${FILING_FOLDER}/${name}`, `filings/${FILING_FOLDER}/${name}`]),
    source,
  );
  await writeFile(
    join(source, 'instances', 'broken.xml'),
    '<xbrl xmlns="http://www.xbrl.org/2003/instance"><context id="c"><entity><identifier scheme="http://www.sec.gov/CIK">51143</identifier></c>',
  );
  // The whole data set has hundreds of companies.
  await copyFile(getExcerptPath('datasets/2010q2_financial-statements.zip'), join(source, 'datasets', '2010q2.zip'));
  const report = await buildRelease({ sourceDirectory: source, home: join(folder, 'releases'), workerScript: null });
  const reader = openRelease(report.directory ?? '');
  const service = createService({ release: async () => reader });
  const ask: BuiltRelease['ask'] = async (target) => {
    const { status, body } = await service({ method: 'GET', target, headers: {}, id: 'r-0', baseUrl: 'local:' });
    return { status, ...JSON.parse(body.join('')) };
  };
  return { folder, report, ask };
}

/** Returns the schema with every object closed, so that fields outside the contract are rejected. */
function forbidExtraProperties(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forbidExtraProperties);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closedSchema = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, forbidExtraProperties(value)]),
  );
  return closedSchema.type === 'object' ? { ...closedSchema, additionalProperties: false } : closedSchema;
}
const compileStrictly = (schema: TSchema) => Compile(forbidExtraProperties(schema) as TSchema);

async function readSegments(ticker: string, period: string): Promise<Segments> {
  const { ask } = await getRelease();
  const { status, data, meta } = await ask(`/v1/securities/${ticker}/segments?period=${period}`);
  expect(status).toBe(200);
  expect(meta).toMatchObject({ ticker, period });
  expect([...compileStrictly(Segments).Errors(data)]).toEqual([]);
  return data;
}

function findMeasure(data: Segments, axis: string, name: string) {
  const axisMeasure = data.axes.find((entry) => entry.axis === axis)?.measures.find((entry) => entry.measure === name);
  if (axisMeasure === undefined) throw new Error(`the answer has no ${name} by ${axis}`);
  return axisMeasure;
}

const sumMembers = ({ members }: ReturnType<typeof findMeasure>, period: number) =>
  members
    .filter(({ parent, role }) => parent === undefined && role !== 'not_added')
    .reduce((sum, { values }) => sum + BigInt(values[period] ?? '0'), 0n)
    .toString();

testWithPublicFile('instances.zip', 'the release passes its checks, and skipped reports are counted', async () => {
  const { report } = await getRelease();
  expect(report.checks).toBe('passed');
  expect(report.checkResults.find(({ name }) => name === 'segments')?.detail).toContain(
    '0 exceed total revenue by more than half',
  );
  expect(report.rows).toMatchObject({ tagged_reports: 21 });
  const sourceNames = openRelease(report.directory ?? '').manifest.sources.map(({ name }) => name);
  expect(sourceNames).toEqual(
    expect.arrayContaining([
      'datasets/2010q2.zip',
      'instances/ma-10-k-2025-02-12.html',
      `filings/${FILING_FOLDER}/aapl-20250329.htm`,
    ]),
  );
  expect(sourceNames.some((name) => /exhibit|_cal\.xml/.test(name))).toBe(false);
  expect(report.skipped['a report that cannot be read']).toBe(1);
  expect(report.skipped['a report of an unknown filing']).toBe(1);
  // Every company of the data set is in the release.
  expect(report.skipped['a report of a company that is not in the release (2010q2.zip)']).toBeUndefined();
});

testWithPublicFile(
  'instances.zip',
  "Apple's annual revenues by segment, region and product each add up to total revenue, with labels from its report",
  async () => {
    const appleSegments = await readSegments('AAPL', 'annual');
    expect(appleSegments.documents).toBe(4);
    // Apple's list of filings is in New York time: 6:01 in the morning of 1 August 2025.
    expect(appleSegments.updated_at).toMatch(/^2025-08-01T06:0\d:\d\d-04:00$/);
    expect(appleSegments.axes.map(({ axis }) => axis)).toEqual(['segment', 'geography', 'product']);
    for (const axis of ['segment', 'geography', 'product']) {
      const revenueMeasure = findMeasure(appleSegments, axis, 'revenue');
      expect(revenueMeasure.totals).toEqual(['391035000000', '383285000000', '394328000000']);
      expect(revenueMeasure.totals.map((_, index) => sumMembers(revenueMeasure, index))).toEqual(revenueMeasure.totals);
      expect(revenueMeasure.concept).toBe('us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax');
    }
    expect(findMeasure(appleSegments, 'product', 'revenue').members.map(({ label }) => label)).toContain('iPhone');
    expect(findMeasure(appleSegments, 'segment', 'revenue').periods[0]).toEqual({
      fiscal_year: 2024,
      fiscal_period: 'FY',
      end_date: '2024-09-28',
      accession_number: '0000320193-24-000123',
      form: '10-K',
      filed_at: '2024-11-01',
    });
  },
);

testWithPublicFile(
  'instances.zip',
  "Apple's fourth quarter of 2024 is marked as derived, and the other quarters are as filed",
  async () => {
    const revenue = findMeasure(await readSegments('AAPL', 'quarterly'), 'segment', 'revenue');
    const quarterLabels = revenue.periods.map(({ fiscal_year, fiscal_period, derived = false }) => [
      fiscal_year,
      fiscal_period,
      derived,
    ]);
    expect(quarterLabels).toEqual([
      [2025, 'Q3', false],
      [2025, 'Q2', false],
      [2024, 'Q4', true],
      [2024, 'Q3', false],
      [2024, 'Q2', false],
    ]);
    expect(revenue.totals[2]).toBe('94930000000');
    expect(sumMembers(revenue, 2)).toBe('94930000000');
    expect(revenue.members.find(({ member }) => member === 'aapl:AmericasSegmentMember')?.values[2]).toBe(
      '41664000000',
    );
  },
);

testWithPublicFile(
  'instances.zip',
  'breakdowns from a data set with rounded dates have exact period ends',
  async () => {
    const profitMeasure = findMeasure(await readSegments('ADBE', 'quarterly'), 'segment', 'gross_profit');
    expect(profitMeasure.periods.map(({ end_date }) => end_date)).toEqual(['2010-03-05', '2009-02-27']);
    expect(profitMeasure.members.find(({ member }) => member === 'CreativeSolutions')?.values).toEqual([
      '409188000',
      '417978000',
    ]);
  },
);

testWithPublicFile(
  'instances.zip',
  'a company whose reports have no breakdowns has no segments, but the reports are counted',
  async () => {
    expect(await readSegments('IBM', 'annual')).toMatchObject({ axes: [], documents: 2 });
  },
);

async function readLineage(ticker: string, metric: string, extraQuery = '') {
  const { ask } = await getRelease();
  const { data } = await ask(`/v1/securities/${ticker}/metrics/${metric}/lineage?limit=500${extraQuery}`);
  const rows = data as {
    accession_number: string;
    end_date: string;
    period_kind: string;
    location?: FactLocation;
  }[];
  const locationValidator = compileStrictly(FactLocation);
  for (const row of rows)
    if (row.location !== undefined) expect([...locationValidator.Errors(row.location)]).toEqual([]);
  return rows;
}

testWithPublicFile('instances.zip', 'lineage has the document and the id of the line that shows the fact', async () => {
  const shareCountRows = await readLineage('AAPL', 'common_shares_outstanding');
  expect(shareCountRows.find((row) => row.accession_number === '0000320193-24-000123')?.location).toEqual({
    match_quality: 'unique',
    concept: 'dei:EntityCommonStockSharesOutstanding',
    context: 'c-12',
    document: 'aapl-20240928.htm',
    line_id: 'f-54',
  });
  const revenue = await readLineage('AAPL', 'revenue');
  const quarterRow = revenue.find(
    (row) => row.accession_number === '0000320193-25-000073' && row.end_date === '2025-06-28',
  );
  expect(quarterRow?.location).toMatchObject({ match_quality: 'ambiguous', document: 'aapl-20250628.htm' });
  expect(revenue.some((row) => row.location === undefined)).toBe(true);
});

testWithPublicFile(
  'instances.zip',
  "lineage does not locate IBM's figures, which are in an exhibit of its report",
  async () => {
    const rows = await readLineage('IBM', 'revenue', '&as_of=2025-03-01');
    const annualRow = rows.find(
      (row) => row.accession_number === '0000051143-25-000015' && row.end_date === '2024-12-31',
    );
    expect(annualRow?.location).toMatchObject({ match_quality: 'none', context: null, line_id: null });
  },
);

testWithPublicFile('instances.zip', "Mastercard's share count is the sum of the classes on its cover", async () => {
  const { ask } = await getRelease();
  const { data } = await ask('/v1/securities/MA/metrics?keys=common_shares_outstanding&period=all');
  const shareCounts = data as { value: string; end_date: string; read_from: { accession_number: string } }[];
  // The sum of 904,889,521 shares of class A and 6,818,985 of class B.
  expect(shareCounts.find(({ end_date }) => end_date === '2025-02-07')).toMatchObject({
    value: '911708506',
    read_from: { accession_number: '0001141391-25-000011', form: '10-K' },
  });
});

testWithPublicFile(
  'instances.zip',
  'a search finds a company by a product in its reports, unless the word is common',
  async () => {
    const { ask } = await getRelease();
    const searchCompanies = async (query: string) => {
      const { data } = await ask(`/v1/securities?query=${encodeURIComponent(query)}`);
      return (data as { ticker: string; brand?: string }[]).map(({ ticker, brand }) => [ticker, brand]);
    };
    expect(await searchCompanies('iphone')).toEqual([['AAPL', 'iPhone']]);
    expect(await searchCompanies('IPHO')).toEqual([['AAPL', 'iPhone']]);
    expect(await searchCompanies('home wearables')).toEqual([['AAPL', 'Wearables, Home and Accessories']]);
    // A match by name or ticker does not name a product.
    expect(await searchCompanies('apple')).toEqual([['AAPL', undefined]]);
    for (const query of ['americas', 'products', 'service', 'other', 'china', 'ip', 'iphonex', 'iphone mac']) {
      const tickers = (await searchCompanies(query)).map(([ticker]) => ticker);
      expect([query, tickers.includes('AAPL')]).toEqual([query, false]);
    }
  },
);
