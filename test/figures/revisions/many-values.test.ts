/**
 * One period with far more values than any company reports. Code that compared all pairs of values would take minutes.
 */
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { addDays } from '../../../src/platform/dates.ts';
import { makeFact } from '../filed-facts.ts';

const FACT_COUNT = 10_000;

const makeFacts = (makeValue: (index: number) => string): Fact[] =>
  Array.from({ length: FACT_COUNT }, (_, index) =>
    makeFact({
      end: '2019-12-31',
      start: '2019-01-01',
      value: makeValue(index),
      filed: addDays('2020-01-01', Math.floor((index * 2000) / FACT_COUNT)),
      accession: `0000000001-20-${String(index).padStart(6, '0')}`,
    }),
  );

test.each([
  ['different values', (index: number) => `${1_000_000 + ((index * 7919) % 100_003)}`],
  ['one value', () => '123456'],
  ['values in two scales', (index: number) => (index % 2 === 0 ? '123456' : '123456000')],
  ['values of both signs', (index: number) => (index % 2 === 0 ? '123456' : '-123456')],
])('%s of one period, each from a filing of its own, are all in its revision chain', (_, makeValue) => {
  const { reportedValues } = deriveCompanyFigures(makeFacts(makeValue), [], { releaseDate: '2026-01-01' });
  expect(reportedValues.map(({ value }) => value)).toEqual(makeFacts(makeValue).map(({ value }) => value));
});
