/**
 * Evaluates formulas exactly, column by column: each expression yields one value per row, so that functions over all
 * rows need no special case. A value is null (absent) if an operand is absent or a divisor is zero; notices say where and
 * why.
 */
import { add, divide, multiply, subtract, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { failUsage } from '../../contract/failure.ts';
import type { Measure } from '../../contract/statements/formula.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { findFirstIndex, getOrInsert, pushTo } from '../../platform/collections.ts';
import { makeNoteIf, type Notice } from '../../result/notice.ts';
import type { Formulas } from './formulas.ts';
import type { Expression } from './parse.ts';

export type Values = readonly (Decimal | null)[];

export interface Rows {
  readonly size: number;
  /** Returns a figure's value for each row, a number of fiscal years before the row's own. */
  readonly column: (figure: string, yearsBack: number) => Values;
}

export type Evaluation = ReturnType<typeof evaluateFormulas>;

/** Maximum number of characters of a value; products of many figures would otherwise grow without bound. */
const MAX_VALUE_LENGTH = 1000;

const toFlag = (holds: boolean): Decimal => (holds ? '1' : '0');

type Operation = (a: Decimal, b: Decimal) => Decimal | null;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  min: (a, b) => (compareDecimals(a, b) <= 0 ? a : b),
  max: (a, b) => (compareDecimals(a, b) >= 0 ? a : b),
  '<': (a, b) => toFlag(compareDecimals(a, b) < 0),
  '<=': (a, b) => toFlag(compareDecimals(a, b) <= 0),
  '>': (a, b) => toFlag(compareDecimals(a, b) > 0),
  '>=': (a, b) => toFlag(compareDecimals(a, b) >= 0),
  '==': (a, b) => toFlag(compareDecimals(a, b) === 0),
  '!=': (a, b) => toFlag(compareDecimals(a, b) !== 0),
};

/**
 * Returns the values of all formulas. Sums, differences and products are exact; quotients have ten decimals. Throws a
 * usage Failure if a value has too many digits.
 */
export function evaluateFormulas(formulas: Formulas, rows: Rows) {
  /** Number of rows that each use of `rank` ranks, by formula name. */
  const rankSizes = new Map<string, number[]>();
  /** The columns that formulas used, by figure: of the rows' own year, and of years before. */
  const reads = new Map<string, Values[]>();
  // Nested averages read the same years again: without the cache, each level would double the work.
  const valuesBySource = new Map<Expression | string, Map<number, Values>>();
  const remember = (source: Expression | string, yearsBack: number, compute: () => Values): Values => {
    const byYear = getOrInsert(valuesBySource, source, () => new Map<number, Values>());
    return getOrInsert(byYear, yearsBack, compute);
  };
  const evaluateName = (name: string, yearsBack: number): Values => {
    const formula = formulas.byName.get(name);
    if (formula !== undefined) return evaluate(formula, yearsBack, name);
    return remember(name, yearsBack, () => {
      const values = rows.column(name, yearsBack);
      pushTo(reads, name, values);
      return values;
    });
  };
  const evaluate = (expression: Expression, yearsBack: number, name: string): Values =>
    remember(expression, yearsBack, () => evaluateAgain(expression, yearsBack, name));
  const evaluateAgain = (expression: Expression, yearsBack: number, name: string): Values => {
    if (expression.kind === 'number') return Array<Decimal>(rows.size).fill(expression.value);
    if (expression.kind === 'name') return evaluateName(expression.name, yearsBack);
    const { operator, operands } = expression;
    const [first, ...others] = operands.map((operand) =>
      evaluate(operand, operator === 'prior' ? yearsBack + 1 : yearsBack, name),
    );
    if (first === undefined) throw new Error(`${operator} has no operand`);
    if (operator === 'prior') return first;
    if (operator === 'abs') return first.map((value) => value && takeAbsoluteValue(value));
    if (operator === 'avg') {
      const before = evaluate(operands[0] as Expression, yearsBack + 1, name);
      return first.map((value, row) => apply((a, b) => multiply(add(a, b), '0.5'), value, before[row], name));
    }
    if (operator === 'rank') {
      pushTo(rankSizes, name, first.filter((value) => value !== null).length);
      return rankValues(first);
    }
    const operation = OPERATIONS[operator];
    if (operation === undefined) throw new Error(`unknown operator ${operator}`);
    return others.reduce((left, right) => left.map((value, row) => apply(operation, value, right[row], name)), first);
  };
  /** Values by formula name. */
  const columns = new Map(formulas.names.map((name) => [name, evaluateName(name, 0)]));
  return { size: rows.size, columns, reads, rankSizes };
}

function apply(operation: Operation, a: Decimal | null, b: Decimal | null | undefined, name: string): Decimal | null {
  const value = a === null || b == null ? null : operation(a, b);
  if (value === null || value.length <= MAX_VALUE_LENGTH) return value;
  failUsage(`A value of the formula ${name} has more than ${MAX_VALUE_LENGTH} digits.`);
}

/** Returns the rank of each value: 1 for the highest; equal values have the same rank. */
function rankValues(values: Values): Values {
  const sorted = values.filter((value) => value !== null).sort((a, b) => compareDecimals(b, a));
  const countHigher = (value: Decimal): number =>
    findFirstIndex(0, sorted.length, (index) => compareDecimals(sorted[index] as Decimal, value) <= 0);
  return values.map((value) => value && `${countHigher(value) + 1}`);
}

const isRatio = (measure: Measure | null) => measure === null || !['money', 'per_share', 'shares'].includes(measure);

/**
 * Returns the measure of a formula, from the measures of its figures: an amount divided by shares is per share, and an
 * amount divided by an amount is a ratio.
 */
export function findFormulaMeasure({ byName }: Formulas, name: string, findMeasure: (figure: string) => Measure) {
  const measureByName = new Map<string, Measure | null>();
  const ofName = (figure: string): Measure | null => {
    const formula = byName.get(figure);
    if (formula === undefined) return findMeasure(figure);
    if (!measureByName.has(figure)) measureByName.set(figure, find(formula));
    return measureByName.get(figure) ?? null;
  };
  const find = (expression: Expression): Measure | null => {
    if (expression.kind === 'number') return null;
    if (expression.kind === 'name') return ofName(expression.name);
    const { operator, operands } = expression;
    const measures = operands.map(find);
    const [a = null, b = null] = measures;
    if (operator === '*') return findProductMeasure(a, b);
    if (operator === '/') return findQuotientMeasure(a, b);
    if (operands.length === 1 && operator !== 'rank') return a;
    if (!['+', '-', 'min', 'max'].includes(operator)) return 'count';
    const [measure = null, ...others] = new Set(measures.filter((item) => item !== null));
    return others.length === 0 ? measure : 'multiple';
  };
  return ofName(name) ?? 'multiple';
}

function findProductMeasure(a: Measure | null, b: Measure | null): Measure | null {
  if (isRatio(a)) return isRatio(b) ? (a ?? b) : b;
  if (isRatio(b)) return a;
  return a !== b && a !== 'money' && b !== 'money' ? 'money' : 'multiple';
}

function findQuotientMeasure(a: Measure | null, b: Measure | null): Measure | null {
  if (isRatio(b)) return isRatio(a) ? 'multiple' : a;
  if (a === 'money' && b === 'shares') return 'per_share';
  return a === 'money' && b === 'per_share' ? 'shares' : 'multiple';
}

/** A formula without a value in some rows; `ticker` is absent if all rows are of one company. */
export type MissingValues = ReturnType<typeof listMissingFormulaValues>[number] & { readonly ticker?: string };

/**
 * Returns the formulas without a value in some rows, with these rows counted by reason.
 * @param noun word for a row in the text
 * @param rows indices of the counted rows; by default all
 */
export function listMissingFormulaValues(
  formulas: Formulas,
  { size, columns, reads }: Evaluation,
  noun: 'row' | 'period',
  rows: readonly number[] = [...Array(size).keys()],
) {
  const lacks = (figure: string, row: number) => reads.get(figure)?.some((values) => values[row] === null) === true;
  return [...columns].flatMap(([name, values]) => {
    const figures = formulas.listFigures(name);
    const absent = rows.filter((row) => values[row] === null);
    if (absent.length === 0) return [];
    const reasons = figures.flatMap((figure) => {
      const count = absent.filter((row) => lacks(figure, row)).length;
      const suffix = (reads.get(figure)?.length ?? 0) > 1 ? ' or its earlier values' : '';
      return count === 0 ? [] : [`${formatCount(count, 'lacks', 'lack')} ${figure}${suffix}`];
    });
    const zeros = absent.filter((row) => !figures.some((figure) => lacks(figure, row))).length;
    if (zeros > 0) reasons.push(formatCount(zeros, 'divides by zero', 'divide by zero'));
    const part = `${absent.length} of ${formatCount(rows.length, noun)}`;
    const text = `${name} has no value in ${part}: ${reasons.join(', ')}.`;
    return [{ name, absent: absent.length, of: rows.length, text }];
  });
}

export const makeMissingFormulaValueNotices = (missing: readonly MissingValues[]): readonly Notice[] => {
  const sentences = missing.map(({ text, ticker }) => (ticker === undefined ? text : `${ticker}: ${text}`));
  const values = missing.map(({ text: _, ...counts }) => counts);
  return makeNoteIf(missing.length > 0, 'formula_missing', sentences.join(' '), { formulas: values });
};
