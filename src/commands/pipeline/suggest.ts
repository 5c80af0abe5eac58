/** What may have been meant, where a service refused names that only it can know for sure. */
import { Failure, isFailure } from '../../contract/failure.ts';
import { METRIC_KEYS } from '../../contract/figures.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { OPERATIONS, type Operation } from '../../contract/operations.ts';
import type { Question, RawParameters } from '../../contract/question/question.ts';
import { shellWord } from '../../contract/quote.ts';
import { SCREEN_FILTERS } from '../../contract/screen-columns.ts';
import type { QuestionCommand } from '../command.ts';
import { kebab } from '../command-line/option-spec.ts';
import { perhapsSeveral } from './inputs.ts';
import { textOf } from './raw-parameters.ts';

/** The same failure, with a hint where there is one. */
export function suggest(error: unknown, { valueHints = {} }: QuestionCommand, question: Question): unknown {
  if (!isFailure(error) || error.message.includes('Did you mean')) return error;
  const message = inCommands(error.message);
  const hint =
    error.kind === 'usage'
      ? hintForRefused(error, valueHints, question)
      : error.kind === 'not_found'
        ? (error.hint ?? hintForUnknown(question.operation, question.given))
        : error.hint;
  if (hint === error.hint && message === error.message) return error;
  const { kind, problem, retryAfter, cause } = error;
  return new Failure(kind, message, {
    cause,
    ...(hint === undefined ? {} : { hint }),
    ...(problem === undefined ? {} : { problem }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

function hintForUnknown(operation: Operation, given: RawParameters): string | undefined {
  const key = textOf(given, 'metric_key');
  if (key !== undefined && !METRIC_KEYS.includes(key) && !SCREEN_FILTERS.includes(key)) {
    return `${didYouMean(key, [...new Set([...METRIC_KEYS, ...SCREEN_FILTERS])])} fin catalog lists the metrics.`.trim();
  }
  return operation.path.includes('{ticker}') ? findTicker(given) : undefined;
}

/**
 * How the refused parameter may be written. Bounds that the interface does not state are no reason to refuse early, but
 * a good guess at why the service did; what its own sentence says is not repeated.
 */
function hintForRefused(
  { hint, message }: Failure,
  valueHints: NonNullable<QuestionCommand['valueHints']>,
  { given, faults }: Question,
): string | undefined {
  const [fault] = faults;
  const advice = fault?.parameter === 'ticker' ? findTicker(given) : valueHints[fault?.parameter ?? ''];
  const suspected = faults.find(({ source }) => source === 'ours')?.detail;
  const sentences = [hint ?? suspected, advice].filter((text) => text !== undefined && !message.includes(text));
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

function findTicker(given: RawParameters): string | undefined {
  const ticker = textOf(given, 'ticker');
  if (ticker === undefined) return undefined;
  return `${perhapsSeveral(ticker)} To find a ticker by name: fin search ${shellWord(ticker)}`.trimStart();
}

/** A service names its paths; users know the commands that ask them. */
function inCommands(text: string): string {
  return text.replace(/\/v1\/[\w{}/-]+/g, (path) => {
    const operation = OPERATIONS.find((known) => known.path === path);
    if (operation === undefined) return path;
    const named = operation.parameters.filter(({ name, in: part }) => part === 'path' || name === 'query');
    return ['fin', operation.id, ...named.map(({ name }) => `<${kebab(name)}>`)].join(' ');
  });
}
