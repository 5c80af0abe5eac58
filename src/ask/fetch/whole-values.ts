/**
 * Fetches all facts or filings of a metric's values. A response has at most 500 rows and no next page; if it is full,
 * the missing values are requested individually. Loaded on demand.
 */
import { changeQuestion, findGivenText, parseQuestion } from '../../contract/question.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { say } from '../../contract/text/text.ts';
import { makeWarning } from '../../result/notice.ts';
import { type Answer, changeAnswer, narrowAnswer } from '../command/answer.ts';
import { collect, type FetchCall, fetchOnePage, isPageFull } from './fetch-response.ts';
import { MAX_CONCURRENCY, processInOrder } from './in-order.ts';
import { joinPartialAnswers } from './whole-metrics.ts';

/** @param neededIds ids of the values whose rows are needed; by default all values */
export async function fetchValues(call: FetchCall, neededIds?: readonly string[]): Promise<Answer> {
  const { question } = call;
  const page = await fetchOnePage(call);
  if (!isPageFull(question, page)) return page;
  const isGiven = (name: string): boolean => findGivenText(question.rawParameters, name) !== undefined;
  const isNarrow = isGiven('metric_value_id') || isGiven('fiscal_year');
  const ids = neededIds ?? (isNarrow ? null : await listValueIds(call));
  if (ids === null) return warnOfMissingRows(page);
  const rows = page.data as readonly { readonly metric_value_id: string }[];
  // If a response is full, its last value may have further rows that the response omits.
  const lastId = rows.at(-1)?.metric_value_id;
  const completeIds = new Set(rows.map((row) => row.metric_value_id).filter((id) => id !== lastId));
  const requestedIds = new Set([...(lastId === undefined ? [] : [lastId]), ...ids]);
  const missingIds = [...requestedIds].filter((id) => !completeIds.has(id));
  const completeRows = rows.filter((row) => completeIds.has(row.metric_value_id));
  let isCut = false;
  const answers = processInOrder(missingIds, MAX_CONCURRENCY, async (id) => {
    const valueQuestion = changeQuestion(question, [['metric_value_id', id]]);
    const part = await fetchOnePage({ ...call, question: valueQuestion });
    isCut ||= isPageFull(valueQuestion, part);
    return part;
  });
  const parts = await collect(answers, call, (count) => `Fetched ${count} of ${missingIds.length} values`);
  const narrowed = narrowAnswer(page, question.operation, completeRows);
  const answer = joinPartialAnswers(question.operation, [narrowed, ...parts]);
  return isCut ? warnOfMissingRows(answer) : answer;
}

/** Returns the ids of all values of the metric, newest first; null if the list of values is itself incomplete. */
async function listValueIds({ client, question }: FetchCall): Promise<readonly string[] | null> {
  const { rawParameters } = question;
  const asOf = findGivenText(rawParameters, 'as_of');
  const listing = parseQuestion('metrics', [
    ['ticker', findGivenText(rawParameters, 'ticker') ?? ''],
    ['keys', findGivenText(rawParameters, 'metric_key') ?? ''],
    ['period', 'all'],
    ['limit', '500'],
    ...(asOf === undefined ? [] : [['as_of', asOf] as const]),
  ]);
  const answer = await fetchOnePage({ client, question: listing });
  if (isPageFull(listing, answer)) return null;
  return (answer.data as readonly MetricValue[]).map((row) => row.metric_value_id);
}

const warnOfMissingRows = (answer: Answer): Answer => {
  const text = say`Some rows are missing, because a response reached the service's maximum number of rows.`;
  return changeAnswer(answer, { notices: [...answer.notices, makeWarning('figures_cut', text)] });
};
