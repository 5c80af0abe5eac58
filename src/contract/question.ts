/**
 * A question to a service: an operation with parsed parameters and their faults. Client and service share this type, so
 * that a question is parsed once. A service answers 400 with all faults; a client can reject a question with `stated`
 * faults without sending a request.
 */

import { didYouMean } from './nearest.ts';
import { getOperation, type Operation, type OperationId } from './operations.ts';
import type { Parameter, RuleSource } from './parameters.ts';
import { type ParameterReading, type ParameterValue, readParameter } from './read-parameter.ts';
import { encodeUrlPart, quote } from './text/quote.ts';
import { joinTexts, option, say, type Text } from './text/text.ts';
import { formatClause } from './where-clause.ts';

export type { ParameterValue };

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
  /** Parse result of each parameter, so that a changed question parses only the changed parameters. */
  readonly readings: ReadonlyMap<string, ParameterReading>;
}

export function parseQuestion(id: OperationId, givenParameters: RawParameters): Question {
  return makeQuestion(getOperation(id), givenParameters, new Map());
}

/** Returns the question with some parameters replaced. */
export function changeQuestion(question: Question, changes: RawParameters): Question {
  const changedNames = new Set(changes.map(([name]) => name));
  const keptParameters = question.rawParameters.filter(([name]) => !changedNames.has(name));
  const keptReadings = [...question.readings].filter(([name]) => !changedNames.has(name));
  return makeQuestion(question.operation, [...keptParameters, ...changes], new Map(keptReadings));
}

function makeQuestion(
  operation: Operation,
  givenParameters: RawParameters,
  previousReadingByName: ReadonlyMap<string, ParameterReading>,
): Question {
  const textsByName = groupByName(givenParameters);
  const readingByName = new Map<string, ParameterReading>();
  const parameters: Record<string, ParameterValue> = {};
  const faults = findUnknownParameters(operation, textsByName);
  for (const parameter of operation.parameters) {
    const { name } = parameter;
    const parameterTexts = textsByName.get(name);
    if (parameterTexts === undefined) {
      if (parameter.required)
        faults.push({ parameter: name, detail: say`${option(name)} is required.`, source: 'stated' });
      else if (parameter.default !== undefined) parameters[name] = parameter.default;
      continue;
    }
    const reading = previousReadingByName.get(name) ?? readParameter(parameter, parameterTexts);
    readingByName.set(name, reading);
    if ('value' in reading) parameters[name] = reading.value;
    else faults.push({ parameter: name, detail: reading.fault, source: reading.source ?? parameter.source });
  }
  faults.push(...findConflicts(operation, textsByName));
  return { operation, rawParameters: givenParameters, parameters, faults, readings: readingByName };
}

function groupByName(givenParameters: RawParameters): ReadonlyMap<string, readonly string[]> {
  const textsByName = new Map<string, string[]>();
  for (const [name, text] of givenParameters) {
    const textGroup = textsByName.get(name);
    if (textGroup === undefined) textsByName.set(name, [text]);
    else textGroup.push(text);
  }
  return textsByName;
}

function findUnknownParameters({ parameters, path }: Operation, textsByName: ReadonlyMap<string, unknown>): Fault[] {
  const knownNames = parameters.map(({ name }) => name);
  const parametersHint =
    knownNames.length === 0 ? ' This path takes no parameters.' : ` Parameters: ${knownNames.join(', ')}.`;
  return [...textsByName.keys()]
    .filter((name) => !knownNames.includes(name))
    .map((name) => ({
      parameter: name,
      detail: `${quote(name)} is not a parameter of ${path}.${didYouMean(name, knownNames) || parametersHint}`,
      source: 'stated',
    }));
}

function findConflicts({ exclusive = [] }: Operation, textsByName: ReadonlyMap<string, unknown>): Fault[] {
  return exclusive.flatMap(([parameter, otherNames]): Fault[] => {
    const conflictingNames = otherNames.filter((otherName) => textsByName.has(otherName));
    if (!textsByName.has(parameter) || conflictingNames.length === 0) return [];
    return [
      {
        parameter,
        detail: say`${option(parameter)} cannot be given together with ${joinTexts(
          conflictingNames.map((name) => option(name)),
          ' and ',
        )}.`,
        source: 'ours',
      },
    ];
  });
}

/**
 * Returns the path and query of the request for a question, which are also its cache key. Parameters are in the
 * contract's order, and valid parameters have their canonical spelling. With `raw`, all are spelled as given.
 */
export function makeRequestTarget(question: Question, spelling: 'canonical' | 'raw' = 'canonical'): string {
  const { operation, rawParameters, readings } = question;
  const textsByName = groupByName(rawParameters);
  const spellParameter = ({ name, kind }: Parameter): readonly string[] => {
    const reading = readings.get(name);
    if (reading === undefined) return [];
    return spelling === 'canonical' && 'value' in reading
      ? formatValue(reading.value, kind)
      : (textsByName.get(name) as readonly string[]);
  };
  // A missing path parameter leaves an empty segment, which matches no path.
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((candidate) => candidate.name === name) as Parameter;
    return encodeUrlPart(spellParameter(parameter)[0] ?? '');
  });
  const parameterPairs = operation.parameters.flatMap((parameter) =>
    parameter.in === 'query' ? spellParameter(parameter).map((text) => formatPair(parameter.name, text)) : [],
  );
  // Unknown parameters are sent too, because a newer service may know them.
  const unknownPairs = rawParameters
    .filter(([name]) => !readings.has(name))
    .map(([name, text]) => formatPair(name, text));
  const queryPairs = [...parameterPairs, ...unknownPairs];
  return queryPairs.length === 0 ? path : `${path}?${queryPairs.join('&')}`;
}

function formatValue(value: ParameterValue, kind: Parameter['kind']): readonly string[] {
  if (typeof value !== 'object') return [String(value)];
  const itemTexts = value.map((item) => (typeof item === 'string' ? item : formatClause(item)));
  return kind === 'clauses' ? itemTexts : [itemTexts.join(',')];
}

/** Colons and commas need no encoding in a query, and make logs more readable. */
const formatPair = (name: string, text: string): string =>
  `${encodeUrlPart(name)}=${encodeUrlPart(text).replace(/%3A/g, ':').replace(/%2C/g, ',')}`;

/** Returns the text given for a parameter; the first text if the parameter occurs several times. */
export const findGivenText = (givenParameters: RawParameters, name: string): string | undefined =>
  givenParameters.find(([parameter]) => parameter === name)?.[1];

/**
 * Returns the company of a question as the user typed it; undefined if the question has no parameter for a company.
 */
export const findCompanyText = ({
  operation,
  rawParameters,
}: Pick<Question, 'operation' | 'rawParameters'>): string | undefined =>
  operation.path.includes('{ticker}')
    ? findGivenText(rawParameters, 'ticker')
    : findGivenText(rawParameters, 'peers_of');

/** Returns the parameters except the ones in `names`. */
export const withoutParameters = (givenParameters: RawParameters, ...names: readonly string[]): RawParameters =>
  givenParameters.filter(([name]) => !names.includes(name));

/** Replaces all values of a parameter by one value. */
export const withParameter = (givenParameters: RawParameters, name: string, value: string): RawParameters => [
  ...withoutParameters(givenParameters, name),
  [name, value],
];
