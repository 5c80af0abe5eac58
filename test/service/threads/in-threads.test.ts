/** Tests that a service answers small questions in the main thread while another thread derives long answers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseQuestion, type RawParameters } from '../../../src/contract/question.ts';
import { openInProcessService } from '../../../src/service/answers/in-process.ts';
import { openAnswerThreads } from '../../../src/service/threads/answer-threads.ts';
import { openThreadedService } from '../../../src/service/threads/in-threads.ts';
import { makeTemporaryFolder, registerCleanUp } from '../../clean-up.ts';
import { bundleInto } from '../../store/bundled.ts';
import { openSample } from '../sample.ts';

const SLOW_PARAMETERS: RawParameters = [
  ['ticker', 'AAPL'],
  ['period', 'all'],
  ['limit', '500'],
];
const NEVER_ABORTED_SIGNAL = new AbortController().signal;
const LONG_DEADLINE_MS = 600_000;

/** Starts a thread with the real bundle. The thread answers questions only after `open` is called. */
async function openGatedThreads(directory: string) {
  const folder = makeTemporaryFolder('threads');
  await bundleInto(folder, 'src/service/threads/answer-worker.ts');
  const gateFile = join(folder, 'open');
  const gatedScriptFile = join(folder, 'gated.cjs');
  writeFileSync(
    gatedScriptFile,
    `const { existsSync } = require('node:fs');
     const cell = new Int32Array(new SharedArrayBuffer(4));
     while (!existsSync(${JSON.stringify(gateFile)})) Atomics.wait(cell, 0, 0, 10);
     require('./service-threads-answer-worker.cjs');`,
  );
  const threads = openAnswerThreads({
    script: { source: gatedScriptFile, isCode: false },
    count: 1,
    findDirectory: () => directory,
  });
  registerCleanUp(() => threads.close());
  return { threads, open: () => writeFileSync(gateFile, '') };
}

test('small questions are answered while long ones wait for a thread', async () => {
  const { release, directory } = openSample();
  const { threads, open } = await openGatedThreads(directory);
  const service = openThreadedService(async () => release, threads, LONG_DEADLINE_MS);
  const completionOrder: string[] = [];
  const longAnswerPromises = [
    service.ask(parseQuestion('metrics', SLOW_PARAMETERS), NEVER_ABORTED_SIGNAL),
    service.ask(parseQuestion('metrics', [...SLOW_PARAMETERS, ['as_of', '2024-05-01']]), NEVER_ABORTED_SIGNAL),
    service.askPath('/v1/securities/KHC/metrics/net_income/revisions', NEVER_ABORTED_SIGNAL),
    service.ask(parseQuestion('metrics', [...SLOW_PARAMETERS.slice(1), ['ticker', 'NOBODY']]), NEVER_ABORTED_SIGNAL),
  ];
  for (const answer of longAnswerPromises) void answer.then(() => completionOrder.push('long'));
  const smallAnswers = [
    await service.ask(parseQuestion('search', [['query', 'apple']]), NEVER_ABORTED_SIGNAL),
    await service.ask(parseQuestion('release', []), NEVER_ABORTED_SIGNAL),
    await service.askPath('/v1/securities/AAPL/profile', NEVER_ABORTED_SIGNAL),
    await service.askPath('/v1/nothing', NEVER_ABORTED_SIGNAL),
  ];
  completionOrder.push('small');
  open();
  const answers = await Promise.all(longAnswerPromises);
  expect(completionOrder).toEqual(['small', 'long', 'long', 'long', 'long']);
  expect(smallAnswers.map((answer) => ('problem' in answer ? answer.problem.code : 'data'))).toEqual([
    'data',
    'data',
    'data',
    'not_found',
  ]);
  const unthreadedService = openInProcessService(async () => release);
  const { data, meta } = (await unthreadedService.ask(
    parseQuestion('metrics', SLOW_PARAMETERS),
    NEVER_ABORTED_SIGNAL,
  )) as {
    data: unknown;
    meta: object;
  };
  expect(answers[0]).toEqual({ data, meta: { ...meta, request_id: expect.stringMatching(/.+/) } });
  expect(answers[2]).toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ kind: 'first' })]) });
  expect(answers[3]).toMatchObject({ problem: { status: 404, code: 'not_found' } });
});

test("a cancelled question rejects with the abort's reason", async () => {
  const { release, directory } = openSample();
  const { threads, open } = await openGatedThreads(directory);
  const service = openThreadedService(async () => release, threads, LONG_DEADLINE_MS);
  const cancelController = new AbortController();
  const pendingAnswer = service.ask(parseQuestion('metrics', SLOW_PARAMETERS), cancelController.signal);
  cancelController.abort(new Error('hung up'));
  await expect(pendingAnswer).rejects.toThrow('hung up');
  open();
});
