/** The positions of a report: its lines added up by security, option and type of amount. */
import { add, divide, multiply, nearlyEqual, sum } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero, shiftDecimal } from '../../contract/decimal-text.ts';
import type { HoldingLine } from '../../edgar/holdings/thirteen-f-report.ts';

/** All lines of one report for one security, added up; `value` in dollars. */
export interface Position extends HoldingLine {}

/** Equal for the same holding in two reports, which may title its class differently. */
export function positionKey({ cusip, putCall, amountType }: HoldingLine): string {
  return `${cusip} ${putCall} ${amountType}`;
}

/** By value, largest first. */
export function positionsOf(lines: readonly HoldingLine[], unit: ValueUnit): Position[] {
  return sumLines(lines, unit).sort(byValue);
}

/** Adds up the lines that a manager splits among those it reports for; in their order. */
export function sumLines(lines: readonly HoldingLine[], unit: ValueUnit): Position[] {
  const positions = new Map<string, Position>();
  for (const line of lines) {
    const value = unit === 'thousands' ? shiftDecimal(line.value, 3) : line.value;
    const key = positionKey(line);
    const known = positions.get(key);
    positions.set(
      key,
      known === undefined
        ? { ...line, value }
        : { ...known, value: add(known.value, value), amount: add(known.amount, line.amount) },
    );
  }
  return [...positions.values()];
}

export function totalValue(positions: readonly Position[]): Decimal {
  return sum(positions.map(({ value }) => value));
}

/** A position's fraction of the report's value; null where that is zero. */
export function weightOf({ value }: Pick<Position, 'value'>, total: Decimal): Decimal | null {
  return divide(value, total);
}

/** Whether the table repeats its values as amounts, as some managers' do; such amounts are not used. */
export function amountsAreValues(lines: readonly HoldingLine[]): boolean {
  const repeated = lines.filter(({ value, amount }) => value === amount).length;
  return lines.length >= 5 && repeated * 5 >= lines.length * 4;
}

function byValue(a: Position, b: Position): number {
  return compareDecimals(b.value, a.value) || (positionKey(a) < positionKey(b) ? -1 : 1);
}

export interface Comparison {
  /** The positions of the report before, by `positionKey`. */
  readonly prior: ReadonlyMap<string, Position>;
  /** How many positions are new, and how many of the report before are gone. */
  readonly opened: number;
  readonly closed: number;
}

/** A report's positions beside those of the manager's report before it. */
export function comparePositions(positions: readonly Position[], before: readonly Position[]): Comparison {
  const prior = new Map(before.map((position) => [positionKey(position), position]));
  const kept = positions.filter((position) => prior.has(positionKey(position))).length;
  return { prior, opened: positions.length - kept, closed: before.length - kept };
}

export type ValueUnit = 'dollars' | 'thousands';

const DOLLARS_FROM = '2023-01-03';
/** Fewer lines do not decide: two warrants look like thousands. */
const ENOUGH_LINES = 5;
/** How far apart two prices may be and count as the same. */
const NEAR = '0.1';
/** Less than half of all holdings cost under a dollar a share, or over two thousand dollars. */
const MAX_PRICE_IN_THOUSANDS = '2';

/**
 * Whether a report states its values in thousands or in dollars. Values are filed in dollars since 3 January 2023, but some
 * managers changed early or not at all: known prices decide first, then what the shares would cost, then the date.
 * @param priceOf a CUSIP's price at the end of the quarter, from other sources; null where none is known
 */
export function valueUnit(
  lines: readonly HoldingLine[],
  filed: string,
  priceOf: (cusip: string) => Decimal | null,
): ValueUnit {
  const byRule = filed >= DOLLARS_FROM ? 'dollars' : 'thousands';
  let [tested, below, above] = [0, 0, 0];
  let [dollars, thousands] = [0, 0];
  for (const { value, amount, amountType, putCall, cusip } of lines) {
    if (amountType !== 'SH' || putCall !== '' || isZero(amount) || isZero(value)) continue;
    tested += 1;
    if (compareDecimals(value, amount) < 0) below += 1;
    else if (compareDecimals(value, multiply(amount, MAX_PRICE_IN_THOUSANDS)) > 0) above += 1;
    const price = priceOf(cusip);
    if (price === null) continue;
    const worth = multiply(price, amount);
    if (nearlyEqual(value, worth, NEAR)) dollars += 1;
    else if (nearlyEqual(shiftDecimal(value, 3), worth, NEAR)) thousands += 1;
  }
  if (dollars !== thousands) return dollars > thousands ? 'dollars' : 'thousands';
  if (tested < ENOUGH_LINES) return byRule;
  if (byRule === 'dollars' && below * 2 > tested) return 'thousands';
  if (byRule === 'thousands' && above * 2 > tested) return 'dollars';
  return byRule;
}
