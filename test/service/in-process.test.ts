import { expect, test } from 'vitest';
import { parseQuestion } from '../../src/contract/question.ts';
import { API_WORDING, formatText } from '../../src/contract/text/text.ts';
import { openInProcessService } from '../../src/service/answers/in-process.ts';
import { askBody } from './ask.ts';
import { RELEASE_ROWS } from './filed.ts';
import { makeMemoryRelease } from './memory-release.ts';

const openService = () => openInProcessService(async () => makeMemoryRelease(RELEASE_ROWS));

test('an in-process question has the same answer as its path over HTTP', async () => {
  const question = parseQuestion('screen', [
    ['where', 'revenue:gt:1'],
    ['columns', 'revenue'],
  ]);
  const answer = await openService().ask(question, null);
  const { data, meta } = await askBody('/v1/screen?where=revenue:gt:1&columns=revenue');
  expect(answer).toEqual({ data, meta: { ...meta, request_id: expect.any(String) } });
});

test('a parsed question is answered by its parsed parameters, without parsing its text again', async () => {
  const question = parseQuestion('screen', [['where', 'revenue:gt:1']]);
  const questionWithFaultyText = {
    ...question,
    rawParameters: [['where', 'revenue:gt:']] as const,
    readings: new Map(),
  };
  const [answer, secondAnswer] = [
    await openService().ask(question, null),
    await openService().ask(questionWithFaultyText, null),
  ];
  if ('problem' in answer || 'problem' in secondAnswer) throw new Error('a problem');
  expect(secondAnswer.data).toEqual(answer.data);
  expect(secondAnswer.meta.where).toEqual(['revenue:gt:1']);
});

test('a question with faults is answered with a problem that names all faults', async () => {
  const question = parseQuestion('screen', [
    ['where', 'revenu:gt:1'],
    ['limit', '0'],
  ]);
  expect(await openService().ask(question, null)).toMatchObject({
    problem: {
      ...{ code: 'bad_request', status: 400 },
      detail: question.faults.map(({ detail }) => formatText(detail, API_WORDING)).join(' '),
    },
  });
  expect(question.faults).toHaveLength(2);
});

test('a release is opened once and closed with the service', async () => {
  let openCount = 0;
  let closeCount = 0;
  const service = openInProcessService(async () => {
    openCount += 1;
    const close = async () => {
      closeCount += 1;
    };
    return { ...makeMemoryRelease(RELEASE_ROWS), close };
  });
  const answers = await Promise.all([
    service.askPath('/v1/release', null),
    service.ask(parseQuestion('catalog', []), null),
  ]);
  expect(answers.map((answer) => 'data' in answer)).toEqual([true, true]);
  await service.close();
  expect([openCount, closeCount]).toEqual([1, 1]);
});

test('errors of the release, and aborts, reach the caller', async () => {
  const damagedService = openInProcessService(async () => {
    throw new Error('the manifest is damaged');
  });
  await expect(damagedService.askPath('/v1/release', null)).rejects.toThrow('the manifest is damaged');
  // A service whose reads never end.
  const endlessService = openInProcessService(async () =>
    makeMemoryRelease(RELEASE_ROWS, { before: () => new Promise(() => {}) }),
  );
  const controller = new AbortController();
  const pendingAnswer = endlessService.askPath('/v1/metrics', controller.signal);
  controller.abort(new Error('enough'));
  await expect(pendingAnswer).rejects.toThrow('enough');
});
