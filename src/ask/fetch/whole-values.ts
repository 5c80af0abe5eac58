/**
 * Fetches all facts or filings of a metric's values. A response has at most 500 rows and no next page; if it is full,
 * the missing values are requested individually. Loaded on demand.
 */
import { changeQuestion, findGivenText, parseQuestion } from '../../contract/question/question.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { say } from '../../contract/text/text.ts';
import { makeWarning } from '../../result/notice.ts';
import { type Answer, changeAnswer, narrowAnswer } from '../command/answer.ts';
import { MAX_CONCURRENT_REQUESTS, processInOrder } from './in-order.ts';
import { type FetchCall, fetchOnePage, isPageFull } from './response.ts';
import { joinPartialAnswers } from './whole-metrics.ts';

interface ValueRow {
  readonly metric_value_id: string;
}

export async function fetchValues(fetchCall: FetchCall): Promise<Answer> {
  const { question } = fetchCall;
  const page = await fetchOnePage(fetchCall);
  const hasValueOrYearParameter = ['metric_value_id', 'fiscal_year'].some(
    (name) => findGivenText(question.rawParameters, name) !== undefined,
  );
  if (!isPageFull(question, page)) return page;
  const valueIds = hasValueOrYearParameter ? null : await listValueIds(fetchCall);
  if (valueIds === null) return warnOfMissingRows(page);
  const rows = page.data as readonly ValueRow[];
  // If a response is full, its last value may have further rows that the response omits.
  const lastId = rows.at(-1)?.metric_value_id;
  const completeIds = new Set(rows.map((row) => row.metric_value_id).filter((id) => id !== lastId));
  const missingIds = [...new Set([...(lastId === undefined ? [] : [lastId]), ...valueIds])].filter(
    (id) => !completeIds.has(id),
  );
  const completeRows = rows.filter((row) => completeIds.has(row.metric_value_id));
  const partAnswers: Answer[] = [narrowAnswer(page, question.operation, completeRows)];
  let hasTruncatedPart = false;
  const partAnswersInOrder = processInOrder(missingIds, MAX_CONCURRENT_REQUESTS, async (id) => {
    const valueQuestion = changeQuestion(question, [['metric_value_id', id]]);
    const partAnswer = await fetchOnePage({ ...fetchCall, question: valueQuestion });
    hasTruncatedPart ||= isPageFull(valueQuestion, partAnswer);
    return partAnswer;
  });
  let fetchedCount = 0;
  try {
    for await (const partAnswer of partAnswersInOrder) {
      partAnswers.push(partAnswer);
      fetchedCount += 1;
      fetchCall.progress(`Fetched ${fetchedCount} of ${missingIds.length} values`);
    }
  } finally {
    fetchCall.progress(null);
  }
  const answer = joinPartialAnswers(question.operation, partAnswers);
  return hasTruncatedPart ? warnOfMissingRows(answer) : answer;
}

/** Returns the ids of all values of the metric, newest first; null if the list of values is itself incomplete. */
async function listValueIds({ client, question }: FetchCall): Promise<readonly string[] | null> {
  const { rawParameters } = question;
  const asOf = findGivenText(rawParameters, 'as_of');
  const listingQuestion = parseQuestion('metrics', [
    ['ticker', findGivenText(rawParameters, 'ticker') ?? ''],
    ['keys', findGivenText(rawParameters, 'metric_key') ?? ''],
    ['period', 'all'],
    ['limit', '500'],
    ...(asOf === undefined ? [] : [['as_of', asOf] as const]),
  ]);
  const listingAnswer = await fetchOnePage({ client, question: listingQuestion });
  if (isPageFull(listingQuestion, listingAnswer)) return null;
  return (listingAnswer.data as readonly MetricValue[]).map((row) => row.metric_value_id);
}

const warnOfMissingRows = (answer: Answer): Answer => {
  const text = say`Some rows are missing, because a response reached the service's maximum number of rows.`;
  return changeAnswer(answer, { notices: [...answer.notices, makeWarning('figures_cut', text)] });
};
