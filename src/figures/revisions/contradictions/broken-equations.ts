/**
 * Finds amounts that break an equation between lines of a statement, if other filings of the same period show which of
 * its amounts is wrong, or if a reversed sign explains the difference to the digit. A broken equation alone proves
 * nothing: one annual report in ten breaks one.
 */
import { compareText } from '../../../contract/compare-text.ts';
import { add, isNearlyEqual, negate, subtract } from '../../../contract/decimal.ts';
import { type Decimal, isEqual, isZero } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { getOrInsert } from '../../../platform/collections.ts';
import { pickLaterDay } from '../../../platform/dates.ts';
import { EQUATIONS, type Equation } from '../../evidence/equations.ts';
import type { FactSeries } from '../../facts/fact-series.ts';
import { PeriodMap } from '../../periods/period-map.ts';
import type { DatedError } from './misscaled-facts.ts';

/** Maximum difference between two amounts that are equal except for rounding, as a fraction of either. */
const ROUNDING_TOLERANCE: Decimal = '0.005';

/** The total of an equation and its two parts. */
type Line = 0 | 1 | 2;
const LINES: readonly Line[] = [0, 1, 2];
const OTHER_LINES: Readonly<Record<Line, readonly [minuend: Line, other: Line]>> = { 0: [1, 2], 1: [0, 2], 2: [0, 1] };

/** What one filing states for the lines of an equation. */
class Statement {
  readonly filed: string;
  readonly lines: Readonly<Record<Line, Fact[]>> = { 0: [], 1: [], 2: [] };
  readonly #implied: (readonly Decimal[])[] = [];

  constructor({ filed }: Fact) {
    this.filed = filed;
  }

  listOthers(line: Line): readonly (readonly Fact[])[] {
    return OTHER_LINES[line].map((other) => this.lines[other]);
  }

  /** Returns the amounts that the other two lines give for a line. */
  imply(line: Line): readonly Decimal[] {
    this.#implied[line] ??= combine(line, this.listOthers(line));
    return this.#implied[line];
  }
}

function combine(line: Line, [minuends = [], others = []]: readonly (readonly Fact[])[]): Decimal[] {
  const operation = line === 0 ? add : subtract;
  return minuends.flatMap((minuend) => others.map((other) => operation(minuend.value, other.value)));
}

/** The equations with two parts, each with the line of each concept. If several lines have it, the one that ranks it best. */
const EQUATIONS_OF_TWO_PARTS = EQUATIONS.filter(({ parts }) => parts.length === 2).map((equation) => {
  const concepts = [equation.total, ...equation.parts].map((line) => line.concepts);
  const lineByConcept = new Map<string, Line>();
  for (const concept of concepts.flat()) {
    const ranks = LINES.map((line) => concepts[line]?.indexOf(concept) ?? -1);
    const best = Math.min(...ranks.filter((rank) => rank >= 0));
    for (const line of LINES.toReversed()) if (ranks[line] === best) lineByConcept.set(concept, line);
  }
  return { equation, lineByConcept };
});

/** Yields wrong amounts, each with the day by which filings show the error. */
export function* findBrokenEquations(series: readonly FactSeries[]): Generator<DatedError> {
  for (const { equation, lineByConcept } of EQUATIONS_OF_TWO_PARTS)
    for (const statements of listStatementsByPeriod(lineByConcept, series)) {
      for (const statement of statements) yield* findReversedAmounts(statement);
      if (statements.length > 1) yield* findWrongAmounts(equation, statements);
    }
}

/** Yields the statements of each period and unit, in filing order, if any of them may break the equation. */
function* listStatementsByPeriod(
  lineByConcept: ReadonlyMap<string, Line>,
  series: readonly FactSeries[],
): Generator<readonly Statement[]> {
  const byUnit = new Map<string, PeriodMap<Map<string, Statement>>>();
  for (const { concept, unit, facts } of series) {
    const line = lineByConcept.get(concept);
    if (line === undefined) continue;
    const byPeriod = getOrInsert(byUnit, unit, () => new PeriodMap<Map<string, Statement>>());
    for (const fact of facts) {
      const byFiling = byPeriod.getOrInsert(fact, () => new Map());
      getOrInsert(byFiling, fact.accession, () => new Statement(fact)).lines[line].push(fact);
    }
  }
  for (const byPeriod of byUnit.values())
    for (const byFiling of byPeriod.values())
      if (isDisputed(byFiling.values())) yield [...byFiling.values()].sort((a, b) => compareText(a.filed, b.filed));
}

/** Whether a line has different amounts, or the amounts of the three lines break the equation; skips most periods. */
function isDisputed(statements: Iterable<Statement>): boolean {
  const values: (Decimal | undefined)[] = [undefined, undefined, undefined];
  for (const { lines } of statements)
    for (const line of LINES)
      for (const { value } of lines[line]) {
        if (values[line] !== undefined && values[line] !== value) return true;
        values[line] = value;
      }
  const [total, first, second] = values;
  if (total === undefined || first === undefined || second === undefined) return false;
  return !isEqual(add(first, second), total);
}

/**
 * Yields flows of a statement with which its equation holds exactly only if their sign is reversed. It would also hold if
 * both other lines had the wrong sign, which is rarer. Balances are not compared: a balance sheet with the tags of two
 * lines exchanged looks the same.
 */
function* findReversedAmounts(statement: Statement): Generator<DatedError> {
  for (const line of LINES) {
    const flows = statement.lines[line].filter(({ start, value }) => start !== null && !isZero(value));
    const hasZero = statement.listOthers(line).some((facts) => facts.some(({ value }) => isZero(value)));
    if (flows.length === 0 || hasZero) continue;
    const implied = statement.imply(line);
    for (const fact of flows) {
      const isImplied = (value: Decimal) => implied.some((amount) => isEqual(amount, value));
      if (!isImplied(fact.value) && isImplied(negate(fact.value))) yield [fact, fact.filed];
    }
  }
}

/** @param statements the statements of one period, in filing order */
function* findWrongAmounts(equation: Equation, statements: readonly Statement[]): Generator<DatedError> {
  for (const statement of statements) {
    const corrected = LINES.map((line) => listCorrected(line, statement, statements)).filter(
      ({ length }) => length > 0,
    );
    // Two ways to correct the equation prove neither.
    if (corrected.length === 1) yield* corrected.flat();
    for (const line of LINES) {
      const isPartial = line === 2 && equation.parts[1]?.metricKey === equation.partialKey;
      for (const fact of statement.lines[line]) {
        const restating =
          (equation.isRestatedAsOne ? findRestating(line, fact, statement, statements, isPartial) : undefined) ??
          (isPartial ? findProofOfPart(fact, statement, statements) : undefined);
        if (restating !== undefined) yield [fact, pickLaterDay(fact.filed, restating.filed)];
      }
    }
  }
}

/** Returns amounts of a line for which another filing states, by the same concept, the one with which the equation holds. */
function listCorrected(line: Line, statement: Statement, statements: readonly Statement[]): DatedError[] {
  const facts = statement.lines[line];
  const implied = facts.length === 0 ? [] : statement.imply(line);
  if (implied.length === 0 || facts.some((fact) => isOneOf(fact, implied))) return [];
  return facts.flatMap((fact): DatedError[] => {
    const correction = statements.find(({ lines }) =>
      lines[line].some((other) => other.concept === fact.concept && isOneOf(other, implied)),
    );
    return correction === undefined ? [] : [[fact, pickLaterDay(fact.filed, correction.filed)]];
  });
}

/**
 * Returns the first later statement that restates the other two lines, but not this one.
 * @param isPartial whether an amount that does not fit the other two lines counts as none, because it is a part
 */
function findRestating(
  line: Line,
  fact: Fact,
  statement: Statement,
  statements: readonly Statement[],
  isPartial: boolean,
): Statement | undefined {
  const own = statement.imply(line);
  if (own.length > 0 && !isOneOf(fact, own)) return undefined;
  const others = statement.listOthers(line);
  return statements.find((later) => {
    const implied = later.filed > statement.filed ? later.imply(line) : [];
    if (implied.length === 0 || isOneOf(fact, implied)) return false;
    const isRestated = later.listOthers(line).some((facts, index) => {
      const earlier = (others[index] ?? []).map(({ value }) => value);
      return earlier.length > 0 && !facts.some((other) => isOneOf(other, earlier));
    });
    return isRestated && !later.lines[line].some((other) => !isPartial || isOneOf(other, implied));
  });
}

/** Returns the first statement with the same total whose first part shows that the fact is only some of the second part. */
function findProofOfPart(
  fact: Fact,
  { lines: { 0: totals, 1: first } }: Statement,
  statements: readonly Statement[],
): Statement | undefined {
  if (first.length > 0) return undefined;
  const values = totals.map(({ value }) => value);
  const others = statements.filter(({ lines }) => lines[1].length > 0 && lines[0].some((sum) => isOneOf(sum, values)));
  const isWhole = others.some(({ lines }) => isOneOf(fact, combine(2, [totals, lines[1]])));
  return isWhole ? undefined : others[0];
}

const isOneOf = ({ value }: Fact, amounts: readonly Decimal[]): boolean =>
  amounts.some((amount) => isNearlyEqual(value, amount, ROUNDING_TOLERANCE));
