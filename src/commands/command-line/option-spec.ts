/** An option as the parser and the help see it, whatever it was derived from. */
import { hasPages, type Operation } from '../../contract/operations.ts';
import type { Parameter } from '../../contract/question/parameters.ts';
import type { QuestionCommand } from '../command.ts';
import { DRAWING_OPTIONS } from '../pipeline/drawing.ts';
import { ALL, QUESTION_FLAGS } from '../pipeline/question-options.ts';
import type { UtilityCommand } from '../utility.ts';

export interface OptionSpec {
  /** Without dashes, kebab-case. */
  readonly name: string;
  readonly short?: string;
  /** What the value is called in help; a switch has none. */
  readonly value?: string;
  readonly values?: readonly string[];
  /** Whether the option may stand without its value. */
  readonly optional?: boolean;
  readonly help: string;
}

export const kebab = (parameter: string): string => parameter.replaceAll('_', '-');

/** The options of a question: all query parameters of its operation that no argument fills, and how to ask. */
export function questionOptions(definition: QuestionCommand, operation: Operation): OptionSpec[] {
  const filled = new Set(definition.args.map((argument) => argument.parameter));
  const parameters = operation.parameters
    .filter((parameter) => parameter.in === 'query' && !filled.has(parameter.name))
    .map((parameter) => optionOf(parameter, definition.defaults?.[parameter.name]));
  return [
    ...parameters,
    ...(definition.draw === undefined ? [] : DRAWING_OPTIONS),
    ...(hasPages(operation) ? [ALL] : []),
    ...QUESTION_FLAGS,
  ];
}

function optionOf(parameter: Parameter, ownDefault: string | undefined): OptionSpec {
  const { name, kind, values } = parameter;
  const standard = ownDefault ?? parameter.default;
  const suffix = standard === undefined || kind === 'boolean' ? '' : ` (default ${standard})`;
  return {
    name: kebab(name),
    help: parameter.help + suffix,
    ...(kind === 'boolean' ? {} : { value: PLACEHOLDERS[kind] ?? 'text' }),
    ...(values === undefined || values.length > 8 ? {} : { values }),
  };
}

const PLACEHOLDERS: Partial<Readonly<Record<Parameter['kind'], string>>> = {
  integer: 'count',
  date: 'day',
  uuid: 'id',
  choice: 'name',
  list: 'names',
  clauses: 'column:op:value',
};

/** The options of a utility, as it declares them. */
export const utilityOptions = (utility: UtilityCommand): readonly OptionSpec[] => utility.options;
