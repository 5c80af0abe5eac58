/** What the command of a question takes on the command line, derived from its operation. */
import { hasPages, type Operation, operationOf } from '../../contract/operations.ts';
import type { Parameter } from '../../contract/question/parameters.ts';
import type { QuestionCommand } from '../command.ts';
import { type ArgumentSpec, kebab, type OptionSpec } from '../command-line/option-spec.ts';
import { DRAWING_OPTIONS } from './drawing.ts';

const ALL: OptionSpec = { name: 'all', help: 'Fetch every page, and print when the last has arrived' };

/** How the question is asked, whatever it is. */
export const QUESTION_FLAGS: readonly OptionSpec[] = [
  { name: 'plan', help: 'Print the requests and time this would take, and exit' },
  { name: 'if-changed', help: 'Print only if the data changed since the last run' },
];

/** All query parameters of the operation that no argument fills, and how to ask. */
export function questionOptions(command: QuestionCommand): readonly OptionSpec[] {
  const operation = operationOf(command.operation);
  const filled = new Set(command.args.map((argument) => argument.parameter));
  return [
    ...operation.parameters
      .filter((parameter) => parameter.in === 'query' && !filled.has(parameter.name))
      .map((parameter) => optionOf(parameter, command.defaults?.[parameter.name])),
    ...(command.draw === undefined ? [] : DRAWING_OPTIONS),
    // Accepted everywhere, so that the error can say why it is not possible.
    !hasPages(operation) ? { ...ALL, hidden: true } : ALL,
    ...QUESTION_FLAGS,
  ];
}

export function questionArguments(command: QuestionCommand): readonly ArgumentSpec[] {
  const operation = operationOf(command.operation);
  return command.args.map(({ parameter, optional, many }) => ({
    name: kebab(parameter),
    help: parameterOf(operation, parameter).help + (many === true ? SEVERAL : ''),
    ...(optional === undefined ? {} : { optional }),
    many: many === true || takesWords(operation, parameter),
  }));
}

const SEVERAL = '; several are requested one by one, - reads them from stdin';

/** A name is often several words, and nothing can follow it: `fin search johnson controls`. */
export const takesWords = (operation: Operation, parameter: string): boolean =>
  parameterOf(operation, parameter).kind === 'string';

function parameterOf({ id, parameters }: Operation, name: string): Parameter {
  const parameter = parameters.find((known) => known.name === name);
  if (parameter === undefined) throw new Error(`${id} has no parameter ${name}`);
  return parameter;
}

function optionOf(parameter: Parameter, ownDefault: string | undefined): OptionSpec {
  const { name, kind, values } = parameter;
  const standard = ownDefault ?? parameter.default;
  const suffix = standard === undefined || kind === 'boolean' ? '' : ` (default ${standard})`;
  return {
    name: kebab(name),
    help: parameter.help + suffix,
    ...(kind === 'boolean' ? {} : { value: PLACEHOLDERS[kind] ?? 'text' }),
    ...(values === undefined || values.length > LISTED ? {} : { values }),
  };
}

/** More values than this are listed by a help topic, not beside the option. */
const LISTED = 8;

const PLACEHOLDERS: Partial<Readonly<Record<Parameter['kind'], string>>> = {
  integer: 'count',
  date: 'day',
  uuid: 'id',
  choice: 'name',
  list: 'names',
  clauses: 'column:op:value',
};
