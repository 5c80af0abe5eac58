import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Breakdown } from '../../../src/figures/segments/breakdowns.ts';
import { removeSubtotals } from '../../../src/figures/segments/subtotals.ts';

/**
 * Returns one breakdown per total, each for one year. `members` has the values of each member by name, in the order of
 * the totals.
 */
const makeBreakdowns = (
  members: Readonly<Record<string, readonly bigint[]>>,
  totals: readonly (bigint | null)[],
): Breakdown[] =>
  totals.map((total, periodIndex) => ({
    ...{
      axis: 'product',
      measure: 'revenue',
      concept: 'us-gaap:Revenues',
      unit: 'USD',
      isCrossed: false,
      isNested: false,
    },
    ...{ start: `20${20 + periodIndex}-01-01`, end: `20${20 + periodIndex}-12-31`, form: '10-K' },
    ...{ accession: '0000000001-25-000001', filed: '2025-02-01' },
    members: new Map(Object.entries(members).map(([name, values]) => [name, String(values[periodIndex] ?? 0n)])),
    ...{ parts: new Map(), groups: new Map(), reconcilingItems: new Map(), otherMembers: new Map(), units: new Map() },
    total: total === null ? null : String(total),
  }));
const sum = (values: readonly bigint[]) => values.reduce((a, b) => a + b, 0n);

const arbitraryAmount = fc.bigInt({ min: 10_000n, max: 900_000_000n });
const arbitraryLineAmounts = fc.tuple(arbitraryAmount, arbitraryAmount, arbitraryAmount);

test('subtotals of lines of business are removed, and all lines stay', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryLineAmounts, { minLength: 4, maxLength: 12 }),
      fc.integer({ min: 2, max: 3 }),
      (lines, groupSize) => {
        const amountsByMember: Record<string, bigint[]> = {};
        for (const [index, values] of lines.entries()) amountsByMember[`Line${index}`] = [...values];
        // Subtotals of two or three adjacent members, as in reports.
        for (let startIndex = 0; startIndex + groupSize <= lines.length; startIndex += groupSize + 1) {
          const group = lines.slice(startIndex, startIndex + groupSize);
          amountsByMember[`Sum${startIndex}`] = [0, 1, 2].map((periodIndex) =>
            sum(group.map((values) => values[periodIndex] ?? 0n)),
          );
        }
        const totals = [0, 1, 2].map((periodIndex) => sum(lines.map((values) => values[periodIndex] ?? 0n)));
        for (const breakdown of removeSubtotals(makeBreakdowns(amountsByMember, totals))) {
          expect([...breakdown.members.keys()].sort()).toEqual(lines.map((_, index) => `Line${index}`).sort());
          expect(breakdown.isComplete).toBe(true);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('a subtotal that is small compared with the total is removed too', () => {
  const members = { A: [900_000n, 910_000n], B: [1_001n, 1_207n], C: [2_003n, 2_411n], BandC: [3_004n, 3_618n] };
  const [firstBreakdown] = removeSubtotals(makeBreakdowns(members, [903_004n, 913_618n]));
  expect([...(firstBreakdown?.members.keys() ?? [])]).toEqual(['A', 'B', 'C']);
});

test('no member is removed if the members add up to the total except for rounding', () => {
  const members = { A: [60_001n, 61_002n], B: [30_002n, 30_004n], C: [10_003n, 10_001n] };
  for (const breakdown of removeSubtotals(makeBreakdowns(members, [100_007n, 101_006n]))) {
    expect(breakdown.members.size).toBe(3);
    expect(breakdown.isComplete).toBe(true);
  }
});

test('if two sets of members both add up to the total, the finer set stays', () => {
  const members = {
    ...{ US: [62_000_113n, 60_000_117n], NonUs: [38_000_009n, 39_000_005n] },
    ...{ China: [21_000_004n, 22_000_002n], Other: [17_000_005n, 17_000_003n] },
  };
  const [firstBreakdown] = removeSubtotals(makeBreakdowns(members, [100_000_122n, 99_000_122n]));
  expect([...(firstBreakdown?.members.keys() ?? [])]).toEqual(['US', 'China', 'Other']);
});

test('without a total, a member is still recognized as the sum of other members', () => {
  const members = { A: [123_457n, 223_451n], B: [654_321n, 754_327n], Both: [777_778n, 977_778n], C: [5_003n, 6_007n] };
  const [firstBreakdown] = removeSubtotals(makeBreakdowns(members, [null, null]));
  expect([...(firstBreakdown?.members.keys() ?? [])]).toEqual(['A', 'B', 'C']);
  expect(firstBreakdown?.isComplete).toBe(false);
});
