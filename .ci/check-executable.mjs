/** Runs a single executable in an environment with an empty home and without node on the PATH. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const scriptPath = join(root, 'bin', 'fin.js');
const { version } = createRequire(import.meta.url)('../package.json');

const isWindows = process.platform === 'win32';
const START_RUN_COUNT = 21;

/** Throws if the executable's output differs from that of bin/fin.js, and prints the start-up time of both. */
export async function checkExecutable(builtFile) {
  const folder = mkdtempSync(join(tmpdir(), 'fin-check-'));
  try {
    const binDirectory = join(folder, 'bin');
    mkdirSync(binDirectory);
    const executable = join(binDirectory, isWindows ? 'fin.exe' : 'fin');
    copyFileSync(builtFile, executable);
    const homeByProgram = { executable: join(folder, 'executable'), script: join(folder, 'script') };
    for (const home of Object.values(homeByProgram)) mkdirSync(home);
    const makeEnvironment = (home) => ({
      PATH: binDirectory,
      HOME: home,
      ...(isWindows ? { SYSTEMROOT: process.env.SYSTEMROOT, USERPROFILE: home } : {}),
    });
    const env = makeEnvironment(homeByProgram.executable);
    const runExecutable = (args) => readOutput(args, spawnSync(executable, args, { env, encoding: 'utf8' }));
    const runScript = (args) => {
      const options = { env: makeEnvironment(homeByProgram.script), encoding: 'utf8' };
      return readOutput(args, spawnSync(process.execPath, [scriptPath, ...args], options));
    };

    assert.equal(runExecutable(['--version']), `${version}\n`);
    for (const args of [
      ['metrics', 'AAPL', '--csv'],
      ['screen', '--limit', '5', '--json'],
      ['--help'],
      ['help', 'man'],
      ['completion', 'bash'],
      ['__complete', 'metrics', 'AA'],
      ['config', 'set', 'output', 'csv'],
    ]) {
      assert.equal(removeRequestId(runExecutable(args)), removeRequestId(runScript(args)), `fin ${args.join(' ')}`);
    }
    checkSample(homeByProgram.executable, runExecutable);
    for (const args of [['--version'], ['metrics', 'AAPL', '--json']])
      printStartupDurations(args, runExecutable, runScript);
    checkReleaseBuild(folder, runExecutable, runScript);
    await checkService(executable, env);
    console.log('The executable and the script give the same answers.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the output of a finished process; throws if its exit code is not 0. */
function readOutput(args, { status, stdout, stderr, error }) {
  assert.equal(status, 0, `fin ${args.join(' ')} failed: ${error ?? stderr}`);
  return stdout;
}

const removeRequestId = (text) => text.replace(/"request_id":\s*"[^"]*"/g, '');

/** Checks that only the owner can access the unpacked sample, and that it is unpacked again if a file is missing. */
function checkSample(home, run) {
  if (isWindows || process.platform === 'darwin') return;
  const sampleDirectory = join(home, '.cache', 'fin', 'sample');
  const paths = readdirSync(sampleDirectory, { recursive: true, encoding: 'utf8' }).map((path) =>
    join(sampleDirectory, path),
  );
  const files = paths.filter((path) => statSync(path).isFile());
  assert.ok(files.length > 50);
  for (const path of paths) assert.equal(statSync(path).mode & 0o077, 0, path);
  const expectedOutput = run(['metrics', 'MSFT', '--csv']);
  rmSync(files.find((path) => path.endsWith('reported_values.parquet')));
  assert.equal(run(['metrics', 'MSFT', '--csv']), expectedOutput);
  assert.equal(readdirSync(sampleDirectory).length, 1);
}

/**
 * Checks that executable and script build the same release from two companies with one figure each, on two worker
 * threads.
 */
function checkReleaseBuild(folder, run, runScript) {
  const sourceDirectory = join(folder, 'source');
  for (const name of ['companyfacts', 'submissions', 'files'])
    mkdirSync(join(sourceDirectory, name), { recursive: true });
  const companies = [1, 2].map((cik) => ({ cik, ticker: `T${cik}`, title: `Company ${cik}` }));
  for (const { cik, ticker, title } of companies) {
    const accn = `000000000${cik}-25-000001`;
    const assetsFact = {
      end: '2024-12-31',
      val: 1000 + cik,
      accn,
      fy: 2024,
      fp: 'FY',
      form: '10-K',
      filed: '2025-02-03',
    };
    const factsByTaxonomy = { 'us-gaap': { Assets: { label: null, description: null, units: { USD: [assetsFact] } } } };
    const recentFilings = {
      accessionNumber: [accn],
      filingDate: ['2025-02-03'],
      reportDate: ['2024-12-31'],
      acceptanceDateTime: ['2025-02-03T16:30:00.000Z'],
      form: ['10-K'],
      items: [''],
      primaryDocument: ['report.htm'],
    };
    const submissions = {
      cik: `${cik}`,
      name: title,
      tickers: [ticker],
      exchanges: ['NYSE'],
      filings: { recent: recentFilings, files: [] },
    };
    const name = `CIK000000000${cik}.json`;
    writeFileSync(
      join(sourceDirectory, 'companyfacts', name),
      JSON.stringify({ cik, entityName: title, facts: factsByTaxonomy }),
    );
    writeFileSync(join(sourceDirectory, 'submissions', name), JSON.stringify(submissions));
  }
  const tickerRows = companies.map(({ cik, ticker, title }) => ({ cik_str: cik, ticker, title }));
  writeFileSync(join(sourceDirectory, 'files', 'company_tickers.json'), JSON.stringify({ ...tickerRows }));
  const companyRows = companies.map(({ cik, ticker, title }) => [cik, title, ticker, 'NYSE']);
  const fieldNames = ['cik', 'name', 'ticker', 'exchange'];
  writeFileSync(
    join(sourceDirectory, 'files', 'company_tickers_exchange.json'),
    JSON.stringify({ fields: fieldNames, data: companyRows }),
  );
  const args = ['data', 'build', '--from', sourceDirectory, '--jobs', '2', '--publish-failed', '--json'];
  assert.equal(JSON.parse(run(args)).stamp, JSON.parse(runScript(args)).stamp);
  assert.match(run(['metrics', 'T2', '--csv']), /\b1002\b/);
}

async function checkService(executable, env) {
  const child = spawn(executable, ['serve', '--port', '0', '--no-auth'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [chunk] = await once(child.stdout, 'data');
    const response = await fetch(`${String(chunk).trim()}/v1/securities/T1/metrics`);
    assert.equal(response.status, 200);
    assert.match(await response.text(), /"1001"/);
  } finally {
    const exitPromise = once(child, 'exit');
    child.kill('SIGTERM');
    await exitPromise;
  }
}

/** Alternates between executable and script, so that other load on the machine affects both equally. */
function printStartupDurations(args, run, runScript) {
  const durationsByProgram = [[], []];
  for (let round = 0; round < START_RUN_COUNT; round += 1) {
    for (const [index, runProgram] of [run, runScript].entries()) {
      const startTime = performance.now();
      runProgram(args);
      durationsByProgram[index].push(performance.now() - startTime);
    }
  }
  const [executableSummary, scriptSummary] = durationsByProgram.map((list) => {
    list.sort((a, b) => a - b);
    return `${list[0].toFixed(0)} ms (median ${list[START_RUN_COUNT >> 1].toFixed(0)})`;
  });
  console.log(
    `fin ${args.join(' ')}, fastest of ${START_RUN_COUNT} runs: executable ${executableSummary}, script ${scriptSummary}`,
  );
}
