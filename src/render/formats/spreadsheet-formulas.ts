/**
 * Formulas for the cells of statements: sums, ratios, growth and fractions of totals. A cell gets a formula only if the
 * formula gives exactly the figure that fin shows, so that a sheet computes on when a figure is changed.
 */
import { getCellAddress } from 'write-excel-file/utility';
import { add, divide, subtract, takeAbsoluteValue } from '../../contract/decimal.ts';
import { type Decimal, isEqual } from '../../contract/decimal-text.ts';
import { findDefinition, METRICS, REMAINDERS } from '../../contract/figures.ts';
import type { SignedLine, SumFormula } from '../../contract/statements/formula.ts';
import type { TableBlock, TableLine } from '../../result/blocks.ts';

interface Operand {
  readonly address: string;
  /** Index of the row in its table. */
  readonly row: number;
  readonly value: Decimal;
}

/** The figures of one period by key. */
type Period = ReadonlyMap<string, Operand>;

/**
 * Returns the formulas of a table by cell address, without the leading equals sign.
 * @param top index of the table's first row below its header in the sheet
 */
export function makeFormulas({ rows, columns, lines }: TableBlock, top: number): ReadonlyMap<string, string> {
  const entries = rows.flatMap((row, index) => {
    const line = lines?.get(row);
    if (line === undefined || 'section' in row) return [];
    const figures = columns.map((_, column): Operand | null => {
      const cell = row[column];
      const figure = typeof cell === 'object' && cell !== null && 'figure' in cell ? cell.figure : null;
      return figure === null ? null : { address: getCellAddress(top + index, column), row: index, value: figure };
    });
    return [{ line, figures }];
  });
  const periods = columns.map((_, column): Period => {
    const figures = entries.flatMap(({ line, figures: operands }) => {
      const operand = operands[column];
      return line.of !== 'figure' || operand == null ? [] : [[line.key, operand] as const];
    });
    return new Map(figures.reverse());
  });
  return new Map(
    entries.flatMap(({ line, figures }) => {
      const sums = line.of === 'figure' ? listSums(line.key) : [];
      return figures.flatMap((operand, column) => {
        if (operand === null) return [];
        const sum = findSum(operand, periods[column] ?? new Map(), sums);
        const formula = sum ?? findQuotient(line, operand.value, periods.slice(column));
        return formula === null ? [] : [[operand.address, formula] as const];
      });
    }),
  );
}

type Terms = readonly SignedLine[];

/** Returns the sums that may make up a line: its parts, with a remainder or without, and its formula. */
function listSums(key: string): readonly Terms[] {
  const definition = REMAINDERS.some((remainder) => remainder.key === key) ? null : findDefinition(key);
  if (definition === null) return [];
  const formula = definition.formula ?? ('whenNotReported' in definition ? definition.whenNotReported : undefined);
  return [
    listPartsOf(key),
    ...REMAINDERS.flatMap((remainder) => solveFor(key, remainder.key, remainder.formula)),
    ...(formula?.kind === 'sum' ? [toTerms(formula)] : []),
  ];
}

const listPartsOf = (total: string): Terms =>
  METRICS.filter((metric) => metric.total === total).map(({ key, sign }) => {
    return { key, isNegative: sign === '-', lines: listPartsOf(key) };
  });

/** Returns the terms of a sum; of alternative operands, the first with a value counts. */
function toTerms(formula: SumFormula): Terms {
  const { plus, plusIfReported = [], minus = [], minusIfReported = [], lines = [] } = formula;
  const makeTerm = (operand: string | readonly string[], isNegative: boolean): SignedLine => {
    const [key = '', ...others] = typeof operand === 'string' ? [operand] : operand;
    return { key, isNegative, lines: others.length === 0 ? [] : [makeTerm(others, false)] };
  };
  return [
    ...[...plus, ...plusIfReported].map((operand) => makeTerm(operand, false)),
    ...[...minus, ...minusIfReported].map((operand) => makeTerm(operand, true)),
    ...lines.map(negateLine),
  ];
}

const negateLine = (line: SignedLine): SignedLine => ({ ...line, isNegative: !line.isNegative });

/** Solves `remainder = sum` for a term of the sum. */
function solveFor(total: string, remainder: string, formula: SumFormula): readonly Terms[] {
  const terms = toTerms({ ...formula, lines: [] });
  const term = terms.find(({ key }) => key === total);
  if (term === undefined) return [];
  const others = toTerms(formula).filter(({ key }) => key !== total);
  const rest: Terms = [{ key: remainder, isNegative: true, lines: [] }, ...others];
  return [term.isNegative ? rest : rest.map(negateLine)];
}

/**
 * Returns the first of the sums that equals the value exactly; operands without a value count as zero. All operands are
 * above the sum, as statements print them, so that no formula refers to itself.
 */
function findSum({ row, value }: Operand, period: Period, sums: readonly Terms[]): string | null {
  for (const sum of sums) {
    const terms = expandTerms(sum, period, false).sort((a, b) => a.operand.row - b.operand.row);
    if (terms.length < 2 || terms.some(({ operand }) => operand.row >= row)) continue;
    const total = terms.reduce((rest, term) => (term.isNegative ? subtract : add)(rest, term.operand.value), '0');
    if (!isEqual(total, value)) continue;
    const text = terms.map(({ isNegative, operand }) => `${isNegative ? '-' : '+'}${operand.address}`).join('');
    return text.replace(/^\+/, '');
  }
  return null;
}

/** Returns the terms that have a value; a line without a value is replaced by the lines that it sums. */
const expandTerms = (terms: Terms, period: Period, isNegated: boolean): { isNegative: boolean; operand: Operand }[] =>
  terms.flatMap(({ key, isNegative: isOwnNegative, lines }) => {
    const operand = period.get(key);
    const isNegative = isOwnNegative !== isNegated;
    return operand === undefined ? expandTerms(lines, period, isNegative) : [{ isNegative, operand }];
  });

/**
 * Returns the formula of a ratio, a fraction of a total or growth, rounded to ten places as fin rounds them.
 * @param periods the period of the value, and earlier ones
 */
function findQuotient(line: TableLine, value: Decimal, periods: readonly Period[]): string | null {
  if (line.of === 'share') return findRatio(line.key, line.base ?? '', value, periods);
  if (line.of === 'growth') return findGrowth(line.key, value, periods);
  const formula = findDefinition(line.key)?.formula;
  if (formula?.kind === 'ratio') return findRatio(formula.numerator, formula.denominator, value, periods);
  return formula?.kind === 'growth' ? findGrowth(formula.of, value, periods) : null;
}

function findRatio(numerator: string, denominator: string, value: Decimal, [period]: readonly Period[]): string | null {
  const [a, b] = [period?.get(numerator), period?.get(denominator)];
  const isExact = a !== undefined && b !== undefined && divide(a.value, b.value) === value;
  return isExact ? `ROUND(${a.address}/${b.address},10)` : null;
}

function findGrowth(key: string, value: Decimal, [period, ...earlierPeriods]: readonly Period[]): string | null {
  const now = period?.get(key);
  if (now === undefined) return null;
  const before = earlierPeriods
    .flatMap((figures) => figures.get(key) ?? [])
    .find((then) => divide(subtract(now.value, then.value), takeAbsoluteValue(then.value)) === value);
  return before === undefined ? null : `ROUND((${now.address}-${before.address})/ABS(${before.address}),10)`;
}
