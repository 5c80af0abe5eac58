/**
 * `--plan`: computes the requests and time that a plan would need, from the cache and the rate limiter. Sends no
 * requests. Loaded on demand.
 */
import type { RequestPlan } from '../client/cache/cached-exchange.ts';
import type { Client } from '../client/client.ts';
import { type Connection, type ConnectionTarget, readAccountHash } from '../client/connection.ts';
import { type QuotaUsage, readQuotaUsages } from '../client/limiter/quota.ts';
import { hasPages, readTotal } from '../contract/operations.ts';
import { changeQuestion, findGivenText, type Question } from '../contract/question/question.ts';
import { sumNumbers } from '../platform/collections.ts';
import { makeFieldsBlock, makeNoteBlock } from '../result/blocks.ts';
import type { Envelope } from './command/answer.ts';
import type { Input } from './command/command.ts';
import { isPageFull } from './fetch/response.ts';
import { listDaysToPlan } from './fetch/walk-days.ts';
import { makeCatalogQuestion, selectMetricsWithKey, splitFullPage, withKeys } from './fetch/whole-metrics.ts';
import type { Plan } from './plan.ts';
import { planTickerSearch } from './reasons/named-companies.ts';

/** Requests, bytes and time that a plan needs: as values for JSON and CSV, and as text for a terminal. */
export interface PlanReport {
  readonly values: Readonly<Record<string, string | number | boolean | null>>;
  readonly view: readonly (ReturnType<typeof makeFieldsBlock> | ReturnType<typeof makeNoteBlock>)[];
}

const MINUTE_MS = 60_000;

export async function makePlanReport(
  plan: Plan,
  { client, isInProcess, planLoad }: Connection,
  target: ConnectionTarget,
): Promise<PlanReport> {
  if (planLoad !== undefined) return makeLoadReport(plan, planLoad);
  const totals = { cached: 0, requests: 0, revalidatedCount: 0, uncertainCount: 0 };
  for await (const question of listQuestions(plan)) {
    const requestCounts = computeRequestCounts(plan, question, client, isInProcess);
    for (const name of ['cached', 'requests', 'revalidatedCount', 'uncertainCount'] as const)
      totals[name] += requestCounts[name];
  }
  const catalogSource = isInProcess ? null : findCatalogSource(plan, client);
  if (catalogSource !== null) {
    totals.requests += catalogSource === 'network' ? 1 : 0;
    totals.cached += catalogSource === 'cache' ? 1 : 0;
    totals.revalidatedCount += catalogSource === 'release' ? 1 : 0;
  }
  // A single request shows whether the release changed, and so whether these cached responses are all still valid.
  const requestCount = isInProcess ? 0 : totals.requests + Math.min(1, totals.revalidatedCount);
  const quotaUsages = isInProcess ? [] : await readTargetQuotaUsages(target);
  const findRemainingRequests = (name: QuotaUsage['limit']): number | null =>
    quotaUsages.find(({ limit }) => limit === name)?.remaining ?? null;
  const values = {
    requests: requestCount,
    more_may_be_needed: !isInProcess && totals.uncertainCount > 0,
    cached: isInProcess ? 0 : totals.cached + totals.revalidatedCount,
    minutes: computeWaitMinutes(requestCount, quotaUsages),
    minute_remaining: findRemainingRequests('minute'),
    month_remaining: findRemainingRequests('month'),
  };
  const requestsLeftThisMonth = values.month_remaining;
  const atLeastText = values.more_may_be_needed ? 'at least ' : '';
  return {
    values,
    view: [
      makeFieldsBlock([
        ['Requests', `${atLeastText}${requestCount}`],
        ['Answered from the cache', `${values.cached}`],
        ['Waiting time due to rate limits', values.minutes === 0 ? 'none' : `about ${values.minutes} min`],
        [
          'Requests left this minute and month',
          isInProcess
            ? 'unlimited: answered on this machine'
            : `${values.minute_remaining ?? '–'}, ${requestsLeftThisMonth ?? '–'}`,
        ],
      ]),
      ...(requestsLeftThisMonth !== null && requestCount > requestsLeftThisMonth
        ? [
            makeNoteBlock(
              `Requests left this month: ${requestsLeftThisMonth}. This command needs ${atLeastText}${requestCount}.`,
            ),
          ]
        : []),
      ...(values.more_may_be_needed
        ? [makeNoteBlock('The total number of requests is known only after the first response.')]
        : []),
    ],
  };
}

/** Yields the question of each input; for a range of days, one question per weekday. */
async function* listQuestions({ inputs, question, extent }: Plan): AsyncGenerator<Question> {
  for await (const { parameters } of inputs as AsyncIterable<Input>) {
    const inputQuestion = changeQuestion(question, parameters);
    if (extent.kind !== 'days') yield inputQuestion;
    else
      for (const day of listDaysToPlan(inputQuestion, extent.since))
        yield changeQuestion(inputQuestion, day.parameters);
  }
}

interface RequestCounts {
  readonly cached: number;
  readonly requests: number;
  /** Number of cached responses that remain valid only if the release is unchanged. */
  readonly revalidatedCount: number;
  readonly uncertainCount: number;
}

function computeRequestCounts({ extent }: Plan, question: Question, client: Client, inProcess: boolean): RequestCounts {
  const tickerSearch = inProcess ? null : planTickerSearch(question, client);
  const { plans, uncertainCount } = planRequests(extent, tickerSearch?.question ?? question, client, inProcess);
  const allPlans = tickerSearch === null ? plans : [tickerSearch.plan, ...plans];
  const countRequests = (kind: RequestPlan['by']): number => allPlans.filter(({ by }) => by === kind).length;
  return {
    cached: countRequests('cache'),
    requests: countRequests('network'),
    revalidatedCount: countRequests('release'),
    uncertainCount,
  };
}

interface PlannedRequests {
  readonly plans: readonly RequestPlan[];
  /** Number of plans whose first response may show that further requests are necessary. */
  readonly uncertainCount: number;
}

function planRequests(extent: Plan['extent'], question: Question, client: Client, inProcess: boolean): PlannedRequests {
  if (extent.kind === 'pages' && hasPages(question.operation)) return planPages(question, client);
  if (extent.kind === 'values') return { plans: [client.plan(question)], uncertainCount: 1 };
  if (extent.kind !== 'metrics') return { plans: [client.plan(question)], uncertainCount: 0 };
  if (findGivenText(question.rawParameters, 'keys') !== undefined) return planMetrics(question, client);
  if (!extent.hasNames) return { plans: [client.plan(question)], uncertainCount: 0 };
  const catalogEnvelope = inProcess ? null : client.plan(makeCatalogQuestion()).envelope;
  if (!inProcess && catalogEnvelope === null) return { plans: [client.plan(question)], uncertainCount: 1 };
  const catalogEntries =
    catalogEnvelope === null ? null : selectMetricsWithKey(catalogEnvelope as Pick<Envelope, 'data'>);
  return planMetrics(withKeys(question, extent.choice, catalogEntries), client);
}

/** Plans a question. If its cached response is full, also plans the questions for the other keys, recursively. */
function planMetrics(question: Question, client: Client): PlannedRequests {
  const requestPlan = client.plan(question);
  const { envelope } = requestPlan;
  const hasSeveralKeys = findGivenText(question.rawParameters, 'keys')?.includes(',') === true;
  if (envelope === null) return { plans: [requestPlan], uncertainCount: hasSeveralKeys ? 1 : 0 };
  const followingRequests = isPageFull(question, envelope)
    ? splitFullPage(question, envelope).furtherQuestions.map((furtherQuestion) => planMetrics(furtherQuestion, client))
    : [];
  return {
    plans: [requestPlan, ...followingRequests.flatMap(({ plans }) => plans)],
    uncertainCount: sumNumbers(followingRequests.map(({ uncertainCount }) => uncertainCount)),
  };
}

/**
 * Returns where the plan's requests would get the catalog from, such as the cache. Null if they do not need the
 * catalog.
 */
function findCatalogSource({ extent, question }: Plan, client: Client): RequestPlan['by'] | null {
  const isCatalogNeeded =
    extent.kind === 'metrics' && extent.hasNames && findGivenText(question.rawParameters, 'keys') === undefined;
  return isCatalogNeeded ? client.plan(makeCatalogQuestion()).by : null;
}

/** Plans all pages if the first page is cached and states the total; otherwise only the first page. */
function planPages(question: Question, client: Client): PlannedRequests {
  const { rawParameters, operation } = question;
  const limit = Number(findGivenText(rawParameters, 'limit'));
  const planPageAt = (offset: number): RequestPlan =>
    client.plan(
      changeQuestion(question, [['limit', `${limit}`], ...(offset === 0 ? [] : [['offset', `${offset}`] as const])]),
    );
  const firstPlan = planPageAt(0);
  const total = firstPlan.envelope === null ? null : readTotal(operation, firstPlan.envelope);
  if (total === null || !(limit > 0)) return { plans: [firstPlan], uncertainCount: 1 };
  const laterPageCount = Math.max(0, Math.ceil(total / limit) - 1);
  const laterPlans = Array.from({ length: laterPageCount }, (_, index) => planPageAt((index + 1) * limit));
  return { plans: [firstPlan, ...laterPlans], uncertainCount: 0 };
}

/** Returns the account's limits; empty without a key (no account) or without a state directory (no rate limiter). */
async function readTargetQuotaUsages(target: ConnectionTarget): Promise<readonly QuotaUsage[]> {
  const { directories, destination } = target;
  if (destination.to !== 'service' || destination.key === null || directories.state === null) return [];
  return readQuotaUsages(directories.state, await readAccountHash(target), Date.now());
}

/** Returns the number of minutes, rounded up, until the last request can be sent. */
function computeWaitMinutes(neededRequestCount: number, limits: readonly QuotaUsage[]): number {
  const minuteUsage = limits.find(({ limit }) => limit === 'minute');
  if (minuteUsage === undefined || neededRequestCount <= minuteUsage.remaining) return 0;
  const windowCountToWait = Math.ceil((neededRequestCount - minuteUsage.remaining) / minuteUsage.quota);
  const msUntilReset = Math.max(0, (minuteUsage.resets ?? Date.now()) - Date.now());
  return Math.ceil((msUntilReset + (windowCountToWait - 1) * MINUTE_MS) / MINUTE_MS);
}

/** Reports the number of bytes to load from a static host, estimated from the cache. */
async function makeLoadReport(plan: Plan, planQuestionLoad: NonNullable<Connection['planLoad']>): Promise<PlanReport> {
  let [plannedRequestCount, bytes, cachedCount] = [0, 0, 0];
  let [hasMore, isSizeKnown] = [false, true];
  for await (const question of listQuestions(plan)) {
    const plannedLoad = await planQuestionLoad(question);
    plannedRequestCount += plannedLoad.requests;
    bytes += plannedLoad.bytes ?? 0;
    isSizeKnown &&= plannedLoad.bytes !== null;
    hasMore ||= plannedLoad.mayNeedMore;
    if (plannedLoad.requests === 0) cachedCount += 1;
  }
  const atLeastText = hasMore ? 'at least ' : '';
  return {
    values: { requests: plannedRequestCount, bytes, more_may_be_needed: hasMore, cached: cachedCount },
    view: [
      makeFieldsBlock([
        ['Requests', `${atLeastText}${plannedRequestCount}`],
        ['Bytes to load', isSizeKnown ? `${atLeastText}${formatSize(bytes)}` : 'not known yet'],
        ['Answered from the cache', `${cachedCount}`],
      ]),
      ...(hasMore ? [makeNoteBlock(isSizeKnown ? MORE_FILES_NOTE : UNKNOWN_SIZE_NOTE)] : []),
    ],
  };
}

const MORE_FILES_NOTE =
  'The files counted here determine which further files are needed: expect a few more requests for each company.';
const UNKNOWN_SIZE_NOTE =
  "The size is unknown because the release's list of files is not cached yet. Any command that reads the release fetches this list.";

const formatSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
