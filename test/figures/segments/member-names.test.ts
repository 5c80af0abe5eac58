import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemberNormalizer } from '../../../src/figures/segments/member-names.ts';
import type { LeafBreakdown } from '../../../src/figures/segments/subtotals.ts';

function makeBreakdown(filed: string, end: string, members: Readonly<Record<string, string>>): LeafBreakdown {
  return {
    axis: 'segment',
    measure: 'revenue',
    concept: 'us-gaap:Revenues',
    unit: 'USD',
    start: `${end.slice(0, 4)}-01-01`,
    end,
    accession: `0000000001-${filed.slice(2, 4)}-000001`,
    form: '10-K',
    filed,
    members: new Map(Object.entries(members)),
    rows: Object.entries(members).map(([member, value]) => ({ member, value, parent: null, role: 'member' })),
    ...{ parts: new Map(), groups: new Map(), reconcilingItems: new Map(), otherMembers: new Map(), units: new Map() },
    total: null,
    isCrossed: false,
    isNested: false,
    isComplete: true,
  };
}

const areSameMember = (breakdowns: readonly LeafBreakdown[], memberA: string, memberB: string) => {
  const normalize = createMemberNormalizer(breakdowns);
  return normalize(memberA) === normalize(memberB);
};

test('a member that a later filing renames, with the same figures, is the same member', () => {
  const renamingBreakdowns = [
    makeBreakdown('2024-02-01', '2023-12-31', { 'x:DevicesMember': '54758000000', 'x:OtherMember': '7' }),
    makeBreakdown('2025-02-01', '2023-12-31', { 'x:MedTechMember': '54758000000', 'x:OtherMember': '7' }),
  ];
  expect(areSameMember(renamingBreakdowns, 'x:DevicesMember', 'x:MedTechMember')).toBe(true);
  expect(createMemberNormalizer(renamingBreakdowns)('x:DevicesMember')).toBe('medtech');
});

test('members with different figures in a period, or both in one filing, are two members', () => {
  const breakdown2024 = makeBreakdown('2024-02-01', '2023-12-31', { 'x:A': '54758', 'x:C': '7' });
  const breakdown2025 = makeBreakdown('2025-02-01', '2023-12-31', { 'x:B': '54758', 'x:C': '7' });
  const breakdownsOfPreviousYear = [
    makeBreakdown('2024-02-01', '2022-12-31', { 'x:A': '51' }),
    makeBreakdown('2025-02-01', '2022-12-31', { 'x:B': '52' }),
  ];
  expect(areSameMember([breakdown2024, breakdown2025], 'x:A', 'x:B')).toBe(true);
  expect(areSameMember([breakdown2024, breakdown2025, ...breakdownsOfPreviousYear], 'x:A', 'x:B')).toBe(false);
  expect(
    areSameMember(
      [breakdown2024, breakdown2025, makeBreakdown('2026-02-01', '2025-12-31', { 'x:A': '1', 'x:B': '2' })],
      'x:A',
      'x:B',
    ),
  ).toBe(false);
  // Amounts of three digits may be equal by chance.
  const shortAmountBreakdowns = [
    makeBreakdown('2024-02-01', '2023-12-31', { 'x:A': '547' }),
    makeBreakdown('2025-02-01', '2023-12-31', { 'x:B': '547' }),
  ];
  expect(areSameMember(shortAmountBreakdowns, 'x:A', 'x:B')).toBe(false);
});

test('two spellings of a name are one member unless one filing has both', () => {
  const breakdownsWithTwoSpellings = [
    makeBreakdown('2024-02-01', '2023-12-31', { 'x:DataCenterMember': '1', 'y:DatacenterSegmentMember': '2' }),
  ];
  expect(areSameMember([], 'x:DataCenterMember', 'y:DatacenterSegmentMember')).toBe(true);
  expect(areSameMember(breakdownsWithTwoSpellings, 'x:DataCenterMember', 'y:DatacenterSegmentMember')).toBe(false);
});

test('members of one filing are never merged', () => {
  const arbitraryMembers = fc.dictionary(
    fc.constantFrom('A', 'B', 'C', 'D', 'E'),
    fc.constantFrom('54758', '12345', '777', '0'),
  );
  const arbitraryFiling = fc.record({
    filed: fc.constantFrom('2023-02-01', '2024-02-01', '2025-02-01'),
    members: arbitraryMembers,
  });
  fc.assert(
    fc.property(fc.array(arbitraryFiling, { maxLength: 6 }), (filings) => {
      const breakdowns = filings.map(({ filed, members: filingMembers }) =>
        makeBreakdown(filed, '2022-12-31', filingMembers),
      );
      const normalize = createMemberNormalizer(breakdowns);
      for (const { members } of breakdowns) {
        expect(new Set([...members.keys()].map(normalize)).size).toBe(members.size);
      }
    }),
  );
});
