/**
 * Checks what was asked against what the interface takes. One function for both halves: the service
 * answers 400 with every fault, the client refuses beforehand what is `stated`.
 */
import { isDay, isTicker, isUuid, normalizeAccession, parseCik } from './identifiers.ts';
import { didYouMean, nearest } from './nearest.ts';
import type { Operation } from './operations.ts';
import type { Parameter, Source } from './parameters.ts';
import { parseClause } from './where-clause.ts';

export type ParameterValue = string | number | boolean | readonly string[];
export type Parameters = Readonly<Record<string, ParameterValue>>;

/** What is wrong with one parameter; `detail` is a whole sentence that names it. */
export interface Fault {
  readonly parameter: string;
  readonly detail: string;
  readonly source: Source;
}

export interface Checked {
  /** Values of the parameters that were given and are right, and the defaults of those not given. */
  readonly parameters: Parameters;
  readonly faults: readonly Fault[];
}

type Reading = { readonly value: ParameterValue } | { readonly fault: string; readonly source?: Source };

/**
 * @param given name and text of each parameter, in the order given; a name may be repeated
 */
export function checkParameters(operation: Operation, given: readonly (readonly [string, string])[]): Checked {
  const parameters: Record<string, ParameterValue> = {};
  const faults: Fault[] = [];
  const known = operation.parameters.map((parameter) => parameter.name);
  for (const name of new Set(given.map(([name]) => name))) {
    if (!known.includes(name)) faults.push(unknown(operation, name, known));
  }
  for (const parameter of operation.parameters) {
    const texts = given.filter(([name]) => name === parameter.name).map(([, text]) => text);
    if (texts.length === 0) {
      if (parameter.required) faults.push(fault(parameter, `${parameter.name} is required.`, 'stated'));
      else if (parameter.default !== undefined) parameters[parameter.name] = parameter.default;
      continue;
    }
    const reading = read(parameter, texts);
    if ('value' in reading) parameters[parameter.name] = reading.value;
    else faults.push(fault(parameter, reading.fault, reading.source ?? parameter.source));
  }
  faults.push(...conflicts(operation, given));
  return { parameters, faults };
}

const fault = (parameter: Parameter, detail: string, source: Source): Fault => ({
  parameter: parameter.name,
  detail,
  source,
});

function unknown(operation: Operation, name: string, known: readonly string[]): Fault {
  const takes = known.length === 0 ? 'It takes no parameters.' : `It takes ${known.join(', ')}.`;
  const suggestion = didYouMean(name, known);
  return {
    parameter: name,
    detail: `${quote(name)} is not a parameter of ${operation.path}.${suggestion === '' ? ` ${takes}` : suggestion}`,
    source: 'stated',
  };
}

function conflicts(operation: Operation, given: readonly (readonly [string, string])[]): Fault[] {
  const names = new Set(given.map(([name]) => name));
  return (operation.exclusive ?? []).flatMap(([one, others]) => {
    const clash = others.filter((other) => names.has(other));
    if (!names.has(one) || clash.length === 0) return [];
    return [
      {
        parameter: one,
        detail: `${one} cannot be given together with ${clash.join(' and ')}.`,
        source: 'ours' as const,
      },
    ];
  });
}

function read(parameter: Parameter, texts: readonly string[]): Reading {
  if (parameter.kind === 'clauses') return readClauses(parameter, texts);
  const [text = '', ...more] = texts;
  if (more.length > 0)
    return { fault: `${parameter.name} was given ${texts.length} times; give it once.`, source: 'stated' };
  return READERS[parameter.kind](parameter, text);
}

const READERS: Readonly<
  Record<Exclude<Parameter['kind'], 'clauses'>, (parameter: Parameter, text: string) => Reading>
> = {
  string: readString,
  metric_key: readString,
  ticker: (parameter, text) =>
    isTicker(text) ? { value: text } : { fault: `${parameter.name} ${quote(text)} is not a ticker.`, source: 'ours' },
  accession: (parameter, text) => {
    const value = normalizeAccession(text);
    return value === null
      ? { fault: `${parameter.name} ${quote(text)} is not an accession number, such as 0000320193-25-000079.` }
      : { value };
  },
  cik: (parameter, text) => {
    const value = parseCik(text);
    return value === null
      ? { fault: `${parameter.name} ${quote(text)} is not a CIK: a whole number of at most ten digits.` }
      : { value };
  },
  integer: readInteger,
  boolean: (parameter, text) =>
    text === 'true' || text === 'false'
      ? { value: text === 'true' }
      : { fault: `${parameter.name} ${quote(text)} is neither true nor false.` },
  date: (parameter, text) =>
    isDay(text) ? { value: text } : { fault: `${parameter.name} ${quote(text)} is not a day of the form YYYY-MM-DD.` },
  uuid: (parameter, text) =>
    isUuid(text) ? { value: text.toLowerCase() } : { fault: `${parameter.name} ${quote(text)} is not a UUID.` },
  choice: readChoice,
  list: readList,
};

function readString(parameter: Parameter, text: string): Reading {
  if (text.length < (parameter.min ?? 0)) return { fault: `${parameter.name} must not be empty.` };
  if (text.length > (parameter.max ?? Number.POSITIVE_INFINITY)) {
    return { fault: `${parameter.name} is longer than ${parameter.max} characters.` };
  }
  return { value: text };
}

function readInteger(parameter: Parameter, text: string): Reading {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = parameter;
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return { value };
  // Not a whole number at all is wrong by the interface, whoever set the bounds.
  const source = Number.isNaN(value) ? 'stated' : parameter.source;
  return { fault: `${parameter.name} ${quote(text)} is not a whole number from ${min} to ${max}.`, source };
}

function readChoice(parameter: Parameter, text: string): Reading {
  const values = parameter.values ?? [];
  const value = parameter.anyCase === true ? text.toUpperCase() : text;
  if (values.includes(value)) return { value };
  return outside(parameter, value, `${parameter.name} ${quote(text)} is not known.`);
}

function readList(parameter: Parameter, text: string): Reading {
  const items = text.split(',').map((item) => (parameter.anyCase === true ? item.trim().toUpperCase() : item.trim()));
  if (items.some((item) => item.length < (parameter.min ?? 0))) {
    const least = parameter.min === 1 ? 'an empty item' : `an item of fewer than ${parameter.min} characters`;
    return { fault: `${parameter.name} ${quote(text)} has ${least}.`, source: 'stated' };
  }
  if (items.length > (parameter.maxItems ?? Number.POSITIVE_INFINITY)) {
    return { fault: `${parameter.name} has ${items.length} items; at most ${parameter.maxItems} are taken.` };
  }
  const foreign = items.find((item) => parameter.values !== undefined && !parameter.values.includes(item));
  if (foreign !== undefined) return outside(parameter, foreign, `${parameter.name}: ${quote(foreign)} is not known.`);
  return { value: items };
}

function readClauses(parameter: Parameter, texts: readonly string[]): Reading {
  if (texts.length > (parameter.maxItems ?? Number.POSITIVE_INFINITY)) {
    return {
      fault: `${parameter.name} was given ${texts.length} times; at most ${parameter.maxItems} clauses are taken.`,
    };
  }
  for (const text of texts) {
    const clause = parseClause(text);
    if (typeof clause === 'string') return { fault: `${parameter.name}: ${clause}` };
    if (!(parameter.values ?? []).includes(clause.column)) {
      return outside(parameter, clause.column, `${parameter.name}: there is no figure ${quote(clause.column)}.`);
    }
  }
  return { value: texts };
}

/** The sentence for a text outside a long or short closed set. */
function outside(parameter: Parameter, text: string, said: string): Reading {
  const values = parameter.values ?? [];
  if (values.length <= 8) return { fault: `${said} Use ${values.join(', ')}.` };
  // Additions to a long set are not a break, so a name near none of ours may be a newer service's.
  const source = nearest(text, values).length === 0 ? 'ours' : parameter.source;
  return { fault: said + didYouMean(text, values), source };
}

/** Foreign text in a message: short, and harmless on a terminal. */
export function quote(text: string): string {
  const safe = text.replace(/\p{Cc}|\p{Cf}/gu, '�');
  return JSON.stringify(safe.length > 60 ? `${safe.slice(0, 60)}…` : safe);
}
