import { expect, test } from 'vitest';
import { DARK_COLOURS, LIGHT_COLOURS } from '../../../src/render/chart/chart-style.ts';

/** Returns the linear red, green and blue of a colour in the form #rrggbb. */
const toLinear = (colour: string): number[] =>
  [1, 3, 5].map((start) => {
    const level = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4;
  });

const multiply = (matrix: readonly (readonly number[])[], vector: readonly number[]): number[] =>
  matrix.map((row) => row.reduce((total, factor, index) => total + factor * (vector[index] ?? 0), 0));

/**
 * Linear colours as seen without one kind of cone: Machado, Oliveira and Fernandes, "A Physiologically-based Model for
 * Simulation of Color Vision Deficiency" (2009), severity 1.
 */
const MATRIX_BY_VISION = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const;

/** Returns the CIE L*a*b* of a linear colour, white point D65. */
function toLab(rgb: readonly number[]): number[] {
  const xyz = multiply(
    [
      [0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339 / 1.08883, 0.119192 / 1.08883, 0.9503041 / 1.08883],
    ],
    rgb.map((level) => Math.min(1, Math.max(0, level))),
  );
  const [x = 0, y = 0, z = 0] = xyz.map((level) => (level > 0.008856 ? Math.cbrt(level) : 7.787 * level + 16 / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const computeDistance = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((level, index) => level - (b[index] ?? 0)));

const computeLuminance = (colour: string): number => multiply([[0.2126, 0.7152, 0.0722]], toLinear(colour))[0] ?? 0;

function computeContrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [computeLuminance(a), computeLuminance(b)].sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}

/** Minimum difference of two colours that readers can distinguish in areas as small as a legend's. */
const MIN_DIFFERENCE = 20;
/** Minimum contrast of graphical objects: WCAG 2.1, 1.4.11. */
const MIN_CONTRAST = 3;

test.each(Object.entries({ light: LIGHT_COLOURS, dark: DARK_COLOURS }))(
  'the colours of series differ for any vision: %s',
  (_, style) => {
    for (const [index, colour] of style.series.entries()) {
      expect(computeContrast(colour, style.paper)).toBeGreaterThanOrEqual(MIN_CONTRAST);
      for (const otherColour of style.series.slice(index + 1)) {
        for (const [vision, matrix] of Object.entries(MATRIX_BY_VISION)) {
          const seenLabColours = [colour, otherColour].map((rgbText) => toLab(multiply(matrix, toLinear(rgbText))));
          const difference = computeDistance(seenLabColours[0] ?? [], seenLabColours[1] ?? []);
          expect([vision, colour, otherColour, difference > MIN_DIFFERENCE]).toEqual([
            vision,
            colour,
            otherColour,
            true,
          ]);
        }
      }
    }
  },
);
