/** The positions of a report: its lines summed by security, option and type of amount. */
import { add, divide, multiply, nearlyEqual, sum } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero, shiftDecimal } from '../../contract/decimal-text.ts';
import type { HoldingLine } from '../../edgar/holdings/thirteen-f-report.ts';

/** The sum of a report's lines for one security; `value` in dollars. */
export interface Position extends HoldingLine {}

/** The same key for the same holding in two reports, even if they name its class differently. */
export function positionKey({ cusip, putCall, amountType }: HoldingLine): string {
  return `${cusip} ${putCall} ${amountType}`;
}

/** Sorted by value, largest first. */
export function positionsOf(lines: readonly HoldingLine[], unit: ValueUnit): Position[] {
  return sumLines(lines, unit).sort(compareValues);
}

/** Sums lines that a manager divides among the managers it reports for; keeps their order. */
export function sumLines(lines: readonly HoldingLine[], unit: ValueUnit): Position[] {
  const positions = new Map<string, Position>();
  for (const line of lines) {
    const value = unit === 'thousands' ? shiftDecimal(line.value, 3) : line.value;
    const key = positionKey(line);
    const existingPosition = positions.get(key);
    positions.set(
      key,
      existingPosition === undefined
        ? { ...line, value }
        : {
            ...existingPosition,
            value: add(existingPosition.value, value),
            amount: add(existingPosition.amount, line.amount),
          },
    );
  }
  return [...positions.values()];
}

export function totalValue(positions: readonly Position[]): Decimal {
  return sum(positions.map(({ value }) => value));
}

/** A position's fraction of the report's value; null if the report's value is zero. */
export function weightOf({ value }: Pick<Position, 'value'>, total: Decimal): Decimal | null {
  return divide(value, total);
}

/** Whether the table repeats values as share amounts, as some managers' tables do. Such amounts are not used. */
export function areAmountsValues(lines: readonly HoldingLine[]): boolean {
  const equalCount = lines.filter(({ value, amount }) => value === amount).length;
  return lines.length >= 5 && equalCount * 5 >= lines.length * 4;
}

function compareValues(a: Position, b: Position): number {
  return compareDecimals(b.value, a.value) || (positionKey(a) < positionKey(b) ? -1 : 1);
}

export interface Comparison {
  /** The positions of the previous report, by `positionKey`. */
  readonly previousByKey: ReadonlyMap<string, Position>;
  /** Number of positions that are new, and of positions of the previous report that are gone. */
  readonly opened: number;
  readonly closed: number;
}

/** Compares a report's positions with those of the manager's previous report. */
export function comparePositions(positions: readonly Position[], previousPositions: readonly Position[]): Comparison {
  const previousByKey = new Map(previousPositions.map((position) => [positionKey(position), position]));
  const keptCount = positions.filter((position) => previousByKey.has(positionKey(position))).length;
  return { previousByKey, opened: positions.length - keptCount, closed: previousPositions.length - keptCount };
}

export type ValueUnit = 'dollars' | 'thousands';

const FIRST_DAY_OF_DOLLARS = '2023-01-03';
/** Minimum number of lines that decide the unit: the prices of two warrants look like thousands. */
const MIN_TESTED_LINES = 5;
/** Maximum difference of two prices that count as equal, as a share. */
const PRICE_TOLERANCE = '0.1';
/** Fewer than half of all holdings cost less than one dollar per share, or more than two thousand. */
const MAX_PRICE_IN_THOUSANDS = '2';

/**
 * Returns whether a report states values in thousands or in dollars. Values are filed in dollars since 3 January
 * 2023, but some managers changed early or never: known prices decide first, then the implied prices of shares, then
 * the date.
 * @param priceOf a CUSIP's price at the end of the quarter, from other sources; null if unknown
 */
export function detectValueUnit(
  lines: readonly HoldingLine[],
  filed: string,
  priceOf: (cusip: string) => Decimal | null,
): ValueUnit {
  const unitByRule = filed >= FIRST_DAY_OF_DOLLARS ? 'dollars' : 'thousands';
  let [testedCount, belowCount, aboveCount] = [0, 0, 0];
  let [dollarCount, thousandCount] = [0, 0];
  for (const { value, amount, amountType, putCall, cusip } of lines) {
    if (amountType !== 'SH' || putCall !== '' || isZero(amount) || isZero(value)) continue;
    testedCount += 1;
    if (compareDecimals(value, amount) < 0) belowCount += 1;
    else if (compareDecimals(value, multiply(amount, MAX_PRICE_IN_THOUSANDS)) > 0) aboveCount += 1;
    const price = priceOf(cusip);
    if (price === null) continue;
    const expectedValue = multiply(price, amount);
    if (nearlyEqual(value, expectedValue, PRICE_TOLERANCE)) dollarCount += 1;
    else if (nearlyEqual(shiftDecimal(value, 3), expectedValue, PRICE_TOLERANCE)) thousandCount += 1;
  }
  if (dollarCount !== thousandCount) return dollarCount > thousandCount ? 'dollars' : 'thousands';
  if (testedCount < MIN_TESTED_LINES) return unitByRule;
  if (unitByRule === 'dollars' && belowCount * 2 > testedCount) return 'thousands';
  if (unitByRule === 'thousands' && aboveCount * 2 > testedCount) return 'dollars';
  return unitByRule;
}
