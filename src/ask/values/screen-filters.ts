/**
 * Parses filters as users write them: converts `20%`, `1.5B` and `.2` to decimals such as `0.2` and `1500000000`.
 */

import { compareDecimals, type Decimal, isDecimal, parseDecimal, shiftDecimal } from '../../contract/decimal-text.ts';
import { Failure } from '../../contract/failure.ts';
import { findDefinition } from '../../contract/figures.ts';
import type { RawParameters } from '../../contract/question.ts';
import { FILTER_COLUMNS } from '../../contract/screen-columns.ts';
import { quote } from '../../contract/text/quote.ts';
import { option, say } from '../../contract/text/text.ts';
import { isClauseValue, OPERATORS } from '../../contract/where-clause.ts';
import { findMeasure } from '../../result/labels.ts';
import { makeWarning, type Notice } from '../../result/notice.ts';

const FILTER_PATTERN = new RegExp(`^(([^:]+):(?:${OPERATORS.join('|')}):)([^:]*)$`);
const NUMBER_PATTERN = /^(?<sign>-?)(?<digits>\d+(?:\.\d+)?|\.\d+)(?<suffix>[%KMBT]?)$/i;
const EXPONENT_BY_SUFFIX: Readonly<Record<string, number>> = { '': 0, '%': -2, K: 3, M: 6, B: 9, T: 12 };

const NUMBERS_HINT =
  'Write a number as 0.2, 20% or 1.5B (suffixes K, M, B, T), with at most 32 characters once the suffix is expanded.';

/**
 * Returns the parameters with plain decimals in filters. Warns of a value such as 20 for a fraction, because 20% was
 * probably meant, and of 20% for an amount. Throws a usage Failure if a value is not a number, except with `unchecked`.
 */
export function expandFilters(parameters: RawParameters, { unchecked = false } = {}) {
  const notices: Notice[] = [];
  const expanded = parameters.map(([name, text]): readonly [string, string] => {
    const [, prefix, column, value] = FILTER_PATTERN.exec(text) ?? [];
    if (name !== 'where' || prefix === undefined || column === undefined || value === undefined) return [name, text];
    const decimal = expandNumber(value);
    if (decimal === null || !isClauseValue(decimal)) {
      if (unchecked) return [name, text];
      throw makeNotANumberFailure(text, prefix, value);
    }
    if (isDecimal(value)) notices.push(...makePercentWarnings(column, prefix, value));
    if (value.endsWith('%')) notices.push(...makeAmountWarnings(column, value, decimal));
    return [name, prefix + decimal];
  });
  return { parameters: expanded, notices };
}

/** Returns the keys of the figures that filters name, without duplicates; ignores texts that are not filters. */
export const listKeysOfFilters = (filters: readonly string[]) =>
  Array.from(new Set(filters.flatMap((text) => FILTER_PATTERN.exec(text)?.[2] ?? [])));

/** Converts a number with an optional suffix to an exact Decimal; returns null for other text. */
export function expandNumber(value: string): Decimal | null {
  const groups = NUMBER_PATTERN.exec(value)?.groups;
  if (groups === undefined) return null;
  const { sign, digits, suffix } = groups as Record<'sign' | 'digits' | 'suffix', string>;
  const exponent = EXPONENT_BY_SUFFIX[suffix.toUpperCase()];
  if (exponent === undefined) throw new Error(`no power of ten for the suffix ${suffix}`);
  return shiftDecimal(sign + (digits.startsWith('.') ? `0${digits}` : digits), exponent);
}

function makePercentWarnings(column: string, prefix: string, value: Decimal): readonly Notice[] {
  const magnitude = value.startsWith('-') ? value.slice(1) : value;
  if (findMeasure(column, '') !== 'fraction' || compareDecimals(magnitude, '1') <= 0) return [];
  const text = `${column} is a fraction: ${value} is ${shiftDecimal(value, 2)} %. For ${value} % write ${prefix}${value}%.`;
  return [makeWarning('fraction_as_percent', text, { column, value })];
}

/** Warns of a percentage for an amount, but not for a multiple: a current ratio of 150% is a usual way to write 1.5. */
function makeAmountWarnings(column: string, value: string, decimal: Decimal): readonly Notice[] {
  const entry = findDefinition(column);
  if (entry === null || entry.measure === 'fraction' || entry.measure === 'multiple') return [];
  const growthColumn = `${column}_yoy`;
  const growth = FILTER_COLUMNS.includes(growthColumn) ? ` For growth write ${growthColumn}.` : '';
  const text = `${column} is not a fraction: ${value} is ${decimal}.${growth}`;
  return [makeWarning('amount_as_percent', text, { column, value })];
}

function makeNotANumberFailure(text: string, prefix: string, value: string): Failure {
  const number = suggestNumber(value);
  const decimal = expandNumber(number);
  const hint = decimal !== null && isClauseValue(decimal) ? ` Did you mean ${prefix}${number}?` : '';
  const fault = say`Invalid number ${quote(value)} in ${option('where')} ${quote(text)}.${hint}`;
  return new Failure('usage', fault, { hint: NUMBERS_HINT });
}

const SUFFIX_BY_WORD: Readonly<Record<string, string>> = {
  thousand: 'K',
  mn: 'M',
  mm: 'M',
  million: 'M',
  bn: 'B',
  billion: 'B',
  tn: 'T',
  trillion: 'T',
  percent: '%',
};

/** Suggests a valid spelling for values such as `10bn` or `$1,000`. */
function suggestNumber(value: string): string {
  const bare = value.replace(/^\$/, '').replace(/(?<=\d)_(?=\d)/g, '');
  const plain = /^-?\d{1,3}(,\d{3})+(?!\d)/.test(bare) ? bare.replaceAll(',', '') : bare;
  const [, digits = plain, unit = ''] = /^([^a-z%\s]+)\s*([a-z]+|%)$/i.exec(plain) ?? [];
  return (parseDecimal(digits) ?? digits) + (SUFFIX_BY_WORD[unit.toLowerCase()] ?? unit);
}
