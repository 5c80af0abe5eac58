/** What follows from the tree of each statement: the metrics in their order, and the remainders of the totals. */
import type { DerivedFigure, SignedLine, StatementName, SumFormula } from './formula.ts';
import type { Line, Lines, Metric } from './line.ts';

/** A remainder, and the metric above which statements print it; null if it is the last line of its statement. */
export interface Remainder extends DerivedFigure {
  readonly formula: SumFormula;
  readonly above: string | null;
}

/** Returns the metrics of a statement in its order. */
export function listMetrics(statement: StatementName, lines: Lines): Metric[] {
  return Object.entries(lines).flatMap(([key, { measure = 'money', description, ...line }]) =>
    description === undefined ? [] : [{ ...line, key, statement, measure, description }],
  );
}

/** Returns the remainders of a statement in its order. */
export function listRemainders(lines: Lines): Remainder[] {
  const entries = Object.entries(lines);
  return entries.flatMap(([key, line], index) => {
    if (line.remainder === undefined) return [];
    const above = entries.slice(index).find(([, { remainder }]) => remainder === undefined)?.[0] ?? null;
    return [{ key, label: line.label, measure: 'money', above, formula: toRemainderFormula(line.remainder, lines) }];
  });
}

function toRemainderFormula(
  { of, plus = [of], minus = [], unless, isAboveZero }: NonNullable<Line['remainder']>,
  lines: Lines,
): SumFormula {
  const heads = new Set([...plus, ...minus.flat()]);
  return {
    kind: 'sum',
    plus,
    ...(minus.length > 0 && { minus }),
    ...(unless !== undefined && { unless }),
    sameFilings: true,
    lines: listParts(of, lines, heads),
    ...(isAboveZero && { isAboveZero }),
  };
}

/** Returns the lines of a total, and their own lines, without those of `heads`. */
function listParts(total: string, lines: Lines, heads: ReadonlySet<string> = new Set()): SignedLine[] {
  return Object.entries(lines).flatMap(([key, line]) => {
    if (line.total !== total || heads.has(key)) return [];
    const { mayBeIn, sign } = line;
    const own = { key, isNegative: sign === '-', lines: listParts(key, lines, heads) };
    return [mayBeIn === undefined ? own : { ...own, mayBeIn }];
  });
}
