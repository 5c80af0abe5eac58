/**
 * Scales of charts: convert a day or a figure to its position, a fraction of a range. Only this fraction is a
 * JavaScript number; figures remain decimal strings.
 */
import { add, divide, floorToMultiple, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, shiftDecimal } from '../../contract/decimal-text.ts';
import type { Measure } from '../../contract/figures/formula.ts';
import { abbreviate, groupThousands } from '../text/format-values.ts';

const MS_PER_DAY = 86_400_000;

const toEpochMs = (day: string): number => Date.parse(`${day}T00:00:00Z`);

export interface DayScale {
  readonly firstDay: string;
  readonly lastDay: string;
  /** Returns the position of a day: 0 for the first day, 1 for the last, 0.5 if both days are equal. */
  readonly placeOf: (day: string) => number;
  readonly dayAt: (place: number) => string;
}

export function makeDayScale(firstDay: string, lastDay: string): DayScale {
  const firstEpochMs = toEpochMs(firstDay);
  const spanMs = toEpochMs(lastDay) - firstEpochMs;
  return {
    firstDay,
    lastDay,
    placeOf: (day) => (spanMs === 0 ? 0.5 : (toEpochMs(day) - firstEpochMs) / spanMs),
    dayAt: (place) => {
      const dayCount = Math.round((place * spanMs) / MS_PER_DAY);
      return new Date(firstEpochMs + dayCount * MS_PER_DAY).toISOString().slice(0, 10);
    },
  };
}

/** Returns the position of a value in a range: 0 at the low end, 1 at the high end. */
export type PositionFinder = (value: Decimal) => number;

/** Returns the function that computes positions between two values; it returns 0 if the two values are equal. */
export function createPositionFinder(lowValue: Decimal, highValue: Decimal): PositionFinder {
  const range = subtract(highValue, lowValue);
  return (value) => Number(divide(subtract(value, lowValue), range) ?? 0);
}

export interface FigureScale {
  /** Round figures that cover the whole range, in ascending order. */
  readonly ticks: readonly Decimal[];
  readonly placeOf: PositionFinder;
}

/**
 * Returns a scale whose range includes all values and ends at round figures.
 * @param maxSteps maximum number of steps from the lowest to the highest value; rounding the ends may add steps
 * @param includesZero whether the range includes zero; bars require zero, because they would mislead without it
 */
export function makeFigureScale(values: readonly Decimal[], maxSteps: number, includesZero = false): FigureScale {
  const sortedValues = [...values, ...(includesZero || values.length === 0 ? ['0'] : [])].sort(compareDecimals);
  const [leastValue, mostValue] = [sortedValues[0], sortedValues.at(-1)];
  if (leastValue === undefined || mostValue === undefined) throw new Error('a scale needs at least one figure');
  const step = chooseStep(subtract(mostValue, leastValue), maxSteps, Math.max(...sortedValues.map(countDecimalPlaces)));
  const lowTick = floorToMultiple(leastValue, step);
  const ticks = [lowTick];
  let highTick = lowTick;
  while (compareDecimals(highTick, mostValue) < 0 || ticks.length < 2) {
    highTick = add(highTick, step);
    ticks.push(highTick);
  }
  return { ticks, placeOf: createPositionFinder(lowTick, highTick) };
}

/**
 * Number of decimals that ticks may have in addition to those of the values, so that a small range also has several
 * ticks.
 */
const EXTRA_DECIMALS = 2;

/**
 * Returns the smallest step of the form 1, 2 or 5 times a power of ten that divides the range into at most `maxSteps`
 * steps.
 */
function chooseStep(range: Decimal, maxSteps: number, decimalPlaces: number): Decimal {
  for (let exponent = -decimalPlaces - EXTRA_DECIMALS; ; exponent += 1) {
    for (const leadingDigit of ['1', '2', '5']) {
      const step = shiftDecimal(leadingDigit, exponent);
      if (compareDecimals(range, multiply(step, String(maxSteps))) <= 0) return step;
    }
  }
}

const countDecimalPlaces = (value: Decimal): number => value.split('.')[1]?.length ?? 0;

export interface TickLabel {
  readonly tick: Decimal;
  readonly label: string;
}

/**
 * Returns ticks with abbreviated labels, without decimals if no label needs them. If two abbreviated labels were equal,
 * all labels have all digits.
 */
export function labelTicks(ticks: readonly Decimal[], measure: Measure): TickLabel[] {
  const makeTickLabels = (formatTick: (tick: Decimal) => string) =>
    ticks.map((tick) => ({ tick, label: formatTick(tick) }));
  const shortLabels = makeTickLabels((tick) => abbreviate(tick, measure));
  if (new Set(shortLabels.map(({ label }) => label)).size < shortLabels.length) return makeTickLabels(groupThousands);
  const zeroTrimmedLabels = makeTickLabels((tick) => abbreviate(tick, measure).replace(/\.0+(?=\D*$)/, ''));
  return zeroTrimmedLabels.some(({ label }) => label.includes('.')) ? shortLabels : zeroTrimmedLabels;
}
