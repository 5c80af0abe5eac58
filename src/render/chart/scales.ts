/**
 * The scales of charts: the position of a day or a figure as a fraction of a range. Only this fraction is a
 * JavaScript number.
 */
import { add, divide, floorTo, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, shiftDecimal } from '../../contract/decimal-text.ts';
import type { Measure } from '../../contract/figures/formula.ts';
import { abbreviate, group } from '../format-values.ts';

const MS_PER_DAY = 86_400_000;

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

export interface DayScale {
  readonly first: string;
  readonly last: string;
  /** Returns 0 for the first day and 1 for the last; 0.5 if they are equal. */
  readonly place: (day: string) => number;
  /** Returns the day at a position. */
  readonly at: (place: number) => string;
}

export function dayScale(first: string, last: string): DayScale {
  const from = timeOf(first);
  const span = timeOf(last) - from;
  return {
    first,
    last,
    place: (day) => (span === 0 ? 0.5 : (timeOf(day) - from) / span),
    at: (place) => {
      const days = Math.round((place * span) / MS_PER_DAY);
      return new Date(from + days * MS_PER_DAY).toISOString().slice(0, 10);
    },
  };
}

/** The position of a value in a range: 0 at its low end, 1 at its high end. */
export type Position = (value: Decimal) => number;

/** Returns the position of values between two others; 0 for all if those are equal. */
export function positionIn(low: Decimal, high: Decimal): Position {
  const range = subtract(high, low);
  return (value) => Number(divide(subtract(value, low), range) ?? 0);
}

export interface FigureScale {
  /** Round figures over the whole range, ascending. */
  readonly ticks: readonly Decimal[];
  readonly place: Position;
}

/**
 * Returns the range of the values, widened to round figures.
 * @param steps maximum number of steps between ticks, without those that widening adds at the ends
 * @param withZero includes zero, for bars: otherwise their lengths would mislead
 */
export function figureScale(values: readonly Decimal[], steps: number, withZero = false): FigureScale {
  const sorted = [...values, ...(withZero || values.length === 0 ? ['0'] : [])].sort(compareDecimals);
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined) throw new Error('a scale of no figures');
  const step = roundStep(subtract(most, least), steps, Math.max(...sorted.map(placesOf)));
  const low = floorTo(least, step);
  const ticks = [low];
  let high = low;
  while (compareDecimals(high, most) < 0 || ticks.length < 2) {
    high = add(high, step);
    ticks.push(high);
  }
  return { ticks, place: positionIn(low, high) };
}

/** Number of additional decimals, so that a tick can be between two values. */
const FINER = 2;

/** Returns 1, 2 or 5 times a power of ten: the smallest with at most `steps` in the range. */
function roundStep(range: Decimal, steps: number, places: number): Decimal {
  for (let power = -places - FINER; ; power += 1) {
    for (const times of ['1', '2', '5']) {
      const step = shiftDecimal(times, power);
      if (compareDecimals(range, multiply(step, String(steps))) <= 0) return step;
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
  const labelled = (labelOf: (tick: Decimal) => string) => ticks.map((tick) => ({ tick, label: labelOf(tick) }));
  const short = labelled((tick) => abbreviate(tick, measure));
  if (new Set(short.map(({ label }) => label)).size < short.length) return labelled(group);
  const bare = labelled((tick) => abbreviate(tick, measure).replace(/\.0+(?=\D*$)/, ''));
  return bare.some(({ label }) => label.includes('.')) ? short : bare;
}
