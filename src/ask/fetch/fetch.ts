/**
 * Fetches the answer to one input, with as many requests as the plan's extent needs (one page, all pages, days …), and
 * the attribution of prices if the answer lacks it.
 */
import type { Client } from '../../client/client.ts';
import { isFailure } from '../../contract/failure.ts';
import type { Operation } from '../../contract/operations.ts';
import { changeQuestion, type Question } from '../../contract/question.ts';
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';
import { isObject, type JsonObject } from '../../platform/json-object.ts';
import { makeWarning } from '../../result/notice.ts';
import type { Answer } from '../command/answer.ts';
import type { FetchExtent } from '../command/command.ts';
import { type FetchCall, fetchOnePage } from './fetch-response.ts';
import { fetchMetrics } from './whole-metrics.ts';

/** Fetches an answer, which the caller must close. Throws the Failure of a question without an answer. */
export type FetchAnswer = (call: FetchCall) => Promise<Answer>;

/** Returns the function that fetches answers of this extent. Called once per plan, because it may load code. */
export async function loadFetcher(extent: FetchExtent): Promise<FetchAnswer> {
  if (extent.kind === 'page') return fetchOnePage;
  if (extent.kind === 'metrics') return (call) => fetchMetrics(call, extent);
  if (extent.kind === 'pages') return withSmallerLimits((await import('./all-pages.ts')).fetchAllPages);
  if (extent.kind === 'values') return withSmallerLimits((await import('./whole-values.ts')).fetchValues);
  if (extent.kind === 'changes') {
    const { createChangesFetcher } = await import('./changed-figures.ts');
    return withSmallerLimits(createChangesFetcher(extent));
  }
  const { walkDays } = await import('./walk-days.ts');
  return (call) => walkDays(call, extent);
}

/**
 * Limits to try, one after the other, if a service refuses the maximum limit of fin's own service. 25 is the default
 * limit in the HTTP API.
 */
const SMALLER_LIMITS = ['100', '25'];

/** Repeats a question with smaller limits while the service refuses its limit, unless the user set the limit. */
const withSmallerLimits =
  (fetchAnswer: FetchAnswer): FetchAnswer =>
  async (call) => {
    let { question } = call;
    for (const limit of SMALLER_LIMITS) {
      try {
        return await fetchAnswer({ ...call, question });
      } catch (error) {
        if (call.isLimitGiven || !isLimitRefused(error, question)) throw error;
        question = changeQuestion(question, [['limit', limit]]);
      }
    }
    return fetchAnswer({ ...call, question });
  };

/** Whether the service answered 400 because of a limit whose bounds the HTTP API does not state. */
function isLimitRefused(error: unknown, { operation }: Question): boolean {
  if (!isFailure(error) || error.problem?.status !== 400) return false;
  const limit = operation.parameters.find(({ name }) => name === 'limit');
  return limit?.source === 'ours' && /\blimit\b/i.test(error.problem.detail);
}

/**
 * Returns the attribution of prices that the service sent without attribution, and a notice; null if the answer has no
 * prices. The attribution is an earlier one, a newly requested one, or null.
 */
export async function findAttribution(client: Client, operation: Operation, answer: Answer) {
  const ticker = findPricedTicker(operation, answer);
  if (ticker === null) return null;
  const attribution = await client.attribution(ticker);
  const text =
    attribution === null
      ? 'The service sent prices without the attribution that must be shown with them.'
      : `${attribution.text} ${attribution.url}`;
  return { attribution, notice: makeWarning(attribution === null ? 'attribution_missing' : 'attribution_added', text) };
}

/** Returns the ticker of the first row with a price; null if no row has a price. */
function findPricedTicker({ priced }: Operation, { items, data }: Answer): string | null {
  if (priced === undefined) return null;
  const test = priced === 'always' ? hasPrice : hasPricedFigure;
  for (const row of priced === 'always' ? [data] : items())
    if (isObject(row) && test(row) && typeof row.ticker === 'string') return row.ticker;
  return null;
}

/** Whether the data of `prices` has a price on any day, or the data of `profile` a latest price. */
const hasPrice = ({ latest, price }: JsonObject) =>
  latest != null || (Array.isArray(price) ? price.length > 0 : price != null);

const hasPricedFigure = (row: JsonObject) => [...PRICED_COLUMNS].some((name) => row[name] != null);
