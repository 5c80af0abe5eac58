/** A report's lines as positions: one for each security, option and kind of amount. */

import { add, divide, sum } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, shiftDecimal } from '../../contract/decimal-text.ts';
import type { HoldingLine } from '../../edgar/holdings/thirteen-f-report.ts';
import type { ValueUnit } from './value-unit.ts';

export function comparePositions(positions: readonly Position[], before: readonly Position[]): Comparison {
  const held = new Map(before.map((position) => [positionKey(position), position]));
  const kept = positions.filter((position) => held.has(positionKey(position))).length;
  return { prior: held, opened: positions.length - kept, closed: before.length - kept };
}

export interface Comparison {
  /** The positions of the report before, by `positionKey`. */
  readonly prior: ReadonlyMap<string, Position>;
  /** Positions held now and not before, and the other way round. */
  readonly opened: number;
  readonly closed: number;
}

/** All lines of one report for the same security, added up; `value` in dollars. */
export interface Position extends HoldingLine {}

/** Two reports' positions of one key are the same holding, whatever they call its class. */
export function positionKey({ cusip, putCall, amountType }: HoldingLine): string {
  return `${cusip} ${putCall} ${amountType}`;
}

/** Positions, the largest first. */
export function positionsOf(lines: readonly HoldingLine[], unit: ValueUnit): Position[] {
  return sumLines(lines, unit).sort(byValue);
}

/** Lines that the manager split among those it reports for, added up; in the order in which they came. */
export function sumLines(lines: readonly HoldingLine[], unit: ValueUnit): Position[] {
  const positions = new Map<string, Position>();
  for (const line of lines) {
    const value = unit === 'thousands' ? shiftDecimal(line.value, 3) : line.value;
    const key = positionKey(line);
    const held = positions.get(key);
    positions.set(
      key,
      held === undefined
        ? { ...line, value }
        : { ...held, value: add(held.value, value), amount: add(held.amount, line.amount) },
    );
  }
  return [...positions.values()];
}

export function totalValue(positions: readonly Position[]): Decimal {
  return sum(positions.map(({ value }) => value));
}

/** A position's share of the report; null where the report is worth nothing. */
export function weightOf({ value }: Pick<Position, 'value'>, total: Decimal): Decimal | null {
  return divide(value, total);
}

/** Whether the table repeats its values where the amounts belong, as some managers' do: then they say nothing. */
export function amountsAreValues(lines: readonly HoldingLine[]): boolean {
  const repeated = lines.filter(({ value, amount }) => value === amount).length;
  return lines.length >= 5 && repeated * 5 >= lines.length * 4;
}

function byValue(a: Position, b: Position): number {
  return compareDecimals(b.value, a.value) || (positionKey(a) < positionKey(b) ? -1 : 1);
}
