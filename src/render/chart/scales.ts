/**
 * Scales of charts: convert a day or a figure to its position, a fraction of a range. Only this fraction is a
 * JavaScript number; figures remain decimal strings.
 */
import { add, divide, floorToMultiple, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, shiftDecimal } from '../../contract/decimal-text.ts';
import type { Measure } from '../../contract/statements/formula.ts';
import { abbreviate, groupThousands } from '../text/format-values.ts';

const MS_PER_DAY = 86_400_000;

const toEpochMs = (day: string): number => Date.parse(`${day}T00:00:00Z`);

export type DayScale = ReturnType<typeof makeDayScale>;

export function makeDayScale(firstDay: string, lastDay: string) {
  const first = toEpochMs(firstDay);
  const spanMs = toEpochMs(lastDay) - first;
  return {
    firstDay,
    lastDay,
    /** Returns the position of a day: 0 for the first day, 1 for the last, 0.5 if both days are equal. */
    placeOf: (day: string): number => (spanMs === 0 ? 0.5 : (toEpochMs(day) - first) / spanMs),
    dayAt: (place: number): string => {
      const days = Math.round((place * spanMs) / MS_PER_DAY);
      return new Date(first + days * MS_PER_DAY).toISOString().slice(0, 10);
    },
  };
}

/**
 * Returns the function that computes the position of a value in a range: 0 at the low end, 1 at the high end; always 0 if
 * both ends are equal.
 */
export function createPositionFinder(low: Decimal, highValue: Decimal): (value: Decimal) => number {
  const range = subtract(highValue, low);
  return (value) => Number(divide(subtract(value, low), range) ?? 0);
}

/** `ticks`: round figures that cover the whole range, in ascending order. */
export type FigureScale = ReturnType<typeof makeFigureScale>;

/**
 * Returns a scale whose range includes all values and ends at round figures.
 * @param steps maximum number of steps from the lowest to the highest value; rounding the ends may add steps
 * @param zero whether the range includes zero; bars require zero, because they would mislead without it
 */
export function makeFigureScale(values: readonly Decimal[], steps: number, zero = false) {
  const sorted = [...values, ...(zero || values.length === 0 ? ['0'] : [])].sort(compareDecimals);
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined) throw new Error('a scale needs at least one figure');
  const step = chooseStep(subtract(most, least), steps, Math.max(...sorted.map(countDecimalPlaces)));
  const lowTick = floorToMultiple(least, step);
  const ticks = [lowTick];
  let tick = lowTick;
  // Figures that are all zero have no unit of scale: only zero is labelled.
  const minimum = compareDecimals(least, '0') === 0 && compareDecimals(most, '0') === 0 ? 1 : 2;
  while (compareDecimals(tick, most) < 0 || ticks.length < minimum) {
    tick = add(tick, step);
    ticks.push(tick);
  }
  return { ticks, placeOf: createPositionFinder(lowTick, tick) };
}

/**
 * Number of decimals that ticks may have in addition to those of the values, so that a small range also has several
 * ticks.
 */
const EXTRA_DECIMALS = 2;

/**
 * Returns the smallest step of the form 1, 2, 2.5, 4 or 5 times a power of ten that divides the range into at most
 * `maxSteps` steps.
 */
function chooseStep(range: Decimal, maxSteps: number, places: number): Decimal {
  for (let exponent = -places - EXTRA_DECIMALS; ; exponent += 1) {
    for (const digit of ['1', '2', '2.5', '4', '5']) {
      const step = shiftDecimal(digit, exponent);
      if (compareDecimals(range, multiply(step, String(maxSteps))) <= 0) return step;
    }
  }
}

const countDecimalPlaces = (value: Decimal): number => value.split('.')[1]?.length ?? 0;

/**
 * Returns ticks with abbreviated labels, without decimals if no label needs them. If two abbreviated labels were equal,
 * all labels have all digits.
 */
export function labelTicks(ticks: readonly Decimal[], measure: Measure) {
  const makeTicks = (formatTick: (tick: Decimal) => string) => ticks.map((tick) => ({ tick, label: formatTick(tick) }));
  const short = makeTicks((tick) => abbreviate(tick, measure));
  if (new Set(short.map(({ label }) => label)).size < short.length) return makeTicks(groupThousands);
  const trimmed = makeTicks((tick) => abbreviate(tick, measure).replace(/\.0+(?=\D*$)/, ''));
  return trimmed.some(({ label }) => label.includes('.')) ? short : trimmed;
}
