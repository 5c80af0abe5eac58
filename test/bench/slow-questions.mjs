/**
 * Measures the response times of a probe and of a small question while sixteen slow questions are in progress. Each
 * slow question is about a different day, so that no cached response answers it.
 *
 *     node test/bench/slow-questions.mjs [--seconds 10]     (FIN_DATA_DIR: the data directory; the sample by default)
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '10' } } });
const UNDER_WAY = 16;
const SLOW = 'period=all&limit=5000&keys=roe,revenue,net_income,free_cash_flow&collapse=true';
const TICKERS = ['AAPL', 'MSFT', 'NVDA', 'JPM', 'KO', 'GE', 'XOM', 'WMT', 'PFE', 'INTC'];

const port = await new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = server.address();
    server.close(() => resolve(free));
  });
});
const bin = join(import.meta.dirname, '../../bin/fin.js');
const server = spawn(process.execPath, [bin, 'serve', '--no-auth', '--port', `${port}`], { stdio: 'ignore' });
const agent = new Agent({ keepAlive: true });

/** Sends a request; resolves to the milliseconds until the complete response has arrived. */
const request = (path) =>
  new Promise((resolve, reject) => {
    const begun = performance.now();
    get({ host: '127.0.0.1', port, path, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`));
      response.resume().on('end', () => resolve(performance.now() - begun));
    }).on('error', reject);
  });

let asked = 0;
const dayBefore = (days) => new Date(Date.UTC(2026, 6, 1) - days * 86_400_000).toISOString().slice(0, 10);
const askSlow = () => {
  asked += 1;
  const ticker = TICKERS[asked % TICKERS.length];
  return request(`/v1/securities/${ticker}/metrics?${SLOW}&as_of=${dayBefore(asked)}`);
};

try {
  while (!(await request('/livez').catch(() => null))) await sleep(50);
  // V8 compiles the code first, as in a server that has been running for a while.
  for (let i = 0; i < 40; i += 1) await askSlow();
  const begun = performance.now();
  let isOver = false;
  const slow = [];
  const load = Array.from({ length: UNDER_WAY }, async () => {
    while (!isOver) slow.push(await askSlow());
  });
  const measure = async (pathOf) => {
    const times = [];
    while (performance.now() - begun < Number(values.seconds) * 1000) {
      times.push(await request(pathOf()));
      await sleep(10);
    }
    return times;
  };
  let small = 0;
  const measured = await Promise.all([
    measure(() => '/livez'),
    measure(() => `/v1/securities/AAPL/metrics?limit=${1 + (small++ % 100)}`),
  ]);
  isOver = true;
  await Promise.all(load);
  const seconds = (performance.now() - begun) / 1000;
  const percentile = (times, share) => times.sort((a, b) => a - b)[Math.ceil(times.length * share) - 1];
  for (const [index, name] of ['/livez', 'small question'].entries()) {
    const times = measured[index];
    const [half, most] = [percentile(times, 0.5), percentile(times, 0.99)].map((ms) => ms.toFixed(1));
    console.log(`${name.padEnd(16)} median ${half} ms, p99 ${most} ms of ${times.length}`);
  }
  console.log(`${'slow question'.padEnd(16)} ${(slow.length / seconds).toFixed(1)} a second`);
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1];
  console.log(`${'peak memory'.padEnd(16)} ${Math.round(Number(peak) / 1024)} MB`);
} finally {
  server.kill();
  agent.destroy();
}
