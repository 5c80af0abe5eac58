/**
 * Detects memory leaks: four accounts send requests for ten minutes (or the given seconds). Each account has five
 * concurrent requests although four are allowed, and continues after 429s. Prints the server's memory twenty times, or
 * every half minute in long runs. Fails after a response with status 500 or above, or if memory is 50 % higher in the
 * last third of the run than in the middle third: garbage collection lowers memory again, but not after a leak.
 *
 *     npm run bench:soak [-- <seconds> [<data directory>]]
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Agent, request } from 'undici';

const runSeconds = Number(process.argv[2] ?? 600);
const dataDirectory = process.argv[3];
const root = resolve(import.meta.dirname, '../..');
const env = {
  PATH: process.env.PATH,
  HOME: mkdtempSync(join(tmpdir(), 'fin-soak-')),
  ...(dataDirectory === undefined ? {} : { FIN_DATA_DIR: resolve(dataDirectory) }),
};
// The limit per minute is high, so that accounts rarely wait; the limit of four concurrent requests is the default.
const limitsFile = join(env.HOME, 'limits.json');
writeFileSync(limitsFile, JSON.stringify({ default: { minute: 20_000, month: 100_000_000 } }));

const runFin = (...args) =>
  execFileSync(process.execPath, ['bin/fin.js', ...args], { cwd: root, env, encoding: 'utf8' });
const apiKeys = ['one', 'two', 'three', 'four'].map(
  (account) => JSON.parse(runFin('keys', 'create', '--account', account, '--json')).key,
);

const server = spawn(process.execPath, ['bin/fin.js', 'serve', '--port', '0', '--limits', limitsFile], {
  cwd: root,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const baseUrl = await new Promise((resolveUrl) =>
  server.stdout.once('data', (text) => resolveUrl(String(text).trim())),
);

/** Returns the resident memory of the server in megabytes. */
const readMemoryMegabytes = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;

const figureKeys = ['revenue', 'net_income', 'assets', 'gross_margin', 'revenue_yoy'];
const tickers = ['AAPL', 'MSFT', 'GOOGL', 'NVDA', 'JPM', 'KO'];
const pickRandom = (list) => list[Math.floor(Math.random() * list.length)];
const pickLetter = () => pickRandom('abcdefghijklmnopqrstuvwxyz'.split(''));
/** Returns a random request path. Most paths are new, so that the server's cache of responses evicts continually. */
const pickQuestionPath = () =>
  pickRandom([
    () =>
      `/v1/screen?where=${pickRandom(figureKeys)}:gt:${Math.floor(Math.random() * 1e9)}&sort=${pickRandom(figureKeys)}&limit=${1 + Math.floor(Math.random() * 500)}`,
    () => `/v1/securities/${pickRandom(tickers)}/metrics?period=all&limit=${1 + Math.floor(Math.random() * 500)}`,
    () => `/v1/securities/${pickRandom(tickers)}/metrics/${pickRandom(figureKeys.slice(0, 3))}/revisions`,
    () => `/v1/securities?query=${pickLetter()}${pickLetter()}`,
    () => `/v1/insider-activity?limit=20&offset=${Math.floor(Math.random() * 2000)}`,
    () => '/v1/release',
    () => '/v1/nothing',
  ])();

const countByStatus = {};
let areClientsRunning = true;
const agent = new Agent({ connections: 20 });
async function runClient(key) {
  while (areClientsRunning) {
    const { statusCode, headers, body } = await request(baseUrl + pickQuestionPath(), {
      dispatcher: agent,
      headers: { authorization: `Bearer ${key}` },
    });
    await body.dump();
    countByStatus[statusCode] = (countByStatus[statusCode] ?? 0) + 1;
    if (statusCode === 429)
      await new Promise((resolveSleep) =>
        setTimeout(resolveSleep, Math.min(Number(headers['retry-after']) * 100, 1_000)),
      );
  }
}

const clientPromises = apiKeys.flatMap((key) => Array.from({ length: 5 }, () => runClient(key)));
const memorySamples = [];
const startTime = Date.now();
while (Date.now() - startTime < runSeconds * 1000) {
  await new Promise((resolveSleep) => setTimeout(resolveSleep, Math.min(30_000, (runSeconds * 1000) / 20)));
  memorySamples.push(readMemoryMegabytes());
  const elapsedSeconds = Math.round((Date.now() - startTime) / 1000);
  console.log(
    `${String(elapsedSeconds).padStart(4)} s  ${memorySamples.at(-1).toFixed(0)} MB  ${JSON.stringify(countByStatus)}`,
  );
}
areClientsRunning = false;
await Promise.all(clientPromises);
server.kill();
await agent.close();

const computeMean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
const thirdLength = Math.floor(memorySamples.length / 3);
const [middleMean, lastMean] = [
  computeMean(memorySamples.slice(thirdLength, 2 * thirdLength)),
  computeMean(memorySamples.slice(2 * thirdLength)),
];
console.log(`middle third ${middleMean.toFixed(0)} MB, last third ${lastMean.toFixed(0)} MB`);
if (lastMean > middleMean * 1.5 || Object.keys(countByStatus).some((status) => Number(status) >= 500))
  process.exitCode = 1;
