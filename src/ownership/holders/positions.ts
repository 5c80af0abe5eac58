/** The positions of a Form 13F report: the lines of its table, summed by security, option and type of amount. */
import { add, divide, isNearlyEqual, multiply, sum } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero, shiftDecimal } from '../../contract/decimal-text.ts';
import type { HoldingLine } from '../../edgar/holdings/thirteen-f-report.ts';

/** The sum of a report's lines for one security, option and type of amount; `value` is in dollars. */
export interface Position extends HoldingLine {}

/**
 * Returns a key that identifies the same holding in different reports: security, option and type of amount. Titles of
 * class are ignored, because reports state them differently.
 */
export const makePositionKey = ({ cusip, putCall, amountType }: HoldingLine): string =>
  `${cusip} ${putCall} ${amountType}`;

/** Returns the positions by value, largest first. */
export const buildPositions = (lines: readonly HoldingLine[], unit: ValueUnit): Position[] =>
  mergeLinesByPosition(lines, unit).sort(compareByValueDescending);

/**
 * Sums the lines of each security, because a manager that reports for several managers may list a security once for
 * each. Keeps the order of lines.
 */
export function mergeLinesByPosition(lines: readonly HoldingLine[], unit: ValueUnit): Position[] {
  const byKey = new Map<string, Position>();
  for (const line of lines) {
    const value = unit === 'thousands' ? shiftDecimal(line.value, 3) : line.value;
    const key = makePositionKey(line);
    const existing = byKey.get(key);
    byKey.set(
      key,
      existing === undefined
        ? { ...line, value }
        : { ...existing, value: add(existing.value, value), amount: add(existing.amount, line.amount) },
    );
  }
  return [...byKey.values()];
}

export const sumValues = (positions: readonly Position[]): Decimal => sum(positions.map(({ value }) => value));

/** Returns the position's value as a fraction of the report's total; null if the total is zero. */
export const computeWeight = ({ value }: Pick<Position, 'value'>, total: Decimal): Decimal | null =>
  divide(value, total);

/**
 * Whether the share amounts of a table are copies of the values, an error of some managers: in a table of at least five
 * lines, value and amount are equal in at least four fifths. Such amounts are not used.
 */
export function repeatsValuesAsAmounts(lines: readonly HoldingLine[]): boolean {
  const equalCount = lines.filter(({ value, amount }) => value === amount).length;
  return lines.length >= 5 && equalCount * 5 >= lines.length * 4;
}

const compareByValueDescending = (a: Position, b: Position): number =>
  compareDecimals(b.value, a.value) || (makePositionKey(a) < makePositionKey(b) ? -1 : 1);

/** The changes between two consecutive reports of a manager. */
export type PositionComparison = ReturnType<typeof comparePositions>;

/**
 * Compares a report's positions with the positions of the manager's previous report: how many are new (`opened`), and
 * how many only the previous report has (`closed`).
 */
export function comparePositions(positions: readonly Position[], previous: readonly Position[]) {
  const byKey = new Map(previous.map((position) => [makePositionKey(position), position]));
  const keptCount = positions.filter((position) => byKey.has(makePositionKey(position))).length;
  return { previousByKey: byKey, opened: positions.length - keptCount, closed: previous.length - keptCount };
}

export type ValueUnit = 'dollars' | 'thousands';

const FIRST_DAY_OF_DOLLARS = '2023-01-03';
/**
 * Minimum number of lines to determine the unit: fewer lines, such as two warrants at low prices, could wrongly suggest
 * values in thousands.
 */
const MIN_TESTED_LINES = 5;
/** Maximum difference between two prices that count as equal, as a fraction of the price. */
const PRICE_TOLERANCE = '0.1';
/**
 * Maximum price of most shares, in thousands of dollars. If values read as thousands imply higher prices in more than
 * half of a report's lines, the values are in dollars.
 */
const MAX_PRICE_IN_THOUSANDS = '2';

/**
 * Returns whether a report states values in thousands or in dollars. Filers have had to use dollars since 3 January
 * 2023, but some changed earlier, and some never did. Known prices decide first, then the prices that the lines imply,
 * and then the date.
 * @param findPrice returns a CUSIP's price at the quarter's end from other sources; null if unknown
 */
export function detectValueUnit(
  lines: readonly HoldingLine[],
  filed: string,
  findPrice: (cusip: string) => Decimal | null,
): ValueUnit {
  const expected = filed >= FIRST_DAY_OF_DOLLARS ? 'dollars' : 'thousands';
  let [tested, low, high] = [0, 0, 0];
  let [dollars, thousands] = [0, 0];
  for (const { value, amount, amountType, putCall, cusip } of lines) {
    if (amountType !== 'SH' || putCall !== '' || isZero(amount) || isZero(value)) continue;
    tested += 1;
    if (compareDecimals(value, amount) < 0) low += 1;
    else if (compareDecimals(value, multiply(amount, MAX_PRICE_IN_THOUSANDS)) > 0) high += 1;
    const price = findPrice(cusip);
    if (price === null) continue;
    const product = multiply(price, amount);
    if (isNearlyEqual(value, product, PRICE_TOLERANCE)) dollars += 1;
    else if (isNearlyEqual(shiftDecimal(value, 3), product, PRICE_TOLERANCE)) thousands += 1;
  }
  if (dollars !== thousands) return dollars > thousands ? 'dollars' : 'thousands';
  if (tested < MIN_TESTED_LINES) return expected;
  if (expected === 'dollars' && low * 2 > tested) return 'thousands';
  if (expected === 'thousands' && high * 2 > tested) return 'dollars';
  return expected;
}
