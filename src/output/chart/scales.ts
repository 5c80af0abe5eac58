/** The scales of charts: the place of a day or a figure as a fraction of a range. Only such a fraction is a number. */
import { compareDecimals, type Decimal, shiftDecimal } from '../../contract/decimal-text.ts';
import type { Measure } from '../../contract/figures.ts';
import { abbreviate, group } from '../format-values.ts';

const MS_PER_DAY = 86_400_000;

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

export interface DayScale {
  readonly first: string;
  readonly last: string;
  /** 0 on the first day, 1 on the last; in the middle where both are one. */
  readonly place: (day: string) => number;
  /** The day at a place. */
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

/** Where a value stands in a range: 0 at its low end, 1 at its high end. */
export type Position = (value: Decimal) => number;

export interface FigureScale {
  readonly low: Decimal;
  readonly high: Decimal;
  /** Round figures from `low` to `high`, both included, ascending. */
  readonly ticks: readonly Decimal[];
  readonly place: Position;
}

/** Finer than any screen. */
const PARTS = 1_000_000n;
/** More places than the values have, so that a tick can stand between two of them. */
const FINER = 2;

/** The place of values between two others; all are at 0 where those are one. */
export function positionIn(low: Decimal, high: Decimal): Position {
  return (value) => {
    const places = Math.max(...[low, high, value].map(placesOf));
    const [bottom, top, at] = [low, high, value].map((text) => scaled(text, places));
    if (bottom === undefined || top === undefined || at === undefined || bottom === top) return 0;
    return Number(((at - bottom) * PARTS) / (top - bottom)) / Number(PARTS);
  };
}

/**
 * The range of the values, widened to round figures.
 *
 * @param steps how many steps between ticks at most, but for the one that widening may add at either end
 * @param withZero of bars, whose lengths would lie otherwise
 */
export function figureScale(values: readonly Decimal[], steps: number, withZero = false): FigureScale {
  const known = [...values, ...(withZero || values.length === 0 ? ['0'] : [])].sort(compareDecimals);
  const places = Math.max(...known.map(placesOf)) + FINER;
  const [least, most] = [scaled(known[0] ?? '0', places), scaled(known.at(-1) ?? '0', places)];
  const step = roundStep(most - least, steps);
  const bottom = floorTo(least, step);
  const ceiling = -floorTo(-most, step);
  const top = ceiling === bottom ? bottom + step : ceiling;
  const ticks: Decimal[] = [];
  for (let tick = bottom; tick <= top; tick += step) ticks.push(plain(shiftDecimal(tick.toString(), -places)));
  const [low, high] = [ticks[0] ?? '0', ticks.at(-1) ?? '0'];
  return { low, high, ticks, place: positionIn(low, high) };
}

const placesOf = (value: Decimal): number => value.split('.')[1]?.length ?? 0;

const scaled = (value: Decimal, places: number): bigint => BigInt(shiftDecimal(value, places));

/** 1, 2 or 5 times a power of ten: the smallest of which not more than `steps` go into the range. */
function roundStep(range: bigint, steps: number): bigint {
  for (let power = 10n ** BigInt(Math.max(0, range.toString().length - 3)); ; power *= 10n) {
    for (const times of [1n, 2n, 5n]) if (range <= times * power * BigInt(steps)) return times * power;
  }
}

function floorTo(value: bigint, step: bigint): bigint {
  const rest = value % step;
  return value - (rest < 0n ? rest + step : rest);
}

const plain = (value: Decimal): Decimal => (value.includes('.') ? value.replace(/\.?0+$/, '') : value);

/** Ticks as text: abbreviated, without places that none of them needs, unless two of them would then read the same. */
export function tickLabels(ticks: readonly Decimal[], measure: Measure): string[] {
  const short = ticks.map((tick) => abbreviate(tick, measure));
  if (new Set(short).size < short.length) return ticks.map(group);
  const rest = short.map((label) => label.replace(/\.0+(?=\D*$)/, ''));
  return rest.some((label) => label.includes('.')) ? short : rest;
}
