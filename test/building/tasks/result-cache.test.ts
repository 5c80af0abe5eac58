import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { type BuildProgress, buildRelease } from '../../../src/building/build.ts';
import { removeUnusedResults } from '../../../src/building/tasks/result-cache.ts';
import { MANIFEST_FILE } from '../../../src/store/manifest.ts';
import { makeZip } from '../../edgar/make-zip.ts';
import { bundleInto } from '../../store/bundled.ts';
import { company, newFolder, type SourceCompany, writeSource } from '../../store/public-source.ts';

const run = promisify(execFile);

const COSTCO = company('cost');
const APPLE = company('aapl');
const NVIDIA = company('nvda');
const OTHERS = [APPLE, NVIDIA, company('khc'), company('msft'), company('tgt')];

let bundles = '';
let source = '';
/** The tables that a build of the source from scratch writes. */
let scratch: Record<string, string> = {};
/** Directory of the parts that a build of the source caches. */
let cachedParts = '';

beforeAll(async () => {
  bundles = await newFolder('bundles');
  await bundleInto(bundles, 'src/building/tasks/build-worker.ts', 'test/building/build-process.ts');
  source = await withMarket(await writeSource([COSTCO, ...OTHERS]));
  scratch = await tablesOf(source);
  cachedParts = await newFolder('parts');
  expect(await tablesOf(source, cachedParts)).toEqual(scratch);
});

async function copyCachedParts(): Promise<string> {
  const parts = await newFolder('parts');
  cpSync(cachedParts, parts, { recursive: true });
  return parts;
}

const HEAD = 'SETTLEMENT DATE|CUSIP|SYMBOL|QUANTITY (FAILS)|DESCRIPTION|PRICE';
const table = (header: string, ...rows: readonly string[]) =>
  `${[header, ...rows].map((row) => row.replaceAll(' | ', '\t')).join('\n')}\n`;

/** Adds prices and a manager's holdings to a copy of a directory of public files. */
async function withMarket(folder: string): Promise<string> {
  const fails = [
    '20260102|22160K105|COST|7|COSTCO WHOLESALE CORP|951.00',
    '20260102|037833100|AAPL|7|APPLE INC|273.08',
  ];
  writeFileSync(join(folder, 'cnsfails202601a.txt'), `${[HEAD, ...fails].join('\n')}\n`);
  await makeZip(join(folder, '2026q1_form13f.zip'), {
    'SUBMISSION.tsv': table(
      'ACCESSION_NUMBER | FILING_DATE | SUBMISSIONTYPE | CIK | PERIODOFREPORT',
      '0001067983-26-000002 | 14-FEB-2026 | 13F-HR | 1067983 | 31-DEC-2025',
    ),
    'COVERPAGE.tsv': table(
      'ACCESSION_NUMBER | REPORTCALENDARORQUARTER | FILINGMANAGER_NAME',
      '0001067983-26-000002 | 31-DEC-2025 | Berkshire Hathaway Inc',
    ),
    'INFOTABLE.tsv': table(
      'ACCESSION_NUMBER | NAMEOFISSUER | TITLEOFCLASS | CUSIP | VALUE | SSHPRNAMT | SSHPRNAMTTYPE',
      '0001067983-26-000002 | APPLE INC | COM | 037833100 | 27308000 | 100000 | SH',
      '0001067983-26-000002 | COSTCO WHOLESALE CORP | COM | 22160K105 | 9510000 | 10000 | SH',
    ),
  });
  return folder;
}

/** Builds with the cached parts of a directory, or from scratch in this thread; returns the bytes of the tables. */
async function tablesOf(
  from: string,
  resultCacheDirectory: string | null = null,
  onProgress: (progress: BuildProgress) => void = () => undefined,
): Promise<Record<string, string>> {
  const home = await newFolder('home');
  const workerScript = resultCacheDirectory === null ? null : join(bundles, 'build-worker.cjs');
  const { stamp } = await buildRelease({
    sourceDirectory: from,
    home,
    workerCount: 2,
    resultCacheDirectory,
    workerScript,
    onProgress,
  });
  const names = readdirSync(join(home, stamp)).filter((name) => name !== MANIFEST_FILE);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(home, stamp, name), 'base64')]));
}

/** Returns the files of finished parts with their inodes; rewriting a file changes its inode. */
const filesOf = (parts: string): Map<string, number> =>
  new Map(
    readdirSync(parts, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name), statSync(join(parentPath, name)).ino]),
  );

test('after a kill at any point, the next build continues with the finished parts and makes the bytes of a build from scratch', async () => {
  const parts = await newFolder('parts');
  const kill = [join(bundles, 'build-process.cjs'), source, await newFolder('home')];
  let before = new Map<string, number>();
  for (const [phase, after] of [
    ['dating', 1],
    ['deriving', 1],
    ['deriving', 4],
    ['finishing', 0],
  ] as const) {
    await expect(run(process.execPath, [...kill, phase, String(after), parts])).rejects.toMatchObject({
      signal: 'SIGKILL',
    });
    const now = filesOf(parts);
    for (const [file, inode] of before) expect(now.get(file)).toBe(inode);
    expect(now.size).toBeGreaterThanOrEqual(before.size);
    before = now;
  }
  expect(before.size).toBeGreaterThan(2);
  const longAgo = new Date('2020-01-01');
  for (const file of before.keys()) utimesSync(file, longAgo, longAgo);
  expect(await tablesOf(source, parts)).toEqual(scratch);
  for (const [file, inode] of before) expect(filesOf(parts).get(file)).toBe(inode);
  // Parts of companies count as used if the part of their batch was read, so every file has a new modification time.
  for (const file of before.keys()) expect(statSync(file).mtime > longAgo).toBe(true);
});

/** Returns the company with an additional fact, whose filing date sets the release's date. */
function filing(company: SourceCompany, day: string): SourceCompany {
  const last = company.facts.at(-1);
  if (last === undefined) throw new Error('no facts');
  const accession = `0000909832-26-${day.slice(5, 7)}${day.slice(8)}00`;
  return { ...company, facts: [...company.facts, { ...last, accession, filed: day }] };
}

test("a changed filing rebuilds only its company, the company's batch and the lists of filings", async () => {
  const parts = await copyCachedParts();
  const before = filesOf(parts);
  const changedSource = await withMarket(await writeSource([filing(COSTCO, '2026-05-20'), ...OTHERS]));
  const scratch = await tablesOf(changedSource);
  expect(await tablesOf(changedSource, parts)).toEqual(scratch);
  const after = filesOf(parts);
  for (const [file, inode] of before) expect(after.get(file)).toBe(inode);
  // Only four kinds of parts are made again: those of the company, of its batch, of the days of all filings, and of the
  // accession numbers of all filings.
  const countNewParts = (field: string) =>
    [...after.keys()].filter((file) => !before.has(file) && readFileSync(file).includes(field)).length;
  expect({
    companies: countNewParts('spilled'),
    batches: countNewParts('findings') - countNewParts('spilled'),
  }).toEqual({
    companies: 1,
    batches: 1,
  });
});

test('an additional price file is read alone, and rebuilds only parts that depend on its prices', async () => {
  const parts = await newFolder('parts');
  const from = await withMarket(await writeSource([COSTCO, APPLE]));
  const tables = await tablesOf(from, parts);
  expect(Object.keys(tables)).toEqual(expect.arrayContaining(['prices.parquet', 'security_holders.parquet']));
  const before = filesOf(parts);
  const fails = [HEAD, '20260116|037833100|AAPL|7|APPLE INC|259.96'];
  writeFileSync(join(from, 'cnsfails202601b.txt'), `${fails.join('\n')}\n`);
  const scratch = await tablesOf(from);
  expect(scratch['prices.parquet']).not.toBe(tables['prices.parquet']);
  expect(await tablesOf(from, parts)).toEqual(scratch);
  const after = filesOf(parts);
  for (const [file, inode] of before) expect(after.get(file)).toBe(inode);
  const countNewParts = (field: string) =>
    [...after.keys()].filter((file) => !before.has(file) && readFileSync(file).includes(field)).length;
  expect({
    files: countNewParts('sightings'),
    managers: countNewParts('holder_positions'),
    companies: countNewParts('spilled'),
  }).toEqual({
    files: 1,
    managers: 0,
    companies: 1,
  });
});

test('parts with figures that are outdated by the new release date are rebuilt', async () => {
  const parts = await newFolder('parts');
  // NVIDIA's filing sets the release's date and changes no other batch.
  const bank = company('bac-2025');
  const on = (day: string) => writeSource([bank, APPLE, filing(NVIDIA, day)]);
  const recent = await tablesOf(await on('2026-06-01'), parts);
  const old = await on('2026-10-05');
  const scratch = await tablesOf(old);
  expect(scratch['screen.parquet']).not.toBe(recent['screen.parquet']);
  expect(await tablesOf(old, parts)).toEqual(scratch);
});

test('damaged cached parts are rebuilt, and so are missing or damaged files between tasks', async () => {
  const parts = await copyCachedParts();
  const files = [...filesOf(parts).keys()];
  const [gone = '', ...left] = files.filter((file) => file.endsWith('.left'));
  expect(left.length).toBeGreaterThan(2);
  rmSync(gone);
  for (const file of files.filter((file) => file !== gone)) {
    const bytes = readFileSync(file);
    const at = bytes.length - 1;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  }
  expect(await tablesOf(source, parts)).toEqual(scratch);

  // The task whose part is deleted reads a damaged file, so the build starts again and verifies all cached files.
  const whole = [...filesOf(parts).keys()].map((file) => [file, readFileSync(file)] as const);
  for (const [file, bytes] of whole) {
    if (file.endsWith('.left')) writeFileSync(file, Buffer.alloc(bytes.length));
    else if (bytes.includes('filing_day_lines')) rmSync(file);
  }
  expect(await tablesOf(source, parts)).toEqual(scratch);
  for (const [file, bytes] of whole) {
    if (file.endsWith('.left')) expect(readFileSync(file).equals(bytes)).toBe(true);
  }
});

test('a cached part in the file of another part is rebuilt', async () => {
  const parts = await copyCachedParts();
  const files = [...filesOf(parts).keys()].filter((file) => readFileSync(file).includes('spilled'));
  expect(files.length).toBe(1 + OTHERS.length);
  const contents = files.map((file) => readFileSync(file));
  for (const [index, file] of files.entries()) writeFileSync(file, contents.at(index - 1) ?? '');
  // Deletes the parts of batches, so that they are made again from the parts of companies.
  for (const file of filesOf(parts).keys())
    if (!files.includes(file) && readFileSync(file).includes('findings')) rmSync(file);
  expect(await tablesOf(source, parts)).toEqual(scratch);
});

test('a build whose cached parts are removed while it runs starts again', async () => {
  const parts = await copyCachedParts();
  let removed = 0;
  const tables = await tablesOf(source, parts, ({ phase }) => {
    if (phase !== 'finishing' || removed > 0) return;
    rmSync(parts, { recursive: true });
    removed += 1;
  });
  expect({ tables, removed }).toEqual({ tables: scratch, removed: 1 });
});

test('a build that cannot cache any parts still publishes', async () => {
  const file = join(await newFolder('parts'), 'file');
  writeFileSync(file, '');
  expect(await tablesOf(source, file)).toEqual(scratch);
});

test('when the cache exceeds its size, parts unused by the last build are removed, oldest first', async () => {
  const parts = await newFolder('parts');
  const begun = new Date('2026-01-10T00:00:00Z');
  for (const day of [1, 2, 3, 4, 20]) {
    writeFileSync(join(parts, `part-${day}`), '');
    truncateSync(join(parts, `part-${day}`), 100 * 1024 * 1024);
    const time = new Date(Date.UTC(2026, 0, day));
    utimesSync(join(parts, `part-${day}`), time, time);
  }
  removeUnusedResults(parts, begun);
  expect(readdirSync(parts).sort()).toEqual(['part-20', 'part-3', 'part-4']);
  removeUnusedResults(join(parts, 'nowhere'), begun);
});
