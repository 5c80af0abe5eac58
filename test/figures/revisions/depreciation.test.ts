import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import { makeFact } from '../filed-facts.ts';

type FilingFields = Pick<Fact, 'start' | 'end' | 'accession' | 'filed'> & { readonly form?: string };

const makeReportFacts = (filing: FilingFields, amounts: Readonly<Record<string, string>>) =>
  Object.entries(amounts).map(([concept, value]) => makeFact({ form: '10-K', ...filing, concept, value }));

/**
 * Returns the values of a metric (by default depreciation and amortization) by period end, each as `start value`. With
 * `asOf`, returns the values known on that day.
 */
function groupDepreciationByEnd(
  companyFacts: readonly Fact[],
  asOf: string | null = null,
  key = 'depreciation_and_amortization',
): Record<string, string[]> {
  const { reportedValues } = deriveCompanyFigures(companyFacts, [], { releaseDate: '2026-08-20' });
  const values = listFigureValues(reportedValues, { keys: [key], asOf });
  const valuesByEnd: Record<string, string[]> = {};
  for (const { start, end, value } of values) {
    valuesByEnd[end] = [...(valuesByEnd[end] ?? []), `${start} ${value}`];
  }
  return valuesByEnd;
}

test('a line of other depreciation is not the total; with the line of amortization it is', () => {
  // AMD's report of 2024 has the total of 2023 in two lines.
  const report2023 = { accession: '0000002488-24-000012', filed: '2024-01-31' };
  const report2024 = { accession: '0000002488-25-000012', filed: '2025-02-05' };
  const yearDates2023 = { start: '2023-01-01', end: '2023-12-30' };
  const makeTwoLineAmounts = (otherDepreciation: string, amortization: string) => ({
    OtherDepreciationAndAmortization: otherDepreciation,
    AdjustmentForAmortization: amortization,
  });
  const amdFacts = [
    ...makeReportFacts({ ...report2023, ...yearDates2023 }, { DepreciationDepletionAndAmortization: '3453000000' }),
    ...makeReportFacts({ ...report2024, ...yearDates2023 }, makeTwoLineAmounts('642000000', '2811000000')),
    ...makeReportFacts(
      { ...report2024, start: '2023-12-31', end: '2024-12-28' },
      { ...makeTwoLineAmounts('671000000', '2393000000'), OperatingIncomeLoss: '1900000000' },
    ),
  ];
  expect(groupDepreciationByEnd(amdFacts)).toEqual({
    '2023-12-30': ['2023-01-01 3453000000'],
    '2024-12-28': ['2023-12-31 3064000000'],
  });
  expect(groupDepreciationByEnd(amdFacts, null, 'ebitda')).toEqual({ '2024-12-28': ['2023-12-31 4964000000'] });
});

test('a later report of a total that excludes amortization does not revise the total', () => {
  // Home Depot reports the amortization of intangible assets on a separate line since 2024; the line without
  // amortization still has the concept of the former total.
  const reportFieldsByYear = {
    of2023: { accession: '0000354950-24-000062', filed: '2024-03-13' },
    of2024: { accession: '0000354950-25-000085', filed: '2025-03-21' },
    of2025: { accession: '0001628280-26-019436', filed: '2026-03-18' },
  };
  const fiscalDates2023 = { start: '2023-01-30', end: '2024-01-28' };
  const yearDates2024 = { start: '2024-01-29', end: '2025-02-02' };
  const makeTotalAmounts = (amount: string) => ({ DepreciationDepletionAndAmortization: amount });
  const makeAmortizationLine = (amount: string) => ({ AmortizationOfIntangibleAssets: amount });
  const homeDepotFacts = [
    ...makeReportFacts({ ...reportFieldsByYear.of2023, ...fiscalDates2023 }, makeTotalAmounts('3247000000')),
    ...makeReportFacts(
      { ...reportFieldsByYear.of2024, ...fiscalDates2023 },
      { ...makeTotalAmounts('3061000000'), ...makeAmortizationLine('186000000') },
    ),
    ...makeReportFacts(
      { ...reportFieldsByYear.of2024, ...yearDates2024 },
      { ...makeTotalAmounts('3336000000'), ...makeAmortizationLine('425000000') },
    ),
    ...makeReportFacts(
      { ...reportFieldsByYear.of2025, ...yearDates2024 },
      { ...makeTotalAmounts('3336000000'), ...makeAmortizationLine('425000000') },
    ),
    ...makeReportFacts(
      { ...reportFieldsByYear.of2025, start: '2025-02-03', end: '2026-02-01' },
      {
        ...makeTotalAmounts('3514000000'),
        ...makeAmortizationLine('607000000'),
        DepreciationAndAmortization: '3273000000',
      },
    ),
  ];
  expect(groupDepreciationByEnd(homeDepotFacts)).toEqual({
    '2024-01-28': ['2023-01-30 3247000000'],
    '2025-02-02': ['2024-01-29 3761000000'],
    '2026-02-01': ['2025-02-03 4121000000'],
  });
});

test('an amount below amortization is depreciation alone, and both lines are added', () => {
  // Progress Software's note tags depreciation with the concept of the total.
  const report = { accession: '0000876167-20-000015', filed: '2020-01-27', start: '2018-12-01', end: '2019-11-30' };
  const depreciation = { DepreciationDepletionAndAmortization: '7600000', Depreciation: '7552000' };
  const list = (amortization: string) =>
    groupDepreciationByEnd(makeReportFacts(report, { ...depreciation, AmortizationOfIntangibleAssets: amortization }));
  expect(list('48100000')).toEqual({ '2019-11-30': ['2018-12-01 55652000'] });
  expect(list('7500000')).toEqual({ '2019-11-30': ['2018-12-01 7600000'] });
});

test('a total is not current from the day of a filing that states a larger amortization', () => {
  // Marvell's report of 2024 tags the total of its fiscal year 2022 as what remains after amortization.
  const year = { start: '2021-01-31', end: '2022-01-29' };
  const marvellFacts = [
    ...makeReportFacts(
      { ...year, accession: '0001835632-22-000016', filed: '2022-03-10' },
      { DepreciationAndAmortization: '265934000', Depreciation: '113500000' },
    ),
    ...makeReportFacts(
      { ...year, accession: '0001835632-24-000009', filed: '2024-03-13' },
      {
        OtherDepreciationAndAmortization: '265900000',
        AmortizationOfIntangibleAssets: '979400000',
        Depreciation: '113500000',
      },
    ),
  ];
  expect(groupDepreciationByEnd(marvellFacts, '2024-03-12')).toEqual({ '2022-01-29': ['2021-01-31 265934000'] });
  expect(groupDepreciationByEnd(marvellFacts)).toEqual({ '2022-01-29': ['2021-01-31 1245300000'] });
});

test('amortization that is filed after the proof against a total changes no earlier day', () => {
  const year = { start: '2021-01-01', end: '2021-12-31' };
  const facts = [
    ...makeReportFacts(
      { ...year, accession: '0000000001-22-000001', filed: '2022-02-01' },
      { DepreciationAndAmortization: '100', Depreciation: '40' },
    ),
    ...makeReportFacts(
      { ...year, accession: '0000000001-24-000001', filed: '2024-02-01' },
      { AmortizationOfIntangibleAssets: '300' },
    ),
    ...makeReportFacts(
      { ...year, accession: '0000000001-25-000001', filed: '2025-02-01' },
      { AdjustmentForAmortization: '80' },
    ),
  ];
  expect(groupDepreciationByEnd(facts, '2024-01-31')).toEqual({ '2021-12-31': ['2021-01-01 100'] });
  for (const day of ['2024-02-01', '2025-01-31', '2025-02-01']) expect(groupDepreciationByEnd(facts, day)).toEqual({});
});

test('a quarter is not derived from a line that is less than the total of the half year', () => {
  // Home Depot's statement of operations of 2010 omits the depreciation that is in the cost of sales.
  const halfYearReport = { accession: '0001193125-11-239167', filed: '2011-09-01', form: '10-Q' };
  const firstQuarterReport = { accession: '0001193125-11-157199', filed: '2011-06-02', form: '10-Q' };
  const homeDepotFactsOf2010 = [
    ...makeReportFacts(
      { ...firstQuarterReport, start: '2010-02-01', end: '2010-05-02' },
      { DepreciationDepletionAndAmortization: '438000000', DepreciationAndAmortization: '408000000' },
    ),
    ...makeReportFacts(
      { ...halfYearReport, start: '2010-02-01', end: '2010-08-01' },
      { DepreciationDepletionAndAmortization: '866000000', DepreciationAndAmortization: '814000000' },
    ),
    ...makeReportFacts(
      { ...halfYearReport, start: '2010-05-03', end: '2010-08-01' },
      { DepreciationAndAmortization: '406000000' },
    ),
    // The year is included so that periods have fiscal names.
    ...makeReportFacts(
      { start: '2010-02-01', end: '2011-01-30', accession: '0000354950-11-000009', filed: '2011-03-24' },
      { DepreciationDepletionAndAmortization: '1718000000' },
    ),
  ];
  expect(groupDepreciationByEnd(homeDepotFactsOf2010)['2010-08-01']).toEqual([
    '2010-02-01 866000000',
    '2010-05-03 428000000',
  ]);
});

test("lines that do not add up to the year's total are not summed for months of that year either", () => {
  // MiMedx's amortization of acquired rights in 2025 is only in the total of the year.
  const annualReportFields = {
    start: '2025-01-01',
    end: '2025-12-31',
    accession: '0001376339-26-000011',
    filed: '2026-02-25',
  };
  const nineMonthReport = {
    start: '2025-01-01',
    end: '2025-09-30',
    accession: '0001376339-25-000103',
    filed: '2025-10-29',
  };
  const mimedxFacts = [
    ...makeReportFacts(
      { ...nineMonthReport, form: '10-Q' },
      { Depreciation: '1692000', AmortizationOfIntangibleAssets: '310000' },
    ),
    ...makeReportFacts(annualReportFields, {
      DepreciationDepletionAndAmortization: '14881000',
      Depreciation: '2264000',
      AmortizationOfIntangibleAssets: '439000',
    }),
  ];
  expect(groupDepreciationByEnd(mimedxFacts)).toEqual({ '2025-12-31': ['2025-01-01 14881000'] });
  expect(groupDepreciationByEnd(mimedxFacts, '2025-12-31')).toEqual({ '2025-09-30': ['2025-01-01 2002000'] });
});
