/**
 * The plan of a command: its question, how much of the answer to fetch, and what to leave out. Made once for the
 * terminal, programs and assistants. Only this file chooses limits; `--plan` prints the costs.
 */
import { Failure } from '../contract/failure.ts';
import { boundOf, type Operation, operationOf } from '../contract/operations.ts';
import {
  givenText,
  parseQuestion,
  type Question,
  type RawParameters,
  withoutParameters,
  withParameter,
} from '../contract/question/question.ts';
import { quote } from '../contract/text/quote.ts';
import { call, option, say } from '../contract/text/text.ts';
import type { Notice } from '../result/notice.ts';
import type { Extent, Narrowing, QuestionCommand, Request, Typed } from './command.ts';
import { withMostRows } from './fetch/response.ts';
import type { Inputs, NameSource } from './input.ts';
import { readInputs } from './inputs.ts';
import { type GivenOptions, kebab, type ParsedArguments } from './option-spec.ts';
import { respelled } from './values/spellings.ts';
import { valueHint } from './values/value-hints.ts';

export interface Asked extends Pick<Typed, 'form' | 'fields' | 'inProcess' | 'unchecked'> {
  readonly command: QuestionCommand;
  readonly parsed: ParsedArguments;
  readonly names: NameSource;
}

/** A range of the rows that remain after narrowing; a null limit means all. */
export interface Window {
  readonly offset: number;
  readonly limit: number | null;
}

export interface Plan extends Asked, Inputs {
  /** The question common to all inputs, without parameters from arguments. */
  readonly question: Question;
  readonly extent: Extent;
  readonly narrow: Narrowing | null;
  /** The shown range of a narrowed answer; null if limit and offset are sent. */
  readonly window: Window | null;
  /** The table of `--rows`, or null. */
  readonly table: string | null;
  /** Whether the user chose the page size. */
  readonly limited: boolean;
  readonly notices: readonly Notice[];
}

/** Throws a usage Failure for invalid arguments and options, before any request. */
export async function planQuestion(asked: Asked): Promise<Plan> {
  const { command, parsed, form, fields, inProcess, unchecked, names } = asked;
  const { options, args } = parsed;
  const operation = operationOf(command.operation);
  refuseChoice(asked);
  const typed: Typed = {
    given: readOptions(command, operation, options),
    options,
    args,
    form,
    fields,
    inProcess,
    unchecked,
  };
  const request: Request = (await command.request?.(typed)) ?? { parameters: typed.given };
  const inputs = readInputs(command, parsed, names);
  const limited = options.has('limit') || options.has('offset');
  const narrow = request.narrow ?? null;
  const extent = extentOf(asked, request, limited);
  if (options.has('all')) refuseAll(operation, request, options);
  const window = narrow === null || !limited || extent.kind === 'days' ? null : windowOf(request.parameters);
  const asks = parseQuestion(operation.id, sentParameters(operation, request, extent));
  if (!unchecked) refuseFaults(asks, request.parameters);
  const question = extent.kind === 'metrics' ? withMostRows(asks) : asks;
  return {
    ...{ ...asked, ...inputs, question, extent, narrow, window, limited },
    table: readTable(command, options),
    notices: request.notices ?? [],
  };
}

const VALUES: Extent = { kind: 'values' };

function extentOf({ command, parsed: { options } }: Asked, request: Request, limited: boolean): Extent {
  const { narrow, extent = command.whole === true ? VALUES : undefined } = request;
  if (extent !== undefined && (!limited || narrow != null || extent.kind === 'days')) return extent;
  return (narrow != null || options.has('all')) && boundOf(operationOf(command.operation), 'limit') !== null
    ? { kind: 'pages' }
    : { kind: 'page' };
}

/**
 * Returns parameters with the largest page if everything is needed and no page size was given; otherwise as given, or
 * the service's default.
 */
function sentParameters(operation: Operation, { parameters, narrow }: Request, { kind }: Extent): RawParameters {
  const most = boundOf(operation, 'limit');
  if (kind === 'page' || kind === 'days' || kind === 'metrics' || most === null) return parameters;
  // For a narrowed answer, limit and offset apply to the remaining rows.
  const rest = narrow == null ? parameters : withoutParameters(parameters, 'limit', 'offset');
  return givenText(rest, 'limit') === undefined ? withParameter(rest, 'limit', `${most}`) : rest;
}

function windowOf(given: RawParameters): Window {
  const limit = givenText(given, 'limit');
  return { offset: Number(givenText(given, 'offset') ?? 0), limit: limit === undefined ? null : Number(limit) };
}

/** In the order of the interface, without parameters that the command's own options replace. */
function readOptions(command: QuestionCommand, operation: Operation, options: GivenOptions): RawParameters {
  const own = new Set(command.options?.map(({ name }) => name));
  const typed = operation.parameters.flatMap(({ name, kind, in: part }): RawParameters => {
    const texts = part === 'query' && !own.has(kebab(name)) ? (options.get(kebab(name)) ?? []) : [];
    if (texts.length === 0) return [];
    // A flag without a value is true; a list may be given in parts: --keys revenue --keys net_income.
    if (kind === 'boolean') return texts.map((text) => [name, text === '' ? 'true' : text]);
    return kind === 'list' ? [[name, texts.join(',')]] : texts.map((text) => [name, text]);
  });
  return respelled(operation, typed);
}

/**
 * Throws a usage Failure for parameters that the interface rejects. Arguments are read later, so a missing required
 * parameter is accepted.
 */
function refuseFaults({ operation, faults }: Question, given: RawParameters): void {
  const required = new Set(operation.parameters.filter((parameter) => parameter.required).map(({ name }) => name));
  const isGiven = (parameter: string): boolean => given.some(([name]) => name === parameter);
  const fault = faults.find(
    ({ source, parameter }) => source === 'stated' && (!required.has(parameter) || isGiven(parameter)),
  );
  if (fault === undefined) return;
  const { parameter, detail } = fault;
  const existingParameter = operation.parameters.find(({ name }) => name === parameter);
  const hint = parameter === 'limit' ? say`All rows: ${option('all')}` : valueHint(parameter, existingParameter);
  throw new Failure('usage', detail, { hint });
}

function refuseAll(operation: Operation, { extent }: Request, options: GivenOptions): void {
  if (extent?.kind === 'days' || boundOf(operation, 'limit') !== null) {
    if (!options.has('offset')) return;
    throw new Failure('usage', say`${option('all')} starts with the first row: remove ${option('offset')}.`);
  }
  throw new Failure(
    'usage',
    say`${call(operation.id)} does not need ${option('all')}: its answer always has all rows.`,
  );
}

/** JSON is the service's answer, so columns and tables can be selected only for rows. */
function refuseChoice({ form, fields, parsed: { options } }: Asked): void {
  const [twice] = (fields ?? []).filter((name, index, all) => all.indexOf(name) !== index);
  if (twice !== undefined) throw new Failure('usage', say`${option('fields')} names ${twice} twice.`);
  if (form !== 'document' || (fields === null && !options.has('rows'))) return;
  const choice = fields !== null ? say`${option('fields')} chooses columns` : say`${option('rows')} chooses rows`;
  throw new Failure('usage', say`${choice}, but JSON is always the complete answer of the service.`, {
    hint: say`Use ${option('output', 'ndjson')}, or filter the JSON with a tool such as jq.`,
  });
}

/** Throws a usage Failure for an unknown table. */
function readTable(command: QuestionCommand, options: GivenOptions): string | null {
  const [name, ...more] = options.get('rows') ?? [];
  if (name === undefined) return null;
  const names = command.options?.find((one) => one.name === 'rows')?.values ?? [];
  if (names.includes(name) && more.length === 0) return name;
  throw new Failure(
    'usage',
    say`${option('rows')} must be one of ${names.join(', ')}, not ${quote([name, ...more].join(', '))}.`,
  );
}
