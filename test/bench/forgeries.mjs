/**
 * Reads forged releases, each within two processor seconds and half a gigabyte: node test/bench/forgeries.mjs [cases]
 * [first seed]
 *
 * A child process reads the forgeries of test/publish/forgeries.ts (page headers, pages, chunks, indexes, manifests,
 * release indexes, pages of row groups, lists, footers; all with correct hashes). If a forgery takes too long, crashes
 * or exceeds the memory, its process is ended, its seed is reported, and a new process continues. Prints, for each kind
 * of forgery, the number of read and of refused forgeries and the maximum time; then all defects; the exit code is 1
 * after a defect.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const MAX_MS = 2000;
const MAX_MB = 512;
/** Maximum time without a message. Elapsed time may exceed processor time on a busy machine. */
const SILENT_MS = 30_000;

const root = resolve(import.meta.dirname, '../..');

if (process.send !== undefined) await readForgeries();
else await superviseForgeries();

async function readForgeries() {
  const [, , bundle, work, from, to] = process.argv;
  const { openForger } = await import(bundle).then((loaded) => loaded.default);
  const samples = join(root, 'src/store/sample');
  const sample = join(
    samples,
    readdirSync(samples).find((name) => /^\d{4}-/.test(name)),
  );
  const forger = await openForger(sample, work);
  const ready = process.cpuUsage();
  process.send({ ready: (ready.user + ready.system) / 1000 });
  for (let seed = Number(from); seed < Number(to); seed += 1) {
    process.send({ begun: seed });
    const before = process.cpuUsage();
    const { kind, subject, result, error } = await forger.try(seed);
    const { user, system } = process.cpuUsage(before);
    const mb = process.memoryUsage.rss() / 2 ** 20;
    const defect = result === 'defect' ? String(error?.stack ?? error) : null;
    process.send({ seed, kind, subject, result, ms: (user + system) / 1000, mb, defect });
    // Lets the process send its messages between two cases.
    if (seed % 100 === 0) await new Promise((done) => setImmediate(done));
  }
  process.disconnect();
}

async function superviseForgeries() {
  const [cases = '100000', first = '0'] = process.argv.slice(2);
  const work = mkdtempSync(join(tmpdir(), 'fin-bench-forgeries-'));
  const bundle = join(work, 'forgeries.cjs');
  await build({
    entryPoints: [join(root, 'test/publish/forgeries.ts')],
    outfile: bundle,
    ...{ bundle: true, platform: 'node', format: 'cjs', packages: 'external', logLevel: 'error' },
    // Resolves packages from the repository, because the bundle is outside it.
    nodePaths: [join(root, 'node_modules')],
  });
  const counts = new Map();
  const slowest = new Map();
  const wrong = [];
  const report = (fault) => {
    wrong.push(fault);
    console.error(fault);
  };
  let [mostMb, done] = [0, 0];
  const end = Number(first) + Number(cases);
  const began = Date.now();
  for (let next = Number(first); next < end; ) {
    next = await new Promise((settle) => {
      let [current, last] = [next, Date.now()];
      const child = fork(import.meta.filename, [bundle, join(work, 'release'), String(next), String(end)], {
        env: { ...process.env, NODE_PATH: join(root, 'node_modules') },
      });
      const watch = setInterval(() => {
        if (Date.now() - last > SILENT_MS) child.kill('SIGKILL');
      }, 500);
      child.on('message', (message) => {
        last = Date.now();
        if (message.begun !== undefined) current = message.begun;
        if (message.seed === undefined) return;
        const { seed, kind, subject, result, ms, mb, defect } = message;
        const name = `${kind}: ${result}`;
        counts.set(name, (counts.get(name) ?? 0) + 1);
        done += 1;
        mostMb = Math.max(mostMb, mb);
        if (ms > (slowest.get(kind)?.ms ?? 0)) slowest.set(kind, { seed, ms });
        if (defect !== null) report(`seed ${seed}, ${kind} of ${subject}: ${defect}`);
        if (ms > MAX_MS) report(`seed ${seed}, ${kind} of ${subject}: took ${Math.round(ms)} ms`);
        if (mb > MAX_MB) report(`seed ${seed}, ${kind} of ${subject}: took ${Math.round(mb)} MB`);
        if (seed % 5000 === 0)
          console.error(`${done} of ${cases}, ${Math.round(mostMb)} MB at most, ${wrong.length} wrong`);
      });
      child.on('exit', (code) => {
        clearInterval(watch);
        if (code !== 0) report(`seed ${current}: the process ended (${code ?? 'killed'})`);
        settle(code === 0 ? end : current + 1);
      });
    });
  }
  for (const [name, count] of [...counts].sort()) console.log(`${name.padEnd(24)} ${count}`);
  for (const [kind, { seed, ms }] of slowest) console.log(`slowest ${kind}: ${Math.round(ms)} ms (seed ${seed})`);
  console.log(`${done} cases in ${Math.round((Date.now() - began) / 1000)} s, ${Math.round(mostMb)} MB at most`);
  for (const fault of wrong) console.log(fault);
  rmSync(work, { recursive: true, force: true });
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
