/**
 * Plans a command: its question, how much of the answer to fetch, and which rows to show. The terminal, programs and
 * assistants use the same plan.
 */
import { Failure } from '../contract/failure.ts';
import { findParameterMaximum, getOperation, hasPages, type Operation } from '../contract/operations.ts';
import type { Question, RawParameters } from '../contract/question.ts';
import { findGivenText, parseQuestion, withoutParameters, withParameter } from '../contract/question.ts';
import { quote } from '../contract/text/quote.ts';
import { call, option, say } from '../contract/text/text.ts';
import type { Notice } from '../result/notice.ts';
import type { ClientFilter, DataRequest, FetchExtent, GivenArguments, QuestionCommand } from './command/command.ts';
import { type Inputs, type NameSource, readInputs } from './command/inputs.ts';
import { type GivenOptions, type ParsedArguments, toKebabCase } from './command/option-spec.ts';
import { withMaximumLimit } from './fetch/fetch-response.ts';
import { respellParameters } from './values/spellings.ts';
import { findValueHint } from './values/value-hints.ts';

interface PlanRequest extends Pick<GivenArguments, 'form' | 'fields' | 'inProcess' | 'unchecked'> {
  readonly command: QuestionCommand;
  readonly parsed: ParsedArguments;
  readonly nameSource: NameSource;
}

/** Range of rows to show after client-side filtering; `limit` is null for all rows. */
export type RowWindow = { readonly offset: number; readonly limit: number | null };

export interface Plan extends PlanRequest, Inputs {
  /** The question that all inputs share, without the parameters that come from arguments. */
  readonly question: Question;
  readonly extent: FetchExtent;
  readonly narrowing: ClientFilter | null;
  /** The limit and offset that the user set, if the client applies them after filtering; otherwise null. */
  readonly window: RowWindow | null;
  /** Name of the table selected by `--rows`; null without that option. */
  readonly table: string | null;
  /** Whether the user set the limit or the offset. */
  readonly isLimited: boolean;
  readonly notices: readonly Notice[];
}

/** Returns the plan. Throws a usage Failure for invalid arguments and options before any request is sent. */
export async function planQuestion(planRequest: PlanRequest): Promise<Plan> {
  const delegation = (await planRequest.command.delegate?.(planRequest.parsed)) ?? null;
  if (delegation !== null) return planQuestion({ ...planRequest, ...delegation });
  const { command, parsed, form, fields, inProcess, unchecked, nameSource } = planRequest;
  const { options } = parsed;
  const operation = getOperation(command.operation);
  refuseInvalidOutputChoice(planRequest);
  const optionParameters = readOptions(command, operation, options);
  const wantsAll = options.has('all');
  const parameters = wantsAll && !hasPages(operation) ? withoutParameters(optionParameters, 'limit') : optionParameters;
  const givenArguments: GivenArguments = { ...parsed, givenParameters: parameters, form, fields, inProcess, unchecked };
  const request: DataRequest = (await command.request?.(givenArguments)) ?? { parameters };
  const inputs = readInputs(command, parsed, nameSource);
  const narrowing = request.narrowing ?? null;
  // With --all, a limit is only the size of the requested pages, never the number of rows.
  const usesLimit = !wantsAll || (hasPages(operation) && narrowing === null);
  const isLimited = usesLimit && (options.has('limit') || options.has('offset'));
  const extent = chooseExtent(planRequest, request, isLimited);
  if (wantsAll) refuseAllOption(operation, request, options);
  const isPage = extent === request.extent && (extent.kind === 'days' || extent.kind === 'page');
  const window = narrowing === null || !isLimited || isPage ? null : readWindow(request.parameters);
  const parsedQuestion = parseQuestion(operation.id, makeSentParameters(operation, request, extent));
  if (!unchecked) refuseFaults(parsedQuestion, request.parameters);
  const question = extent.kind === 'metrics' ? withMaximumLimit(parsedQuestion) : parsedQuestion;
  return {
    ...{ ...planRequest, ...inputs, question, extent, narrowing, window, isLimited },
    table: readTableName(command, options),
    notices: request.notices ?? [],
  };
}

const VALUES_EXTENT: FetchExtent = { kind: 'values' };

function chooseExtent({ command, parsed }: PlanRequest, request: DataRequest, isLimited: boolean): FetchExtent {
  const { narrowing, extent = command.fetchesAllRows === true ? VALUES_EXTENT : undefined } = request;
  if (extent !== undefined && (!isLimited || narrowing != null || extent.kind === 'days')) return extent;
  const needsAll = narrowing != null || parsed.options.has('all');
  const isList = findParameterMaximum(getOperation(command.operation), 'limit') !== null;
  return { kind: needsAll && isList ? 'pages' : 'page' };
}

/**
 * Returns the parameters to send. If all pages or all values are fetched, and the user set no limit, the limit is the
 * operation's maximum.
 */
function makeSentParameters(operation: Operation, request: DataRequest, { kind }: FetchExtent): RawParameters {
  const { parameters, narrowing } = request;
  const max = findParameterMaximum(operation, 'limit');
  if (kind === 'page' || kind === 'days' || kind === 'metrics' || max === null) return parameters;
  // If the client filters, limit and offset are not sent, because they apply to the rows that remain after filtering.
  const result = narrowing == null ? parameters : withoutParameters(parameters, 'limit', 'offset');
  return findGivenText(result, 'limit') === undefined ? withParameter(result, 'limit', `${max}`) : result;
}

function readWindow(query: RawParameters): RowWindow {
  const limit = findGivenText(query, 'limit');
  return { offset: Number(findGivenText(query, 'offset') ?? 0), limit: limit === undefined ? null : Number(limit) };
}

/**
 * Returns the given query parameters in the order in which the operation lists them, except those that the command's
 * own options replace.
 */
function readOptions(command: QuestionCommand, operation: Operation, options: GivenOptions): RawParameters {
  const own = new Set(command.options?.map(({ name }) => name));
  const parameters = operation.parameters.flatMap(({ name, kind, in: location }): RawParameters => {
    const texts = location === 'query' && !own.has(toKebabCase(name)) ? (options.get(toKebabCase(name)) ?? []) : [];
    if (texts.length === 0) return [];
    // A flag without a value means true. A list may be given in several parts: --keys revenue --keys net_income.
    if (kind === 'boolean') return texts.map((text) => [name, text === '' ? 'true' : text]);
    return kind === 'list' ? [[name, texts.join(',')]] : texts.map((text) => [name, text]);
  });
  return respellParameters(operation, parameters);
}

/**
 * Throws a usage Failure for parameters that the HTTP API rejects. Ignores missing required parameters: they come from
 * arguments, which are read later.
 */
function refuseFaults({ operation, faults }: Question, givenParameters: RawParameters): void {
  const required = new Set(operation.parameters.filter((parameter) => parameter.required).map(({ name }) => name));
  const isGiven = (parameter: string): boolean => givenParameters.some(([name]) => name === parameter);
  const statedFaults = faults.filter(({ source }) => source === 'stated');
  const fault = statedFaults.find(({ parameter }) => !required.has(parameter) || isGiven(parameter));
  if (fault === undefined) return;
  const { parameter, detail } = fault;
  const definition = operation.parameters.find(({ name }) => name === parameter);
  const hint = parameter === 'limit' ? say`To get all rows: ${option('all')}` : findValueHint(parameter, definition);
  throw new Failure('usage', detail, { hint });
}

function refuseAllOption(operation: Operation, { extent }: DataRequest, options: GivenOptions): void {
  if (extent?.kind === 'days' || findParameterMaximum(operation, 'limit') !== null) {
    if (!options.has('offset')) return;
    throw new Failure('usage', say`${option('all')} starts with the first row: remove ${option('offset')}.`);
  }
  const text = say`${call(operation.id)} does not need ${option('all')}: its answer always has all rows.`;
  throw new Failure('usage', text);
}

/**
 * Throws a usage Failure if `--fields` names a column twice, or if columns or a table are selected for JSON output,
 * which always has the structure of the service's response.
 */
function refuseInvalidOutputChoice({ form, fields, parsed: { options } }: PlanRequest): void {
  const [repeatedName] = (fields ?? []).filter((name, index, all) => all.indexOf(name) !== index);
  if (repeatedName !== undefined) throw new Failure('usage', say`${option('fields')} names ${repeatedName} twice.`);
  if (form !== 'document' || (fields === null && !options.has('rows'))) return;
  const choice = fields !== null ? say`${option('fields')} chooses columns` : say`${option('rows')} chooses a table`;
  const hint = say`Use ${option('output', 'ndjson')}, or filter the JSON with a tool such as jq.`;
  throw new Failure('usage', say`${choice}, but JSON is always the complete answer of the service.`, { hint });
}

/** Returns the selected table's name, or null. Throws a usage Failure for an unknown table. */
function readTableName(command: QuestionCommand, options: GivenOptions): string | null {
  const [name, ...otherNames] = options.get('rows') ?? [];
  if (name === undefined) return null;
  const names = command.options?.find((candidate) => candidate.name === 'rows')?.values ?? [];
  if (names.includes(name) && otherNames.length === 0) return name;
  const text = quote([name, ...otherNames].join(', '));
  throw new Failure('usage', say`${option('rows')} must be one of ${names.join(', ')}, not ${text}.`);
}
