/** What may have been meant, said after a service refused: names that only it can know for sure. */

import { Failure, isFailure } from '../../contract/failure.ts';
import { METRIC_KEYS } from '../../contract/figures.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { OPERATIONS, type Operation } from '../../contract/operations.ts';
import type { Question } from '../../contract/question/question.ts';
import { shellWord } from '../../contract/quote.ts';
import { SCREEN_FILTERS } from '../../contract/screen-columns.ts';
import type { QuestionCommand, RawParameters } from '../command.ts';
import { kebab } from '../command-line/option-spec.ts';
import { textOf } from './given.ts';
import { perhapsSeveral } from './joined.ts';

/** The same failure with the hint that can be given with it. */
export function suggest(error: unknown, { valueHints: written = {} }: QuestionCommand, question: Question): unknown {
  if (!isFailure(error) || error.message.includes('Did you mean')) return error;
  const said = inCommands(error.message);
  const hint =
    error.kind === 'usage'
      ? refused(error, written, question)
      : error.kind === 'not_found'
        ? (error.hint ?? notFound(question.operation, question.given))
        : error.hint;
  if (hint === error.hint && said === error.message) return error;
  const { kind, problem, retryAfter, cause } = error;
  return new Failure(kind, said, {
    cause,
    ...(hint === undefined ? {} : { hint }),
    ...(problem === undefined ? {} : { problem }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

function notFound(operation: Operation, given: RawParameters): string | undefined {
  const key = textOf(given, 'metric_key');
  if (key !== undefined && !METRIC_KEYS.includes(key) && !SCREEN_FILTERS.includes(key)) {
    return `${didYouMean(key, [...new Set([...METRIC_KEYS, ...SCREEN_FILTERS])])} fin catalog lists the metrics.`.trim();
  }
  return operation.path.includes('{ticker}') ? findTicker(given) : undefined;
}

/**
 * How the parameter at fault may be written. Bounds of this program's own making are no reason to refuse, but a good
 * guess at what the service disliked; what its own sentence says already is not said again.
 */
function refused(
  { hint, message }: Failure,
  written: NonNullable<QuestionCommand['valueHints']>,
  { given, faults }: Question,
): string | undefined {
  const [fault] = faults;
  const advice = fault?.parameter === 'ticker' ? findTicker(given) : written[fault?.parameter ?? ''];
  const doubt = faults.find(({ source }) => source === 'ours')?.detail;
  const said = [hint ?? doubt, advice].filter((text) => text !== undefined && !message.includes(text));
  return said.length === 0 ? undefined : said.join(' ');
}

function findTicker(given: RawParameters): string | undefined {
  const ticker = textOf(given, 'ticker');
  if (ticker === undefined) return undefined;
  return `${perhapsSeveral(ticker)} To find a ticker by name: fin search ${shellWord(ticker)}`.trimStart();
}

/** A service speaks of its paths, and a person knows the commands that ask them. */
function inCommands(text: string): string {
  return text.replace(/\/v1\/[\w{}/-]+/g, (path) => {
    const operation = OPERATIONS.find((known) => known.path === path);
    if (operation === undefined) return path;
    const named = operation.parameters.filter(({ name, in: place }) => place === 'path' || name === 'query');
    return ['fin', operation.id, ...named.map(({ name }) => `<${kebab(name)}>`)].join(' ');
  });
}
