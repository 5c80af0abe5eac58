/** The options of a question as the typed question that all inputs share. Errors cost no request. */
import { Failure } from '../../contract/failure.ts';
import { hasPages, type Operation, operationOf } from '../../contract/operations.ts';
import { parseQuestion, type Question, type RawParameters } from '../../contract/question/question.ts';
import type { Purpose, QuestionCommand } from '../command.ts';
import { type GivenOptions, kebab } from '../command-line/option-spec.ts';
import { DAYS_HINT, readPastDay } from './past-day.ts';
import { type QuestionNames, withOptionNames } from './suggest.ts';

export interface QuestionParameters {
  /** The question of every input, without the parameters that arguments fill. */
  readonly question: Question;
  readonly warnings: readonly string[];
  /** Whether all rows of its keys are wanted, in as many requests as it takes. */
  readonly whole: boolean;
}

/** Throws a usage Failure for what the interface refuses, unless parameters are sent unchecked. */
export function readParameters(command: QuestionCommand, options: GivenOptions, purpose: Purpose): QuestionParameters {
  const operation = operationOf(command.operation);
  const typed = readOptions(operation, options);
  const prepared = command.prepare?.(typed, purpose);
  const { parameters, warnings, whole = false } = prepared ?? { parameters: typed, warnings: [] };
  const question = parseQuestion(operation.id, withDefaults(command, operation, parameters));
  if (purpose.unchecked !== true) refuseFaults(command, question);
  if (options.has('all')) refuseAll(command, question);
  return { question, warnings, whole };
}

/** In the order of the interface. */
function readOptions(operation: Operation, options: GivenOptions): RawParameters {
  return operation.parameters.flatMap(({ name, kind, in: part }) => {
    const texts = part === 'query' ? (options.get(kebab(name)) ?? []) : [];
    if (texts.length === 0) return [];
    if (kind === 'boolean') return [[name, 'true'] as const];
    if (kind === 'date') return texts.map((text) => [name, readPastDay(text)] as const);
    // A list may be given in parts: --keys revenue --keys net_income.
    return kind === 'list' ? [[name, texts.join(',')] as const] : texts.map((text) => [name, text] as const);
  });
}

function withDefaults({ defaults = {} }: QuestionCommand, operation: Operation, given: RawParameters): RawParameters {
  const named = new Set(given.map(([name]) => name));
  const known = operation.parameters.map(({ name }) => name);
  return [...given, ...Object.entries(defaults).filter(([name]) => !named.has(name) && known.includes(name))];
}

/** Throws a usage Failure for what the interface refuses. Arguments are read later, so a missing required parameter is no fault. */
export function refuseFaults(command: QuestionNames, { operation, given, faults }: Question): void {
  const { valueHints = {} } = command;
  const required = new Set(operation.parameters.filter((parameter) => parameter.required).map(({ name }) => name));
  const isGiven = (parameter: string): boolean => given.some(([name]) => name === parameter);
  const fault = faults.find(
    ({ source, parameter }) => source === 'stated' && (!required.has(parameter) || isGiven(parameter)),
  );
  if (fault === undefined) return;
  const { parameter, detail } = fault;
  const kind = operation.parameters.find(({ name }) => name === parameter)?.kind;
  const hint =
    valueHints[parameter] ?? (parameter === 'limit' && hasPages(operation) ? 'All rows: --all' : kindHint(kind));
  throw new Failure('usage', withOptionNames(detail, command), { hint });
}

const kindHint = (kind: string | undefined): string | undefined => (kind === 'date' ? DAYS_HINT : undefined);

function refuseAll({ more }: QuestionCommand, { operation, given }: Question): void {
  if (!hasPages(operation)) {
    throw new Failure('usage', `fin ${operation.id} takes no --all: it has no --offset.`, {
      hint: allRowsHint(operation, more !== undefined),
    });
  }
  if (given.some(([name]) => name === 'offset')) {
    throw new Failure('usage', '--all starts with the first row: leave --offset out.');
  }
}

/** How to get more rows, or that there are no more to get. */
function allRowsHint({ id, parameters }: Operation, special: boolean): string {
  if (special) return `fin ${id} --help`;
  const limit = parameters.find(({ name }) => name === 'limit');
  return limit === undefined ? 'Its answer is always whole.' : `Up to ${limit.max} rows: --limit ${limit.max}`;
}
