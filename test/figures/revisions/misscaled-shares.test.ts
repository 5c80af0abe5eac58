import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import { makeFact } from '../filed-facts.ts';

const UNIT_BY_CONCEPT: Readonly<Record<string, string>> = {
  EarningsPerShareDiluted: 'USD/shares',
  WeightedAverageNumberOfDilutedSharesOutstanding: 'shares',
};
const makeReportFacts = (filing: Partial<Fact>, amounts: Readonly<Record<string, string>>) =>
  Object.entries(amounts).map(([concept, value]) =>
    makeFact({ ...filing, concept, value, unit: UNIT_BY_CONCEPT[concept] ?? 'USD' }),
  );

function listValues(key: string, companyFacts: readonly Fact[], asOf: string | null = null): string[] {
  const { reportedValues } = deriveCompanyFigures(companyFacts, [], { releaseDate: '2026-08-20' });
  return listFigureValues(reportedValues, { keys: [key], asOf }).map(({ value }) => value);
}

test('shares in millions are not read as a count of shares', () => {
  // As filed by McDonald's for 2025.
  const yearFields = { start: '2025-01-01', end: '2025-12-31', filed: '2026-02-24' };
  const makeMcdonaldsFacts = (shares: string) =>
    makeReportFacts(yearFields, {
      NetIncomeLoss: '8563000000',
      EarningsPerShareDiluted: '11.95',
      WeightedAverageNumberOfDilutedSharesOutstanding: shares,
    });
  expect(listValues('weighted_shares_diluted', makeMcdonaldsFacts('716.4'))).toEqual([]);
  expect(listValues('weighted_shares_diluted', makeMcdonaldsFacts('716400000'))).toEqual(['716400000']);
});

test('a share count that agrees with the income of its filing is current, whatever most other filings state', () => {
  // NVIDIA's quarter to October 2009: the report of 2010 and other reports of that time state shares in thousands.
  const quarterFields = { start: '2009-07-27', end: '2009-10-25', form: '10-Q' };
  const makeAmounts = (shares: string) => ({
    NetIncomeLoss: '107577000',
    EarningsPerShareDiluted: '0.19',
    WeightedAverageNumberOfDilutedSharesOutstanding: shares,
  });
  const nvidiaFacts = [
    ...makeReportFacts(
      { ...quarterFields, accession: '0001045810-09-000036', filed: '2009-11-19' },
      makeAmounts('571028000'),
    ),
    ...makeReportFacts(
      { ...quarterFields, accession: '0001045810-10-000045', filed: '2010-12-07' },
      makeAmounts('571028'),
    ),
    ...makeReportFacts(
      { start: '2010-02-01', end: '2010-05-02', form: '10-Q', accession: '0001045810-10-000018', filed: '2010-05-21' },
      { ...makeAmounts('587000'), NetIncomeLoss: '137594000', EarningsPerShareDiluted: '0.23' },
    ),
  ];
  expect(listValues('weighted_shares_diluted', nvidiaFacts)).toEqual(['571028000']);
});

test('average shares of zero are not a figure', () => {
  const zeroShareFacts = makeReportFacts({}, { WeightedAverageNumberOfDilutedSharesOutstanding: '0' });
  expect(listValues('weighted_shares_diluted', zeroShareFacts)).toEqual([]);
});
