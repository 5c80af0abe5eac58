/**
 * The scales of charts: the position of a day or a figure as a fraction of a range. Only this fraction is a
 * JavaScript number.
 */
import { add, divide, floorTo, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, shiftDecimal } from '../../contract/decimal-text.ts';
import type { Measure } from '../../contract/figures/formula.ts';
import { abbreviate, groupThousands } from '../format-values.ts';

const MS_PER_DAY = 86_400_000;

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

export interface DayScale {
  readonly firstDay: string;
  readonly lastDay: string;
  /** Returns 0 for the first day and 1 for the last; 0.5 if they are equal. */
  readonly placeOf: (day: string) => number;
  /** Returns the day at a position. */
  readonly dayAt: (place: number) => string;
}

export function dayScale(firstDay: string, lastDay: string): DayScale {
  const firstTime = timeOf(firstDay);
  const spanMs = timeOf(lastDay) - firstTime;
  return {
    firstDay,
    lastDay,
    placeOf: (day) => (spanMs === 0 ? 0.5 : (timeOf(day) - firstTime) / spanMs),
    dayAt: (place) => {
      const days = Math.round((place * spanMs) / MS_PER_DAY);
      return new Date(firstTime + days * MS_PER_DAY).toISOString().slice(0, 10);
    },
  };
}

/** The position of a value in a range: 0 at its low end, 1 at its high end. */
export type Position = (value: Decimal) => number;

/** Returns the position of values between two others; 0 for all if those are equal. */
export function positionIn(lowValue: Decimal, highValue: Decimal): Position {
  const range = subtract(highValue, lowValue);
  return (value) => Number(divide(subtract(value, lowValue), range) ?? 0);
}

export interface FigureScale {
  /** Round figures over the whole range, ascending. */
  readonly ticks: readonly Decimal[];
  readonly placeOf: Position;
}

/**
 * Returns the range of the values, widened to round figures.
 * @param maxSteps maximum number of steps between ticks, without those that widening adds at the ends
 * @param withZero includes zero, for bars: otherwise their lengths would mislead
 */
export function figureScale(values: readonly Decimal[], steps: number, withZero = false): FigureScale {
  const sortedValues = [...values, ...(withZero || values.length === 0 ? ['0'] : [])].sort(compareDecimals);
  const [leastValue, mostValue] = [sortedValues[0], sortedValues.at(-1)];
  if (leastValue === undefined || mostValue === undefined) throw new Error('a scale of no figures');
  const step = roundStep(subtract(mostValue, leastValue), steps, Math.max(...sortedValues.map(placesOf)));
  const lowTick = floorTo(leastValue, step);
  const ticks = [lowTick];
  let highTick = lowTick;
  while (compareDecimals(highTick, mostValue) < 0 || ticks.length < 2) {
    highTick = add(highTick, step);
    ticks.push(highTick);
  }
  return { ticks, placeOf: positionIn(lowTick, highTick) };
}

/** Number of additional decimals, so that a tick can be between two values. */
const FINER = 2;

/** Returns 1, 2 or 5 times a power of ten: the smallest with at most `maxSteps` in the range. */
function roundStep(range: Decimal, maxSteps: number, decimalPlaces: number): Decimal {
  for (let exponent = -decimalPlaces - FINER; ; exponent += 1) {
    for (const multiple of ['1', '2', '5']) {
      const step = shiftDecimal(multiple, exponent);
      if (compareDecimals(range, multiply(step, String(maxSteps))) <= 0) return step;
    }
  }
}

const placesOf = (value: Decimal): number => value.split('.')[1]?.length ?? 0;

export interface TickLabel {
  readonly tick: Decimal;
  readonly label: string;
}

/** Returns ticks as abbreviated text, without decimals that no tick needs, unless two ticks would become equal. */
export function labelTicks(ticks: readonly Decimal[], measure: Measure): TickLabel[] {
  const withLabels = (labelOf: (tick: Decimal) => string) => ticks.map((tick) => ({ tick, label: labelOf(tick) }));
  const shortLabels = withLabels((tick) => abbreviate(tick, measure));
  if (new Set(shortLabels.map(({ label }) => label)).size < shortLabels.length) return withLabels(groupThousands);
  const bareLabels = withLabels((tick) => abbreviate(tick, measure).replace(/\.0+(?=\D*$)/, ''));
  return bareLabels.some(({ label }) => label.includes('.')) ? shortLabels : bareLabels;
}
