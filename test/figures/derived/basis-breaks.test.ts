import { expect, test } from 'vitest';
import { deriveCompany } from '../../../src/figures/company.ts';
import { basisBreaks } from '../../../src/figures/derived/basis-breaks.ts';
import { type FigureQuery, selectFigures } from '../../../src/figures/figure-values.ts';
import { filedFacts } from '../filed-facts.ts';

function breaksOf(name: string, query: FigureQuery = {}): string[] {
  const { reportedValues } = deriveCompany(filedFacts(name), [], { releaseDate: '2026-08-20' });
  const { standing } = selectFigures(reportedValues, query);
  return [...basisBreaks(standing)].map(({ metricKey, end, value }) => `${metricKey} ${end} ${value}`);
}

test('a series changes its basis if only the later of two years was restated', () => {
  // 2022 and 2021 without the consumer business, by one filing; 2020 with it.
  expect(breaksOf('jnj-years')).toEqual(['revenue 2022-01-02 78740000000']);
  expect(breaksOf('hon-2023')).toEqual(['revenue 2023-12-31 33009000000']);
});

test('as of a day before the restatement, and of first reported values, the basis does not change', () => {
  expect(breaksOf('jnj-years', { asOf: '2023-12-31' })).toEqual([]);
  expect(breaksOf('jnj-years', { values: 'first' })).toEqual([]);
});
