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

/** Lines of each total. Grouped once, because every command does so when it starts. */
type LinesByTotal = ReadonlyMap<string, readonly [key: string, line: Line][]>;

/** Returns the remainders of a statement in its order. */
export function listRemainders(lines: Lines): Remainder[] {
  const entries = Object.entries(lines);
  const linesByTotal = new Map<string, [string, Line][]>(entries.map(([key]) => [key, []]));
  for (const entry of entries) {
    const { total } = entry[1];
    if (total !== undefined) linesByTotal.get(total)?.push(entry);
  }
  return entries.flatMap(([key, { label, remainder }], index) => {
    if (remainder === undefined) return [];
    const above = entries.slice(index).find(([, other]) => other.remainder === undefined)?.[0] ?? null;
    return [{ key, label, measure: 'money', above, formula: toRemainderFormula(remainder, linesByTotal) }];
  });
}

function toRemainderFormula(
  { of, plus = [of], minus = [], unless, isAboveZero }: NonNullable<Line['remainder']>,
  linesByTotal: LinesByTotal,
): SumFormula {
  const heads = new Set([...plus, ...minus.flat()]);
  return {
    kind: 'sum',
    plus,
    ...(minus.length > 0 && { minus }),
    ...(unless !== undefined && { unless }),
    sameFilings: true,
    lines: listParts(of, linesByTotal, heads),
    ...(isAboveZero && { isAboveZero }),
  };
}

/** Returns the lines of a total, and their own lines, without those of `heads`. */
function listParts(total: string, linesByTotal: LinesByTotal, heads: ReadonlySet<string>): SignedLine[] {
  return (linesByTotal.get(total) ?? []).flatMap(([key, { mayBeIn, sign }]) => {
    if (heads.has(key)) return [];
    const own = { key, isNegative: sign === '-', lines: listParts(key, linesByTotal, heads) };
    return [mayBeIn === undefined ? own : { ...own, mayBeIn }];
  });
}
