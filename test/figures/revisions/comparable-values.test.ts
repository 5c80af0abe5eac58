/**
 * Ratios and changes compare two values of one filing. If no filing has both, the values are on one basis: both before
 * or both after a restatement (for example, with or without a divested business).
 */
import { expect, test } from 'vitest';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import type { FigureValue } from '../../../src/figures/derived/figure.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import { makeFact, readFiledFacts } from '../filed-facts.ts';

const DERIVE_OPTIONS = { releaseDate: '2026-08-20' };

function findAnnualValue(
  factsFile: string,
  key: string,
  end: string,
  asOf: string | null = null,
): FigureValue | undefined {
  const { reportedValues } = deriveCompanyFigures(readFiledFacts(factsFile), [], DERIVE_OPTIONS);
  const values = listFigureValues(reportedValues, { keys: [key], asOf });
  return values.find((value) => value.end === end && value.fiscalPeriod === 'FY');
}

const collectInputAccessions = (value: FigureValue | undefined) =>
  new Set(value?.inputs.map(({ reported }) => reported.accession));

// One filing prints the revenue of both years. A later filing restates only the second year; the last column is the
// wrong growth from the first year to the restated second year.
test.each([
  ['jnj-years', '2022-01-02', '0.1355105105', '-0.0465465466'],
  ['hon-2023', '2023-12-31', '0.0337224384', '-0.0692776180'],
  ['rtx-2017', '2017-12-31', '0.0452973237', '-0.4809412340'],
])('growth is from a filing that states both years: %s', (factsFile, end, value, wrongGrowth) => {
  const growthFigure = findAnnualValue(factsFile, 'revenue_yoy', end);
  expect(growthFigure?.value).toBe(value);
  expect(growthFigure?.value).not.toBe(wrongGrowth);
  expect(growthFigure?.inputs.map(({ role }) => role)).toEqual(['numerator', 'denominator']);
});

test('growth between two years that one filing restates is computed from restated values', () => {
  expect(findAnnualValue('jnj-years', 'revenue_yoy', '2023-01-01')?.value).toBe('0.0158750318');
  expect(findAnnualValue('hon-2023', 'revenue_yoy', '2024-12-31')?.value).toBe('0.0517434639');
});

test('a margin is from one filing, not from gross profit and a later restated revenue', () => {
  const marginFigure = findAnnualValue('apd-2014', 'gross_margin', '2014-09-30');
  // Gross profit is the filing's revenue of 8,384.0 less its cost. Gross profit is not 2,804.4, which belongs to
  // revenue of 10,439.0.
  expect(marginFigure?.value).toBe('0.2595539122');
  expect(collectInputAccessions(marginFigure).size).toBe(1);
});

test('a ratio does not combine a balance that was restated after a merger with a balance that was not', () => {
  expect(findAnnualValue('tmus-2010', 'cash_ratio', '2010-12-31')?.value).toBe('0.9926609506');
});

test('income of the whole company is not divided by restated revenue of continuing operations', () => {
  expect(findAnnualValue('rtx-2017', 'net_margin', '2018-12-31')?.value).toBe('0.0792318912');
  // Income and revenue are both restated for the divested business.
  expect(findAnnualValue('rtx-2017', 'operating_margin', '2018-12-31')?.value).toBe('0.0829082735');
});

test('as of a day, only filings up to that day are compared', () => {
  expect(findAnnualValue('jnj-years', 'revenue_yoy', '2022-01-02', '2022-12-31')?.value).toBe('0.1355105105');
  expect(findAnnualValue('rtx-2017', 'net_margin', '2018-12-31', '2020-03-01')?.value).toBe('0.0792318912');
});

test('values that no filing states together and that were never on the same basis give no ratio', () => {
  const grossProfitFields = { concept: 'GrossProfit', value: '40' };
  const [secondFiling, thirdFiling] = [
    { accession: '0000000001-26-000001', filed: '2026-02-20' },
    { accession: '0000000001-27-000001', filed: '2027-02-20' },
  ];
  const laterDeriveOptions = { releaseDate: '2027-08-20' };
  const listMargins = (facts: readonly object[]) =>
    listFigureValues(
      deriveCompanyFigures(
        facts.map((fields) => makeFact(fields)),
        [],
        laterDeriveOptions,
      ).reportedValues,
      {
        keys: ['gross_margin'],
      },
    ).map(({ value }) => value);
  expect(listMargins([{}, { ...grossProfitFields, ...secondFiling }, { ...thirdFiling, value: '80' }])).toEqual([]);
  expect(listMargins([{}, { ...secondFiling, value: '80' }, { ...grossProfitFields, ...secondFiling }])).toEqual([
    '0.5',
  ]);
  expect(listMargins([{}, grossProfitFields, { ...secondFiling, value: '80' }])).toEqual(['0.4']);
});
