/**
 * Fetches `revisions` without a metric: a listing of all figures shows which of them a later filing changed. Then only
 * the filings of changed figures are requested, with one request for each metric. Loaded on demand.
 */
import { Failure } from '../../contract/failure.ts';
import { METRIC_KEYS } from '../../contract/figures.ts';
import { changeQuestion, findGivenText, parseQuestion, type Question } from '../../contract/question.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { call as command, option, say } from '../../contract/text/text.ts';
import { pushTo, sumNumbers } from '../../platform/collections.ts';
import { type Answer, changeAnswer, joinAnswers } from '../command/answer.ts';
import type { FetchExtent } from '../command/command.ts';
import { collect, type FetchCall } from './fetch-response.ts';
import { MAX_CONCURRENCY, processInOrder } from './in-order.ts';
import { fetchMetrics, joinPartialAnswers } from './whole-metrics.ts';
import { fetchValues } from './whole-values.ts';

export type ChangesExtent = Extract<FetchExtent, { kind: 'changes' }>;

/** Maximum number of metrics of all inputs together, without `--all`: four minutes at 60 requests a minute. */
const MAX_METRICS = 240;

/** The listing: all metrics that filings report. */
export const LISTING_EXTENT = {
  kind: 'metrics',
  hasNames: true,
  choice: {
    name: 'reports',
    choose: (all) => all?.filter((metric) => metric.value_kind === 'reported').map(({ key }) => key) ?? METRIC_KEYS,
  },
} as const satisfies FetchExtent;

export function makeListingQuestion({ rawParameters }: Question): Question {
  const ticker = findGivenText(rawParameters, 'ticker') ?? '';
  return parseQuestion('metrics', Object.entries({ ticker, period: 'all', collapse: 'true' }));
}

/** Returns the ids of the changed values by metric key. */
export function listChangedValues(
  rows: readonly MetricValue[],
  { parameters: { fiscal_year: year, fiscal_period: period } }: Question,
  { since }: ChangesExtent,
): ReadonlyMap<string, readonly string[]> {
  const idsByKey = new Map<string, string[]>();
  for (const row of rows) {
    if (row.revised !== true || row.value_kind !== 'reported') continue;
    if (year !== undefined && row.fiscal_year !== year) continue;
    if (period !== undefined && row.fiscal_period !== period) continue;
    // The value is read from the latest filing that changed it, or from one that repeats that value later.
    const filed = row.read_from?.filed_at;
    if (since !== null && filed != null && filed < since) continue;
    pushTo(idsByKey, row.metric_key, row.metric_value_id);
  }
  return idsByKey;
}

/** Returns a fetcher that refuses an input once the inputs need more requests than allowed. */
export function createChangesFetcher(extent: ChangesExtent): (call: FetchCall) => Promise<Answer> {
  let total = 0;
  return async (call) => {
    const { question, inProcess } = call;
    const listing = await fetchMetrics({ ...call, question: makeListingQuestion(question) }, LISTING_EXTENT);
    const idsByKey = listChangedValues(listing.data as readonly MetricValue[], question, extent);
    if (!inProcess && !extent.isUnlimited && total + idsByKey.size > MAX_METRICS)
      throw makeTooManyFailure(question, idsByKey.size, total);
    total += idsByKey.size;
    const silentCall = { ...call, progress: () => undefined };
    const answers = processInOrder(idsByKey, MAX_CONCURRENCY, ([key, ids]) =>
      fetchValues({ ...silentCall, question: changeQuestion(question, [['metric_key', key]]) }, ids),
    );
    const { keys: _, period: __, collapse: ___, limit: ____, ...meta } = listing.meta;
    const empty = joinAnswers(question.operation, { data: [], meta }, () => [], { requests: listing.requests });
    const format = (count: number) => `Fetched the filings of ${count} of ${idsByKey.size} metrics`;
    const parts = [empty, ...(await collect(answers, call, format))];
    const joined = joinPartialAnswers(question.operation, parts);
    const requests = sumNumbers(parts.map((part) => part.requests));
    return changeAnswer(joined, { requests, notices: [...listing.notices, ...parts.flatMap((part) => part.notices)] });
  };
}

function makeTooManyFailure({ rawParameters }: Question, needed: number, sent: number): Failure {
  const ticker = findGivenText(rawParameters, 'ticker') ?? '';
  const sentText =
    sent === 0 ? '' : `, in addition to the requests for ${formatCount(sent, 'metric')} of other companies`;
  const text = `The changes of ${ticker} need one request for each of ${formatCount(needed, 'metric')}${sentText}; the maximum is ${MAX_METRICS} metrics for all companies together.`;
  const hint = say`To send them all: ${option('all')}. To need fewer: ${option('since', '1y')}, or one metric, such as ${command('revisions', { ticker, metric_key: 'revenue' })}`;
  return new Failure('usage', text, { hint });
}
