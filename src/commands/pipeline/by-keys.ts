/** Questions about metrics that name them, so that one answer, or several, holds all rows that were asked for. */
import type { Client } from '../../client/client.ts';
import { Failure } from '../../contract/failure.ts';
import { rowsOf } from '../../contract/operations.ts';
import { changeQuestion, givenText, parseQuestion, type Question } from '../../contract/question/question.ts';
import type { MetricCatalogEntry } from '../../contract/resources/metrics.ts';
import type { Answer, KeyChoice } from '../command.ts';
import { type FetchCall, type FetchedAnswer, fetchOnePage, isFull } from './fetch.ts';

interface Service {
  readonly client: Client;
  /** Whether it is this program's own, whose metrics are known. */
  readonly local: boolean;
}

export const CATALOG = parseQuestion('catalog', []);

/** Names the keys of each question that has none; the catalog is asked for once. */
export function keyNamer(choice: KeyChoice, { client, local }: Service): (question: Question) => Promise<Question> {
  let catalog: Promise<readonly MetricCatalogEntry[] | null> | null = null;
  return async (question) => {
    if (givenText(question.given, 'keys') !== undefined) return question;
    catalog ??= local ? Promise.resolve(null) : client.ask(CATALOG).then(({ envelope }) => catalogOf(envelope));
    return withKeys(question, choice, await catalog);
  };
}

export const catalogOf = ({ data }: Answer<unknown>): readonly MetricCatalogEntry[] =>
  data as readonly MetricCatalogEntry[];

/** Throws a not-found Failure where the service has none of the metrics. */
export function withKeys(question: Question, choice: KeyChoice, catalog: Parameters<KeyChoice['choose']>[0]): Question {
  const keys = choice.choose(catalog);
  if (keys.length > 0) return changeQuestion(question, [['keys', keys.join(',')]]);
  throw new Failure('not_found', `The service has no metric of the ${choice.name}.`, {
    hint: 'Its metrics: fin catalog',
  });
}

/** Asks for half of the metrics at a time while an answer is as long as it may be. */
export async function fetchByKeys(call: FetchCall): Promise<FetchedAnswer> {
  const parts: FetchedAnswer[] = [];
  const waiting = [call.question];
  for (let question = waiting.shift(); question !== undefined; question = waiting.shift()) {
    const part = await fetchOnePage({ ...call, question });
    const keys = (givenText(question.given, 'keys') ?? '').split(',');
    if (!isFull(question, part.answer) || keys.length === 1) {
      parts.push(part);
      continue;
    }
    const middle = keys.length >> 1;
    const halves = [keys.slice(0, middle), keys.slice(middle)];
    waiting.unshift(...halves.map((half) => changeQuestion(call.question, [['keys', half.join(',')]])));
  }
  const [first, ...others] = parts;
  if (first === undefined) throw new Error('a question has an answer');
  return others.length === 0 ? first : joined(call.question, [first, ...others]);
}

/** One answer of all rows, whose meta has no limit. Throws a service Failure for parts of different releases. */
function joined({ operation }: Question, parts: readonly [FetchedAnswer, ...FetchedAnswer[]]): FetchedAnswer {
  const [{ answer: first }] = parts;
  const { limit: _, ...meta } = first.meta;
  if (parts.some(({ answer }) => answer.meta.release?.stamp !== meta.release?.stamp)) {
    throw new Failure('service', 'The release changed while its figures were fetched.', {
      hint: 'Nothing was written. Try again when the release has settled.',
    });
  }
  const answer = { meta, data: parts.flatMap((part) => rowsOf(operation, part.answer.data) ?? []) };
  return {
    answer,
    pages: () => [answer],
    whole: () => answer,
    text: () => [JSON.stringify(answer)],
    close: () => undefined,
  };
}
