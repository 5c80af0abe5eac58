import { expect, test } from 'vitest';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { type FigureQuery, listFigureValues } from '../../../src/figures/figure-values.ts';
import { makeFact, readFiledFacts } from '../filed-facts.ts';

const DERIVE_OPTIONS = { releaseDate: '2026-08-20' };

const QUARTER_DATES = [
  ['2024-01-01', '2024-03-31'],
  ['2024-04-01', '2024-06-30'],
  ['2024-07-01', '2024-09-30'],
  ['2024-10-01', '2024-12-31'],
] as const;

const makeRevenueFact = (start: string, end: string, value: string, filed: string) =>
  makeFact({ start, end, value, filed, accession: filed });

/** Revenue of a fiscal year, its quarters, and the following quarter. */
const REVENUE_FACTS = [
  ...QUARTER_DATES.map(([start, end], index) => makeRevenueFact(start, end, `${100 + index}`, `${end.slice(0, 8)}28`)),
  makeRevenueFact('2024-01-01', '2024-12-31', '406', '2025-02-20'),
  makeRevenueFact('2025-01-01', '2025-03-31', '120', '2025-04-28'),
];

function listTwelveMonthRevenues(query: FigureQuery): string[] {
  const { reportedValues } = deriveCompanyFigures(REVENUE_FACTS, [], DERIVE_OPTIONS);
  return listFigureValues(reportedValues, { keys: ['revenue'], twelveMonths: true, ...query })
    .filter(({ periodKind }) => periodKind === 'ttm')
    .map(({ start, end, value, fiscalPeriod, inputs }) => `${start} ${end} ${value} ${fiscalPeriod} ${inputs.length}`);
}

test('the twelve months to the end of each quarter are the sum of four quarters, or the fiscal year', () => {
  expect(listTwelveMonthRevenues({})).toEqual(['2024-04-01 2025-03-31 426 null 4', '2024-01-01 2024-12-31 406 null 1']);
});

test('twelve months are returned only on request, never among years or quarters', () => {
  expect(listTwelveMonthRevenues({ twelveMonths: false })).toEqual([]);
  for (const period of ['latest', 'annual', 'quarterly'] as const)
    expect(listTwelveMonthRevenues({ period, twelveMonths: false })).toEqual([]);
});

test('twelve months as of a day use no later filing', () => {
  expect(listTwelveMonthRevenues({ asOf: '2025-03-01' })).toEqual(['2024-01-01 2024-12-31 406 null 1']);
});

test("Apple's twelve months to September 2025 are its fiscal year", () => {
  const { reportedValues } = deriveCompanyFigures(readFiledFacts('aapl'), [], DERIVE_OPTIONS);
  const rows = listFigureValues(reportedValues, { keys: ['revenue'], twelveMonths: true });
  expect(rows.find(({ periodKind }) => periodKind === 'ttm')).toMatchObject({
    end: '2025-09-27',
    value: '416161000000',
    valueKind: 'derived',
  });
});

test('four quarters give a margin for quarters and twelve months, return on equity only for twelve months', () => {
  const facts = QUARTER_DATES.flatMap(([start, end]) => [
    makeFact({ concept: 'Revenues', start, end, value: '100', form: '10-Q' }),
    makeFact({ concept: 'NetIncomeLoss', start, end, value: '10', form: '10-Q' }),
    makeFact({ concept: 'StockholdersEquity', start: null, end, value: '80', form: '10-Q' }),
    makeFact({ concept: 'Liabilities', start: null, end, value: '40', form: '10-Q' }),
  ]);
  const { reportedValues } = deriveCompanyFigures(facts, [], DERIVE_OPTIONS);
  const listKindsAndValues = (key: string) =>
    listFigureValues(reportedValues, { keys: [key], twelveMonths: true }).map(
      ({ periodKind, value }) => `${periodKind} ${value}`,
    );
  expect(new Set(listKindsAndValues('net_margin'))).toEqual(new Set(['quarter 0.1', 'ttm 0.1']));
  expect(listKindsAndValues('roe')).toEqual(['ttm 0.5']);
  expect(new Set(listKindsAndValues('liabilities_to_equity'))).toEqual(new Set(['quarter 0.5']));
});
