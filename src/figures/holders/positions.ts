/** The positions of a report: its lines added up by security, option and type of amount. */

import { add, divide, sum } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, shiftDecimal } from '../../contract/decimal-text.ts';
import type { HoldingLine } from '../../edgar/holdings/thirteen-f-report.ts';
import type { ValueUnit } from './value-unit.ts';

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
