/** What a question's options ask for; whatever is wrong with them is said before anything is asked or opened. */

import { Failure } from '../../contract/failure.ts';
import { hasPages, type Operation, operationOf } from '../../contract/operations.ts';
import { parseQuestion, type Question } from '../../contract/question/question.ts';
import type { QuestionCommand, RawParameters } from '../command.ts';
import type { GlobalOptions } from '../command-line/global-options.ts';
import { kebab } from '../command-line/option-spec.ts';
import type { ParsedArguments } from '../command-line/parse.ts';
import type { ConnectionTarget } from '../connection/target.ts';
import { type QuestionFlags, readQuestionFlags } from './question-options.ts';

export interface QuestionParameters {
  /** The question of every input, without the parameters that arguments fill. */
  readonly question: Question;
  readonly flags: QuestionFlags;
  readonly warnings: readonly string[];
}

/** Throws a usage Failure for what cannot be asked so. */
export function readParameters(
  definition: QuestionCommand,
  line: ParsedArguments,
  globals: GlobalOptions,
  place: ConnectionTarget,
): QuestionParameters {
  const operation = operationOf(definition.operation);
  const typed = readOptions(operation, line.options);
  const { format, unchecked } = globals;
  const purpose = { format, local: place.destination.to === 'local', unchecked };
  const { parameters: given, warnings } = definition.prepare?.(typed, purpose) ?? { parameters: typed, warnings: [] };
  const options = withDefaults(definition, operation, given);
  const asking = readQuestionFlags(line);
  const question = parseQuestion(operation.id, options);
  if (!unchecked) refuseEarly(definition, question);
  if (asking.all) refuseAll(definition, options);
  if (globals.fields !== null && format === 'json') {
    throw new Failure('usage', '--fields chooses columns; JSON is always the whole answer.', {
      hint: 'Use --output ndjson, or choose with a JSON tool.',
    });
  }
  return { question, flags: asking, warnings };
}

function refuseAll(definition: QuestionCommand, given: RawParameters): void {
  if (!hasPages(operationOf(definition.operation))) {
    const { operation } = definition;
    throw new Failure('usage', `fin ${operation} takes no --all: its answers have no --offset to turn pages with.`, {
      hint: definition.more === undefined ? '--limit says how many rows there may be.' : `fin ${operation} --help`,
    });
  }
  if (!given.some(([name]) => name === 'offset')) return;
  throw new Failure('usage', '--all begins with the first row; leave --offset out.');
}

/** Options as parameters, in the order of the interface. */
function readOptions(operation: Operation, options: ParsedArguments['options']): RawParameters {
  return operation.parameters.flatMap(({ name, kind, in: place }) => {
    const texts = place === 'query' ? (options.get(kebab(name)) ?? []) : [];
    if (texts.length === 0) return [];
    if (kind === 'boolean') return [[name, 'true'] as const];
    // A list may be given in parts: --keys revenue --keys net_income.
    return kind === 'list' ? [[name, texts.join(',')] as const] : texts.map((text) => [name, text] as const);
  });
}

function withDefaults({ defaults = {} }: QuestionCommand, operation: Operation, given: RawParameters): RawParameters {
  const named = new Set(given.map(([name]) => name));
  const known = operation.parameters.map(({ name }) => name);
  const own = Object.entries(defaults).filter(([name]) => !named.has(name) && known.includes(name));
  return [...given, ...own];
}

/** What the interface itself says is wrong costs no request, and no look at keys or data. */
function refuseEarly({ valueHints: written = {} }: QuestionCommand, { operation, given, faults }: Question): void {
  const paths = new Set(operation.parameters.filter(({ required }) => required).map(({ name }) => name));
  const fault = faults.find(
    ({ source, parameter }) =>
      source === 'stated' && !(paths.has(parameter) && !given.some(([name]) => name === parameter)),
  );
  if (fault === undefined) return;
  const beyond =
    fault.parameter === 'limit' && hasPages(operation) ? '--all brings every row, however many.' : undefined;
  const hint = written[fault.parameter] ?? beyond;
  throw new Failure('usage', fault.detail, hint === undefined ? {} : { hint });
}
