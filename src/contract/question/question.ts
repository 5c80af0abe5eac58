/**
 * A question to a service as a typed value, made once from names and texts and used by client and service. It
 * contains its faults: the service answers 400 with all of them, and a client can reject `stated` ones before
 * sending.
 */

import { type Operation, type OperationId, operationOf } from '../operations.ts';
import { didYouMean } from '../text/nearest.ts';
import { quote } from '../text/quote.ts';
import { joinTexts, option, say, type Text } from '../text/text.ts';
import type { Parameter, RuleSource } from './parameters.ts';
import { type ParameterReading, type ParameterValue, readParameter } from './read-parameter.ts';
import { formatClause } from './where-clause.ts';

export type { ParameterValue };

/** Parameters as typed or sent: name and text, in order; a name may be repeated. */
export type RawParameters = readonly (readonly [name: string, text: string])[];

export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** A fault of one parameter; `detail` is a whole sentence that names it. */
export interface Fault {
  readonly parameter: string;
  readonly detail: Text;
  readonly source: RuleSource;
}

export interface Question {
  readonly operation: Operation;
  readonly given: RawParameters;
  /** Values of the valid given parameters, and defaults of missing ones; see `ParametersOf`. */
  readonly parameters: ParameterValues;
  readonly faults: readonly Fault[];
  /** The result of reading each given parameter, so that a changed question reads only the changed ones. */
  readonly readings: ReadonlyMap<string, ParameterReading>;
}

export function parseQuestion(id: OperationId, given: RawParameters): Question {
  return makeQuestion(operationOf(id), given, new Map());
}

/** Returns the same question with some parameters replaced. */
export function changeQuestion(question: Question, changes: RawParameters): Question {
  const changed = new Set(changes.map(([name]) => name));
  const kept = question.given.filter(([name]) => !changed.has(name));
  const readings = [...question.readings].filter(([name]) => !changed.has(name));
  return makeQuestion(question.operation, [...kept, ...changes], new Map(readings));
}

function makeQuestion(
  operation: Operation,
  given: RawParameters,
  knownReadings: ReadonlyMap<string, ParameterReading>,
): Question {
  const texts = groupByName(given);
  const readings = new Map<string, ParameterReading>();
  const parameters: Record<string, ParameterValue> = {};
  const faults = unknownParameters(operation, texts);
  for (const parameter of operation.parameters) {
    const { name } = parameter;
    const own = texts.get(name);
    if (own === undefined) {
      if (parameter.required)
        faults.push({ parameter: name, detail: say`${option(name)} is required.`, source: 'stated' });
      else if (parameter.default !== undefined) parameters[name] = parameter.default;
      continue;
    }
    const reading = knownReadings.get(name) ?? readParameter(parameter, own);
    readings.set(name, reading);
    if ('value' in reading) parameters[name] = reading.value;
    else faults.push({ parameter: name, detail: reading.fault, source: reading.source ?? parameter.source });
  }
  faults.push(...conflicts(operation, texts));
  return { operation, given, parameters, faults, readings };
}

function groupByName(given: RawParameters): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, text] of given) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [text]);
    else group.push(text);
  }
  return groups;
}

function unknownParameters({ parameters, path }: Operation, texts: ReadonlyMap<string, unknown>): Fault[] {
  const known = parameters.map(({ name }) => name);
  const takes = known.length === 0 ? ' It takes no parameters.' : ` It takes ${known.join(', ')}.`;
  return [...texts.keys()]
    .filter((name) => !known.includes(name))
    .map((name) => ({
      parameter: name,
      detail: `${quote(name)} is not a parameter of ${path}.${didYouMean(name, known) || takes}`,
      source: 'stated',
    }));
}

function conflicts({ exclusive = [] }: Operation, texts: ReadonlyMap<string, unknown>): Fault[] {
  return exclusive.flatMap(([parameter, others]): Fault[] => {
    const clash = others.filter((other) => texts.has(other));
    if (!texts.has(parameter) || clash.length === 0) return [];
    return [
      {
        parameter,
        detail: say`${option(parameter)} cannot be given together with ${joinTexts(
          clash.map((name) => option(name)),
          ' and ',
        )}.`,
        source: 'ours',
      },
    ];
  });
}

/**
 * Returns path and query in the contract's order, the key of caches. Leaves out missing parameters, for which the
 * service uses its defaults; an invalid parameter is sent as given. With the spelling `raw`, all parameters are.
 */
export function questionTarget(question: Question, spelling: 'canonical' | 'raw' = 'canonical'): string {
  const { operation, given, readings } = question;
  const texts = groupByName(given);
  const spelled = ({ name, kind }: Parameter): readonly string[] => {
    const reading = readings.get(name);
    if (reading === undefined) return [];
    return spelling === 'canonical' && 'value' in reading
      ? textsOf(reading.value, kind)
      : (texts.get(name) as readonly string[]);
  };
  // A missing path parameter leaves its segment empty, which no path matches.
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((one) => one.name === name) as Parameter;
    return encodeURIComponent(spelled(parameter)[0] ?? '');
  });
  const query = operation.parameters.flatMap((parameter) =>
    parameter.in === 'query' ? spelled(parameter).map((text) => pairOf(parameter.name, text)) : [],
  );
  // A newer service may have parameters that this contract lacks.
  const unknown = given.filter(([name]) => !readings.has(name)).map(([name, text]) => pairOf(name, text));
  const pairs = [...query, ...unknown];
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function textsOf(value: ParameterValue, kind: Parameter['kind']): readonly string[] {
  if (typeof value !== 'object') return [String(value)];
  const items = value.map((item) => (typeof item === 'string' ? item : formatClause(item)));
  return kind === 'clauses' ? items : [items.join(',')];
}

/** Colons and commas are legal in a query, and more readable in a log. */
const pairOf = (name: string, text: string): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(text).replace(/%3A/g, ':').replace(/%2C/g, ',')}`;

/** Returns the text of a parameter as given, the first if it is repeated. */
export const givenText = (given: RawParameters, name: string): string | undefined =>
  given.find(([parameter]) => parameter === name)?.[1];

/** The parameters without those of these names. */
export const withoutParameters = (given: RawParameters, ...names: readonly string[]): RawParameters =>
  given.filter(([name]) => !names.includes(name));

/** The parameters with one value for this name in place of any other. */
export const withParameter = (given: RawParameters, name: string, value: string): RawParameters => [
  ...withoutParameters(given, name),
  [name, value],
];
