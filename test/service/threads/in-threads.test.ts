/**
 * Questions of assistants to `fin serve`: a thread derives long answers, and this thread answers all other questions
 * meanwhile.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseQuestion, type RawParameters } from '../../../src/contract/question/question.ts';
import { inProcess } from '../../../src/service/in-process.ts';
import { openAnswerThreads } from '../../../src/service/threads/answer-threads.ts';
import { inThreads } from '../../../src/service/threads/in-threads.ts';
import { cleanUp, temporaryFolder } from '../../clean-up.ts';
import { bundleInto } from '../../store/bundled.ts';
import { openSample } from '../sample.ts';

const SLOW: RawParameters = [
  ['ticker', 'AAPL'],
  ['period', 'all'],
  ['limit', '500'],
];
const NEVER = new AbortController().signal;
const LONG_MS = 600_000;

/** Starts threads of the real bundle that send no answer until `open` is called. */
async function gatedThreads(directory: string) {
  const home = temporaryFolder('threads');
  await bundleInto(home, 'src/service/threads/answer-worker.ts');
  const gate = join(home, 'open');
  const source = join(home, 'gated.cjs');
  writeFileSync(
    source,
    `const { existsSync } = require('node:fs');
     const cell = new Int32Array(new SharedArrayBuffer(4));
     while (!existsSync(${JSON.stringify(gate)})) Atomics.wait(cell, 0, 0, 10);
     require('./answer-worker.cjs');`,
  );
  const threads = openAnswerThreads({ script: { source, isCode: false }, count: 1, directoryOf: () => directory });
  cleanUp(() => threads.close());
  return { threads, open: () => writeFileSync(gate, '') };
}

test('small questions are answered while long ones wait for a thread', async () => {
  const { release, directory } = openSample();
  const { threads, open } = await gatedThreads(directory);
  const service = inThreads(async () => release, threads, LONG_MS);
  const order: string[] = [];
  const long = [
    service.ask(parseQuestion('metrics', SLOW), NEVER),
    service.ask(parseQuestion('metrics', [...SLOW, ['as_of', '2024-05-01']]), NEVER),
    service.askPath('/v1/securities/KHC/metrics/net_income/revisions', NEVER),
    service.ask(parseQuestion('metrics', [...SLOW.slice(1), ['ticker', 'NOBODY']]), NEVER),
  ];
  for (const one of long) void one.then(() => order.push('long'));
  const small = [
    await service.ask(parseQuestion('search', [['query', 'apple']]), NEVER),
    await service.ask(parseQuestion('release', []), NEVER),
    await service.askPath('/v1/securities/AAPL/profile', NEVER),
    await service.askPath('/v1/nothing', NEVER),
  ];
  order.push('small');
  open();
  const answers = await Promise.all(long);
  expect(order).toEqual(['small', 'long', 'long', 'long', 'long']);
  expect(small.map((answer) => ('problem' in answer ? answer.problem.code : 'data'))).toEqual([
    'data',
    'data',
    'data',
    'not_found',
  ]);
  const unthreadedService = inProcess(async () => release);
  const { data, meta } = (await unthreadedService.ask(parseQuestion('metrics', SLOW), NEVER)) as {
    data: unknown;
    meta: object;
  };
  expect(answers[0]).toEqual({ data, meta: { ...meta, request_id: expect.stringMatching(/.+/) } });
  expect(answers[2]).toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ kind: 'first' })]) });
  expect(answers[3]).toMatchObject({ problem: { status: 404, code: 'not_found' } });
});

test("a question whose caller has left rejects with the abort's reason", async () => {
  const { release, directory } = openSample();
  const { threads, open } = await gatedThreads(directory);
  const service = inThreads(async () => release, threads, LONG_MS);
  const gone = new AbortController();
  const pendingAnswer = service.ask(parseQuestion('metrics', SLOW), gone.signal);
  gone.abort(new Error('hung up'));
  await expect(pendingAnswer).rejects.toThrow('hung up');
  open();
});
