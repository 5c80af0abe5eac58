/** A screener's filter, `column:op:value` (interface, "Screener", rule 2). */
import { type Decimal, isDecimal } from '../decimal-text.ts';

export const OPERATORS = ['gte', 'lte', 'gt', 'lt'] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Clause {
  readonly column: string;
  readonly op: Operator;
  readonly value: Decimal;
}

const VALUE_MAX = 32;

/** The clause a text writes, or the sentence that says what is wrong with it. Columns are not looked up here. */
export function parseClause(text: string): Clause | string {
  const parts = text.split(':');
  const [column = '', op = '', value = ''] = parts;
  if (parts.length !== 3 || column === '') {
    return `"${text}" is not of the form column:op:value, such as revenue_yoy:gt:0.2.`;
  }
  if (!isOperator(op)) return `"${op}" in "${text}" is not an operator; use ${OPERATORS.join(', ')}.`;
  if (value.length > VALUE_MAX || !isDecimal(value)) {
    return `"${value}" in "${text}" is not a plain decimal of at most ${VALUE_MAX} characters.`;
  }
  return { column, op, value };
}

function isOperator(text: string): text is Operator {
  return (OPERATORS as readonly string[]).includes(text);
}
