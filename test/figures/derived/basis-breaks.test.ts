/**
 * A break of basis: a figure is not comparable with that of the previous period, for example because only one of the
 * two was restated.
 */
import { expect, test } from 'vitest';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { findFiguresAfterBasisBreak } from '../../../src/figures/derived/basis-breaks.ts';
import { type FigureQuery, selectFigures } from '../../../src/figures/figure-values.ts';
import { makeFact, readFiledFacts } from '../filed-facts.ts';

function listBreaks(factsFile: string, query: FigureQuery = {}): string[] {
  const { reportedValues } = deriveCompanyFigures(readFiledFacts(factsFile), [], { releaseDate: '2026-08-20' });
  const { currentFigures } = selectFigures(reportedValues, query);
  return [...findFiguresAfterBasisBreak(currentFigures)].map(
    ({ metricKey, end, value }) => `${metricKey} ${end} ${value}`,
  );
}

test('a series changes its basis if only the later of two years was restated', () => {
  // One filing by Johnson & Johnson reports 2022 and 2021 without the consumer business; another reports 2020 including
  // that business.
  expect(listBreaks('jnj-years')).toEqual(['revenue 2022-01-02 78740000000']);
  expect(listBreaks('hon-2023')).toEqual(['revenue 2023-12-31 33009000000']);
});

test('the basis does not change as of a day before the restatement, nor between first reported values', () => {
  expect(listBreaks('jnj-years', { asOf: '2023-12-31' })).toEqual([]);
  expect(listBreaks('jnj-years', { values: 'first' })).toEqual([]);
});

test('a year that was restated without its quarters is a change of basis', () => {
  const quarterFacts = [
    ['2024-01-01', '2024-03-31', '100'],
    ['2024-04-01', '2024-06-30', '110'],
    ['2024-07-01', '2024-09-30', '120'],
    ['2024-10-01', '2024-12-31', '130'],
  ].map(([start = '', end = '', value = '']) =>
    makeFact({ start, end, value, form: '10-Q', accession: `0000000001-24-${end.slice(5, 7)}0001`, filed: end }),
  );
  const listBreaksWithYear = (annualValue: string) => {
    const facts = [...quarterFacts, makeFact({ value: annualValue })];
    const { reportedValues } = deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' });
    return [...findFiguresAfterBasisBreak(selectFigures(reportedValues).currentFigures)].map(({ value }) => value);
  };
  expect(listBreaksWithYear('440')).toEqual(['440']);
  // A difference in rounding is not a restatement.
  expect(listBreaksWithYear('461')).toEqual([]);
});

test('a year or twelve months that differ from their quarters by more than rounding are changes of basis', () => {
  const roundedQuarterFacts = [
    ['2024-01-01', '2024-03-31', '1000100000'],
    ['2024-04-01', '2024-06-30', '1100200000'],
    ['2024-07-01', '2024-09-30', '1200300000'],
    ['2024-10-01', '2024-12-31', '1300400000'],
  ].map(([start = '', end = '', value = '']) =>
    makeFact({ start, end, value, form: '10-Q', accession: `0000000001-24-${end.slice(5, 7)}0001`, filed: end }),
  );
  const listBreaksWithYear = (annualValue: string) => {
    const facts = [...roundedQuarterFacts, makeFact({ value: annualValue })];
    const { reportedValues } = deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' });
    const { currentFigures } = selectFigures(reportedValues, { twelveMonths: true });
    return [...findFiguresAfterBasisBreak(currentFigures)].map(({ periodKind, value }) => `${periodKind} ${value}`);
  };
  // All amounts are rounded to tenths of millions.
  expect(listBreaksWithYear('4601200000')).toEqual([]);
  expect(listBreaksWithYear('4601700000')).toEqual(['annual 4601700000', 'ttm 4601700000']);
});
