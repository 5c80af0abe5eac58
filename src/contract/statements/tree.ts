/** Derives two lists from the tree of each statement: the metrics in their order, and the remainders of the totals. */
import type { DerivedFigure, SignedLine, StatementName, SumFormula } from './formula.ts';
import type { Line, Lines, Metric } from './line.ts';

/** A remainder, and the metric above which statements print it; null if it is the last line of its statement. */
export interface Remainder extends DerivedFigure {
  readonly formula: SumFormula;
  readonly above: string | null;
}

/** Returns the metrics of a statement in its order. */
export function listMetrics(statement: StatementName, lines: Lines): Metric[] {
  // Does not use rest properties, because they take five times as long, and every command lists the metrics when it
  // starts.
  return Object.entries(lines).flatMap(([key, line]) => {
    const { measure = 'money', description } = line;
    return description === undefined ? [] : [{ ...line, key, statement, measure, description }];
  });
}

/** Lines by the key of the total of which they are parts. */
type LinesByTotal = ReadonlyMap<string, readonly [key: string, line: Line][]>;

/** Returns the remainders of a statement in its order. Their lines are listed on first use. */
export function listRemainders(lines: Lines): Remainder[] {
  const remainders: Remainder[] = [];
  let above: string | null = null;
  for (const [key, { label, remainder }] of Object.entries(lines).reverse()) {
    if (remainder === undefined) above = key;
    else remainders.push({ key, label, measure: 'money', above, formula: toRemainderFormula(remainder, lines) });
  }
  return remainders.reverse();
}

function groupByTotal(lines: Lines): LinesByTotal {
  const byTotal = new Map<string, [string, Line][]>(Object.keys(lines).map((key) => [key, []]));
  for (const [key, line] of Object.entries(lines)) byTotal.get(line.total ?? '')?.push([key, line]);
  return byTotal;
}

function toRemainderFormula(
  { of, plus = [of], minus = [], unless, isAboveZero }: NonNullable<Line['remainder']>,
  lines: Lines,
): SumFormula {
  let parts: SignedLine[] | undefined;
  return {
    kind: 'sum',
    plus,
    ...(minus.length > 0 && { minus }),
    ...(unless !== undefined && { unless }),
    sameFilings: true,
    get lines() {
      parts ??= listParts(of, groupByTotal(lines), new Set([...plus, ...minus.flat()]));
      return parts;
    },
    ...(isAboveZero && { isAboveZero }),
  };
}

/** Returns the lines of a total, each with the lines of which it consists, without lines in `heads`. */
function listParts(total: string, linesByTotal: LinesByTotal, heads: ReadonlySet<string>): SignedLine[] {
  return (linesByTotal.get(total) ?? []).flatMap(([key, { mayBeIn, sign }]) => {
    if (heads.has(key)) return [];
    const part = { key, isNegative: sign === '-', lines: listParts(key, linesByTotal, heads) };
    return [mayBeIn === undefined ? part : { ...part, mayBeIn }];
  });
}
