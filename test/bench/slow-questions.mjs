/**
 * Measures the response times of the probe /livez and of a small question while other connections ask. Sixteen
 * connections ask slow questions, each with a different `as_of`, so that no cached response answers it. With
 * `--connections 64`, further connections ask slow and long questions and small ones in turn, half of them compressed.
 * Fails if any response is not 200. Prints the memory of the server at the start and at the end.
 *
 *     node test/bench/slow-questions.mjs [--seconds 10] [--connections 16] [--uncompressed]
 *
 * FIN_DATA_DIR is the data directory; by default, the sample answers.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '16' },
    uncompressed: { type: 'boolean', default: false },
  },
});
const SLOW_CONNECTION_COUNT = 16;
/** Number of connections that ask questions of all sizes. */
const MIXED_CONNECTION_COUNT = Math.max(0, Number(values.connections) - SLOW_CONNECTION_COUNT);
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
const timeRequest = (path, headers = {}) =>
  new Promise((resolve, reject) => {
    const startTime = performance.now();
    get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} returned status ${response.statusCode}`));
      response.resume().on('end', () => resolve(performance.now() - startTime));
    }).on('error', reject);
  });

let askedCount = 0;
const MIXED_PATHS = [
  () => '/v1/metrics',
  () => `/v1/securities/${pickTicker()}/metrics?limit=20`,
  () => '/v1/screen?limit=500',
  () => `/v1/securities/${pickTicker()}/profile`,
  () => `/v1/securities/${pickTicker()}/metrics?period=all&limit=5000`,
  () => '/v1/release',
  () => `/v1/securities?query=${String.fromCharCode(97 + (askedCount % 26))}`,
  () => '/v1/insider-activity?limit=100',
  () => `/v1/securities/${pickTicker()}/prices`,
  () => '/openapi.json',
];
const pickTicker = () => TICKERS[askedCount % TICKERS.length];

let mixedCount = 0;
const timeMixedQuestion = () => {
  askedCount += 1;
  mixedCount += 1;
  const makePath = MIXED_PATHS[mixedCount % MIXED_PATHS.length];
  const isCompressed = !values.uncompressed && mixedCount % 2 === 0;
  return timeRequest(makePath(), isCompressed ? { 'accept-encoding': mixedCount % 4 === 0 ? 'gzip' : 'br' } : {});
};

const readMemory = (field) => {
  const kilobytes = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1];
  return `${Math.round(Number(kilobytes) / 1024)} MB`;
};

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
  const memoryAtStart = readMemory('VmRSS');
  const startTime = performance.now();
  let isMeasuringOver = false;
  const errors = [];
  /** Asks questions on so many connections until the measurement is over; returns their times when all have ended. */
  const askRepeatedly = async (connectionCount, timeQuestion) => {
    const times = [];
    const ask = async () => {
      while (!isMeasuringOver)
        await timeQuestion().then(
          (ms) => times.push(ms),
          (error) => errors.push(error.message),
        );
    };
    await Promise.all(Array.from({ length: connectionCount }, ask));
    return times;
  };
  const loads = [
    askRepeatedly(SLOW_CONNECTION_COUNT, timeSlowQuestion),
    askRepeatedly(MIXED_CONNECTION_COUNT, timeMixedQuestion),
  ];
  const measureProbe = async (makePath) => {
    const times = [];
    while (performance.now() - startTime < Number(values.seconds) * 1000) {
      await timeRequest(makePath()).then(
        (ms) => times.push(ms),
        (error) => errors.push(error.message),
      );
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
  const [slowTimesMs, mixedTimesMs] = await Promise.all(loads);
  const seconds = (performance.now() - startTime) / 1000;
  const findPercentile = (times, share) => times.sort((a, b) => a - b)[Math.ceil(times.length * share) - 1];
  for (const [index, name] of ['/livez', 'small question'].entries()) {
    const times = timesByProbe[index];
    const [median, p99] = [findPercentile(times, 0.5), findPercentile(times, 0.99)].map((ms) => ms.toFixed(1));
    console.log(`${name.padEnd(16)} median ${median} ms, p99 ${p99} ms of ${times.length}`);
  }
  console.log(`${'slow question'.padEnd(16)} ${(slowTimesMs.length / seconds).toFixed(1)} per second`);
  const mixedRate = (mixedTimesMs.length / seconds).toFixed(1);
  if (MIXED_CONNECTION_COUNT > 0)
    console.log(
      `${'mixed questions'.padEnd(16)} ${mixedRate} per second, p99 ${findPercentile(mixedTimesMs, 0.99).toFixed(1)} ms`,
    );
  console.log(
    `${'memory'.padEnd(16)} ${memoryAtStart} at the start, ${readMemory('VmRSS')} at the end, ${readMemory('VmHWM')} at most`,
  );
  console.log(`${'errors'.padEnd(16)} ${errors.length}${errors.length === 0 ? '' : `, such as: ${errors[0]}`}`);
  if (errors.length > 0) process.exitCode = 1;
} finally {
  server.kill();
  agent.destroy();
}
