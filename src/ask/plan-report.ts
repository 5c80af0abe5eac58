/**
 * `--plan`: the requests and time that a plan would need, according to the cache and the rate limiter. Sends no
 * request. Loaded on demand.
 */
import type { RequestPlan } from '../client/cache/cached-exchange.ts';
import type { Client } from '../client/client.ts';
import { accountOf, type Connection, type ConnectionTarget } from '../client/connection.ts';
import { type QuotaLine, readQuota } from '../client/limiter/quota.ts';
import { hasPages, totalOf } from '../contract/operations.ts';
import { changeQuestion, givenText, type Question } from '../contract/question/question.ts';
import { fields, note } from '../result/blocks.ts';
import type { Envelope } from './answer.ts';
import { daysToPlan } from './fetch/walk-days.ts';
import { catalogOf, catalogQuestion, withKeys } from './fetch/whole-metrics.ts';
import type { Input } from './input.ts';
import type { Plan } from './plan.ts';

/** The numbers of the report, and its text. */
export interface PlanReport {
  readonly values: Readonly<Record<string, string | number | boolean | null>>;
  readonly view: readonly (ReturnType<typeof fields> | ReturnType<typeof note>)[];
}

const MINUTE_MS = 60_000;

export async function reportPlan(
  plan: Plan,
  { client, inProcess, planLoad }: Connection,
  target: ConnectionTarget,
): Promise<PlanReport> {
  if (planLoad !== undefined) return reportLoad(plan, planLoad);
  const sum = { cached: 0, requests: 0, checked: 0, open: 0 };
  for await (const question of questionsOf(plan)) {
    const cost = costOf(plan, question, client, inProcess);
    for (const name of ['cached', 'requests', 'checked', 'open'] as const) sum[name] += cost[name];
  }
  const catalog = inProcess ? null : catalogCost(plan, client);
  if (catalog !== null) {
    sum.requests += catalog === 'network' ? 1 : 0;
    sum.cached += catalog === 'cache' ? 1 : 0;
    sum.checked += catalog === 'release' ? 1 : 0;
  }
  // One request for the release validates all cached responses of that release.
  const requests = inProcess ? 0 : sum.requests + Math.min(1, sum.checked);
  const limits = inProcess ? [] : await limitsOf(target);
  const left = (name: QuotaLine['limit']): number | null =>
    limits.find(({ limit }) => limit === name)?.remaining ?? null;
  const values = {
    requests,
    more_may_be_needed: !inProcess && sum.open > 0,
    cached: inProcess ? 0 : sum.cached + sum.checked,
    minutes: minutesFor(requests, limits),
    minute_remaining: left('minute'),
    month_remaining: left('month'),
  };
  const month = values.month_remaining;
  return {
    values,
    view: [
      fields([
        ['Requests', `${values.more_may_be_needed ? 'at least ' : ''}${requests}`],
        ['Answered from the cache', `${values.cached}`],
        ['Waiting time for limits', values.minutes === 0 ? 'none' : `about ${values.minutes} min`],
        [
          'Requests left this minute and month',
          inProcess ? 'unlimited: answered on this machine' : `${values.minute_remaining ?? '–'}, ${month ?? '–'}`,
        ],
      ]),
      ...(month !== null && requests > month ? [note(`Only ${month} requests are left this month.`)] : []),
      ...(values.more_may_be_needed
        ? [note('The total number of requests is known only after the first page is fetched.')]
        : []),
    ],
  };
}

/** Yields the question of each input; for several days one per weekday. */
async function* questionsOf({ inputs, question, extent }: Plan): AsyncGenerator<Question> {
  for await (const { parameters } of inputs as AsyncIterable<Input>) {
    const askedQuestion = changeQuestion(question, parameters);
    if (extent.kind !== 'days') yield askedQuestion;
    else for (const day of daysToPlan(askedQuestion, extent.since)) yield changeQuestion(askedQuestion, day.parameters);
  }
}

interface Cost {
  readonly cached: number;
  readonly requests: number;
  /** Number of cached responses that are valid if the release is unchanged. */
  readonly checked: number;
  /** 1 if the number of requests is not yet known. */
  readonly open: number;
}

function costOf({ extent }: Plan, question: Question, client: Client, inProcess: boolean): Cost {
  const { questions, open } = requestsOf(extent, question, client, inProcess);
  const ways = questions.map((one) => client.plan(one).by);
  const count = (way: RequestPlan['by']): number => ways.filter((one) => one === way).length;
  return { cached: count('cache'), requests: count('network'), checked: count('release'), open };
}

function requestsOf(extent: Plan['extent'], question: Question, client: Client, inProcess: boolean) {
  if (extent.kind === 'pages' && hasPages(question.operation)) return pagesOf(question, client);
  if (extent.kind === 'values') return { questions: [question], open: 1 };
  if (extent.kind !== 'metrics') return { questions: [question], open: 0 };
  if (givenText(question.given, 'keys') !== undefined || !extent.named) return { questions: [question], open: 0 };
  const catalog = inProcess ? null : client.plan(catalogQuestion()).envelope;
  if (!inProcess && catalog === null) return { questions: [question], open: 0 };
  const known = catalog === null ? null : catalogOf(catalog as Pick<Envelope, 'data'>);
  return { questions: [withKeys(question, extent.choice, known)], open: 0 };
}

/** If the service's catalog determines the requested metrics, it is requested first; null if it is not needed. */
function catalogCost({ extent, question }: Plan, client: Client): RequestPlan['by'] | null {
  const isNeeded = extent.kind === 'metrics' && extent.named && givenText(question.given, 'keys') === undefined;
  return isNeeded ? client.plan(catalogQuestion()).by : null;
}

/** All pages if the first is cached and has the total; otherwise only the first. */
function pagesOf(question: Question, client: Client) {
  const { given, operation } = question;
  const limit = Number(givenText(given, 'limit'));
  const at = (offset: number): Question =>
    changeQuestion(question, [['limit', `${limit}`], ...(offset === 0 ? [] : [['offset', `${offset}`] as const])]);
  const { envelope } = client.plan(at(0));
  const total = envelope === null ? null : totalOf(operation, envelope);
  if (total === null || !(limit > 0)) return { questions: [at(0)], open: 1 };
  const count = Math.max(1, Math.ceil(total / limit));
  return { questions: Array.from({ length: count }, (_, index) => at(index * limit)), open: 0 };
}

/** Without a key there is no account, and without a state directory no rate limiter. */
async function limitsOf(target: ConnectionTarget): Promise<readonly QuotaLine[]> {
  const { directories, destination } = target;
  if (destination.to !== 'service' || destination.key === null || directories.state === null) return [];
  return readQuota(directories.state, await accountOf(target), Date.now());
}

/** Returns the minutes, rounded down, until the last request can be sent. */
function minutesFor(requests: number, limits: readonly QuotaLine[]): number {
  const minute = limits.find(({ limit }) => limit === 'minute');
  if (minute === undefined || requests <= minute.remaining) return 0;
  const windows = Math.ceil((requests - minute.remaining) / minute.quota);
  const untilNext = Math.max(0, (minute.resets ?? Date.now()) - Date.now());
  return Math.ceil((untilNext + (windows - 1) * MINUTE_MS) / MINUTE_MS);
}

/** For a static host: the bytes to load, estimated from the cache. */
async function reportLoad(plan: Plan, planOne: NonNullable<Connection['planLoad']>): Promise<PlanReport> {
  let [requests, bytes, cached] = [0, 0, 0];
  let [more, isKnown] = [false, true];
  for await (const question of questionsOf(plan)) {
    const one = await planOne(question);
    requests += one.requests;
    bytes += one.bytes ?? 0;
    isKnown &&= one.bytes !== null;
    more ||= one.more;
    if (one.requests === 0) cached += 1;
  }
  const atLeast = more ? 'at least ' : '';
  return {
    values: { requests, bytes, more_may_be_needed: more, cached },
    view: [
      fields([
        ['Requests', `${atLeast}${requests}`],
        ['Bytes to load', isKnown ? `${atLeast}${sizeOf(bytes)}` : 'not known yet'],
        ['Answered from the cache', `${cached}`],
      ]),
      ...(more ? [note(isKnown ? MORE : UNKNOWN)] : []),
    ],
  };
}

const MORE = 'The files to load next depend on the content of these. For each company, expect a few more requests.';
const UNKNOWN =
  "The size is unknown because the release's list of files is not cached yet. Any command that reads the release fetches it.";

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
