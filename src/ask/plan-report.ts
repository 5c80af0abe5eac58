/**
 * Computes for `--plan` the requests and time that a plan would need, from the cache and the rate limiter. Sends no
 * requests. Loaded on demand.
 */

import type { RequestPlan } from '../client/cache/cached-exchange.ts';
import type { Client } from '../client/client.ts';
import { type Connection, type ConnectionTarget, readLimitsInUse } from '../client/connection.ts';
import type { QuotaUsage } from '../client/limiter/quota-usage.ts';
import { nullIfFailure } from '../contract/failure.ts';
import { hasPages, readTotal } from '../contract/operations.ts';
import { changeQuestion, findGivenText, type Question } from '../contract/question.ts';
import type { FilingSource } from '../contract/resources/filings.ts';
import type { MetricValue } from '../contract/resources/metrics.ts';
import { sumNumbers } from '../platform/collections.ts';
import { makeFieldsBlock, makeNoteBlock } from '../result/blocks.ts';
import type { Envelope } from './command/answer.ts';
import type { DocumentRequest, Input } from './command/command.ts';
import { type ChangesExtent, LISTING_EXTENT, listChangedValues, makeListingQuestion } from './fetch/changed-figures.ts';
import { isPageFull } from './fetch/fetch-response.ts';
import { makeFilingQuestion, openDocuments } from './fetch/read-filings.ts';
import { listDaysToPlan } from './fetch/walk-days.ts';
import { makeCatalogQuestion, selectMetricsWithKey, splitFullPage, withKeys } from './fetch/whole-metrics.ts';
import type { Plan } from './plan.ts';
import { planTickerSearch } from './reasons/named-companies.ts';

const MINUTE_MS = 60_000;

/** Returns the requests, bytes and time that a plan needs: as values for JSON and CSV, and as blocks for a terminal. */
export async function makePlanReport(plan: Plan, connection: Connection, target: ConnectionTarget) {
  const { isInProcess, planLoad } = connection;
  if (planLoad !== undefined) return makeLoadReport(plan, planLoad);
  const readsDocuments = plan.command.documents !== undefined;
  const { kinds, uncertainCount, secRequests } = await planAll(plan, connection);
  const countKind = (kind: RequestPlan['by']) => kinds.filter((by) => by === kind).length;
  // A single request shows whether the release changed, and so whether these cached responses are all still valid.
  const requests = countKind('network') + Math.min(1, countKind('release'));
  const quotas = isInProcess ? [] : await readLimitsInUse(target);
  const findRemaining = (key: QuotaUsage['limit']) => quotas.find(({ limit }) => limit === key)?.remaining ?? null;
  const values = {
    requests,
    more_may_be_needed: !isInProcess && uncertainCount > 0,
    cached: countKind('cache') + countKind('release'),
    minutes: computeWaitMinutes(requests, quotas),
    minute_remaining: findRemaining('minute'),
    month_remaining: findRemaining('month'),
    ...(readsDocuments ? { sec_requests: secRequests } : {}),
  };
  const { minute_remaining: minute, month_remaining: month } = values;
  const prefix = values.more_may_be_needed ? 'at least ' : '';
  const remainingText = isInProcess ? 'unlimited: answered on this machine' : `${minute ?? '–'}, ${month ?? '–'}`;
  return {
    values,
    view: [
      makeFieldsBlock([
        ['Requests', `${prefix}${requests}`],
        ...(readsDocuments ? [['Requests to the SEC', `${prefix}${secRequests}`] as const] : []),
        ['Answered from the cache', `${values.cached}`],
        ['Waiting time due to rate limits', values.minutes === 0 ? 'none' : `about ${values.minutes} min`],
        ['Requests left this minute and month', remainingText],
      ]),
      ...(month !== null && requests > month
        ? [makeNoteBlock(`Requests left this month: ${month}. This command needs ${prefix}${requests}.`)]
        : []),
      ...(values.more_may_be_needed
        ? [makeNoteBlock('The total number of requests is known only after the first response.')]
        : []),
    ],
  };
}

interface PlannedRequests {
  readonly plans: readonly RequestPlan[];
  /** Number of responses that are not cached and may show that further requests are necessary. */
  readonly uncertainCount: number;
  /** Number of requests to the SEC; by default none. */
  readonly secRequests?: number;
}

/** Plans the requests of all inputs. For a service in this process, no request is listed. */
async function planAll(plan: Plan, connection: Connection) {
  const { client, isInProcess } = connection;
  const kinds: RequestPlan['by'][] = [];
  let uncertainCount = 0;
  let secRequests = 0;
  for await (const question of listQuestions(plan)) {
    const search = isInProcess ? null : planTickerSearch(question, client);
    if (search !== null) kinds.push(search.plan.by);
    const answer = planRequests(plan.extent, search?.question ?? question, client, isInProcess);
    for (const part of [answer, await planDocuments(plan, question, connection)]) {
      kinds.push(...part.plans.map(({ by }) => by));
      uncertainCount += part.uncertainCount;
      secRequests += part.secRequests ?? 0;
    }
  }
  if (needsCatalog(plan)) kinds.push(client.plan(makeCatalogQuestion()).by);
  return { kinds: isInProcess ? [] : kinds, uncertainCount, secRequests };
}

/** Plans the requests that follow the answer to a question: one per filing, and those for its document. */
async function planDocuments(plan: Plan, question: Question, connection: Connection): Promise<PlannedRequests> {
  const { command, parsed } = plan;
  const { client, isInProcess } = connection;
  if (command.documents === undefined) return { plans: [], uncertainCount: 0 };
  /** Returns the data of an answer; null if only a request would tell. */
  const readData = async (query: Question): Promise<unknown> =>
    isInProcess ? (await client.ask(query)).envelope.data : (client.plan(query).envelope?.data ?? null);
  const data = await readData(question);
  if (data === null) return { plans: [], uncertainCount: 1 };
  const requests = listDocuments(() => command.documents?.(data, parsed.options) ?? []);
  const plans: RequestPlan[] = [];
  let uncertainCount = 0;
  let secRequests = 0;
  const source = await openDocuments(connection, parsed.options);
  try {
    for (const { accession, choice } of requests) {
      const documentQuestion = makeFilingQuestion(accession);
      if (question.operation.id !== 'filing') plans.push(client.plan(documentQuestion));
      const filing = await readData(documentQuestion);
      if (filing === null) uncertainCount = 1;
      else secRequests += source.countRequests(filing as FilingSource, choice);
    }
    return { plans, uncertainCount, secRequests };
  } finally {
    await source.close();
  }
}

/** Returns the documents; empty if the answer has no fitting filing, because then nothing more is requested. */
function listDocuments(list: () => readonly DocumentRequest[]): readonly DocumentRequest[] {
  try {
    return list();
  } catch (error) {
    return nullIfFailure(error) ?? [];
  }
}

/** Yields the question of each input; for a range of days, one question per weekday. */
async function* listQuestions({ inputs, question, extent }: Plan): AsyncGenerator<Question> {
  for await (const { parameters } of inputs as AsyncIterable<Input>) {
    const inputQuestion = changeQuestion(question, parameters);
    if (extent.kind !== 'days') yield inputQuestion;
    else for (const day of listDaysToPlan(inputQuestion, extent)) yield changeQuestion(inputQuestion, day.parameters);
  }
}

function planRequests(extent: Plan['extent'], question: Question, client: Client, inProcess: boolean): PlannedRequests {
  if (extent.kind === 'pages' && hasPages(question.operation)) return planPages(question, client);
  if (extent.kind === 'changes') return planChanges(extent, question, client, inProcess);
  if (extent.kind === 'values') return { plans: [client.plan(question)], uncertainCount: 1 };
  if (extent.kind !== 'metrics') return { plans: [client.plan(question)], uncertainCount: 0 };
  if (findGivenText(question.rawParameters, 'keys') !== undefined) return planMetrics(question, client);
  if (!extent.hasNames) return { plans: [client.plan(question)], uncertainCount: 0 };
  const catalogEnvelope = inProcess ? null : client.plan(makeCatalogQuestion()).envelope;
  if (!inProcess && catalogEnvelope === null) return { plans: [client.plan(question)], uncertainCount: 1 };
  const catalog = catalogEnvelope === null ? null : selectMetricsWithKey(catalogEnvelope as Pick<Envelope, 'data'>);
  return planMetrics(withKeys(question, extent.choice, catalog), client);
}

/** Plans the listing of all figures. If it is cached, also plans the questions about the changed metrics. */
function planChanges(extent: ChangesExtent, question: Question, client: Client, inProcess: boolean): PlannedRequests {
  const listing = planRequests(LISTING_EXTENT, makeListingQuestion(question), client, inProcess);
  const rows = listing.plans.flatMap(({ envelope }) => (envelope?.data ?? []) as readonly MetricValue[]);
  const isCached = listing.plans.every(({ envelope }) => envelope !== null);
  const keys = isCached ? [...listChangedValues(rows, question, extent).keys()] : [];
  const plans = keys.map((key) => client.plan(changeQuestion(question, [['metric_key', key]])));
  return { plans: [...listing.plans, ...plans], uncertainCount: isCached ? 0 : 1 };
}

/** Plans a question. If its cached response is full, also plans the questions for the other keys, recursively. */
function planMetrics(question: Question, client: Client): PlannedRequests {
  const plan = client.plan(question);
  const { envelope } = plan;
  const hasSeveralKeys = findGivenText(question.rawParameters, 'keys')?.includes(',') === true;
  if (envelope === null) return { plans: [plan], uncertainCount: hasSeveralKeys ? 1 : 0 };
  const questions = isPageFull(question, envelope) ? splitFullPage(question, envelope).furtherQuestions : [];
  const laterPlans = questions.map((next) => planMetrics(next, client));
  const plans = [plan, ...laterPlans.flatMap((part) => part.plans)];
  return { plans, uncertainCount: sumNumbers(laterPlans.map((part) => part.uncertainCount)) };
}

function needsCatalog({ extent, question }: Plan): boolean {
  const needsNames = extent.kind === 'changes' || (extent.kind === 'metrics' && extent.hasNames);
  return needsNames && findGivenText(question.rawParameters, 'keys') === undefined;
}

/** Plans all pages if the first page is cached and states the total; otherwise only the first page. */
function planPages(question: Question, client: Client): PlannedRequests {
  const { rawParameters, operation } = question;
  const limit = Number(findGivenText(rawParameters, 'limit'));
  const planAt = (offset: number): RequestPlan => {
    const from = offset === 0 ? [] : [['offset', `${offset}`] as const];
    return client.plan(changeQuestion(question, [['limit', `${limit}`], ...from]));
  };
  const first = planAt(0);
  const total = first.envelope === null ? null : readTotal(operation, first.envelope);
  if (total === null || !(limit > 0)) return { plans: [first], uncertainCount: 1 };
  const laterPageCount = Math.max(0, Math.ceil(total / limit) - 1);
  const laterPlans = Array.from({ length: laterPageCount }, (_, index) => planAt((index + 1) * limit));
  return { plans: [first, ...laterPlans], uncertainCount: 0 };
}

/** Returns the number of minutes, rounded up, until the last request can be sent. */
function computeWaitMinutes(needed: number, limits: readonly QuotaUsage[]): number {
  const usage = limits.find(({ limit }) => limit === 'minute');
  if (usage === undefined || needed <= usage.remaining) return 0;
  const windows = Math.ceil((needed - usage.remaining) / usage.quota);
  const wait = Math.max(0, (usage.resets ?? Date.now()) - Date.now());
  return Math.ceil((wait + (windows - 1) * MINUTE_MS) / MINUTE_MS);
}

/** Reports the number of bytes to load from a static host, estimated from the cache. */
async function makeLoadReport(plan: Plan, planLoad: NonNullable<Connection['planLoad']>) {
  let requests = 0;
  let bytes = 0;
  let cached = 0;
  let hasMore = false;
  let isSizeKnown = true;
  for await (const question of listQuestions(plan)) {
    const load = await planLoad(question);
    requests += load.requests;
    bytes += load.bytes ?? 0;
    isSizeKnown &&= load.bytes !== null;
    hasMore ||= load.mayNeedMore;
    if (load.requests === 0) cached += 1;
  }
  const prefix = hasMore ? 'at least ' : '';
  return {
    values: { requests, bytes, more_may_be_needed: hasMore, cached },
    view: [
      makeFieldsBlock([
        ['Requests', `${prefix}${requests}`],
        ['Bytes to load', isSizeKnown ? `${prefix}${formatSize(bytes)}` : 'not known yet'],
        ['Answered from the cache', `${cached}`],
      ]),
      ...(hasMore ? [makeNoteBlock(isSizeKnown ? MORE_FILES_NOTE : UNKNOWN_SIZE_NOTE)] : []),
    ],
  };
}

const MORE_FILES_NOTE =
  'The files counted here determine which further files are needed: expect a few more requests for each company.';
const UNKNOWN_SIZE_NOTE =
  "The size is unknown because the release's list of files is not cached yet. Any command that reads the release fetches this list.";

const formatSize = (bytes: number) =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
