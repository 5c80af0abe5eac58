/**
 * Measures builds and questions with many companies: node test/bench/universe.mjs [companies] [work directory] [runs]
 * [--verify]
 *
 * Makes public files of the given number of companies (universe/make-universe.mjs). Runs the built `fin data build`
 * (npm run build first) from scratch, again with cached results, and for the next night, when one company in a hundred
 * has filed (with --verify also from scratch, which must give the same stamp). Then runs questions, each in a new
 * process: medians of alternating runs, in milliseconds more than an empty node script. Existing files in the work
 * directory are reused.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureBuild } from './measured-build.mjs';
import { makeUniverse } from './universe/make-universe.mjs';
import { writeNextNightFiles } from './universe/next-night.mjs';

const root = resolve(import.meta.dirname, '../..');
const finScript = join(root, 'bin/fin.js');
const secFilesDirectory = join(root, '../shared/edgar/data');
const { values, positionals } = parseArgs({
  options: { verify: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [companyCount = '6000', directory, runCount = '7'] = positionals;

if (!existsSync(secFilesDirectory)) {
  console.log(`The directory of public files ${secFilesDirectory} does not exist.`);
  process.exit(0);
}

const workDirectory = directory ?? mkdtempSync(join(tmpdir(), 'fin-bench-'));
const [source, nextSource, releases, summaryFile] = ['source', 'next', 'releases', 'made.json'].map((name) =>
  join(workDirectory, name),
);
if (!existsSync(summaryFile)) {
  writeFileSync(summaryFile, JSON.stringify(await makeUniverse(secFilesDirectory, source, Number(companyCount))));
}
const universeSummary = JSON.parse(readFileSync(summaryFile, 'utf8'));
console.log(
  `${universeSummary.companies} companies, ${universeSummary.megabytes.toFixed(0)} MB of facts, ${universeSummary.filings} filings, ` +
    `${universeSummary.positions} lines of holdings, ${universeSummary.trades} insider trades\n`,
);
if (!existsSync(releases)) {
  // The first build finds no cached results, and the second build finds all results.
  process.env.FIN_CACHE_DIR = join(workDirectory, 'cache');
  for (const path of [process.env.FIN_CACHE_DIR, nextSource]) rmSync(path, { recursive: true, force: true });
  const { date, checks } = await buildAndPrint('build', source, releases);
  if (checks !== 'passed')
    throw new Error(
      `the release of the generated companies fails its checks; to see the failed checks: fin data build --from ${source}`,
    );
  await buildAndPrint('build again', source, releases);
  const nextDay = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
  const changedCount = await writeNextNightFiles(source, nextSource, nextDay);
  const { stamp } = await buildAndPrint('next night', nextSource, releases);
  console.log(`             ${changedCount} companies changed`);
  if (values.verify) {
    const fromScratchDirectory = join(workDirectory, 'scratch');
    const fromScratchReport = await buildAndPrint('from scratch', nextSource, fromScratchDirectory, '--from-scratch');
    rmSync(fromScratchDirectory, { recursive: true, force: true });
    if (fromScratchReport.stamp !== stamp)
      throw new Error(
        `the build of the next night has the stamp ${stamp}, but the build from scratch ${fromScratchReport.stamp}`,
      );
  }
}

async function buildAndPrint(label, sourceDirectory, releaseDirectory, ...options) {
  const { report, seconds, usage } = await measureBuild(sourceDirectory, releaseDirectory, ...options);
  const { processorSeconds, mainSeconds, megabytes } = usage ?? { processorSeconds: 0, mainSeconds: 0, megabytes: 0 };
  console.log(
    `${label.padEnd(12)} ${seconds.toFixed(0)} s, ${processorSeconds.toFixed(0)} s of processor time, ` +
      `of which the main thread used ${mainSeconds.toFixed(0)} s, peak ${megabytes.toFixed(0)} MB; ` +
      `${(universeSummary.megabytes / seconds).toFixed(0)} MB of facts per second`,
  );
  return report;
}

const TICKERS = JSON.parse(readFileSync(join(source, 'files/company_tickers_exchange.json'), 'utf8')).data.map(
  (row) => row[2],
);
const FIFTY_TICKERS = TICKERS.filter((_, index) => index % Math.floor(TICKERS.length / 50) === 0).slice(0, 50);
const LARGEST_MANAGER_CIK = String(universeSummary.largestManager);

const SCREEN_ARGS = [
  'screen',
  '--where',
  'revenue_yoy:gt:0.2',
  '--where',
  'net_margin:gt:0.1',
  '--sort',
  'revenue',
  '--dir',
  'desc',
];
const PANEL_COLUMNS = 'revenue,revenue_yoy,net_income,roe,total_debt';
/** Name, command line, and maximum additional milliseconds compared with the empty script. */
const QUESTIONS = [
  ['screen, 2 filters, 25 rows, JSON', [...SCREEN_ARGS, '--limit', '25', '--json'], 70],
  ['screen, 2 filters, 25 rows, table', [...SCREEN_ARGS, '--limit', '25'], 60],
  ['screen, all, every column, CSV', ['screen', '--all', '--csv'], 350],
  ['screen of a past day, table', [...SCREEN_ARGS, '--limit', '25', '--as-of', '2019-06-28'], 150],
  ['screen of a past day, every column', ['screen', '--limit', '500', '--as-of', '2019-06-28', '--csv'], 350],
  [
    'screen of a past day, by price',
    ['screen', '--where', 'pe:lt:15', '--sort', 'market_cap', '--columns', 'pe,market_cap', '--as-of', '2023-03-31'],
    150,
  ],
  [
    'screens of ten years of months, five columns, CSV',
    [
      ...['screen', '--as-of', '2010-01-31..2019-12-31', '--every', 'month', '--csv', '--quiet'],
      '--columns',
      PANEL_COLUMNS,
    ],
    5000,
  ],
  ['metrics AAPL', ['metrics', 'AAPL', '--json'], 60],
  ['metrics AAPL, every period, 500 rows', ['metrics', 'AAPL', '--period', 'all', '--limit', '500', '--json'], 120],
  ['metrics AAPL, every period, 7,000 rows', ['metrics', 'AAPL', '--period', 'all', '--json'], 800],
  ['search by prefix', ['search', 'app', '--json'], 50],
  ['search by name', ['search', 'apple', '--json'], 50],
  ['insider-activity', ['insider-activity', '--json'], 80],
  ['insider-activity, purchases', ['insider-activity', '--kind', 'purchase', '--json'], 80],
  ['manager, 100 rows', ['manager', LARGEST_MANAGER_CIK, '--limit', '100', '--json'], 80],
  ['manager, all', ['manager', LARGEST_MANAGER_CIK, '--all', '--csv'], 300],
  ['holders AAPL, all', ['holders', 'AAPL', '--all', '--csv'], 120],
  ['metrics of 50 tickers, NDJSON', ['metrics', ...FIFTY_TICKERS, '--output', 'ndjson'], 350],
  ['day', ['day', '--json'], 70],
];

/**
 * Prints the size of the tables for screens of past days, and the bytes and requests of one such screen from a
 * published release.
 */
async function measurePastScreens() {
  const stamp = readFileSync(join(releases, 'current'), 'utf8').trim();
  const tableFileNames = readdirSync(join(releases, stamp)).filter((name) => name.startsWith('screen_history'));
  const tableBytes = tableFileNames.reduce((sum, name) => sum + statSync(join(releases, stamp, name)).size, 0);
  console.log(`\nscreens of past days take ${(tableBytes / 1e6).toFixed(1)} MB (limit: 40)`);
  const publishedDirectory = join(home, 'published');
  const { status, stderr } = spawnSync(process.execPath, [finScript, 'data', 'publish', publishedDirectory], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const trafficByFile = new Map();
  const fileServer = createServer((request, response) => {
    const path = new URL(request.url, 'http://host').pathname;
    const file = join(publishedDirectory, path);
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return response.writeHead(404).end();
    const { size } = statSync(file);
    const [, from = 0, to = size - 1] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = [Number(from), Number(to)];
    const { requests, bytes } = trafficByFile.get(path.split('/').at(-1)) ?? { requests: 0, bytes: 0 };
    trafficByFile.set(path.split('/').at(-1), { requests: requests + 1, bytes: bytes + end - start + 1 });
    const rangeHeaders =
      request.headers.range === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${size}` };
    response.writeHead(request.headers.range === undefined ? 200 : 206, {
      'content-length': end - start + 1,
      ...rangeHeaders,
    });
    return createReadStream(file, { start, end }).pipe(response);
  });
  await new Promise((listening) => fileServer.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${fileServer.address().port}`;
  const columns = 'revenue,net_income,revenue_yoy,assets,roe';
  const args = [finScript, 'screen', '--as-of', '2019-06-28', '--columns', columns, '--json'];
  const child = spawn(process.execPath, args, {
    env: { ...env, FIN_BASE_URL: baseUrl, FIN_CACHE_DIR: join(home, 'cache') },
  });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, 'close');
  fileServer.close();
  if (child.exitCode !== 0) throw new Error(`the screen of a past day exited with ${child.exitCode}`);
  console.log(
    'five columns of the screen of a past day, by range requests, with an empty cache (limit: 250 KB without files.json):',
  );
  for (const [name, { requests, bytes }] of trafficByFile)
    console.log(
      `${name.padEnd(36)} ${String(requests).padStart(4)} requests ${(bytes / 1000).toFixed(0).padStart(6)} KB`,
    );
}

const home = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const env = { PATH: process.env.PATH, HOME: home, FIN_DATA_DIR: workDirectory, FIN_BASE_URL: 'local:' };
const emptyScript = join(home, 'empty.cjs');
writeFileSync(emptyScript, '');
const cases = [
  ['empty script', [emptyScript], 0],
  ...QUESTIONS.map(([name, args, maxAdditionalMs]) => [name, [finScript, ...args], maxAdditionalMs]),
];
const timesByCase = cases.map(() => []);
const outputBytesByCase = cases.map(() => 0);
for (let runIndex = 0; runIndex <= Number(runCount); runIndex += 1) {
  for (const [index, [name, args]] of cases.entries()) {
    const startNs = process.hrtime.bigint();
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, maxBuffer: 2 ** 28 });
    const elapsedMs = Number(process.hrtime.bigint() - startNs) / 1e6;
    if (status !== 0) throw new Error(`${name} exited with ${status}: ${stderr}`);
    outputBytesByCase[index] = stdout.length;
    if (runIndex > 0) timesByCase[index].push(elapsedMs);
  }
}
const medians = timesByCase.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]);
const [emptyScriptMs] = medians;
console.log(`\nnode ${process.version}, ${runCount} runs each; an empty script takes ${emptyScriptMs.toFixed(1)} ms\n`);
console.log(`${''.padEnd(36)} additional ms  limit  ratio       KB`);
for (const [index, [name, , maxAdditionalMs]] of cases.entries()) {
  if (index === 0) continue;
  const additionalMsText = (medians[index] - emptyScriptMs).toFixed(0);
  const ratioText = (medians[index] / emptyScriptMs).toFixed(1);
  const kilobytesText = (outputBytesByCase[index] / 1000).toFixed(0);
  console.log(
    `${name.padEnd(36)} ${additionalMsText.padStart(13)} ${String(maxAdditionalMs).padStart(6)} ${ratioText.padStart(6)} ${kilobytesText.padStart(8)}`,
  );
}
await measurePastScreens();
rmSync(home, { recursive: true, force: true });
if (directory === undefined) rmSync(workDirectory, { recursive: true, force: true });
