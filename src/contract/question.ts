/**
 * A question to a service: an operation with parsed parameters and their faults. Client and service share this type, so
 * that a question is parsed once. A service answers 400 with all faults; a client can reject a question with `stated`
 * faults without sending a request.
 */

import { didYouMean } from './nearest.ts';
import { getOperation, type Operation, type OperationId } from './operations.ts';
import type { Parameter, RuleSource } from './parameters.ts';
import { type ParameterReading, type ParameterValue, readParameter } from './read-parameter.ts';
import type { Meta, Problem } from './resources/envelope.ts';
import { encodeUrlPart, quote } from './text/quote.ts';
import { joinTexts, option, say, type Text } from './text/text.ts';
import { formatClause } from './where-clause.ts';

/** Parameters as typed or sent: pairs of name and text, in order. A name may occur several times. */
export type RawParameters = readonly (readonly [name: string, text: string])[];

export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** A fault of a parameter; `detail` is a full sentence that names the parameter. */
export interface Fault {
  readonly parameter: string;
  readonly detail: Text;
  readonly source: RuleSource;
}

export interface Question {
  readonly operation: Operation;
  readonly rawParameters: RawParameters;
  /** Parsed values of valid parameters, and defaults of missing parameters; see `ParametersOf`. */
  readonly parameters: ParameterValues;
  readonly faults: readonly Fault[];
  /** Parse results of the given parameters, by name. */
  readonly readings: ReadonlyMap<string, ParameterReading>;
}

/** Returns the question with some parameters replaced. */
export const changeQuestion = ({ operation, rawParameters }: Question, changes: RawParameters): Question =>
  parseQuestion(operation.id, [...withoutParameters(rawParameters, ...changes.map(([name]) => name)), ...changes]);

export function parseQuestion(id: OperationId, given: RawParameters): Question {
  const operation = getOperation(id);
  const textsByName = groupByName(given);
  const readings = new Map<string, ParameterReading>();
  const parameters: Record<string, ParameterValue> = {};
  const faults = findUnknownParameters(operation, textsByName);
  for (const parameter of operation.parameters) {
    const { name } = parameter;
    const texts = textsByName.get(name);
    if (texts === undefined) {
      if (parameter.required)
        faults.push({ parameter: name, detail: say`${option(name)} is required.`, source: 'stated' });
      else if (parameter.default !== undefined) parameters[name] = parameter.default;
      continue;
    }
    const reading = readParameter(parameter, texts);
    readings.set(name, reading);
    if ('value' in reading) parameters[name] = reading.value;
    else faults.push({ parameter: name, detail: reading.fault, source: reading.source ?? parameter.source });
  }
  faults.push(...findConflicts(operation, textsByName));
  return { operation, rawParameters: given, parameters, faults, readings };
}

function groupByName(given: RawParameters): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  for (const [name, text] of given) texts.set(name, [...(texts.get(name) ?? []), text]);
  return texts;
}

function findUnknownParameters({ parameters, path }: Operation, texts: ReadonlyMap<string, unknown>): Fault[] {
  const validNames = parameters.map(({ name }) => name);
  // Excludes path parameters that are already given.
  const usableNames = parameters.filter((row) => row.in === 'query' || !texts.has(row.name)).map(({ name }) => name);
  const hint = usableNames.length === 0 ? ' This path takes no parameters.' : ` Parameters: ${usableNames.join(', ')}.`;
  return [...texts.keys()]
    .filter((name) => !validNames.includes(name))
    .map((name) => ({
      parameter: name,
      detail: `${quote(name)} is not a parameter of ${path}.${didYouMean(name, usableNames) || hint}`,
      source: 'stated',
    }));
}

const findConflicts = ({ exclusive = [] }: Operation, texts: ReadonlyMap<string, unknown>): Fault[] =>
  exclusive.flatMap(([parameter, others]): Fault[] => {
    const conflicts = others.filter((other) => texts.has(other));
    if (!texts.has(parameter) || conflicts.length === 0) return [];
    const names = conflicts.map((name) => option(name));
    const detail = say`${option(parameter)} cannot be given together with ${joinTexts(names, ' and ')}.`;
    return [{ parameter, detail, source: 'ours' }];
  });

/**
 * Returns the path and query of the request for a question, which are also its cache key. Parameters are in the
 * contract's order, and valid parameters have their canonical spelling. If `spelling` is `raw`, all parameters are
 * spelled as given.
 */
export function makeRequestTarget(question: Question, spelling: 'canonical' | 'raw' = 'canonical'): string {
  const { operation, rawParameters, readings } = question;
  const texts = groupByName(rawParameters);
  const spell = ({ name, kind }: Parameter): readonly string[] => {
    const reading = readings.get(name);
    if (reading === undefined) return [];
    return spelling === 'canonical' && 'value' in reading
      ? formatValue(reading.value, kind)
      : (texts.get(name) as readonly string[]);
  };
  // A missing path parameter leaves an empty segment, which matches no path.
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((row) => row.name === name) as Parameter;
    return encodeUrlPart(spell(parameter)[0] ?? '');
  });
  const parameterPairs = operation.parameters.flatMap((parameter) =>
    parameter.in === 'query' ? spell(parameter).map((text) => formatPair(parameter.name, text)) : [],
  );
  // Unknown parameters are sent too, because a newer service may know them.
  const unknown = rawParameters.filter(([name]) => !readings.has(name)).map(([name, text]) => formatPair(name, text));
  const pairs = [...parameterPairs, ...unknown];
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function formatValue(value: ParameterValue, kind: Parameter['kind']): readonly string[] {
  if (typeof value !== 'object') return [String(value)];
  const items = value.map((item) => (typeof item === 'string' ? item : formatClause(item)));
  return kind === 'clauses' ? items : [items.join(',')];
}

/** Colons and commas need no encoding in a query, and make logs more readable. */
const formatPair = (name: string, text: string): string =>
  `${encodeUrlPart(name)}=${encodeUrlPart(text).replace(/%3A/g, ':').replace(/%2C/g, ',')}`;

/** Returns the text given for a parameter; the first text if the parameter occurs several times. */
export const findGivenText = (given: RawParameters, name: string): string | undefined =>
  given.find(([parameter]) => parameter === name)?.[1];

/**
 * Returns the company of a question as the user typed it; undefined if the question has no parameter for a company.
 */
export const findCompany = ({ operation, rawParameters }: Pick<Question, 'operation' | 'rawParameters'>) =>
  findGivenText(rawParameters, operation.path.includes('{ticker}') ? 'ticker' : 'peers_of');

/** Returns the parameters whose names are not in `names`. */
export const withoutParameters = (given: RawParameters, ...names: readonly string[]): RawParameters =>
  given.filter(([name]) => !names.includes(name));

/** Replaces all values of a parameter by one value. */
export const withParameter = (given: RawParameters, name: string, value: string): RawParameters => [
  ...withoutParameters(given, name),
  [name, value],
];

/** Answers questions in this process, as values instead of HTTP responses. */
export interface LocalService {
  /** Rejects with the signal's reason when the signal aborts, and with any error that is not a problem. */
  ask(question: Question, signal: AbortSignal | null): Promise<LocalAnswer>;
  /** Returns the answer to a path with its query, as in an HTTP request line. */
  askPath(path: string, signal: AbortSignal | null): Promise<LocalAnswer>;
  close(): Promise<void>;
}

export type LocalAnswer = { readonly data: unknown; readonly meta: Meta } | { readonly problem: Problem };
