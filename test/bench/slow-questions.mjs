/**
 * Measures the response times of the probe /livez and of a small question while sixteen slow questions are in progress.
 * Each slow question has a different `as_of`, so that no cached response answers it.
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
const CONCURRENT_QUESTION_COUNT = 16;
const SLOW_PARAMETERS = 'period=all&limit=5000&keys=roe,revenue,net_income,free_cash_flow&collapse=true';
const TICKERS = ['AAPL', 'MSFT', 'NVDA', 'JPM', 'KO', 'GE', 'XOM', 'WMT', 'PFE', 'INTC'];

const port = await new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port: freePort } = server.address();
    server.close(() => resolve(freePort));
  });
});
const finScript = join(import.meta.dirname, '../../bin/fin.js');
const server = spawn(process.execPath, [finScript, 'serve', '--no-auth', '--port', `${port}`], { stdio: 'ignore' });
const agent = new Agent({ keepAlive: true });

/** Sends a request; resolves to the milliseconds until the complete response has arrived. */
const timeRequest = (path) =>
  new Promise((resolve, reject) => {
    const startTime = performance.now();
    get({ host: '127.0.0.1', port, path, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} returned status ${response.statusCode}`));
      response.resume().on('end', () => resolve(performance.now() - startTime));
    }).on('error', reject);
  });

let askedCount = 0;
const makeAsOfDay = (days) => new Date(Date.UTC(2026, 6, 1) - days * 86_400_000).toISOString().slice(0, 10);
const timeSlowQuestion = () => {
  askedCount += 1;
  const ticker = TICKERS[askedCount % TICKERS.length];
  return timeRequest(`/v1/securities/${ticker}/metrics?${SLOW_PARAMETERS}&as_of=${makeAsOfDay(askedCount)}`);
};

try {
  while (!(await timeRequest('/livez').catch(() => null))) await sleep(50);
  // V8 compiles the code before the measurement, as in a server that has been running for a while.
  for (let i = 0; i < 40; i += 1) await timeSlowQuestion();
  const startTime = performance.now();
  let isMeasuringOver = false;
  const slowTimesMs = [];
  const slowLoopPromises = Array.from({ length: CONCURRENT_QUESTION_COUNT }, async () => {
    while (!isMeasuringOver) slowTimesMs.push(await timeSlowQuestion());
  });
  const measureProbe = async (makePath) => {
    const times = [];
    while (performance.now() - startTime < Number(values.seconds) * 1000) {
      times.push(await timeRequest(makePath()));
      await sleep(10);
    }
    return times;
  };
  let smallQuestionCount = 0;
  const timesByProbe = await Promise.all([
    measureProbe(() => '/livez'),
    measureProbe(() => `/v1/securities/AAPL/metrics?limit=${1 + (smallQuestionCount++ % 100)}`),
  ]);
  isMeasuringOver = true;
  await Promise.all(slowLoopPromises);
  const seconds = (performance.now() - startTime) / 1000;
  const findPercentile = (times, share) => times.sort((a, b) => a - b)[Math.ceil(times.length * share) - 1];
  for (const [index, name] of ['/livez', 'small question'].entries()) {
    const times = timesByProbe[index];
    const [median, p99] = [findPercentile(times, 0.5), findPercentile(times, 0.99)].map((ms) => ms.toFixed(1));
    console.log(`${name.padEnd(16)} median ${median} ms, p99 ${p99} ms of ${times.length}`);
  }
  console.log(`${'slow question'.padEnd(16)} ${(slowTimesMs.length / seconds).toFixed(1)} per second`);
  const peakKilobytesText = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1];
  console.log(`${'peak memory'.padEnd(16)} ${Math.round(Number(peakKilobytesText) / 1024)} MB`);
} finally {
  server.kill();
  agent.destroy();
}
