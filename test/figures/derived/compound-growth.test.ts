/** Compound annual growth rates over three and five years. */
import { expect, test } from 'vitest';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { selectFigures } from '../../../src/figures/figure-values.ts';
import { makeFact, readFiledFacts } from '../filed-facts.ts';

/**
 * Returns the facts of annual reports: one report per year in `values`, with the values of that year and of the year
 * before.
 */
function makeAnnualFacts(concept: string, unit: string, values: Readonly<Record<number, string>>) {
  const reportYears = Object.keys(values).map(Number);
  return reportYears.flatMap((reportYear) =>
    [reportYear, reportYear - 1].flatMap((year) => {
      const value = values[year];
      if (value === undefined) return [];
      const filing = {
        accession: `0000000001-${reportYear % 100}-000001`,
        filed: `${reportYear + 1}-02-20`,
        focusYear: reportYear,
      };
      return [makeFact({ ...filing, concept, unit, value, start: `${year}-01-01`, end: `${year}-12-31` })];
    }),
  );
}

function findAnnualValue(facts: ReturnType<typeof readFiledFacts>, key: string, end: string): string | undefined {
  const { reportedValues, splits } = deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' });
  const { currentFigures } = selectFigures(reportedValues, { keys: [key], splits });
  return currentFigures.find((figure) => figure.end === end && figure.periodKind === 'annual')?.value;
}

/** Alphabet's revenue by fiscal year, from its reports for 2019 to 2024. */
const REVENUE_BY_YEAR = {
  2019: '161857000000',
  2020: '182527000000',
  2021: '257637000000',
  2022: '282836000000',
  2023: '307394000000',
  2024: '350018000000',
};

test('a compound growth rate is the root of the growth from its first to its last year, to ten decimal places', () => {
  const facts = makeAnnualFacts('Revenues', 'USD', REVENUE_BY_YEAR);
  // (350018 / 257637) ^ (1/3) - 1 and (350018 / 161857) ^ (1/5) - 1, computed in Python with 60 digits.
  expect(findAnnualValue(facts, 'revenue_cagr_3y', '2024-12-31')).toBe('0.1075433024');
  expect(findAnnualValue(facts, 'revenue_cagr_5y', '2024-12-31')).toBe('0.1667875287');
  expect(findAnnualValue(facts, 'revenue_cagr_5y', '2023-12-31')).toBeUndefined();
});

test('a missing year in between, or a loss in the first year, gives no growth rate', () => {
  const { 2022: _, ...revenueWithout2022 } = REVENUE_BY_YEAR;
  expect(
    findAnnualValue(makeAnnualFacts('Revenues', 'USD', revenueWithout2022), 'revenue_cagr_3y', '2024-12-31'),
  ).toBeUndefined();
  // Alphabet's diluted earnings per share, after all its splits; the test sets the value of 2021.
  const makeFactsWithEps = (firstEps: string) => [
    ...makeAnnualFacts('Revenues', 'USD', REVENUE_BY_YEAR),
    ...makeAnnualFacts('EarningsPerShareDiluted', 'USD/shares', {
      2021: firstEps,
      2022: '4.56',
      2023: '5.80',
      2024: '8.04',
    }),
  ];
  expect(findAnnualValue(makeFactsWithEps('5.61'), 'eps_diluted_cagr_3y', '2024-12-31')).toBe('0.1274511376');
  expect(findAnnualValue(makeFactsWithEps('-5.61'), 'eps_diluted_cagr_3y', '2024-12-31')).toBeUndefined();
});

test('a growth rate is withheld if the basis changes between its first and last year', () => {
  // Johnson & Johnson restated 2021 and 2022 without its consumer business, but did not restate 2020.
  const facts = readFiledFacts('jnj-years');
  expect(findAnnualValue(facts, 'revenue', '2022-01-02')).toBe('78740000000');
  for (const end of ['2022-01-02', '2023-01-01', '2023-12-31']) {
    expect(findAnnualValue(facts, 'revenue_cagr_3y', end), end).toBeUndefined();
  }
});
