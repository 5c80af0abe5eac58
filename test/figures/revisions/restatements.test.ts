import { expect, test } from 'vitest';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import type { ReportedValue } from '../../../src/figures/revisions/revision-chain.ts';
import { findSplits } from '../../../src/figures/shares/splits.ts';
import { readFiledFacts } from '../filed-facts.ts';

const DERIVE_OPTIONS = { releaseDate: '2026-08-20' };

function findChain(factsFile: string, metricKey: string, start: string, end: string): ReportedValue[] {
  const { reportedValues } = deriveCompanyFigures(readFiledFacts(factsFile), [], DERIVE_OPTIONS);
  return reportedValues.filter((row) => row.metricKey === metricKey && row.start === start && row.end === end);
}

const summarizeRows = (rows: readonly ReportedValue[]) =>
  rows.map(({ rank, kind, value, filed, splitRatio }) => [rank, kind, value, filed, splitRatio]);

test('a restated value has the kind "revised", and its repetitions have the kind "same"', () => {
  expect(summarizeRows(findChain('khc', 'net_income', '2017-01-01', '2017-12-30'))).toEqual([
    [1, 'first', '10999000000', '2018-02-16', null],
    [2, 'revised', '10941000000', '2019-06-07', null],
    [3, 'same', '10941000000', '2020-02-14', null],
    [4, 'same', '10941000000', '2020-11-13', null],
  ]);
  expect(summarizeRows(findChain('mdxg', 'net_income', '2016-01-01', '2016-12-31'))).toEqual([
    [1, 'first', '11974000', '2017-03-01', null],
    [2, 'revised', '390000', '2020-03-17', null],
  ]);
});

test('per-share values re-expressed for a split are not revisions', () => {
  expect(summarizeRows(findChain('nvda', 'eps_diluted', '2023-01-30', '2024-01-28'))).toEqual([
    [1, 'first', '11.93', '2024-02-21', null],
    [2, 're_expressed', '1.19', '2025-02-26', '10'],
    [3, 'same', '1.19', '2026-02-25', null],
  ]);
  expect(summarizeRows(findChain('googl', 'eps_diluted', '2021-01-01', '2021-12-31'))).toEqual([
    [1, 'first', '112.2', '2022-02-02', null],
    [2, 're_expressed', '5.61', '2023-02-03', '20'],
    [3, 'same', '5.61', '2024-01-31', null],
  ]);
});

test('a split is dated to the declared day between the last filing before the split and the first filing after it', () => {
  expect(findSplits(readFiledFacts('googl'))).toEqual([
    // Filings declare 2022-02-01 (the announcement) and Friday 2022-07-15 (shares distributed after the close).
    {
      ...{ ratio: '20', effective: '2022-07-18', accession: '0001652044-22-000071' },
      ...{ after: '2022-02-02', until: '2022-07-27', proven: '2022-07-27' },
    },
  ]);
});

test('values as of a day were filed by then, and later filings do not change them', () => {
  const { reportedValues } = deriveCompanyFigures(readFiledFacts('khc'), [], DERIVE_OPTIONS);
  const findNetIncome = (asOf: string) =>
    listFigureValues(reportedValues, { asOf, keys: ['net_income'] }).find(
      (value) => value.end === '2017-12-30' && value.periodKind === 'annual',
    );
  expect(findNetIncome('2018-02-15')).toBeUndefined();
  expect(findNetIncome('2018-02-16')).toMatchObject({ value: '10999000000', revised: false, revisionCount: 0 });
  expect(findNetIncome('2019-06-06')?.value).toBe('10999000000');
  expect(findNetIncome('2019-06-07')).toMatchObject({ value: '10941000000', revised: true, revisionCount: 1 });
  expect(findNetIncome('2019-06-07')?.readFrom).toMatchObject({
    rank: 2,
    kind: 'revised',
    accession: '0001637459-19-000049',
  });
});

test('a derived quarter as of a day uses only filings up to that day', () => {
  const { reportedValues } = deriveCompanyFigures(readFiledFacts('aapl'), [], DERIVE_OPTIONS);
  const findFourthQuarter = (asOf: string | null) =>
    listFigureValues(reportedValues, { asOf, keys: ['revenue'] }).find((value) => value.fiscalPeriod === 'Q4');
  expect(findFourthQuarter('2025-10-30')).toBeUndefined();
  expect(findFourthQuarter('2025-10-31')).toEqual(findFourthQuarter(null));
  expect(
    findFourthQuarter(null)?.inputs.map(({ role, reported }) => [role, reported.value, reported.accession]),
  ).toEqual([
    ['minuend', '416161000000', '0000320193-25-000079'],
    ['subtrahend', '313695000000', '0000320193-25-000073'],
  ]);
});

test('the fourth quarter of a year restated without its months is derived from first reported values', () => {
  const facts = readFiledFacts('mdxg').filter((row) => row.start !== '2016-10-01');
  const { reportedValues } = deriveCompanyFigures(facts, [], DERIVE_OPTIONS);
  const findFourthQuarter = (values: 'latest' | 'first') =>
    listFigureValues(reportedValues, { keys: ['net_income'], values }).find((value) => value.fiscalPeriod === 'Q4');
  // The fourth quarter is the year's 11,974 less 6,493 of nine months. The year was restated to 390, the nine months
  // were not.
  expect(findFourthQuarter('first')).toMatchObject({
    value: '5481000',
    confidence: '0.95',
    revised: false,
    revisionCount: 0,
  });
  expect(findFourthQuarter('latest')).toMatchObject({ value: '5481000' });
});
