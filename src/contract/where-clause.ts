/** A filter of the screener: `column:op:value`. */
import { compareDecimals, type Decimal, isDecimal } from './decimal-text.ts';
import { formatAlternatives } from './text/quote.ts';

export const OPERATORS = ['gte', 'lte', 'gt', 'lt'] as const;
type Operator = (typeof OPERATORS)[number];

export interface Clause {
  readonly column: string;
  readonly op: Operator;
  readonly value: Decimal;
}

const MAX_VALUE_LENGTH = 32;

/** Whether the text is a valid value of a filter: a plain decimal that does not exceed the maximum length. */
export const isClauseValue = (text: string): boolean => text.length <= MAX_VALUE_LENGTH && isDecimal(text);

/** Parses a filter, or returns a sentence that describes its fault. Does not check that the column exists. */
export function parseClause(text: string): Clause | string {
  const parts = text.split(':');
  const [column, op, value] = parts;
  if (parts.length !== 3 || !column || op === undefined || value === undefined)
    return `"${text}" is not of the form column:op:value, such as revenue_yoy:gt:0.2.`;
  if (!isOperator(op)) return `"${op}" in "${text}" is not an operator; use ${formatAlternatives(OPERATORS)}.`;
  if (!isClauseValue(value))
    return `"${value}" in "${text}" is not a decimal number of at most ${MAX_VALUE_LENGTH} characters.`;
  return { column, op, value };
}

/** Whether a figure passes a filter. */
export function passesClause({ op, value }: Clause, figure: Decimal): boolean {
  const order = compareDecimals(figure, value);
  if (order === 0) return op.endsWith('e');
  return op.startsWith('g') === order > 0;
}

export const formatClause = ({ column, op, value }: Clause): string => `${column}:${op}:${value}`;

const isOperator = (text: string): text is Operator => (OPERATORS as readonly string[]).includes(text);
