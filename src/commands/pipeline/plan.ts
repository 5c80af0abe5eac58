/** `--plan`: what a question would cost, from what is held and from the ledger. Asks nobody. */

import type { RequestPlan } from '../../client/cache/cached-exchange.ts';
import type { Client } from '../../client/client.ts';
import { type QuotaLine, readQuota } from '../../client/limiter/quota.ts';
import { totalOf } from '../../contract/operations.ts';
import { changeQuestion, type Question } from '../../contract/question/question.ts';
import { fields, note } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { accountOf, type ConnectionTarget } from '../connection/target.ts';
import type { Report } from '../utility.ts';
import type { Input } from './inputs.ts';

export interface Planned {
  readonly inputs: Iterable<Input> | AsyncIterable<Input>;
  /** The question of every input, without the parameters that arguments fill. */
  readonly question: Question;
  readonly all: boolean;
  readonly client: Client;
  readonly target: ConnectionTarget;
}

const MINUTE = 60_000;

export async function planQuestion(planned: Planned): Promise<Report> {
  const { inputs, question, target: place } = planned;
  const local = place.destination.to === 'local';
  const sum = { held: 0, asked: 0, checked: 0, open: 0 };
  for await (const input of inputs) {
    const cost = costOf(planned, changeQuestion(question, input.parameters));
    for (const name of ['held', 'asked', 'checked', 'open'] as const) sum[name] += cost[name];
  }
  // One question after the release settles it for every held answer that hangs on it.
  const requests = local ? 0 : sum.asked + Math.min(1, sum.checked);
  const limits = local ? [] : await limitsOf(place);
  const left = (name: QuotaLine['limit']): number | null =>
    limits.find(({ limit }) => limit === name)?.remaining ?? null;
  const plan = {
    requests,
    more_may_be_needed: !local && sum.open > 0,
    held: local ? 0 : sum.held + sum.checked,
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
        ['Answered by what is held', `${plan.held}`],
        ['Waiting for limits', plan.minutes === 0 ? 'none' : `about ${plan.minutes} min`],
        [
          'Left this minute, month',
          local ? 'no limits on this machine' : `${plan.minute_remaining ?? '–'}, ${month ?? '–'}`,
        ],
      ]),
      ...(month !== null && requests > month ? [note(`The month has only ${month} requests left.`)] : []),
      ...(plan.more_may_be_needed ? [note('How many pages there are shows with the first.')] : []),
    ],
  };
}

interface Cost {
  readonly held: number;
  readonly asked: number;
  /** Held, if the release is still the same. */
  readonly checked: number;
  /** 1 where pages follow of which nothing is known yet. */
  readonly open: number;
}

function costOf({ all, client }: Planned, question: Question): Cost {
  const pages = all ? pagesOf(question, client) : { questions: [question], open: 0 };
  const ways = pages.questions.map((one) => client.plan(one).by);
  const count = (way: RequestPlan['by']): number => ways.filter((one) => one === way).length;
  return { held: count('cache'), asked: count('network'), checked: count('release'), open: pages.open };
}

/** Every page, where the first is held and says how many rows there are; else the first alone. */
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

/** Without a key there is no account, and without a place for state no ledger. */
async function limitsOf(place: ConnectionTarget): Promise<readonly QuotaLine[]> {
  const { directories, destination } = place;
  if (destination.to === 'local' || destination.key === null || directories.state === null) return [];
  return readQuota(directories.state, await accountOf(place), Date.now());
}

/** Whole minutes that pass before the last request may go out. */
function minutesFor(requests: number, limits: readonly QuotaLine[]): number {
  const minute = limits.find(({ limit }) => limit === 'minute');
  if (minute === undefined || requests <= minute.remaining) return 0;
  const windows = Math.ceil((requests - minute.remaining) / minute.quota);
  const untilNext = Math.max(0, (minute.resets ?? Date.now()) - Date.now());
  return Math.ceil((untilNext + (windows - 1) * MINUTE) / MINUTE);
}
