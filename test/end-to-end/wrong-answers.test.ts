/**
 * Runs the built program against a service whose answers have one wrong value. A fixed seed chooses one wrong answer
 * per operation.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OUTPUT_FORMAT_NAMES } from '../../src/render/formats.ts';
import { sendAnswer, serve } from '../http-service.ts';
import { makeArguments, makeWrongAnswers, readGoodAnswers } from '../wrong-answers.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

const SEED = 12;

test('an answer with a value of a wrong type ends with 7, names the field, and is not printed', async () => {
  const cases = (await readGoodAnswers()).map((goodAnswer, index) => {
    const wrongTypeAnswers = [...makeWrongAnswers(goodAnswer)].filter(
      ({ hasWrongType, change }) => hasWrongType && !change.startsWith('meta.schema'),
    );
    const [chosenAnswer] = fc.sample(fc.constantFrom(...wrongTypeAnswers), { seed: SEED + index, numRuns: 1 });
    if (chosenAnswer === undefined) throw new Error(`no wrong answer for ${goodAnswer.id}`);
    return {
      ...goodAnswer,
      ...chosenAnswer,
      format: OUTPUT_FORMAT_NAMES[index % OUTPUT_FORMAT_NAMES.length] as string,
    };
  });
  const answerTextByPath = new Map(cases.map(({ target, text }) => [new URL(target, 'http://x').pathname, text]));
  const { baseUrl } = await serve((request, response) => {
    sendAnswer(response, answerTextByPath.get(new URL(request.url ?? '', 'http://x').pathname) ?? '');
  });
  const env = { FIN_BASE_URL: baseUrl };
  for (const { id, target, change, format } of cases) {
    const { code, out, err } = await runFin([...makeArguments({ id, target }), '--output', format], { env });
    expect({ id, change, code, out }, err).toEqual({ id, change, code: 7, out: '' });
    expect(err).toMatch(new RegExp(`does not follow the HTTP API\\. ${id}: (the field \\W+)?(data|meta)`));
  }
});
