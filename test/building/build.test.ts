import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { beforeAll, expect, test } from 'vitest';
import { type BuildReport, buildRelease } from '../../src/building/build.ts';
import { deriveCompanyFigures } from '../../src/figures/company.ts';
import { selectFigures } from '../../src/figures/figure-values.ts';
import { toResponseFigure } from '../../src/figures/response-figure.ts';
import type { ReportedValue } from '../../src/figures/revisions/revision-chain.ts';
import { openRelease } from '../../src/store/reader.ts';
import { listStamps, makeReleaseCurrent } from '../../src/store/releases/home.ts';
import { readManifest } from '../../src/store/releases/manifest.ts';
import type { Table } from '../../src/store/schema/declare-table.ts';
import { EVIDENCE, LATEST_FIGURES, REPORTED_VALUES } from '../../src/store/schema/reported-values.ts';
import { makeZip } from '../edgar/make-zip.ts';
import { testNeeding } from '../needs.ts';
import { bundleInto } from '../store/bundled.ts';
import {
  makeCikFileName,
  makeFactsJson,
  makeFolder,
  makeSubmissionsJson,
  readSourceCompany,
  type SourceCompany,
  writeSource,
} from '../store/public-source.ts';

const execFileAsync = promisify(execFile);

const APPLE = readSourceCompany('aapl');
const NVIDIA = readSourceCompany('nvda');
const KRAFT = readSourceCompany('khc');
const OTHER_COMPANIES = [
  readSourceCompany('cost'),
  readSourceCompany('jnj'),
  readSourceCompany('jpm'),
  readSourceCompany('msft'),
  readSourceCompany('pg'),
  readSourceCompany('tgt'),
  readSourceCompany('wmt'),
];
const ALL_COMPANIES = [APPLE, NVIDIA, KRAFT, ...OTHER_COMPANIES];

let bundleDirectory = '';
let sourceDirectory = '';
/** The result of a build of `sourceDirectory`, shared by tests that only read the release. */
let buildResult: BuildReport;
let sharedReleasesDirectory = '';

beforeAll(async () => {
  bundleDirectory = await makeFolder('bundles');
  await bundleInto(
    bundleDirectory,
    'src/building/workers/build-worker.ts',
    'test/building/build-process.ts',
    'test/store/reader-process.ts',
  );
  sourceDirectory = await writeSource(ALL_COMPANIES);
  sharedReleasesDirectory = await makeFolder('home');
  buildResult = await build(sourceDirectory, sharedReleasesDirectory, { about: 'Ten companies.' });
});

/** Builds a release in this thread. */
const build = (source: string, home: string, overrides: Partial<Parameters<typeof buildRelease>[0]> = {}) =>
  buildRelease({ sourceDirectory: source, home, workerScript: null, ...overrides });

/** Returns the names in a directory of releases, including hidden ones. */
const listEntries = (home: string) => readdirSync(home).sort();

test('a release returns every digit of the values derived from its sources', async () => {
  expect(buildResult).toMatchObject({ publication: 'published', checks: 'passed', companies: 10, date: '2026-05-12' });
  const release = openRelease(buildResult.directory ?? '');
  expect(release.manifest.about).toBe('Ten companies.');
  for (const { cik, facts, name, ticker } of ALL_COMPANIES) {
    const figures = deriveCompanyFigures(facts, [], { releaseDate: buildResult.date });
    const storedValues = await release.reportedValues(cik);
    expect(storedValues.length).toBeGreaterThan(0);
    expect(storedValues.map(clearCikAndFiscalFields)).toEqual(figures.reportedValues.map(clearCikAndFiscalFields));
    const latestFigures = selectFigures(storedValues, { period: 'latest' }).currentFigures.map((figure) => ({
      cik,
      ...toResponseFigure(figure, null),
    }));
    expect(latestFigures.length).toBeGreaterThan(0);
    const storedLatestRows = await release.rowsOf(LATEST_FIGURES, cik);
    expect(storedLatestRows.map((row) => copyRow(LATEST_FIGURES, row))).toEqual(latestFigures);
    expect(await release.rawConcepts(cik)).toHaveLength(figures.rawConcepts.length);
    expect(await release.company(cik)).toMatchObject({ cik, entityName: name, rawFactCount: facts.length });
    expect((await release.securities()).find((security) => security.ticker === ticker)).toMatchObject({
      cik,
      isPrimary: true,
      exchange: 'NYSE',
    });
  }
  expect(await release.reportedValues(7)).toEqual([]);
  expect(await release.company(7)).toBeNull();
  await release.close();
});

test("facts filed after the last filing in the lists set the release's date and are all included", async () => {
  const filingDates = APPLE.facts.map(({ filed }) => filed).sort();
  const folder = await makeFolder('source');
  await makeZip(join(folder, 'companyfacts.zip'), { [makeCikFileName(APPLE.cik)]: makeFactsJson(APPLE) });
  const companyWithOlderFilings = {
    ...APPLE,
    facts: APPLE.facts.filter(({ filed }) => filed < (filingDates[filingDates.length >> 1] ?? '')),
  };
  await makeZip(join(folder, 'submissions.zip'), {
    [makeCikFileName(APPLE.cik)]: makeSubmissionsJson(companyWithOlderFilings),
  });
  const home = await makeFolder('home');
  const phases: string[] = [];
  const report = await build(folder, home, { onProgress: ({ phase }) => phases.push(phase), publishFailed: true });
  expect(report).toMatchObject({ date: filingDates.at(-1), factRows: APPLE.facts.length });
  expect(report.skipped).not.toHaveProperty('a fact filed after the date of the release');
  expect(phases.filter((phase) => phase === 'dating')).toHaveLength(2);
  expect(listEntries(home)).toEqual([report.stamp, 'current'].sort());
});

test('tables without any source file are missing in the release, not empty', async () => {
  const home = await makeFolder('home');
  const { directory } = await build(await writeSource([APPLE]), home);
  const { tables } = openRelease(directory ?? '').manifest;
  expect(Object.keys(tables)).toContain('filings');
  const optionalTablePattern = /^(?:insider_|price|holder_|security_holders|segments|tagged_reports|fact_locations)/;
  expect(Object.keys(tables).filter((name) => optionalTablePattern.test(name))).toEqual([]);
  expect(readdirSync(directory ?? '').filter((name) => optionalTablePattern.test(name))).toEqual([]);
});

/**
 * Sets the CIK and the fiscal labels to null: values derived without a list of filings have other labels than in a
 * release.
 */
function clearCikAndFiscalFields(row: ReportedValue): object {
  return { ...copyRow(REPORTED_VALUES, row), cik: null, fiscalYear: null, fiscalPeriod: null };
}

/** Copies a row of a release, which is a view of its columns, to a plain object. */
function copyRow({ columns }: Table, row: object): object {
  return Object.fromEntries(columns.map(({ field }) => [field, (row as Readonly<Record<string, unknown>>)[field]]));
}

test('reading one metric returns the values of that metric only', async () => {
  const release = openRelease(buildResult.directory ?? '');
  const allValues = await release.reportedValues(APPLE.cik);
  const requestedValues = await release.reportedValues(APPLE.cik, ['revenue']);
  const revenueValues = allValues.filter(({ metricKey }) => metricKey === 'revenue');
  expect(requestedValues.map(clearCikAndFiscalFields)).toEqual(revenueValues.map(clearCikAndFiscalFields));
  expect(requestedValues.length).toBeGreaterThan(0);
  expect(requestedValues.length).toBeLessThan(allValues.length);
  await release.close();
});

test('the screen returns the requested columns, with rows sorted by ticker', async () => {
  const release = openRelease(buildResult.directory ?? '');
  const { length, columns } = await release.screen(['ticker', 'revenue', 'fiscal_year', 'price']);
  expect(Object.keys(columns)).toEqual(['ticker', 'revenue', 'fiscal_year', 'price']);
  expect(columns.ticker).toEqual([...(columns.ticker ?? [])].sort());
  expect(columns.ticker).toHaveLength(length);
  expect(columns.price?.every((price) => price === null)).toBe(true);
  const appleIndex = columns.ticker?.indexOf('AAPL') ?? -1;
  expect(columns.revenue?.[appleIndex]).toMatch(/^\d+$/);
  await release.close();
});

test('another Parquet library reads the same values from a table', async () => {
  const release = openRelease(buildResult.directory ?? '');
  const file = await asyncBufferFromFile(join(buildResult.directory ?? '', 'reported_values.parquet'));
  const parquetRows = await parquetReadObjects({ file, compressors: { GZIP: (bytes) => gunzipSync(bytes) } });
  expect(parquetRows).toHaveLength(release.manifest.tables.reported_values?.rows ?? -1);
  const appleRows = parquetRows.filter((row) => row.cik === APPLE.cik);
  const releaseRows = await release.reportedValues(APPLE.cik);
  expect(
    appleRows.map((row) => [row.metric_key, row.end_date, row.value, row.accession_number, row.frame ?? null]),
  ).toEqual(releaseRows.map((row) => [row.metricKey, row.end, row.value, row.accession, row.frame]));
  await release.close();
});

test('the same files give the same stamp, whatever the date and number of threads, zipped or not', async () => {
  const laterBuild = await build(sourceDirectory, sharedReleasesDirectory, {
    currentTime: () => new Date('2031-01-01T00:00:00Z'),
  });
  expect(laterBuild).toMatchObject({ stamp: buildResult.stamp, publication: 'already_there' });
  expect(listEntries(sharedReleasesDirectory)).toEqual([buildResult.stamp, 'current'].sort());
  const unzippedSource = await writeSource(ALL_COMPANIES);
  mkdirSync(join(unzippedSource, 'companyfacts'));
  for (const company of ALL_COMPANIES)
    writeFileSync(join(unzippedSource, 'companyfacts', makeCikFileName(company.cik)), makeFactsJson(company));
  await makeZip(join(unzippedSource, 'companyfacts.zip'), {});
  expect((await build(unzippedSource, await makeFolder('home'))).stamp).toBe(buildResult.stamp);
  const threadedBuild = await buildRelease({
    sourceDirectory,
    home: await makeFolder('home'),
    workerCount: 3,
    workerScript: join(bundleDirectory, 'building-workers-build-worker.cjs'),
  });
  expect(threadedBuild.stamp).toBe(buildResult.stamp);
});

test('one changed digit changes the stamp', async () => {
  const [firstFact] = APPLE.facts;
  if (firstFact === undefined) throw new Error('no facts');
  const changedCompany: SourceCompany = {
    ...APPLE,
    facts: [{ ...firstFact, value: `${firstFact.value}1` }, ...APPLE.facts.slice(1)],
  };
  const originalBuild = await build(await writeSource([APPLE]), await makeFolder('home'));
  const changedBuild = await build(await writeSource([changedCompany]), await makeFolder('home'));
  expect(changedBuild.stamp).not.toBe(originalBuild.stamp);
  expect(changedBuild.date).toBe(originalBuild.date);
});

test.each(['deriving', 'finishing'])(
  'a build killed while %s leaves only hidden files, which the next build removes',
  async (phase) => {
    const home = await makeFolder('home');
    const builderScript = join(bundleDirectory, 'build-process.cjs');
    const source = await writeSource([APPLE, NVIDIA]);
    await expect(execFileAsync(process.execPath, [builderScript, source, home, phase])).rejects.toMatchObject({
      signal: 'SIGKILL',
    });
    expect(listStamps(home)).toEqual([]);
    expect(listEntries(home)).toEqual([expect.stringMatching(/^\.building-/)]);
    const { stdout } = await execFileAsync(process.execPath, [builderScript, source, home]);
    const [stamp = ''] = stdout.split(' ');
    expect(listEntries(home)).toEqual([stamp, 'current'].sort());
  },
);

test('a build does not remove the files of another running build', async () => {
  const home = await makeFolder('home');
  const source = await writeSource([APPLE]);
  const { stamp } = await build(source, home, {
    // Creates a directory like that of another build: its name has the ID of a running process.
    onProgress: ({ phase }) => {
      if (phase === 'finishing') mkdirSync(join(home, `.building-foreign-${process.pid}-x`), { recursive: true });
    },
  });
  const otherBuildDirectory = readdirSync(home).find((entry) => entry.startsWith('.building-')) ?? '';
  expect(otherBuildDirectory).toContain('foreign');
  await build(source, home);
  expect(existsSync(join(home, otherBuildDirectory))).toBe(true);
  expect(listStamps(home)).toEqual([stamp]);
});

test('a reader always finds a complete release, even while releases are built or the current release changes', async () => {
  const dataDirectory = await makeFolder('data');
  const home = join(dataDirectory, 'releases');
  const firstBuild = await build(sourceDirectory, home);
  const smallerSource = await writeSource([APPLE, NVIDIA]);
  const readerProcess = spawn(process.execPath, [join(bundleDirectory, 'reader-process.cjs'), dataDirectory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let readerOutput = '';
  readerProcess.stdout.on('data', (chunk) => {
    readerOutput += chunk;
  });
  const exitCodePromise = new Promise<number | null>((resolve) => readerProcess.on('close', resolve));
  const secondBuild = await build(smallerSource, home, { allowLoss: true });
  for (let round = 0; round < 4; round += 1) {
    await makeReleaseCurrent(home, round % 2 === 0 ? firstBuild.stamp : secondBuild.stamp);
    await build(smallerSource, home, { allowLoss: true });
  }
  readerProcess.stdin.end();
  expect(await exitCodePromise).toBe(0);
  const { readings, stamps } = JSON.parse(readerOutput);
  expect(readings).toBeGreaterThan(8);
  expect(new Set(stamps)).toEqual(new Set([firstBuild.stamp, secondBuild.stamp]));
});

test('a cancelled build fails with the reason of the cancellation and leaves no files', async () => {
  for (const workerScript of [null, join(bundleDirectory, 'building-workers-build-worker.cjs')]) {
    const home = await makeFolder('home');
    const controller = new AbortController();
    const pendingBuild = build(sourceDirectory, home, {
      workerScript,
      signal: controller.signal,
      onProgress: ({ phase }) => {
        if (phase === 'deriving') controller.abort(new Error('enough'));
      },
    });
    await expect(pendingBuild).rejects.toThrow('enough');
    expect(listEntries(home)).toEqual([]);
  }
});

test.each([
  ['removed', (path: string) => rmSync(path)],
  ['changed', (path: string) => writeFileSync(path, makeFactsJson(APPLE))],
])('a build whose source file is %s meanwhile publishes nothing, and names the file', async (change, apply) => {
  const folder = await writeSource([APPLE]);
  const name = makeCikFileName(NVIDIA.cik);
  writeFileSync(join(folder, name), makeFactsJson(NVIDIA));
  const home = await makeFolder('home');
  const pendingBuild = build(folder, home, {
    onProgress: ({ phase }) => {
      writeFileSync(join(folder, 'build.log'), phase);
      if (phase === 'finishing') apply(join(folder, name));
    },
  });
  await expect(pendingBuild).rejects.toMatchObject({
    kind: 'data',
    message: `${name} was ${change} while the release was built, so nothing was published.`,
  });
  expect(listEntries(home)).toEqual([]);
});

test('the folders of the sources may have names in capitals', async () => {
  const folder = await writeSource([APPLE]);
  renameSync(join(folder, 'files'), join(folder, 'Files'));
  const { tables } = readManifest((await build(folder, await makeFolder('home'))).directory ?? '');
  expect(tables.securities?.rows).toBe(1);
});

test('unreadable facts files are skipped, counted and named, and the company with a readable file is in the release', async () => {
  const folder = await writeSource([APPLE]);
  const [fact] = NVIDIA.facts;
  if (fact === undefined) throw new Error('no facts');
  await makeZip(join(folder, 'companyfacts.zip'), {
    [makeCikFileName(APPLE.cik)]: makeFactsJson(APPLE),
    [makeCikFileName(NVIDIA.cik)]: '{"cik": 1045810, "facts": {',
    [makeCikFileName(KRAFT.cik)]: makeFactsJson(APPLE),
    [makeCikFileName(9)]: makeFactsJson({ ...NVIDIA, cik: 9, facts: [{ ...fact, filed: 'yesterday' }] }),
    'CIK9999999999.json': makeFactsJson(NVIDIA),
  });
  const report = await build(folder, await makeFolder('home'));
  expect(report.companies).toBe(1);
  expect(report.skipped).toMatchObject({
    'a facts file that cannot be read': 2,
    'a fact without a valid filing date': 1,
    'a file whose CIK is too large to exist': 1,
  });
  expect(report.problems).toEqual([
    expect.stringMatching(/^facts of CIK 1045810: /),
    expect.stringMatching(/^facts of CIK 1637459: .*320193/),
  ]);
});

/** A file that can be opened but not read, like a file on a failing disk. */
const UNREADABLE_FILE = '/proc/self/mem';

testNeeding('a file that can be opened but not read', existsSync(UNREADABLE_FILE))(
  'a build fails if the system refuses to read a source file, instead of omitting its data',
  async () => {
    for (const name of [
      'CIK0000000009.json',
      'submissions/CIK0000320193-submissions-001.json',
      'cnsfails202603a.txt',
    ]) {
      const folder = await writeSource([APPLE]);
      mkdirSync(join(folder, 'submissions'));
      symlinkSync(UNREADABLE_FILE, join(folder, name));
      for (const workerScript of [null, join(bundleDirectory, 'building-workers-build-worker.cjs')]) {
        const home = await makeFolder('home');
        await expect(
          build(folder, home, { workerScript, workerCount: 1 }),
          `${name} ${workerScript}`,
        ).rejects.toMatchObject({
          kind: 'data',
          message: expect.stringMatching(
            /(CIK 9|CIK 320193|cnsfails202603a\.txt) cannot be read: the disk reports an error \(EIO\)\./,
          ),
          hint: 'Check the disk.',
        });
        expect(listEntries(home)).toEqual([]);
      }
    }
  },
);

test('truncated zip files are named in the report, and the release is published', async () => {
  const folder = await writeSource([APPLE]);
  const zipNames = [
    '2024q1.zip',
    'notes-2024q1.zip',
    '2024q1_financial-statements.zip',
    'instances.zip',
    'filings.zip',
    '2024q1_form345.zip',
  ];
  const truncatedBytes = readFileSync(join(folder, 'companyfacts.zip')).subarray(0, 400);
  for (const name of zipNames) writeFileSync(join(folder, name), truncatedBytes);
  const report = await build(folder, await makeFolder('home'));
  expect(report.publication).toBe('published');
  expect(report.problems).toHaveLength(zipNames.length);
  for (const name of zipNames)
    expect(report.problems).toContainEqual(
      expect.stringMatching(new RegExp(`^${name}: it cannot be read as a zip file`)),
    );
});

test.each(['company_tickers.json', 'company_tickers_exchange.json'])(
  'if %s is unreadable, it is named in the report, and the tickers come from the other list',
  async (name) => {
    // Without tickers in the submissions, only the ticker lists name the companies' securities.
    const source = await writeSource([APPLE]);
    await makeZip(join(source, 'submissions.zip'), {
      [makeCikFileName(APPLE.cik)]: makeSubmissionsJson({ ...APPLE, ticker: '' }),
    });
    writeFileSync(join(source, 'files', name), '{"0":{"cik_str":');
    const { directory, skipped, problems } = await build(source, await makeFolder('home'));
    expect(problems).toEqual([expect.stringMatching(`^${name}: .*JSON`)]);
    expect(skipped).toMatchObject({ 'a ticker list that cannot be read': 1 });
    const release = openRelease(directory ?? '');
    expect((await release.securities()).map(({ ticker }) => ticker)).toEqual(['AAPL']);
    await release.close();
  },
);

test("a fact filed in the future is skipped, named with its company and file, and does not set the release's date", async () => {
  const [fact] = NVIDIA.facts;
  if (fact === undefined) throw new Error('no facts');
  const companyWithFutureFact = { ...NVIDIA, facts: [...NVIDIA.facts, { ...fact, filed: '2099-01-01' }] };
  const expectedReport = await build(await writeSource([APPLE, NVIDIA]), await makeFolder('home'));
  const report = await build(await writeSource([APPLE, companyWithFutureFact]), await makeFolder('home'));
  expect(report).toMatchObject({ publication: 'published', checks: 'passed', date: expectedReport.date, companies: 2 });
  expect(report.skipped).toMatchObject({ 'a fact with a filing date in the future': 1 });
  expect(report.problems).toEqual([
    'companyfacts.zip: CIK0001045810.json: facts of CIK 1045810 have filing dates in the future, such as 2099-01-01',
  ]);
});

test('a pipe among the sources is named in the report, and the build does not wait for the pipe', async () => {
  const folder = await writeSource([APPLE]);
  await execFileAsync('mkfifo', [join(folder, 'companyfacts-pipe.json'), join(folder, 'files', 'cnsfails202601a.zip')]);
  const report = await build(folder, await makeFolder('home'));
  expect(report.skipped).toMatchObject({ 'a source file that is not a regular file': 2 });
  expect(report.problems).toEqual([
    'companyfacts-pipe.json: it is not a regular file',
    'files/cnsfails202601a.zip: it is not a regular file',
  ]);
  const pipeFolder = await makeFolder('pipe');
  await execFileAsync('mkfifo', [join(pipeFolder, 'companyfacts.zip')]);
  for (const source of [pipeFolder, join(pipeFolder, 'companyfacts.zip')]) {
    await expect(build(source, await makeFolder('home'))).rejects.toMatchObject({
      kind: 'data',
      message: expect.stringMatching(/companyfacts\.zip.*it is not a regular file/),
    });
  }
});

test('a build that lost most companies of the previous release is withheld, unless losses are allowed', async () => {
  const home = await makeFolder('home');
  const firstBuild = await build(await writeSource([APPLE, NVIDIA, KRAFT, ...OTHER_COMPANIES.slice(0, 1)]), home);
  const smallSource = await writeSource([APPLE]);
  const report = await build(smallSource, home);
  expect(report).toMatchObject({ publication: 'withheld', checks: 'failed' });
  expect(report.checkResults.filter(({ passed }) => !passed)).toEqual([
    {
      name: 'loss',
      passed: false,
      detail: expect.stringMatching(/rows are missing: only 1 of 4 companies;.*build with --allow-loss$/),
    },
  ]);
  expect(listStamps(home)).toEqual([firstBuild.stamp]);
  expect(await build(smallSource, home, { allowLoss: true })).toMatchObject({
    publication: 'published',
    checks: 'passed',
  });
});

test('a release that failed a check passes after a build that allows the loss, and gets its description', async () => {
  const home = await makeFolder('home');
  await build(await writeSource([APPLE, NVIDIA, KRAFT, ...OTHER_COMPANIES.slice(0, 1)]), home);
  const smallSource = await writeSource([APPLE]);
  const { directory } = await build(smallSource, home, { publishFailed: true });
  const readStoredManifest = () => readManifest(directory ?? '');
  const { publishedAt } = readStoredManifest();
  expect(readStoredManifest()).toMatchObject({ checks: 'failed', about: null });
  const report = await build(smallSource, home, { allowLoss: true, about: 'Apple only.' });
  expect(report).toMatchObject({ publication: 'already_there', checks: 'passed', directory });
  expect(readStoredManifest()).toMatchObject({ checks: 'passed', about: 'Apple only.', publishedAt });
  expect(readStoredManifest().checkResults.every(({ passed }) => passed)).toBe(true);
  await build(smallSource, home);
  expect(readStoredManifest()).toMatchObject({ checks: 'passed', about: 'Apple only.' });
});

/** Returns a balance at Apple's year end 2025, as its annual report would state it. */
function makeBalance(concept: string, value: string): SourceCompany['facts'][number] {
  const [fact] = APPLE.facts;
  if (fact === undefined) throw new Error('no facts');
  const dates = { start: null, end: '2025-09-27', filed: '2025-10-31' };
  return { ...fact, taxonomy: 'us-gaap', concept, unit: 'USD', value, form: '10-K', ...dates };
}

test('a release whose checks fail is published only if the caller allows it', async () => {
  const companyWithoutFigures: SourceCompany = {
    ...APPLE,
    facts: [makeBalance('ContractWithCustomerRefundLiability', '10')],
  };
  const folder = await writeSource([companyWithoutFigures]);
  const home = await makeFolder('home');
  const report = await build(folder, home);
  expect(report).toMatchObject({ publication: 'withheld', checks: 'failed', directory: null });
  expect(report.checkResults.filter(({ passed }) => !passed).map(({ name }) => name)).toEqual(['coverage']);
  expect(listEntries(home)).toEqual([]);
  const forcedReport = await build(folder, home, { publishFailed: true });
  expect(forcedReport).toMatchObject({ publication: 'published', checks: 'failed', stamp: report.stamp });
  const manifest = JSON.parse(readFileSync(join(forcedReport.directory ?? '', 'manifest.json'), 'utf8'));
  expect(manifest.checks).toBe('failed');
});

test('a filer whose amounts disagree is published, with marks and with the command that shows them', async () => {
  const unbalancedCompany: SourceCompany = {
    ...APPLE,
    facts: [
      ...APPLE.facts.filter(({ concept }) => concept !== 'Assets'),
      makeBalance('Assets', '100'),
      makeBalance('Liabilities', '10'),
      makeBalance('StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest', '20'),
    ],
  };
  const report = await build(await writeSource([unbalancedCompany]), await makeFolder('home'));
  expect(report).toMatchObject({ publication: 'published', checks: 'passed' });
  const relation = 'assets = liabilities + equity';
  expect(report.evidence).toContainEqual({
    ...{ name: relation, decision: 'marked', count: 1 },
    worst: {
      subject: expect.stringContaining('assets, liabilities, total_equity'),
      command: `fin metrics CIK0000320193 --keys assets,liabilities,total_equity --period all --as-of 2025-10-31`,
    },
  });
  const release = openRelease(report.directory ?? '');
  const values = await release.reportedValues(APPLE.cik, ['assets']);
  expect(values.find(({ value }) => value === '100')).toMatchObject({
    ...{ unconfirmed: relation, unconfirmedOn: '2025-10-31' },
  });
  expect(await release.allOf(EVIDENCE)).toMatchObject([{ cik: APPLE.cik, unconfirmed: expect.any(Number) }]);
  await release.close();
});

test('a build without source files, or without any filing in them, fails with an explanation', async () => {
  const folder = await makeFolder('empty');
  await expect(build(folder, await makeFolder('home'))).rejects.toMatchObject({
    name: 'Failure',
    kind: 'data',
    hint: expect.stringContaining('companyfacts.zip'),
  });
  await makeZip(join(folder, 'companyfacts.zip'), { [makeCikFileName(1)]: '{}' });
  await expect(build(folder, await makeFolder('home'))).rejects.toMatchObject({
    kind: 'data',
    message: expect.stringContaining('no filing'),
  });
});
