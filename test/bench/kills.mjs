/**
 * Kills builds, publications and pulls at random moments, by default thirty of each, and checks after each kill that
 * the machine still answers as one whole release does. At the end each operation runs through without any cleaning.
 *
 *     npm run bench:kills [-- <kills of each operation> [<directory of public files>]]
 */
import { spawn } from 'node:child_process';
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [count = 30, source = 'test/public-files'] = process.argv.slice(2);
const root = resolve(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'fin-kills-'));
const [built, published] = ['built', 'published'].map((name) => join(home, name));
/** Two directories of public files, of which the second lacks a family of data. */
const [all, fewer] = [[], ['13f.zip']].map((left, index) => {
  const directory = join(home, `source-${index}`);
  mkdirSync(directory);
  for (const name of readdirSync(resolve(root, source)).filter((name) => !left.includes(name)))
    symlinkSync(resolve(root, source, name), join(directory, name));
  return directory;
});

/** Starts `fin`, in a process group of its own, so that its workers are killed too. */
function start(data, ...args) {
  const env = { PATH: process.env.PATH, HOME: home, FIN_DATA_DIR: data };
  const child = spawn(process.execPath, ['bin/fin.js', ...args], { cwd: root, env, detached: true });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  const ended = new Promise((onEnd) => child.on('close', (code) => onEnd({ code, output })));
  return { child, ended };
}

async function run(data, ...args) {
  const startedAt = performance.now();
  const { code, output } = await start(data, ...args).ended;
  if (code !== 0) throw new Error(`fin ${args.join(' ')} ended with ${code}:\n${output}`);
  return { output, milliseconds: performance.now() - startedAt };
}

const QUESTION = ['metrics', 'AAPL', '--period', 'all', '--csv', '--quiet'];
const readAnswer = async (data) => (await run(data, ...QUESTION)).output;

/** Kills an operation at random moments of its usual time, `count` times; `check` throws if something was lost. */
async function killOften(name, milliseconds, startOperation, check) {
  let [killed, runs] = [0, 0];
  while (killed < Number(count)) {
    const { child, ended } = startOperation(runs);
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), Math.random() * milliseconds);
    const { code } = await ended;
    clearTimeout(timer);
    runs += 1;
    if (code === null) killed += 1;
    await check();
  }
  console.log(
    `${name}: ${killed} of ${runs} runs were killed, of about ${Math.round(milliseconds)} ms; nothing was lost`,
  );
}

const host = createServer((request, response) => {
  const path = join(published, decodeURIComponent(new URL(request.url ?? '', 'http://host').pathname));
  let size;
  try {
    size = statSync(path).size;
  } catch {
    response.writeHead(404).end();
    return;
  }
  const [, first = '0', last = String(size - 1)] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const [start, end] = [Number(first), Math.min(Number(last), size - 1)];
  const headers = { 'content-length': Math.max(0, end - start + 1), 'content-range': `bytes ${start}-${end}/${size}` };
  response.writeHead(request.headers.range === undefined ? 200 : 206, headers);
  if (size === 0) response.end();
  else
    createReadStream(path, { start, end })
      .on('error', () => response.destroy())
      .pipe(response);
});
await new Promise((onListening) => host.listen(0, '127.0.0.1', onListening));
const address = `http://127.0.0.1:${host.address().port}`;

const build = (from) => ['data', 'build', '--from', from, '--allow-loss'];
await run(built, ...build(all));
const answer = await readAnswer(built);
// Later builds take less time, because results are cached.
const { milliseconds: buildTime } = await run(built, ...build(fewer));
const checkAnswer = async (data) => {
  if ((await readAnswer(data)) !== answer) throw new Error(`${data} answers otherwise than before`);
  await run(data, 'data', 'status', '--verify');
};
await killOften(
  'builds',
  buildTime,
  (index) => start(built, ...build(index % 2 === 0 ? all : fewer)),
  () => checkAnswer(built),
);

/** Publishes a release and removes the other one, so that each publication copies all files. */
const publish = (stamp) => ['data', 'publish', published, '--release', stamp, '--prune', '1'];
const readStamp = async () => JSON.parse((await run(built, 'release', '--json', '--quiet')).output).data.stamp;
await run(built, ...build(fewer));
const smaller = await readStamp();
await run(built, ...build(all));
const larger = await readStamp();
const pull = ['data', 'pull', address];
/** A reader that pulls gets one whole release, also after an interrupted publication or pull. */
const checkPull = async (data) => {
  await run(data, ...pull);
  await checkAnswer(data);
};
const makeReader = () => mkdtempSync(join(home, 'reader-'));
const { milliseconds: publishTime } = await run(built, ...publish(larger));
await killOften(
  'publications',
  publishTime,
  (index) => start(built, ...publish(index % 2 === 0 ? smaller : larger)),
  () => checkPull(makeReader()),
);

await run(built, ...publish(smaller));
let reader = makeReader();
const { milliseconds: pullTime } = await run(reader, ...pull);
await killOften(
  'pulls',
  pullTime,
  () => {
    reader = makeReader();
    return start(reader, ...pull);
  },
  () => checkPull(reader),
);
host.close();
