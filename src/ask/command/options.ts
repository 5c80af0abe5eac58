/** Derives the arguments and options of a question command from its operation. */
import { findParameterMaximum, getOperation, type Operation } from '../../contract/operations.ts';
import type { Parameter } from '../../contract/parameters.ts';
import type { Argument, QuestionCommand } from './command.ts';
import { type ArgumentSpec, type OptionSpec, toKebabCase } from './option-spec.ts';

const ALL_ROWS_OPTION: OptionSpec = { name: 'all', help: 'Fetch all rows, page by page, then print them' };

/** Options that change how a question is asked or printed, but not its parameters. */
export const ASKING_OPTIONS: readonly OptionSpec[] = [
  { name: 'plan', help: 'Print the number of requests and the time needed, and exit' },
  { name: 'if-changed', help: 'Print only if the data changed since the last run' },
];

/** Options of commands that list filings. */
const NEW_ROWS_OPTIONS: readonly OptionSpec[] = [
  { name: 'new', help: 'Show only filings that this question has not shown before; the first run shows all' },
  { name: 'mark', help: 'With --new: remember the filings as shown, and print nothing' },
];

/**
 * Returns a command's options: query parameters of the operation that are not arguments, the command's own options, and
 * options that change how the question is asked.
 */
export function listQuestionOptions(command: QuestionCommand): readonly OptionSpec[] {
  const operation = getOperation(command.operation);
  const ownOptions = command.options ?? [];
  const names = ownOptions.map(({ name }) => name.replaceAll('-', '_'));
  const excludedNames = new Set([...command.args.map(({ parameter }) => parameter), ...names]);
  const parameters = listParameters(command);
  const isPaged = parameters.some(({ name }) => name === 'limit') && findParameterMaximum(operation, 'limit') !== null;
  return [
    ...parameters
      .filter((parameter) => parameter.in === 'query' && !excludedNames.has(parameter.name))
      .map((parameter) => makeOption(parameter, command.fetchesAllRows === true)),
    ...ownOptions,
    // For operations without pages, `--all` is hidden rather than missing, so that an error can explain why the option
    // is impossible.
    isPaged ? ALL_ROWS_OPTION : { ...ALL_ROWS_OPTION, hidden: true },
    ...ASKING_OPTIONS,
    ...(command.listsFilings === true ? NEW_ROWS_OPTIONS : []),
  ];
}

/**
 * Returns the operation's parameters that the command accepts. If the command has its own help text for a parameter,
 * this text replaces the operation's text and default.
 */
export function listParameters(command: QuestionCommand): readonly Parameter[] {
  const { operation, parameters: offeredNames, args, parameterHelp = {} } = command;
  const accepted = getOperation(operation).parameters.filter(
    ({ in: location, name }) =>
      location === 'path' ||
      offeredNames === undefined ||
      offeredNames.includes(name) ||
      args.some(({ parameter, own }) => own === undefined && parameter === name),
  );
  return accepted.map((parameter) => {
    const help = parameterHelp[parameter.name];
    const { default: _, ...otherFields } = parameter;
    return help === undefined ? parameter : { ...otherFields, help };
  });
}

export const getCommandName = ({ name, operation }: QuestionCommand): string => name ?? operation;

/** Whether the command's answer is by default one page of a list. */
export const isListCommand = ({ operation, fetchesAllRows }: QuestionCommand): boolean =>
  findParameterMaximum(getOperation(operation), 'limit') !== null && fetchesAllRows !== true;

/** Returns the option that selects one of the result's tables by name; the first name is the default. */
export const makeRowsOption = (...values: readonly string[]): OptionSpec => ({
  ...{ name: 'rows', value: 'name', values },
  help: `Table to print as rows (default: ${values[0]})`,
});

export function listQuestionArguments(command: QuestionCommand): readonly ArgumentSpec[] {
  const operation = getOperation(command.operation);
  return command.args.map((argument) => {
    const { parameter, own, optional } = argument;
    const many = argument.many === true || takesWords(operation, argument);
    const flags = { ...(optional === undefined ? {} : { optional }), many };
    if (own !== undefined) return { name: toKebabCase(parameter), help: own, ...flags };
    const { kind, help } = findParameter(operation, parameter);
    const name = kind === 'ticker' ? 'ticker' : toKebabCase(parameter);
    return { name, help: help + (argument.many === true ? SEVERAL_NAMES_HELP : ''), ...flags };
  });
}

const SEVERAL_NAMES_HELP = '; you can give several, or - to read them from stdin';

/**
 * Whether the argument takes all words that follow, because a name may consist of several words: `fin search johnson
 * controls`.
 */
export const takesWords = (operation: Operation, { parameter, own }: Argument): boolean =>
  own === undefined && findParameter(operation, parameter).kind === 'string';

function findParameter({ id, parameters }: Operation, name: string): Parameter {
  const parameter = parameters.find((candidate) => candidate.name === name);
  if (parameter === undefined) throw new Error(`${id} has no parameter ${name}`);
  return parameter;
}

function makeOption(parameter: Parameter, fetchesAll: boolean): OptionSpec {
  const { name, kind, values, help } = parameter;
  const defaultValue = name === 'limit' && fetchesAll ? 'all' : parameter.default;
  const hasDefault = defaultValue !== undefined && kind !== 'boolean' && !help.includes('(default: ');
  const defaultText = hasDefault ? ` (default: ${defaultValue})` : '';
  const placeholder = name === 'fiscal_year' ? 'year' : (PLACEHOLDER_BY_KIND[kind] ?? 'text');
  return {
    ...{ name: toKebabCase(name), help: help + defaultText, value: placeholder },
    ...(kind === 'boolean' ? { optional: true, values: ['true', 'false'] } : {}),
    ...(name === 'limit' ? { short: 'n' } : {}),
    ...(values === undefined || values.length > MAX_LISTED_VALUES ? {} : { values }),
  };
}

/** Maximum number of values that help lists next to an option. Longer lists are in help topics. */
const MAX_LISTED_VALUES = 8;

const PLACEHOLDER_BY_KIND: Partial<Readonly<Record<Parameter['kind'], string>>> = {
  boolean: 'flag',
  integer: 'count',
  date: 'day',
  uuid: 'id',
  choice: 'name',
  list: 'names',
  clauses: 'column:op:value',
};
