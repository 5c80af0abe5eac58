import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { type FigureQuery, listFigureValues } from '../../../src/figures/figure-values.ts';
import { selectSplitsProvenBy } from '../../../src/figures/shares/splits.ts';
import { makeFact, parseFacts, readFiledFacts } from '../filed-facts.ts';

/** Apple's fiscal year 2025 and the first quarter of 2026. */
const APPLE_FACTS = parseFacts(`
us-gaap EarningsPerShareDiluted USD/shares 2024-09-29 2024-12-28 2.4 0000320193-25-000008 10-Q 2025-01-31 2025 Q1 -
us-gaap EarningsPerShareDiluted USD/shares 2024-12-29 2025-03-29 1.65 0000320193-25-000057 10-Q 2025-05-02 2025 Q2 -
us-gaap EarningsPerShareDiluted USD/shares 2025-03-30 2025-06-28 1.57 0000320193-25-000073 10-Q 2025-08-01 2025 Q3 -
us-gaap EarningsPerShareDiluted USD/shares 2024-09-29 2025-09-27 7.46 0000320193-25-000079 10-K 2025-10-31 2025 FY -
us-gaap EarningsPerShareDiluted USD/shares 2025-09-28 2025-12-27 2.84 0000320193-26-000006 10-Q 2026-01-30 2026 Q1 -
us-gaap WeightedAverageNumberOfDilutedSharesOutstanding shares 2024-09-29 2024-12-28 15150865000 0000320193-25-000008 10-Q 2025-01-31 2025 Q1 -
us-gaap WeightedAverageNumberOfDilutedSharesOutstanding shares 2024-12-29 2025-03-29 15056133000 0000320193-25-000057 10-Q 2025-05-02 2025 Q2 -
us-gaap WeightedAverageNumberOfDilutedSharesOutstanding shares 2025-03-30 2025-06-28 14948179000 0000320193-25-000073 10-Q 2025-08-01 2025 Q3 -
us-gaap WeightedAverageNumberOfDilutedSharesOutstanding shares 2024-09-29 2025-09-27 15004697000 0000320193-25-000079 10-K 2025-10-31 2025 FY -
us-gaap NetIncomeLoss USD 2024-09-29 2025-06-28 84544000000 0000320193-25-000073 10-Q 2025-08-01 2025 Q3 -
us-gaap NetIncomeLoss USD 2024-09-29 2025-09-27 112010000000 0000320193-25-000079 10-K 2025-10-31 2025 FY -
`);

function listEps(facts: readonly Fact[], query: FigureQuery = {}): string[] {
  const company = deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' });
  const { reportedValues } = company;
  const splits = selectSplitsProvenBy(query.asOf ?? null, company.splits);
  return listFigureValues(reportedValues, { keys: ['eps_diluted'], splits, twelveMonths: true, ...query })
    .filter(({ periodKind, fiscalPeriod }) => periodKind === 'ttm' || fiscalPeriod === 'Q4')
    .map(({ end, value, valueKind, fiscalPeriod, inputs }) =>
      [fiscalPeriod ?? 'TTM', end, value, valueKind, inputs.map(({ role }) => role).join(' ')].join(', '),
    );
}

const YEAR_LESS_QUARTERS = 'minuend subtrahend subtrahend subtrahend';

test("the EPS of Apple's fourth quarter of 2025 is the year's less that of three quarters, as income and shares confirm", () => {
  expect(listEps(APPLE_FACTS)).toEqual([
    // 1.65 + 1.57 + 1.84 + 2.84; the year's EPS of 7.46 is that of four quarters, too.
    expect.stringContaining('TTM, 2025-12-27, 7.9, derived'),
    expect.stringContaining('TTM, 2025-09-27, 7.46, derived'),
    `Q4, 2025-09-27, 1.84, derived, ${YEAR_LESS_QUARTERS}`,
  ]);
});

test('a filed EPS of the fourth quarter stands', () => {
  const filed = makeFact({
    ...{ concept: 'EarningsPerShareDiluted', unit: 'USD/shares', start: '2025-06-29', end: '2025-09-27' },
    ...{ value: '1.85', accession: '0000320193-25-000079', filed: '2025-10-31' },
  });
  expect(listEps([...APPLE_FACTS, filed]).filter((row) => row.startsWith('Q4'))).toEqual([
    'Q4, 2025-09-27, 1.85, reported, value',
  ]);
});

test('without income and average shares that confirm it within a cent, the fourth quarter has no EPS', () => {
  const withoutShares = APPLE_FACTS.filter(
    ({ concept }) => concept !== 'WeightedAverageNumberOfDilutedSharesOutstanding',
  );
  const withOtherIncome = APPLE_FACTS.map((fact) =>
    fact.value === '112010000000' ? { ...fact, value: '112310000000' } : fact,
  );
  for (const facts of [withoutShares, withOtherIncome]) {
    // The twelve months of the fiscal year need no fourth quarter.
    expect(listEps(facts)).toEqual(['TTM, 2025-09-27, 7.46, derived, addend']);
  }
});

/** NVIDIA split its shares ten for one in June 2024. `nvda` has its fiscal year 2024, which ended in January 2024. */
test('shares before and after a split are never combined', () => {
  const facts = [
    ...readFiledFacts('nvda'),
    ...parseFacts(`
us-gaap WeightedAverageNumberOfDilutedSharesOutstanding shares 2023-01-30 2023-04-30 2490000000 0001045810-23-000093 10-Q 2023-05-26 2024 Q1 -
us-gaap WeightedAverageNumberOfDilutedSharesOutstanding shares 2023-05-01 2023-07-30 2499000000 0001045810-23-000175 10-Q 2023-08-28 2024 Q2 -
us-gaap WeightedAverageNumberOfDilutedSharesOutstanding shares 2023-07-31 2023-10-29 2494000000 0001045810-23-000227 10-Q 2023-11-21 2024 Q3 -
us-gaap WeightedAverageNumberOfDilutedSharesOutstanding shares 2023-01-30 2024-01-28 2494000000 0001045810-24-000029 10-K 2024-02-21 2024 FY -
`),
  ];
  // 11.93 less 0.82, 2.48 and 3.71, all in shares before the split.
  expect(listEps(facts, { asOf: '2024-03-01' })).toContain(`Q4, 2024-01-28, 4.92, derived, ${YEAR_LESS_QUARTERS}`);
  // Later reports restate the year and two quarters for the split, but not the first quarter.
  expect(listEps(facts).filter((row) => row.startsWith('Q4'))).toEqual([]);
});
