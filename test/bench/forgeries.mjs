/**
 * Checks that reading a forged release takes at most two processor seconds and 512 MB: node test/bench/forgeries.mjs
 * [cases] [first seed]
 *
 * A child process reads the forgeries of test/publish/forgeries.ts (page headers, pages, chunks, indexes, manifests,
 * release indexes, pages of row groups, lists, footers; all with correct hashes). If the process crashes or sends no
 * message for 30 seconds, the seed of its forgery is reported, and a new process continues with the next seed. Prints,
 * for each kind of forgery, the number of each result and the maximum time; then all faults. Exits with 1 after a
 * fault.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const MAX_PROCESSOR_MS = 2000;
const MAX_MB = 512;
/**
 * Maximum time without a message: far above MAX_PROCESSOR_MS, because elapsed time exceeds processor time on a busy
 * machine.
 */
const MAX_SILENT_MS = 30_000;

const root = resolve(import.meta.dirname, '../..');

if (process.send !== undefined) await readForgeries();
else await superviseForgeries();

async function readForgeries() {
  const [, , bundle, workDirectory, firstSeed, endSeed] = process.argv;
  const { openForger } = await import(bundle).then((loaded) => loaded.default);
  const sampleReleasesDirectory = join(root, 'src/store/sample');
  const sampleReleasePath = join(
    sampleReleasesDirectory,
    readdirSync(sampleReleasesDirectory).find((name) => /^\d{4}-/.test(name)),
  );
  const forger = await openForger(sampleReleasePath, workDirectory);
  const startUsage = process.cpuUsage();
  process.send({ ready: (startUsage.user + startUsage.system) / 1000 });
  for (let seed = Number(firstSeed); seed < Number(endSeed); seed += 1) {
    process.send({ begun: seed });
    const usageBefore = process.cpuUsage();
    const { kind, subject: forgedPart, result, error } = await forger.try(seed);
    const { user, system } = process.cpuUsage(usageBefore);
    const mb = process.memoryUsage.rss() / 2 ** 20;
    const defect = result === 'defect' ? String(error?.stack ?? error) : null;
    process.send({ seed, kind, subject: forgedPart, result, ms: (user + system) / 1000, mb, defect });
    // Lets the process send its messages between two cases.
    if (seed % 100 === 0) await new Promise((done) => setImmediate(done));
  }
  process.disconnect();
}

async function superviseForgeries() {
  const [caseCount = '100000', firstSeed = '0'] = process.argv.slice(2);
  const workDirectory = mkdtempSync(join(tmpdir(), 'fin-bench-forgeries-'));
  const bundleFile = join(workDirectory, 'forgeries.cjs');
  await build({
    entryPoints: [join(root, 'test/publish/forgeries.ts')],
    outfile: bundleFile,
    ...{ bundle: true, platform: 'node', format: 'cjs', packages: 'external', logLevel: 'error' },
    // Resolves packages from the repository, because the bundle is outside it.
    nodePaths: [join(root, 'node_modules')],
  });
  const report = createReport(Number(caseCount));
  const endSeed = Number(firstSeed) + Number(caseCount);
  for (let nextSeed = Number(firstSeed); nextSeed < endSeed; )
    nextSeed = await superviseReader({ bundleFile, workDirectory, report, endSeed }, nextSeed);
  report.print();
  rmSync(workDirectory, { recursive: true, force: true });
  process.exitCode = report.faults.length === 0 ? 0 : 1;
}

/**
 * Reads forgeries in a child process, beginning with `nextSeed`; returns the seed with which the next process
 * continues.
 */
function superviseReader({ bundleFile, workDirectory, report, endSeed }, nextSeed) {
  return new Promise((settle) => {
    let [currentSeed, lastMessageTime] = [nextSeed, Date.now()];
    const child = fork(
      import.meta.filename,
      [bundleFile, join(workDirectory, 'release'), String(nextSeed), String(endSeed)],
      { env: { ...process.env, NODE_PATH: join(root, 'node_modules') } },
    );
    const watchdog = setInterval(() => {
      if (Date.now() - lastMessageTime > MAX_SILENT_MS) child.kill('SIGKILL');
    }, 500);
    child.on('message', (message) => {
      lastMessageTime = Date.now();
      if (message.begun !== undefined) currentSeed = message.begun;
      if (message.seed !== undefined) report.addResult(message);
    });
    child.on('exit', (code) => {
      clearInterval(watchdog);
      if (code !== 0)
        report.addFault(`seed ${currentSeed}: the process ${code === null ? 'was killed' : `exited with ${code}`}`);
      settle(code === 0 ? endSeed : currentSeed + 1);
    });
  });
}

/** Collects the results of all cases and prints their summary. */
function createReport(caseCount) {
  const countByLabel = new Map();
  const slowestByKind = new Map();
  const faults = [];
  const startTime = Date.now();
  let [maxMb, doneCount] = [0, 0];
  const addFault = (fault) => {
    faults.push(fault);
    console.error(fault);
  };
  function addResult({ seed, kind, subject: forgedPart, result, ms, mb, defect }) {
    const label = `${kind}: ${result}`;
    countByLabel.set(label, (countByLabel.get(label) ?? 0) + 1);
    doneCount += 1;
    maxMb = Math.max(maxMb, mb);
    if (ms > (slowestByKind.get(kind)?.ms ?? 0)) slowestByKind.set(kind, { seed, ms });
    if (defect !== null) addFault(`seed ${seed}, ${kind} of ${forgedPart}: ${defect}`);
    if (ms > MAX_PROCESSOR_MS) addFault(`seed ${seed}, ${kind} of ${forgedPart}: took ${Math.round(ms)} ms`);
    if (mb > MAX_MB) addFault(`seed ${seed}, ${kind} of ${forgedPart}: used ${Math.round(mb)} MB`);
    if (seed % 5000 === 0)
      console.error(`${doneCount} of ${caseCount}, at most ${Math.round(maxMb)} MB, ${faults.length} faults`);
  }
  function print() {
    for (const [label, count] of [...countByLabel].sort()) console.log(`${label.padEnd(24)} ${count}`);
    for (const [kind, { seed, ms }] of slowestByKind)
      console.log(`slowest ${kind}: ${Math.round(ms)} ms (seed ${seed})`);
    const seconds = Math.round((Date.now() - startTime) / 1000);
    console.log(`${doneCount} cases in ${seconds} s, at most ${Math.round(maxMb)} MB`);
    for (const fault of faults) console.log(fault);
  }
  return { faults, addFault, addResult, print };
}
