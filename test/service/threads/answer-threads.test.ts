/** Answers of real threads, which run the same bundle as the threads of `fin serve`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { Failure } from '../../../src/contract/failure.ts';
import { parseQuestion, type RawParameters } from '../../../src/contract/question.ts';
import { option, say } from '../../../src/contract/text/text.ts';
import {
  fromThreadError,
  needsThread,
  openAnswerThreads,
  toThreadError,
} from '../../../src/service/threads/answer-threads.ts';
import { makeTemporaryFolder, registerCleanUp } from '../../clean-up.ts';
import { bundleInto } from '../../store/bundled.ts';
import { ask, makeService } from '../ask.ts';
import { openSample } from '../sample.ts';

const SLOW_QUERY = 'period=all&limit=5000&keys=roe,revenue,net_income,free_cash_flow&collapse=true';

let scriptFile: string;
beforeAll(async () => {
  const folder = makeTemporaryFolder('threads');
  await bundleInto(folder, 'src/service/threads/answer-worker.ts');
  scriptFile = join(folder, 'service-threads-answer-worker.cjs');
});

function openThreads(directory: string, source = scriptFile) {
  const threads = openAnswerThreads({ script: { source, isCode: false }, count: 2, findDirectory: () => directory });
  registerCleanUp(() => threads.close());
  return threads;
}

test('a thread gives the same bytes as the main thread, also for problems', async () => {
  const { release, directory } = openSample();
  const unthreadedService = makeService({ release: async () => release });
  const threads = openThreads(directory);
  // On a busy machine threads take long to start.
  const threadedService = makeService({ release: async () => release, threads, deadlineMs: 60_000 });
  const targets = [
    `/v1/securities/AAPL/metrics?${SLOW_QUERY}`,
    '/v1/securities/AAPL/metrics?period=annual&limit=500',
    '/v1/securities/MSFT/metrics?as_of=2024-05-01',
    '/v1/securities/KO/metrics/free_cash_flow/lineage?limit=100',
    '/v1/securities/KHC/metrics/net_income/revisions',
    `/v1/securities/NOBODY/metrics?${SLOW_QUERY}`,
    '/v1/securities/AAPL/metrics/nothing/lineage',
  ];
  const headers = { 'x-request-id': 'same' };
  const threadResponses = await Promise.all(
    targets.map((target) => ask(target, { service: threadedService, headers })),
  );
  for (const [index, target] of targets.entries()) {
    const { body, ...head } = await ask(target, { service: unthreadedService, headers });
    expect(threadResponses[index], target).toMatchObject(head);
    expect(threadResponses[index]?.body === body, target).toBe(true);
  }
  expect(threadResponses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 404, 404]);
});

test('a cancelled question is not answered, unless another request waits for the same answer', async () => {
  const { release, directory } = openSample();
  const threads = openThreads(directory);
  const cancelController = new AbortController();
  const signal = new AbortController().signal;
  const makeTargetFor = (day: number) => `/v1/securities/AAPL/metrics?as_of=2024-05-0${day}&${SLOW_QUERY}`;
  const abandonedAnswerPromises = [1, 2, 3, 4].map((day) =>
    threads.answer(release, makeTargetFor(day), cancelController.signal),
  );
  for (const abandonedAnswer of abandonedAnswerPromises) abandonedAnswer.catch(() => undefined);
  // An answer that another request also waits for is completed.
  const sharedAnswerPromise = threads.answer(release, makeTargetFor(4), signal);
  cancelController.abort(new Error('hung up'));
  expect((await sharedAnswerPromise).head.length).toBeGreaterThan(100_000);
  await expect(abandonedAnswerPromises[2]).rejects.toThrow('hung up');
  expect((await threads.answer(release, makeTargetFor(3), signal)).entityTag).toMatch(/^W\//);
});

test('a question that exceeds the deadline in a thread is answered 504', async () => {
  const { release } = openSample();
  const home = makeTemporaryFolder('threads');
  const threadScriptFile = join(home, 'endless.cjs');
  const replyCode = "postMessage({ result: { entityTag: 'W/\"a\"', head: Buffer.from('x') } })";
  writeFileSync(
    threadScriptFile,
    `const { parentPort } = require('node:worker_threads');
     parentPort.on('message', ({ target }) => { while (target.includes('as_of')); parentPort.${replyCode}; });`,
  );
  const service = makeService({
    release: async () => release,
    threads: openThreads(home, threadScriptFile),
    deadlineMs: 300,
  });
  const endlessAnswerPromises = [1, 2, 3].map((day) =>
    ask(`/v1/securities/AAPL/metrics?as_of=2024-05-0${day}`, { service }),
  );
  expect((await Promise.all(endlessAnswerPromises)).map(({ status }) => status)).toEqual([504, 504, 504]);
  // No short deadline, because starting a thread may take long on a busy machine.
  const serviceWithoutDeadline = makeService({
    release: async () => release,
    threads: openThreads(home, threadScriptFile),
  });
  expect((await ask(`/v1/securities/AAPL/metrics?${SLOW_QUERY}`, { service: serviceWithoutDeadline })).status).toBe(
    200,
  );
});

test('if a thread dies, its question is answered 503 and reported, and the next question starts another thread', async () => {
  const { release } = openSample();
  const home = makeTemporaryFolder('threads');
  const dyingScriptFile = join(home, 'dies.cjs');
  writeFileSync(dyingScriptFile, "require('node:worker_threads').parentPort.on('message', () => process.exit(3));");
  const reportedDefects: unknown[] = [];
  const threads = openThreads(home, dyingScriptFile);
  const service = makeService({
    release: async () => release,
    threads,
    onDefect: (error) => reportedDefects.push(error),
  });
  for (let i = 0; i < 3; i++) {
    const { status, body } = await ask(`/v1/securities/AAPL/metrics?${SLOW_QUERY}`, { service });
    expect([status, JSON.parse(body)]).toEqual([
      503,
      expect.objectContaining({ code: 'unavailable', detail: expect.stringContaining('Request less at a time') }),
    ]);
  }
  expect(reportedDefects.map(String)).toEqual(Array(3).fill(expect.stringContaining('the thread ended unexpectedly')));
});

test('a Failure of a thread keeps its kind, text and hint', () => {
  const hint = say`Raise ${option('timeout')}.`;
  const failure = new Failure('network', say`No answer within ${option('timeout', '5')}.`, { hint });
  const receivedError = fromThreadError(structuredClone(toThreadError(failure)));
  expect(receivedError).toMatchObject({ kind: 'network', text: failure.text, hint, message: failure.message });
});

test.each<[string, RawParameters, boolean]>([
  ['metrics', [['ticker', 'AAPL']], false],
  [
    'metrics',
    [
      ['ticker', 'AAPL'],
      ['keys', 'roe'],
    ],
    true,
  ],
  [
    'metrics',
    [
      ['ticker', 'AAPL'],
      ['as_of', '2024-05-01'],
    ],
    true,
  ],
  [
    'metrics',
    [
      ['ticker', 'AAPL'],
      ['values', 'first'],
    ],
    true,
  ],
  [
    'metrics',
    [
      ['ticker', 'AAPL'],
      ['split_adjusted', 'true'],
    ],
    true,
  ],
  [
    'metrics',
    [
      ['ticker', 'AAPL'],
      ['values', 'first'],
      ['keys', 'revenue'],
    ],
    false,
  ],
  [
    'metrics',
    [
      ['ticker', 'AAPL'],
      ['period', 'annual'],
    ],
    true,
  ],
  [
    'metrics',
    [
      ['ticker', 'AAPL'],
      ['period', 'annual'],
      ['keys', 'revenue'],
    ],
    false,
  ],
  [
    'metrics',
    [
      ['ticker', 'AAPL'],
      ['period', 'all'],
      ['keys', 'revenue'],
    ],
    true,
  ],
  [
    'metrics',
    [
      ['ticker', 'AAPL'],
      ['period', 'no such'],
    ],
    false,
  ],
  ['profile', [['ticker', 'AAPL']], false],
  ['screen', [], false],
])('whether %s %j is answered in a thread: %s', (id, parameters, isInThread) => {
  expect(needsThread(parseQuestion(id as 'metrics', parameters))).toBe(isInThread);
});
