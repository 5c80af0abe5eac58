/**
 * Which of some figures add up to another, period by period, in whole numbers.
 *
 * The search combines two halves, so its work and memory double with every second figure. A sum is accepted only where
 * its target has more digits than there are ways to reach it by chance.
 */

import type { Decimal } from '../../contract/decimal-text.ts';
import { present } from '../present.ts';

/** The chance of a false sum must be below one in 2^10. */
const MARGIN_BITS = 10;

/** How large a figure is over all its periods. */
export const magnitude = (vector: readonly bigint[]): bigint =>
  vector.reduce((all, value) => all + (value < 0n ? -value : value), 0n);

/** Integers in the proportion of the decimals, divided by their common divisor: only significant digits remain. */
export function toIntegers(values: readonly Decimal[]): bigint[] {
  const places = Math.max(...values.map((value) => fractionOf(value).length));
  const integers = values.map((value) => {
    const fraction = fractionOf(value);
    const digits = fraction === '' ? value : value.slice(0, -fraction.length - 1) + fraction;
    return BigInt(digits + '0'.repeat(places - fraction.length));
  });
  const unit = integers.reduce((a, b) => divisor(a, b < 0n ? -b : b), 0n);
  return unit === 0n ? integers : integers.map((value) => value / unit);
}

function fractionOf(value: Decimal): string {
  const dot = value.indexOf('.');
  return dot < 0 ? '' : value.slice(dot + 1);
}

function divisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : divisor(b, a % b);
}

/** The largest set of vectors that add up to the target in every coordinate, by halves; null where none does beyond chance. */
export function largestSubset(
  vectors: readonly (readonly bigint[])[],
  target: readonly bigint[],
): ReadonlySet<number> | null {
  if (!isSignificant(target, vectors.length)) return null;
  const half = vectors.length >> 1;
  const left = subsets(vectors.slice(0, half), target.length);
  const right = subsets(vectors.slice(half), target.length);
  let best: { readonly mask: number; readonly other: number; readonly size: number } | null = null;
  for (const [key, { mask, size }] of right) {
    const wanted = key.split(' ').map((value, at) => present(target[at]) - BigInt(value));
    const match = left.get(wanted.join(' '));
    if (match !== undefined && (best === null || size + match.size > best.size)) {
      best = { mask: match.mask, other: mask, size: size + match.size };
    }
  }
  if (best === null || best.size === 0) return null;
  const found = best;
  return new Set(
    vectors.flatMap((_, index) =>
      (index < half ? (found.mask >> index) & 1 : (found.other >> (index - half)) & 1) === 1 ? [index] : [],
    ),
  );
}

/** Whether the target has more bits, over its periods, than there are members to make sums of. */
function isSignificant(target: readonly bigint[], members: number): boolean {
  const bits = target.reduce((all, value) => all + (value < 0n ? -value : value).toString(2).length - 1, 0);
  return bits >= members + MARGIN_BITS;
}

/** For each sum that can be made, the largest set that makes it. */
function subsets(vectors: readonly (readonly bigint[])[], width: number): Map<string, { mask: number; size: number }> {
  const found = new Map<string, { mask: number; size: number }>();
  const visit = (index: number, total: readonly bigint[], mask: number, size: number): void => {
    const vector = vectors[index];
    if (vector === undefined) {
      const key = total.join(' ');
      const known = found.get(key);
      if (known === undefined || known.size < size) found.set(key, { mask, size });
      return;
    }
    visit(index + 1, total, mask, size);
    visit(
      index + 1,
      total.map((value, at) => value + present(vector[at])),
      mask | (1 << index),
      size + 1,
    );
  };
  visit(0, new Array<bigint>(width).fill(0n), 0, 0);
  return found;
}
