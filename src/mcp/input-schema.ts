/** The arguments of a tool as JSON Schema, derived from the parameters and options of its commands. */

import type { QuestionCommand } from '../ask/command/command.ts';
import type { OptionSpec } from '../ask/command/option-spec.ts';
import { listParameters } from '../ask/command/options.ts';
import { getOperation } from '../contract/operations.ts';
import { type JsonObject, makeParameterSchema } from '../contract/parameter-schema.ts';
import type { Parameter } from '../contract/parameters.ts';
import { isObject } from '../platform/json-object.ts';
import type { NamedArguments } from '../questions/ask-by-name.ts';
import { loadQuestion, type QuestionName } from '../questions/question-table.ts';
import type { Tool } from './tools.ts';

/** Default number of rows to request of a list. An answer shows fewer rows if it reaches its maximum size. */
export const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

const COUNT = { in: 'query', kind: 'integer', required: false, source: 'ours' } as const;

/**
 * Arguments that select a part of the rows. Every tool has these arguments, even if its operations lack them, except
 * `explain`, which selects by period.
 */
const PAGING_PARAMETERS: readonly Parameter[] = [
  { ...COUNT, name: 'limit', help: 'Maximum rows', min: 1, max: MAX_LIMIT },
  { ...COUNT, name: 'offset', help: 'Rows to skip', min: 0, max: 1_000_000 },
];

interface ToolArgument {
  readonly schema: JsonObject;
  /** The values of `show` for which the tool accepts the argument. */
  readonly showValues: string[];
  /** Whether a call needs the argument although the operation has no such parameter. */
  readonly isNeeded: boolean;
}

const PAGING_NAMES: ReadonlySet<string> = new Set(PAGING_PARAMETERS.map(({ name }) => name));

export async function listRequiredArgumentNames(name: QuestionName): Promise<string[]> {
  const { operation, args } = await loadQuestion(name);
  return getOperation(operation).parameters.flatMap(({ name, required }) =>
    required && args.find(({ parameter }) => parameter === name)?.optional !== true ? [name] : [],
  );
}

/** Returns all arguments of a tool except `show`, in the order of its operations. */
export async function listArguments(tool: Tool) {
  const argumentByName = new Map<string, ToolArgument>();
  const addArgument = (name: string, schema: JsonObject, show: string, isNeeded = false) => {
    const entry = argumentByName.get(name);
    if (entry === undefined) argumentByName.set(name, { schema, showValues: [show], isNeeded });
    else if (!entry.showValues.includes(show)) entry.showValues.push(show);
  };
  for (const [show, name] of Object.entries(tool.questionByShow)) {
    const command = await loadQuestion(name);
    for (const parameter of listParameters(command)) {
      if (PAGING_NAMES.has(parameter.name)) continue;
      const values = tool.values?.[parameter.name];
      const base = describeParameter(parameter);
      const takesSeveral = command.combineAnswers !== undefined && parameter.name === 'ticker';
      const schema = takesSeveral ? { type: 'array', items: base, description: 'Tickers of companies' } : base;
      addArgument(parameter.name, values === undefined ? schema : { ...schema, enum: values }, show);
    }
    for (const { parameter, own, freeText } of command.args)
      if (freeText === true) addArgument(parameter, { type: 'string', description: own ?? parameter }, show, true);
    for (const spec of selectOptions(command, tool))
      addArgument(spec.name.replaceAll('-', '_'), describeOption(spec), show);
    if (tool.name === 'explain') continue;
    for (const parameter of PAGING_PARAMETERS) addArgument(parameter.name, describeParameter(parameter), show);
  }
  return [...argumentByName].map(([name, entry]) => ({ name, ...entry }));
}

/** Returns the options of a command that are also arguments of the tool. */
const selectOptions = ({ options = [] }: QuestionCommand, { options: names = [] }: Tool): readonly OptionSpec[] =>
  options.filter(({ name }) => names.includes(name));

export async function makeInputSchema(tool: Tool): Promise<JsonObject> {
  const showNames = Object.keys(tool.questionByShow);
  const toolArguments = await listArguments(tool);
  const properties = toolArguments.map(({ name, schema, showValues }) => {
    const isPartial = showNames.length > 1 && tool.name !== 'explain' && showValues.length < showNames.length;
    const description = `${schema.description}${isPartial ? ` (show: ${showValues.join(', ')})` : ''}.`;
    return [name, { ...schema, description }] as const;
  });
  const requiredLists = await Promise.all(Object.values(tool.questionByShow).map(listRequiredArgumentNames));
  const required = toolArguments
    .filter(({ name, isNeeded }) => isNeeded || requiredLists.every((names) => names.includes(name)))
    .map(({ name }) => name);
  const shows = showNames.length > 1 && tool.name !== 'explain' ? [['show', makeShowSchema(showNames)] as const] : [];
  return {
    type: 'object',
    properties: Object.fromEntries([...properties, ...shows]),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

const makeShowSchema = (values: readonly string[]): JsonObject => ({
  type: 'string',
  enum: values,
  description: `What to show (default: ${values[0]}, or what other arguments need).`,
});

/** Describes a parameter as JSON Schema, usually with its allowed values, so that assistants use only valid names. */
function describeParameter(parameter: Parameter): JsonObject {
  const { kind, values, help } = parameter;
  const schema = makeParameterSchema(parameter);
  // A filter's value may be written as 20% or 1.5B, which the HTTP API's pattern rejects, so the pattern is removed.
  const clauseItems = kind === 'clauses' ? { items: { type: 'string' } } : {};
  const items = kind === 'list' && values !== undefined ? { items: { type: 'string', enum: values } } : {};
  const choice = kind === 'choice' ? makeChoiceSchema(parameter) : null;
  const filterFormat = kind === 'clauses' ? ', such as revenue_yoy:gt:0.2' : '';
  const format = kind === 'date' ? ', as YYYY-MM-DD' : '';
  return {
    ...(choice ?? { ...schema, ...clauseItems, ...items }),
    description: `${replaceCommandHelp(help)}${filterFormat}${format}`,
  };
}

/** Returns the schema of a choice. A long list of values is omitted, because another argument of the tool lists it. */
const makeChoiceSchema = ({ values = [], default: fallback }: Parameter): JsonObject => ({
  type: 'string',
  ...(values.length > MAX_LISTED_CHOICES ? {} : { enum: values }),
  ...(fallback === undefined ? {} : { default: fallback }),
});

const MAX_LISTED_CHOICES = 20;

/** Replaces the help text that refers to the command `catalog`, because assistants read the catalog as a resource. */
const replaceCommandHelp = (help: string): string =>
  help === METRIC_KEY_HELP ? 'Metric key, listed by the resource fin://catalog' : help;

const METRIC_KEY_HELP = getOperation('lineage').parameters.find(({ name }) => name === 'metric_key')?.help;

function describeOption({ value, values, help: description }: OptionSpec): JsonObject {
  if (value === undefined) return { type: 'boolean', description };
  if (values !== undefined) return { type: 'string', enum: values, description };
  return value === 'count' ? { type: 'integer', minimum: 1, description } : { type: 'string', description };
}

/**
 * Returns the arguments of a tool call in the types of the schema. Values that fit no type are returned unchanged, to be
 * refused. Assistants send lists as JSON text or separated by commas, numbers and flags as text, and an empty text for
 * an argument that they leave out.
 */
export function readArguments(given: NamedArguments, specs: Awaited<ReturnType<typeof listArguments>>): NamedArguments {
  const schemas = new Map(specs.map(({ name, schema }) => [name, schema]));
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const typedValue = readValue(value, schemas.get(name) ?? {});
      return isUnset(typedValue) ? [] : [[name, typedValue]];
    }),
  );
}

/** Whether a value means that the argument is omitted: null, an empty text, or an empty list. */
const isUnset = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function readValue(value: unknown, schema: JsonObject): unknown {
  if (schema.type === 'array') return readList(value, schema);
  // A list, or a list as JSON text, may contain the single value.
  const list = typeof value === 'string' ? parseJsonText(value, '[') : value;
  const single = Array.isArray(list) && list.length === 1 ? list[0] : value;
  if (typeof single !== 'string') return single;
  const text = single.trim();
  if (schema.type === 'boolean') return readFlag(text) ?? single;
  if (schema.type === 'integer') return /^-?\d{1,15}(\.0+)?$/.test(text) ? Number.parseInt(text, 10) : single;
  const unquoted = parseJsonText(text, '"');
  return typeof unquoted === 'string' ? unquoted : single.trim() === '' ? '' : single;
}

function readList(value: unknown, { items }: JsonObject): unknown {
  const parsed = typeof value === 'string' ? (parseJsonText(value, '[') ?? value.split(',')) : value;
  const list = Array.isArray(parsed) ? parsed : [parsed];
  const itemSchema = isObject(items) ? (items as JsonObject) : {};
  return list
    .map((item) => (typeof item === 'string' ? item.trim() : readValue(item, itemSchema)))
    .filter((item) => !isUnset(item));
}

const readFlag = (text: string): boolean | null => {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === '1' || lower === 'yes') return true;
  return lower === 'false' || lower === '0' || lower === 'no' ? false : null;
};

/** Returns the value of a JSON text that begins with the given character; null for any other text. */
function parseJsonText(text: string, start: string): unknown {
  if (!text.trimStart().startsWith(start)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
