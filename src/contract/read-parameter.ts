import { explainAbsence } from './absent-words.ts';
import { isDay, isUuid, normalizeAccession, parseCik } from './identifiers.ts';
import { didYouMean, findNearest } from './nearest.ts';
import type { Parameter, RuleSource } from './parameters.ts';
import { formatCount } from './text/format-counts.ts';
import { formatAlternatives, quote } from './text/quote.ts';
import { option, say, type Text } from './text/text.ts';
import { type Clause, parseClause } from './where-clause.ts';

export type ParameterValue = string | number | boolean | readonly string[] | readonly Clause[];

/**
 * A parsed value, or a fault: a full sentence that names the parameter. By default the fault has the parameter's
 * `source`.
 */
export type ParameterReading =
  | { readonly value: ParameterValue }
  | { readonly fault: Text; readonly source?: RuleSource };

/** @param texts the texts given for the parameter: usually one; filters may have several */
export function readParameter(parameter: Parameter, texts: readonly string[]): ParameterReading {
  // Refuses empty text, `.` and `..` in the path: URL parsers remove the latter two, and an empty segment matches no
  // path, so the request would fail or call another operation.
  const badSegment = parameter.in === 'path' ? texts.find((text) => ['', '.', '..'].includes(text.trim())) : undefined;
  if (badSegment !== undefined) {
    const predicate = badSegment.trim() === '' ? 'must not be empty' : `must not be ${quote(badSegment)}`;
    return { fault: say`${option(parameter.name)} ${predicate}.`, source: 'stated' };
  }
  if (parameter.kind === 'clauses') return readClauses(parameter, texts);
  const [text, ...others] = texts;
  if (text === undefined) throw new Error(`no text was given for the parameter ${parameter.name}`);
  if (others.length > 0)
    return { fault: say`${option(parameter.name)} was given ${texts.length} times; give it once.`, source: 'stated' };
  return READER_BY_KIND[parameter.kind](parameter, text);
}

const READER_BY_KIND: Readonly<
  Record<Exclude<Parameter['kind'], 'clauses'>, (parameter: Parameter, text: string) => ParameterReading>
> = {
  string: readString,
  metric_key: readString,
  ticker: readString,
  accession: (parameter, text) => {
    const value = normalizeAccession(text);
    // The form of accession numbers is a rule of fin. The HTTP API requires only a text, because other registries may
    // have other accession numbers.
    return value === null
      ? refuse(parameter, text, 'is not an accession number, such as 0000320193-25-000079', 'ours')
      : { value };
  },
  cik: (parameter, text) => {
    const value = parseCik(text);
    const source = /^\d{1,15}$/.test(text) ? 'ours' : parameter.source;
    return value === null
      ? refuse(parameter, text, 'is not a CIK, which is a number from 1 to 9999999999', source)
      : { value };
  },
  integer: readInteger,
  boolean: (parameter, text) =>
    text === 'true' || text === 'false'
      ? { value: text === 'true' }
      : { fault: say`${option(parameter.name)} must be true or false, not ${quote(text)}.` },
  date: (parameter, text) => {
    if (isDay(text)) return { value: text };
    const hasForm = /^\d{4}-\d\d-\d\d$/.test(text);
    return refuse(parameter, text, hasForm ? 'is not a valid date' : 'is not a date of the form YYYY-MM-DD');
  },
  uuid: (parameter, text) => (isUuid(text) ? { value: text.toLowerCase() } : refuse(parameter, text, 'is not a UUID')),
  choice: readChoice,
  list: readList,
};

/** Returns a fault: a sentence that names the parameter, quotes the text and tells what is wrong with it. */
const refuse = (parameter: Parameter, text: string, fault: string, source = parameter.source): ParameterReading => ({
  fault: say`${option(parameter.name)} ${quote(text)} ${fault}.`,
  source,
});

function readString(parameter: Parameter, text: string): ParameterReading {
  const { min = 0, max = Number.POSITIVE_INFINITY } = parameter;
  // Counts code points, as JSON Schema does: a character outside the BMP has a `length` of 2.
  const count = [...text].length;
  if (count < min) {
    const rule = text === '' ? 'must not be empty' : `must have at least ${formatCount(min, 'character')}`;
    return { fault: say`${option(parameter.name)} ${rule}.` };
  }
  if (count > max) return { fault: say`${option(parameter.name)} is longer than ${formatCount(max, 'character')}.` };
  return { value: text };
}

function readInteger(parameter: Parameter, text: string): ParameterReading {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = parameter;
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return { value };
  // The HTTP API requires a whole number (`stated`), even if the bounds are a rule of fin (`ours`).
  const source = Number.isNaN(value) ? 'stated' : parameter.source;
  const bounds = parameter.max === undefined ? '' : ` from ${min} to ${max}`;
  return refuse(parameter, text, `is not a whole number${bounds}`, source);
}

function readChoice(parameter: Parameter, text: string): ParameterReading {
  const value = parameter.anyCase === true ? text.toUpperCase() : text;
  if (getAllowedValues(parameter).includes(value)) return { value };
  return makeOutsideSetFault(parameter, value, say`Unknown value ${quote(text)} for ${option(parameter.name)}.`);
}

function readList(parameter: Parameter, text: string): ParameterReading {
  const items = text.split(',').map((item) => (parameter.anyCase === true ? item.trim().toUpperCase() : item.trim()));
  if (items.some((item) => item.length < (parameter.min ?? 0))) {
    const shortItemText = parameter.min === 1 ? 'an empty item' : `an item of fewer than ${parameter.min} characters`;
    return refuse(parameter, text, `has ${shortItemText}`, 'stated');
  }
  if (items.length > (parameter.maxItems ?? Number.POSITIVE_INFINITY))
    return { fault: say`${option(parameter.name)} has ${items.length} items; the maximum is ${parameter.maxItems}.` };
  const { itemForm } = parameter;
  const malformed = itemForm === undefined ? undefined : items.find((item) => !new RegExp(itemForm.pattern).test(item));
  if (malformed !== undefined) return refuse(parameter, malformed, `is not ${itemForm?.description}`);
  const unknown = items.find((item) => parameter.values !== undefined && !parameter.values.includes(item));
  if (unknown !== undefined)
    return makeOutsideSetFault(parameter, unknown, say`Unknown value ${quote(unknown)} in ${option(parameter.name)}.`);
  return { value: items };
}

function readClauses(parameter: Parameter, texts: readonly string[]): ParameterReading {
  const name = option(parameter.name);
  if (texts.length > (parameter.maxItems ?? Number.POSITIVE_INFINITY))
    return { fault: say`${name} was given ${texts.length} times; the maximum is ${parameter.maxItems}.` };
  const clauses: Clause[] = [];
  for (const text of texts) {
    const clause = parseClause(text);
    if (typeof clause === 'string') return { fault: say`${name}: ${clause}` };
    const { column } = clause;
    if (!getAllowedValues(parameter).includes(column))
      return makeOutsideSetFault(parameter, column, say`Unknown figure ${quote(column)} in ${name}.`);
    clauses.push(clause);
  }
  return { value: clauses };
}

function getAllowedValues({ name, values }: Parameter): readonly string[] {
  if (values === undefined) throw new Error(`the parameter ${name} has no list of values`);
  return values;
}

/** Returns the fault of a text that is not in a closed set of values. */
function makeOutsideSetFault(parameter: Parameter, text: string, sentence: Text): ParameterReading {
  const values = getAllowedValues(parameter);
  if (values.length <= 8) return { fault: say`${sentence} Use ${formatAlternatives(values)}.` };
  // A newer service may have more names. So a name that resembles no known name is sent to the service, which decides
  // (`ours`).
  const isUnknown = findNearest(text, values).length === 0 || explainAbsence(text, values) !== null;
  const source = isUnknown ? 'ours' : parameter.source;
  return { fault: say`${sentence}${didYouMean(text, values)}`, source };
}
