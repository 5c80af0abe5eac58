/** `--plan`: the requests and time a question would take, from the cache and the rate limiter. Sends no request. */
import type { RequestPlan } from '../../client/cache/cached-exchange.ts';
import type { Client } from '../../client/client.ts';
import { type QuotaLine, readQuota } from '../../client/limiter/quota.ts';
import { totalOf } from '../../contract/operations.ts';
import { changeQuestion, givenText, type Question } from '../../contract/question/question.ts';
import { fields, note } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import type { KeyChoice } from '../command.ts';
import { accountOf, type ConnectionTarget } from '../connection.ts';
import type { Report } from '../report.ts';
import { CATALOG, catalogOf, withKeys } from './by-keys.ts';
import type { Input } from './inputs.ts';

export interface Planned {
  readonly inputs: Iterable<Input> | AsyncIterable<Input>;
  /** The question of every input, without the parameters that arguments fill. */
  readonly question: Question;
  /** Where metrics are named by what the service has: its catalog is asked for first. */
  readonly byKeys?: KeyChoice | null;
  readonly all: boolean;
  readonly client: Client;
  readonly target: ConnectionTarget;
}

const MINUTE = 60_000;

export async function planQuestion(planned: Planned): Promise<Report> {
  const { inputs, target } = planned;
  const local = target.destination.to === 'local';
  const sum = { cached: 0, requests: 0, checked: 0, open: 0 };
  const add = (cost: Cost): void => {
    for (const name of ['cached', 'requests', 'checked', 'open'] as const) sum[name] += cost[name];
  };
  const named = local ? null : catalogPlan(planned);
  if (named !== null) add(named.cost);
  const question = named?.question ?? planned.question;
  for await (const input of inputs) add(costOf(planned, changeQuestion(question, input.parameters)));
  // One request for the release settles it for every cached response of that release.
  const requests = local ? 0 : sum.requests + Math.min(1, sum.checked);
  const limits = local ? [] : await limitsOf(target);
  const left = (name: QuotaLine['limit']): number | null =>
    limits.find(({ limit }) => limit === name)?.remaining ?? null;
  const plan = {
    requests,
    more_may_be_needed: !local && sum.open > 0,
    cached: local ? 0 : sum.cached + sum.checked,
    minutes: minutesFor(requests, limits),
    minute_remaining: left('minute'),
    month_remaining: left('month'),
  };
  const month = plan.month_remaining;
  return {
    json: plan,
    rows: pick(Object.keys(plan), [plan]),
    view: [
      fields([
        ['Requests', `${plan.more_may_be_needed ? 'at least ' : ''}${requests}`],
        ['Answered from the cache', `${plan.cached}`],
        ['Waiting for limits', plan.minutes === 0 ? 'none' : `about ${plan.minutes} min`],
        [
          'Requests left this minute, month',
          local ? 'no limits on this machine' : `${plan.minute_remaining ?? '–'}, ${month ?? '–'}`,
        ],
      ]),
      ...(month !== null && requests > month ? [note(`The month has only ${month} requests left.`)] : []),
      ...(plan.more_may_be_needed ? [note('The number of pages is known once the first has arrived.')] : []),
    ],
  };
}

/** What the catalog costs, and the question as it is asked where the catalog is cached; null where it is not needed. */
function catalogPlan({ byKeys = null, client, question }: Planned): { cost: Cost; question: Question | null } | null {
  if (byKeys === null || givenText(question.given, 'keys') !== undefined) return null;
  const cost = costOf({ all: false, client }, CATALOG);
  const { envelope } = client.plan(CATALOG);
  return { cost, question: envelope === null ? null : withKeys(question, byKeys, catalogOf(envelope)) };
}

interface Cost {
  readonly cached: number;
  readonly requests: number;
  /** Cached, if the release is still the same. */
  readonly checked: number;
  /** 1 where the number of pages is not known yet. */
  readonly open: number;
}

function costOf({ all, client }: Pick<Planned, 'all' | 'client'>, question: Question): Cost {
  const pages = all ? pagesOf(question, client) : { questions: [question], open: 0 };
  const ways = pages.questions.map((one) => client.plan(one).by);
  const count = (way: RequestPlan['by']): number => ways.filter((one) => one === way).length;
  return { cached: count('cache'), requests: count('network'), checked: count('release'), open: pages.open };
}

/** Every page, where the first is cached and says how many rows there are; else the first alone. */
function pagesOf(question: Question, client: Client) {
  const { given, operation } = question;
  const limit = Number(
    given.find(([name]) => name === 'limit')?.[1] ?? operation.parameters.find(({ name }) => name === 'limit')?.max,
  );
  const at = (offset: number): Question =>
    changeQuestion(question, [
      ['limit', `${limit}`],
      ['offset', `${offset}`],
    ]);
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

/** Whole minutes before the last request can be sent. */
function minutesFor(requests: number, limits: readonly QuotaLine[]): number {
  const minute = limits.find(({ limit }) => limit === 'minute');
  if (minute === undefined || requests <= minute.remaining) return 0;
  const windows = Math.ceil((requests - minute.remaining) / minute.quota);
  const untilNext = Math.max(0, (minute.resets ?? Date.now()) - Date.now());
  return Math.ceil((untilNext + (windows - 1) * MINUTE) / MINUTE);
}
