/** Failures of a question with a hint: what was probably meant, and the command that shows more. */
import { Failure, isFailure } from '../../contract/failure.ts';
import { isScreenOnly, METRIC_KEYS } from '../../contract/figures.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { OPERATIONS, type Operation, operationOf } from '../../contract/operations.ts';
import { givenText, type Question, type RawParameters } from '../../contract/question/question.ts';
import { shellWord } from '../../contract/quote.ts';
import { SCREEN_FILTERS } from '../../contract/screen-columns.ts';
import type { QuestionCommand } from '../command.ts';
import { kebab } from '../command-line/option-spec.ts';
import { screenOnlyHint } from '../questions/shared/screen-only-figures.ts';
import { perhapsSeveral } from './inputs.ts';

/** What errors need to know of a command: the names of its options and arguments, and how to write their values. */
export type QuestionNames = Pick<QuestionCommand, 'operation' | 'args' | 'valueHints'>;

/** The same error, in the words of the command line and with a hint where one can be given. */
export function suggest(error: unknown, command: QuestionNames, question: Question): unknown {
  if (!isFailure(error)) return error;
  const { kind, problem, retryAfter, cause } = error;
  const message = withCommands(inOptions(error.message, command, question));
  const hint = message.includes('Did you mean') ? error.hint : hintFor(error, message, command, question);
  if (hint === error.hint && message === error.message) return error;
  return new Failure(kind, message, { hint, problem, retryAfter, cause });
}

function hintFor(
  { kind, hint }: Failure,
  message: string,
  command: QuestionNames,
  question: Question,
): string | undefined {
  if (kind === 'usage') return usageHint(hint, message, command, question);
  if (kind !== 'not_found' || NAMES_COMMAND.test(message)) return hint;
  return hint ?? notFoundHint(question.operation, question.given);
}

/** A message that names a command has said what to do. */
const NAMES_COMMAND = /"fin [a-z]/;

function notFoundHint(operation: Operation, given: RawParameters): string | undefined {
  const key = givenText(given, 'metric_key');
  if (key !== undefined && isScreenOnly(key)) return screenOnlyHint([key]);
  if (key !== undefined && !METRIC_KEYS.includes(key) && !SCREEN_FILTERS.includes(key)) {
    return `${didYouMean(key, [...new Set([...METRIC_KEYS, ...SCREEN_FILTERS])])} List of metrics: fin catalog`.trim();
  }
  return operation.path.includes('{ticker}') ? tickerHint(given) : undefined;
}

/**
 * How the parameter with the fault may be written. A bound of our own is no reason to refuse a question, but a good
 * guess at what the service refused.
 */
function usageHint(
  hint: string | undefined,
  message: string,
  command: QuestionNames,
  question: Question,
): string | undefined {
  const { valueHints = {} } = command;
  const { given, faults } = question;
  const screened = (givenText(given, 'keys') ?? '').split(',').filter(isScreenOnly);
  if (screened.length > 0) return screenOnlyHint(screened);
  const [fault] = faults;
  const ours = faults.find(({ source }) => source === 'ours');
  const guess = hint ?? ours?.detail;
  const advice = fault?.parameter === 'ticker' ? tickerHint(given) : fault && valueHints[fault.parameter];
  const named = guess === undefined ? undefined : inOptions(guess, command, question);
  const hints = [named, advice].filter((text) => text !== undefined && !message.includes(text));
  return hints.length === 0 ? undefined : hints.join(' ');
}

/** The names of metrics that a question was given. */
export const namedMetrics = ({ given }: Question): string[] =>
  [givenText(given, 'metric_key') ?? '', ...(givenText(given, 'keys') ?? '').split(',')]
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Whether a name is one of a tagged concept, with or without its taxonomy, and of no metric. */
export const isConcept = (name: string): boolean => /^[\w-]+:\w+$|^[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$/.test(name);

function tickerHint(given: RawParameters): string | undefined {
  const ticker = givenText(given, 'ticker');
  if (ticker === undefined || ticker.trim() === '') return undefined;
  return `${perhapsSeveral(ticker)} Find a ticker by name: fin search ${shellWord(ticker)}`.trimStart();
}

/** The text with the contract's own sentences about the question naming options; other sentences stay. */
const inOptions = (text: string, command: QuestionNames, { faults }: Question): string =>
  faults.reduce((rest, { detail }) => rest.replace(detail, () => withOptionNames(detail, command)), text);

/** A sentence of the contract names a parameter; the command line knows most as options. Quoted text stays. */
export function withOptionNames(message: string, { operation, args }: QuestionNames): string {
  const names = operationOf(operation)
    .parameters.filter(({ in: place, name }) => place === 'query' && !args.some(({ parameter }) => parameter === name))
    .map(({ name }) => name);
  return names.reduce((text, name) => {
    const named = new RegExp(`^${name}(?= |:)|(?<= (?:in|for|with|and) )${name}(?=\\.$|\\. | and )`);
    return text.replace(named, `--${kebab(name)}`);
  }, message);
}

/** A message of a service names paths; the command line knows the commands for them. */
function withCommands(message: string): string {
  return message.replace(/\/v1\/[\w{}/-]+/g, (path) => {
    const operation = OPERATIONS.find((known) => known.path === path);
    if (operation === undefined) return path;
    const named = operation.parameters.filter(({ name, in: part }) => part === 'path' || name === 'query');
    return ['fin', operation.id, ...named.map(({ name }) => `<${kebab(name)}>`)].join(' ');
  });
}
