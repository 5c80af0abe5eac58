/**
 * Fetches all rows of metrics. A response has at most 5,000 rows if the question names keys and collapses rows,
 * otherwise 500. If a response is full, the keys that it may lack rows of are requested again.
 */
import type { Client } from '../../client/client.ts';
import { Failure } from '../../contract/failure.ts';
import { findRows, type Operation } from '../../contract/operations.ts';
import { changeQuestion, findGivenText, parseQuestion, type Question } from '../../contract/question.ts';
import type { MetricCatalogEntry, MetricValue } from '../../contract/resources/metrics.ts';
import { MISSING_TEXT_PLACEHOLDER } from '../../contract/text/missing-text.ts';
import { call, option, say } from '../../contract/text/text.ts';
import { makeWarning } from '../../result/notice.ts';
import { type Answer, changeAnswer, type Envelope, joinAnswers, narrowAnswer } from '../command/answer.ts';
import type { FetchExtent, KeyChoice } from '../command/command.ts';
import { type FetchCall, fetchOnePage, isPageFull, withMaximumLimit } from './fetch-response.ts';

export const makeCatalogQuestion = () => parseQuestion('catalog', []);

/**
 * Returns the metrics of a catalog that have a key. Metrics without a key cannot be requested; a separate notice
 * reports them.
 */
export const selectMetricsWithKey = ({ data }: Pick<Envelope, 'data'>): Catalog =>
  (data as Catalog).filter(({ key }) => key !== MISSING_TEXT_PLACEHOLDER);

type Catalog = readonly MetricCatalogEntry[];

type WholeMetricsExtent = Extract<FetchExtent, { kind: 'metrics' }>;

export async function fetchMetrics(call: FetchCall, { choice, hasNames }: WholeMetricsExtent): Promise<Answer> {
  const { question } = call;
  if (findGivenText(question.rawParameters, 'keys') !== undefined) return fetchByKeys(call, question);
  if (!hasNames) {
    const page = await fetchOnePage(call);
    if (!isPageFull(question, page)) return page;
  }
  const catalog = call.inProcess ? null : await fetchCatalog(call.client);
  return fetchByKeys(call, withKeys(question, choice, catalog));
}

const fetchCatalog = async (client: Client) => selectMetricsWithKey((await client.ask(makeCatalogQuestion())).envelope);

/**
 * Returns the question with the chosen metric keys. Throws a not-found Failure if the service has none of the metrics.
 */
export function withKeys(question: Question, { choose, name }: KeyChoice, catalog: Catalog | null): Question {
  // A catalog may list a key repeatedly. Requesting a key twice would lengthen the address, and could repeat its rows.
  const keys = [...new Set(choose(catalog))];
  if (keys.length > 0) return withMaximumLimit(changeQuestion(question, [['keys', keys.join(',')]]));
  const hint = say`List of metrics: ${call('catalog')}`;
  throw new Failure('not_found', `The service has no metrics of the ${name}.`, { hint });
}

async function fetchByKeys(call: FetchCall, wholeQuestion: Question): Promise<Answer> {
  const { operation } = wholeQuestion;
  const parts: Answer[] = [];
  const cutKeys: string[] = [];
  const waitingQuestions = [wholeQuestion];
  for (let question = waitingQuestions.shift(); question !== undefined; question = waitingQuestions.shift()) {
    const part = await fetchOnePage({ ...call, question });
    if (!isPageFull(question, part)) {
      parts.push(part);
      continue;
    }
    const { completeRows, furtherQuestions } = splitFullPage(question, part);
    waitingQuestions.unshift(...furtherQuestions);
    if (completeRows.length > 0) parts.push(narrowAnswer(part, operation, completeRows));
    if (furtherQuestions.length > 0) continue;
    cutKeys.push(findGivenText(question.rawParameters, 'keys') ?? '');
    parts.push(part);
  }
  const answer = joinPartialAnswers(operation, parts);
  if (cutKeys.length === 0) return answer;
  const text = say`Earlier rows of ${cutKeys.join(', ')} are missing, because the response reached the service's maximum number of rows. To get one row per period: ${option('collapse', 'true')}`;
  return changeAnswer(answer, { notices: [...answer.notices, makeWarning('figures_cut', text, { keys: cutKeys })] });
}

/**
 * Returns the rows of a full response whose keys are complete, and the questions for all other keys. If no key is
 * complete, returns two questions with half of the keys each, or no question if there is only one key.
 */
export function splitFullPage(question: Question, envelope: Envelope) {
  const keys = [...new Set((findGivenText(question.rawParameters, 'keys') ?? '').split(','))];
  const askFor = (keys: readonly string[]) => changeQuestion(question, [['keys', keys.join(',')]]);
  const rows = envelope.data as readonly MetricValue[];
  const complete = listCompleteKeys(rows);
  const others = keys.filter((key) => !complete.has(key));
  // A faulty service may send keys that were not requested.
  if (complete.size > 0 && others.length > 0 && others.length + complete.size === keys.length)
    return { completeRows: rows.filter((row) => complete.has(row.metric_key)), furtherQuestions: [askFor(others)] };
  const middle = keys.length >> 1;
  const halves = middle === 0 ? [] : [keys.slice(0, middle), keys.slice(middle)];
  return { completeRows: [], furtherQuestions: halves.map(askFor) };
}

/**
 * Returns the keys of a full response whose rows are complete: if the service sorts rows by key, all keys except the
 * last. Empty if the rows are not sorted by key.
 */
function listCompleteKeys(rows: readonly MetricValue[]): ReadonlySet<string> {
  const keys = new Set<string>();
  let lastKey: string | null = null;
  for (const { metric_key: key } of rows) {
    if (key === lastKey) continue;
    if (keys.has(key)) return new Set();
    keys.add(key);
    lastKey = key;
  }
  if (lastKey !== null) keys.delete(lastKey);
  return keys;
}

/** Combines partial answers into one. Throws a service Failure if they come from different releases. */
export function joinPartialAnswers(operation: Operation, parts: readonly Answer[]): Answer {
  const [first] = parts;
  if (first === undefined) throw new Error('the answer is missing');
  if (parts.length === 1) return first;
  const { release } = first.meta;
  if (parts.some(({ meta }) => meta.release?.stamp !== release?.stamp)) {
    const hint = 'No part of the answer is shown. Try again in a few minutes.';
    throw new Failure('service', 'The release changed while its figures were fetched.', { hint });
  }
  const { keys: _, ...meta } = first.meta;
  const rows = parts.flatMap(({ data }) => findRows(operation, data) ?? []);
  return joinAnswers(operation, { data: rows, meta }, () => [{ data: rows, meta }], { requests: parts.length });
}
