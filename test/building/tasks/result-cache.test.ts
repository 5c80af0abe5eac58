import { execFile } from 'node:child_process';
import {
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { type BuildProgress, buildRelease } from '../../../src/building/build.ts';
import { removeUnusedResults } from '../../../src/building/tasks/result-cache.ts';
import { MANIFEST_FILE } from '../../../src/store/releases/manifest.ts';
import { makeZip } from '../../edgar/make-zip.ts';
import { bundleInto } from '../../store/bundled.ts';
import { makeFolder, readSourceCompany, type SourceCompany, writeSource } from '../../store/public-source.ts';

const execFileAsync = promisify(execFile);

const COSTCO = readSourceCompany('cost');
const APPLE = readSourceCompany('aapl');
const NVIDIA = readSourceCompany('nvda');
const OTHER_COMPANIES = [APPLE, NVIDIA, readSourceCompany('khc'), readSourceCompany('msft'), readSourceCompany('tgt')];

let bundleDirectory = '';
let sourceDirectory = '';
/** Files that a build from scratch writes: Base64 by file name, without the manifest. */
let tablesFromScratch: Record<string, string> = {};
/** Directory of the cached results of a complete build. */
let fullCacheDirectory = '';

beforeAll(async () => {
  bundleDirectory = await makeFolder('bundles');
  await bundleInto(bundleDirectory, 'src/building/workers/build-worker.ts', 'test/building/build-process.ts');
  sourceDirectory = await addMarketFiles(await writeSource([COSTCO, ...OTHER_COMPANIES]));
  tablesFromScratch = await buildTables(sourceDirectory);
  fullCacheDirectory = await makeFolder('parts');
  expect(await buildTables(sourceDirectory, fullCacheDirectory)).toEqual(tablesFromScratch);
});

async function copyFullCache(): Promise<string> {
  const cacheDirectory = await makeFolder('parts');
  cpSync(fullCacheDirectory, cacheDirectory, { recursive: true });
  return cacheDirectory;
}

const FAILS_HEADER = 'SETTLEMENT DATE|CUSIP|SYMBOL|QUANTITY (FAILS)|DESCRIPTION|PRICE';
const toTsv = (header: string, ...rows: readonly string[]) =>
  `${[header, ...rows].map((row) => row.replaceAll(' | ', '\t')).join('\n')}\n`;

/** Adds prices and a manager's holdings to a directory of public files; returns the directory. */
async function addMarketFiles(folder: string): Promise<string> {
  const failsLines = [
    '20260102|22160K105|COST|7|COSTCO WHOLESALE CORP|951.00',
    '20260102|037833100|AAPL|7|APPLE INC|273.08',
  ];
  writeFileSync(join(folder, 'cnsfails202601a.txt'), `${[FAILS_HEADER, ...failsLines].join('\n')}\n`);
  await makeZip(join(folder, '2026q1_form13f.zip'), {
    'SUBMISSION.tsv': toTsv(
      'ACCESSION_NUMBER | FILING_DATE | SUBMISSIONTYPE | CIK | PERIODOFREPORT',
      '0001067983-26-000002 | 14-FEB-2026 | 13F-HR | 1067983 | 31-DEC-2025',
    ),
    'COVERPAGE.tsv': toTsv(
      'ACCESSION_NUMBER | REPORTCALENDARORQUARTER | FILINGMANAGER_NAME',
      '0001067983-26-000002 | 31-DEC-2025 | Berkshire Hathaway Inc',
    ),
    'INFOTABLE.tsv': toTsv(
      'ACCESSION_NUMBER | NAMEOFISSUER | TITLEOFCLASS | CUSIP | VALUE | SSHPRNAMT | SSHPRNAMTTYPE',
      '0001067983-26-000002 | APPLE INC | COM | 037833100 | 27308000 | 100000 | SH',
      '0001067983-26-000002 | COSTCO WHOLESALE CORP | COM | 22160K105 | 9510000 | 10000 | SH',
    ),
  });
  return folder;
}

/**
 * Builds a release and returns its files as Base64. Without `resultCacheDirectory`, builds from scratch and without
 * worker threads; otherwise with one thread. The killed builds of the next test and those of build.test.ts have several.
 */
async function buildTables(
  source: string,
  resultCacheDirectory: string | null = null,
  onProgress: (progress: BuildProgress) => void = () => undefined,
): Promise<Record<string, string>> {
  const home = await makeFolder('home');
  const workerScript =
    resultCacheDirectory === null ? null : join(bundleDirectory, 'building-workers-build-worker.cjs');
  const { stamp } = await buildRelease({
    sourceDirectory: source,
    home,
    workerCount: 1,
    resultCacheDirectory,
    workerScript,
    onProgress,
  });
  const fileNames = readdirSync(join(home, stamp)).filter((name) => name !== MANIFEST_FILE);
  return Object.fromEntries(fileNames.map((name) => [name, readFileSync(join(home, stamp, name), 'base64')]));
}

/** Returns the inode of each file in the cache: rewriting a file changes its inode. */
const readInodeByFile = (cacheDirectory: string): Map<string, number> =>
  new Map(
    readdirSync(cacheDirectory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name), statSync(join(parentPath, name)).ino]),
  );

test('after a kill at any point, the next build reuses the cached results and writes the same bytes as a build from scratch', async () => {
  const cacheDirectory = await makeFolder('parts');
  const buildProcessArguments = [join(bundleDirectory, 'build-process.cjs'), sourceDirectory, await makeFolder('home')];
  let inodesBefore = new Map<string, number>();
  for (const [phase, minDone] of [
    ['dating', 1],
    ['deriving', 1],
    ['deriving', 4],
    ['finishing', 0],
  ] as const) {
    await expect(
      execFileAsync(process.execPath, [...buildProcessArguments, phase, String(minDone), cacheDirectory]),
    ).rejects.toMatchObject({
      signal: 'SIGKILL',
    });
    const inodesNow = readInodeByFile(cacheDirectory);
    for (const [file, inode] of inodesBefore) expect(inodesNow.get(file)).toBe(inode);
    expect(inodesNow.size).toBeGreaterThanOrEqual(inodesBefore.size);
    inodesBefore = inodesNow;
  }
  expect(inodesBefore.size).toBeGreaterThan(2);
  const longAgo = new Date('2020-01-01');
  for (const file of inodesBefore.keys()) utimesSync(file, longAgo, longAgo);
  expect(await buildTables(sourceDirectory, cacheDirectory)).toEqual(tablesFromScratch);
  for (const [file, inode] of inodesBefore) expect(readInodeByFile(cacheDirectory).get(file)).toBe(inode);
  // Using the result of a batch also marks the results of its companies as used, so every file was modified recently.
  for (const file of inodesBefore.keys()) expect(statSync(file).mtime > longAgo).toBe(true);
});

/** Returns the company with an additional fact, whose filing date sets the release's date. */
function addFiling(company: SourceCompany, day: string): SourceCompany {
  const lastFact = company.facts.at(-1);
  if (lastFact === undefined) throw new Error('no facts');
  const accession = `0000909832-26-${day.slice(5, 7)}${day.slice(8)}00`;
  return { ...company, facts: [...company.facts, { ...lastFact, accession, filed: day }] };
}

test("a new filing needs new results of only its company and the company's batch, and changes no cached file", async () => {
  const cacheDirectory = await copyFullCache();
  const inodesBefore = readInodeByFile(cacheDirectory);
  const changedSource = await addMarketFiles(await writeSource([addFiling(COSTCO, '2026-05-20'), ...OTHER_COMPANIES]));
  const expectedTables = await buildTables(changedSource);
  expect(await buildTables(changedSource, cacheDirectory)).toEqual(expectedTables);
  const inodesAfter = readInodeByFile(cacheDirectory);
  for (const [file, inode] of inodesBefore) expect(inodesAfter.get(file)).toBe(inode);
  // Results of companies contain `sharedOutputs` and `findings`; results of batches contain only `findings`.
  const countNewResults = (field: string) =>
    [...inodesAfter.keys()].filter((file) => !inodesBefore.has(file) && readFileSync(file).includes(field)).length;
  expect({
    companies: countNewResults('sharedOutputs'),
    batches: countNewResults('findings') - countNewResults('sharedOutputs'),
  }).toEqual({
    companies: 1,
    batches: 1,
  });
});

test('after a price file is added, only this file is read, and only results that depend on its prices are made again', async () => {
  const cacheDirectory = await makeFolder('parts');
  const source = await addMarketFiles(await writeSource([COSTCO, APPLE]));
  const tables = await buildTables(source, cacheDirectory);
  expect(Object.keys(tables)).toEqual(expect.arrayContaining(['prices.parquet', 'security_holders.parquet']));
  const inodesBefore = readInodeByFile(cacheDirectory);
  const addedFailsLines = [FAILS_HEADER, '20260116|037833100|AAPL|7|APPLE INC|259.96'];
  writeFileSync(join(source, 'cnsfails202601b.txt'), `${addedFailsLines.join('\n')}\n`);
  const expectedTables = await buildTables(source);
  expect(expectedTables['prices.parquet']).not.toBe(tables['prices.parquet']);
  expect(await buildTables(source, cacheDirectory)).toEqual(expectedTables);
  const inodesAfter = readInodeByFile(cacheDirectory);
  for (const [file, inode] of inodesBefore) expect(inodesAfter.get(file)).toBe(inode);
  const countNewResults = (field: string) =>
    [...inodesAfter.keys()].filter((file) => !inodesBefore.has(file) && readFileSync(file).includes(field)).length;
  expect({
    files: countNewResults('sightings'),
    managers: countNewResults('holder_positions'),
    companies: countNewResults('sharedOutputs'),
  }).toEqual({
    files: 1,
    managers: 0,
    companies: 1,
  });
});

test('results with figures that are too old for the new release date are made again', async () => {
  const cacheDirectory = await makeFolder('parts');
  // NVIDIA's filing sets the release's date; the sources of the other companies do not change.
  const bankCompany = readSourceCompany('bac-2025');
  const writeSourceAsOf = (day: string) => writeSource([bankCompany, APPLE, addFiling(NVIDIA, day)]);
  const earlierTables = await buildTables(await writeSourceAsOf('2026-06-01'), cacheDirectory);
  const laterSource = await writeSourceAsOf('2026-10-05');
  const expectedTables = await buildTables(laterSource);
  expect(expectedTables['screen.parquet']).not.toBe(earlierTables['screen.parquet']);
  expect(await buildTables(laterSource, cacheDirectory)).toEqual(expectedTables);
});

test('damaged cached results are made again, and so are missing or damaged output files of tasks', async () => {
  const cacheDirectory = await copyFullCache();
  const resultPaths = [...readInodeByFile(cacheDirectory).keys()];
  const [removedFile = '', ...outputFiles] = resultPaths.filter((file) => file.endsWith('.left'));
  expect(outputFiles.length).toBeGreaterThan(2);
  rmSync(removedFile);
  for (const file of resultPaths.filter((file) => file !== removedFile)) {
    const bytes = readFileSync(file);
    const lastIndex = bytes.length - 1;
    bytes[lastIndex] = (bytes[lastIndex] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  }
  expect(await buildTables(sourceDirectory, cacheDirectory)).toEqual(tablesFromScratch);

  // Deletes the result of one task, so that the task runs again and reads a damaged file; the build then starts again
  // and verifies all cached files.
  const originalFiles = [...readInodeByFile(cacheDirectory).keys()].map((file) => [file, readFileSync(file)] as const);
  for (const [file, bytes] of originalFiles) {
    if (file.endsWith('.left')) writeFileSync(file, Buffer.alloc(bytes.length));
    else if (bytes.includes('filing_day_lines')) rmSync(file);
  }
  expect(await buildTables(sourceDirectory, cacheDirectory)).toEqual(tablesFromScratch);
  for (const [file, bytes] of originalFiles) {
    if (file.endsWith('.left')) expect(readFileSync(file).equals(bytes)).toBe(true);
  }
});

test('a cached result in the file of another result is made again', async () => {
  const cacheDirectory = await copyFullCache();
  const files = [...readInodeByFile(cacheDirectory).keys()].filter((file) =>
    readFileSync(file).includes('sharedOutputs'),
  );
  expect(files.length).toBe(1 + OTHER_COMPANIES.length);
  const contents = files.map((file) => readFileSync(file));
  for (const [index, file] of files.entries()) writeFileSync(file, contents.at(index - 1) ?? '');
  // Deletes the results of batches, so that they are made again from the results of companies.
  for (const file of readInodeByFile(cacheDirectory).keys())
    if (!files.includes(file) && readFileSync(file).includes('findings')) rmSync(file);
  expect(await buildTables(sourceDirectory, cacheDirectory)).toEqual(tablesFromScratch);
});

test('a build writes all tables even if its cached results are removed while it runs', async () => {
  const cacheDirectory = await copyFullCache();
  let removalCount = 0;
  const tables = await buildTables(sourceDirectory, cacheDirectory, ({ phase }) => {
    if (phase !== 'finishing' || removalCount > 0) return;
    rmSync(cacheDirectory, { recursive: true });
    removalCount += 1;
  });
  expect({ tables, removed: removalCount }).toEqual({ tables: tablesFromScratch, removed: 1 });
});

test('after the source files were moved, the next build reads the reports in their new directory', async () => {
  const cacheDirectory = await makeFolder('parts');
  const source = await writeSource([COSTCO]);
  await makeZip(join(source, '2019q1_financial-statements.zip'), {
    'sub.txt': `adsh\tcik\tform\tperiod\tfy\tfp\tfiled\n0000909832-19-000001\t${COSTCO.cik}\t10-K\t20190131\t2018\tFY\t20190329\n`,
    'num.txt': 'adsh\ttag\tversion\tcoreg\tddate\tqtrs\tuom\tvalue\n',
  });
  const movedSource = join(await makeFolder('moved'), 'source');
  const buildFrom = async (sourceDirectory: string) =>
    buildRelease({
      ...{ sourceDirectory, home: await makeFolder('home'), resultCacheDirectory: cacheDirectory, workerCount: 1 },
      workerScript: join(bundleDirectory, 'building-workers-build-worker.cjs'),
    });
  const { stamp } = await buildFrom(source);
  renameSync(source, movedSource);
  expect(await buildFrom(movedSource)).toMatchObject({ stamp, problems: [] });
});

test('a build that cannot cache any results still writes all tables', async () => {
  const file = join(await makeFolder('parts'), 'file');
  writeFileSync(file, '');
  expect(await buildTables(sourceDirectory, file)).toEqual(tablesFromScratch);
});

test('if the cache is too large, results that the last build did not use are removed, least recently used first', async () => {
  const cacheDirectory = await makeFolder('parts');
  const buildStart = new Date('2026-01-10T00:00:00Z');
  for (const day of [1, 2, 3, 4, 20]) {
    writeFileSync(join(cacheDirectory, `part-${day}`), '');
    truncateSync(join(cacheDirectory, `part-${day}`), 100 * 1024 * 1024);
    const time = new Date(Date.UTC(2026, 0, day));
    utimesSync(join(cacheDirectory, `part-${day}`), time, time);
  }
  removeUnusedResults(cacheDirectory, buildStart);
  expect(readdirSync(cacheDirectory).sort()).toEqual(['part-20', 'part-3', 'part-4']);
  removeUnusedResults(join(cacheDirectory, 'nowhere'), buildStart);
});
