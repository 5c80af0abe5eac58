/**
 * Finds amounts that break an equation between lines of a statement, if other filings of the same period show which
 * amount is wrong, or if a reversed sign explains the difference to the digit. A broken equation alone proves nothing:
 * one annual report in ten breaks one.
 */
import { compareText } from '../../../contract/compare-text.ts';
import { add, isNearlyEqual, negate, subtract } from '../../../contract/decimal.ts';
import { type Decimal, isEqual, isZero } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { groupBy } from '../../../platform/collections.ts';
import { pickLaterDay } from '../../../platform/dates.ts';
import { EQUATIONS, type Equation } from '../../evidence/equations.ts';
import type { FactSeries, PeriodFacts } from '../../facts/fact-series.ts';
import { groupByPeriod } from '../../periods/period-map.ts';
import type { DatedError } from './misscaled-facts.ts';

/** Maximum difference between two amounts that are equal except for rounding, as a fraction of either. */
const ROUNDING_TOLERANCE: Decimal = '0.005';

/** The total of an equation and its two parts. */
type Line = 0 | 1 | 2;
const LINES: readonly Line[] = [0, 1, 2];

/** The facts that one filing states for the lines of an equation. */
class Statement {
  readonly filed: string;
  readonly #lines: readonly (readonly Fact[])[];
  readonly #implied: (readonly Decimal[])[] = [];

  constructor(facts: readonly [Fact, ...Fact[]], lineByConcept: ReadonlyMap<string, Line>) {
    this.filed = facts[0].filed;
    this.#lines = LINES.map((line) => facts.filter(({ concept }) => lineByConcept.get(concept) === line));
  }

  list(line: Line): readonly Fact[] {
    return this.#lines[line] ?? [];
  }

  listOthers(line: Line): readonly (readonly Fact[])[] {
    return this.#lines.filter((_, other) => other !== line);
  }

  /** Returns the amounts that the other two lines give for a line. */
  imply(line: Line): readonly Decimal[] {
    this.#implied[line] ??= combine(line, this.listOthers(line));
    return this.#implied[line];
  }
}

function combine(line: Line, [firstFacts = [], secondFacts = []]: readonly (readonly Fact[])[]): Decimal[] {
  const operation = line === 0 ? add : subtract;
  return firstFacts.flatMap((first) => secondFacts.map((second) => operation(first.value, second.value)));
}

/** The equations with two parts, each with the line of each concept: of several lines, the one that ranks it best. */
const EQUATIONS_OF_TWO_PARTS = EQUATIONS.filter(({ parts }) => parts.length === 2).map((equation) => {
  const { total, parts } = equation;
  const ranked = LINES.flatMap((line) =>
    ([total, ...parts][line]?.concepts ?? []).map((concept, rank) => ({ concept, line, rank })),
  );
  ranked.sort((a, b) => b.rank - a.rank || b.line - a.line);
  return { equation, lineByConcept: new Map(ranked.map(({ concept, line }) => [concept, line])) };
});

/** Yields wrong amounts, each with the day by which filings show the error. */
export function* findFactsBreakingEquations(series: readonly FactSeries[]): Generator<DatedError> {
  for (const { equation, lineByConcept } of EQUATIONS_OF_TWO_PARTS) {
    const lines = series.filter(({ concept }) => lineByConcept.has(concept));
    const byUnit = [...groupBy(lines, ({ unit }) => unit).values()];
    for (const sameDates of byUnit.flatMap((ofUnit) => groupByPeriod(ofUnit.flatMap(({ periods }) => periods)))) {
      if (!mayBreak(sameDates, lineByConcept)) continue;
      const facts = sameDates.flatMap((period) => period.facts);
      const statements = [...groupBy(facts, ({ accession }) => accession).values()]
        .map((ofFiling) => new Statement(ofFiling, lineByConcept))
        .sort((a, b) => compareText(a.filed, b.filed));
      for (const statement of statements) yield* findReversedAmounts(statement);
      if (statements.length > 1) yield* findWrongAmounts(equation, statements);
    }
  }
}

/** Whether a line has different amounts, or the amounts of the three lines break the equation; skips most periods. */
function mayBreak(periods: readonly PeriodFacts[], lineByConcept: ReadonlyMap<string, Line>): boolean {
  const values: (Decimal | undefined)[] = [undefined, undefined, undefined];
  for (const { isDisputed, facts } of periods) {
    const [{ concept, value }] = facts;
    const line = lineByConcept.get(concept) ?? 0;
    if (isDisputed || (values[line] !== undefined && values[line] !== value)) return true;
    values[line] = value;
  }
  const [total, first, second] = values;
  if (total === undefined || first === undefined || second === undefined) return false;
  return !isEqual(add(first, second), total);
}

/**
 * Yields flows of a statement whose equation holds exactly only if the sign of the flow is reversed. The equation would
 * also hold if both other lines had the wrong sign, which is rarer. Balances are not compared: a balance sheet with the
 * tags of two lines exchanged looks the same.
 */
function* findReversedAmounts(statement: Statement): Generator<DatedError> {
  for (const line of LINES) {
    const flows = statement.list(line).filter((fact) => fact.start !== null && !isZeroFact(fact));
    if (flows.length === 0 || statement.listOthers(line).some((facts) => facts.some(isZeroFact))) continue;
    const isImplied = (value: Decimal) => statement.imply(line).some((amount) => isEqual(amount, value));
    for (const fact of flows) if (!isImplied(fact.value) && isImplied(negate(fact.value))) yield [fact, fact.filed];
  }
}

const isZeroFact = ({ value }: Fact): boolean => isZero(value);

/** @param statements the statements of one period, in filing order */
function* findWrongAmounts(equation: Equation, statements: readonly Statement[]): Generator<DatedError> {
  for (const statement of statements) {
    const byLine = LINES.map((line) => findCorrectedFacts(line, statement, statements));
    const correctedLines = byLine.filter(({ length }) => length > 0);
    // If either of two lines could be corrected, neither is known to be wrong.
    if (correctedLines.length === 1) yield* correctedLines.flat();
    for (const line of LINES) {
      const isPartial = line === 2 && equation.parts[1]?.metricKey === equation.partialKey;
      for (const fact of statement.list(line)) {
        const proof =
          (equation.isRestatedAsOne ? findRestatement(line, fact, statement, statements, isPartial) : undefined) ??
          (isPartial ? findProofOfPart(fact, statement, statements) : undefined);
        if (proof !== undefined) yield [fact, pickLaterDay(fact.filed, proof.filed)];
      }
    }
  }
}

/** Returns facts of a line for which another filing states, by the same concept, the amount that fits the equation. */
function findCorrectedFacts(line: Line, statement: Statement, statements: readonly Statement[]): DatedError[] {
  const facts = statement.list(line);
  const impliedAmounts = facts.length === 0 ? [] : statement.imply(line);
  if (impliedAmounts.length === 0 || facts.some((fact) => isOneOf(fact, impliedAmounts))) return [];
  return facts.flatMap((fact): DatedError[] => {
    const isCorrect = (other: Fact) => other.concept === fact.concept && isOneOf(other, impliedAmounts);
    const correction = statements.find((other) => other.list(line).some(isCorrect));
    return correction === undefined ? [] : [[fact, pickLaterDay(fact.filed, correction.filed)]];
  });
}

/**
 * Returns the first later statement that restates the other two lines, but not this one.
 * @param isPartial whether a later amount that does not fit the other two lines is ignored, because it is only a part
 */
function findRestatement(
  line: Line,
  fact: Fact,
  statement: Statement,
  statements: readonly Statement[],
  isPartial: boolean,
): Statement | undefined {
  const impliedAmounts = statement.imply(line);
  if (impliedAmounts.length > 0 && !isOneOf(fact, impliedAmounts)) return undefined;
  const otherAmounts = statement.listOthers(line).map(listValues);
  return statements.find((later) => {
    const implied = later.filed > statement.filed ? later.imply(line) : [];
    if (implied.length === 0 || isOneOf(fact, implied)) return false;
    const isRestated = later.listOthers(line).some((facts, index) => {
      const earlierAmounts = otherAmounts[index] ?? [];
      return earlierAmounts.length > 0 && !facts.some((other) => isOneOf(other, earlierAmounts));
    });
    return isRestated && !later.list(line).some((other) => !isPartial || isOneOf(other, implied));
  });
}

/**
 * Returns the first statement with the same total whose first part shows that the fact is only some of the second part.
 */
function findProofOfPart(fact: Fact, statement: Statement, statements: readonly Statement[]): Statement | undefined {
  if (statement.list(1).length > 0) return undefined;
  const totals = statement.list(0);
  const isSameTotal = (sum: Fact) => isOneOf(sum, listValues(totals));
  const candidates = statements.filter((other) => other.list(1).length > 0 && other.list(0).some(isSameTotal));
  const isWhole = candidates.some((other) => isOneOf(fact, combine(2, [totals, other.list(1)])));
  return isWhole ? undefined : candidates[0];
}

const listValues = (facts: readonly Fact[]): readonly Decimal[] => facts.map(({ value }) => value);

const isOneOf = ({ value }: Fact, amounts: readonly Decimal[]): boolean =>
  amounts.some((amount) => isNearlyEqual(value, amount, ROUNDING_TOLERANCE));
