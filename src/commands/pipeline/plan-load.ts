/** `--plan` where a static host is asked: what would be loaded, estimated from the cache. Sends no request. */
import { changeQuestion, type Question } from '../../contract/question/question.ts';
import { fields, note } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import type { OpenedHosted } from '../ports/hosted.ts';
import type { Report } from '../report.ts';
import type { Input } from './inputs.ts';

export interface LoadPlanned {
  readonly inputs: Iterable<Input> | AsyncIterable<Input>;
  /** The question of every input, without the parameters that arguments fill. */
  readonly question: Question;
  readonly planLoad: OpenedHosted['plan'];
}

export async function planLoad({ inputs, question, planLoad: planOne }: LoadPlanned): Promise<Report> {
  let [requests, bytes, answered] = [0, 0, 0];
  let more = false;
  let known = true;
  for await (const { parameters } of inputs) {
    const one = await planOne(changeQuestion(question, parameters));
    requests += one.requests;
    bytes += one.bytes ?? 0;
    known &&= one.bytes !== null;
    more ||= one.more;
    if (one.requests === 0) answered += 1;
  }
  const plan = { requests, bytes, more_may_be_needed: more, cached: answered };
  const atLeast = more ? 'at least ' : '';
  return {
    json: plan,
    rows: pick(Object.keys(plan), [plan]),
    view: [
      fields([
        ['Requests', `${atLeast}${requests}`],
        ['To load', known ? `${atLeast}${sizeOf(bytes)}` : 'not known yet'],
        ['Answered from the cache', `${answered}`],
      ]),
      ...(more ? [note(known ? MORE : UNKNOWN)] : []),
    ],
  };
}

const MORE = 'What follows depends on what these bring: a company is then a few more ranges.';
const UNKNOWN = "The release's list of files is not cached; any question brings it.";

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
