import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { type FigureQuery, listFigureValues } from '../../../src/figures/figure-values.ts';
import { makeFact } from '../filed-facts.ts';

function listValues(facts: readonly Fact[], query: FigureQuery): string[] {
  const { reportedValues } = deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' });
  return listFigureValues(reportedValues, query).map(({ end, value }) => `${end} ${value}`);
}

test('a value that only one of several filings states with the opposite sign is not current', () => {
  // Equity of McDonald's in March 2018: two reports state a deficit, the third omits its sign.
  const balanceFields = { concept: 'StockholdersEquity', start: null, end: '2018-03-31', form: '10-Q' };
  const mcdonaldsFacts = [
    makeFact({ ...balanceFields, value: '-4718800000', accession: '0000063908-18-000025', filed: '2018-05-08' }),
    makeFact({ ...balanceFields, value: '-4718800000', accession: '0000063908-19-000039', filed: '2019-05-08' }),
    makeFact({ ...balanceFields, value: '4718800000', accession: '0000063908-19-000062', filed: '2019-08-06' }),
  ];
  const query = { keys: ['stockholders_equity'] };
  expect(listValues(mcdonaldsFacts, query)).toEqual(['2018-03-31 -4718800000']);
  expect(listValues(mcdonaldsFacts, { ...query, asOf: '2019-08-05' })).toEqual(['2018-03-31 -4718800000']);
});

test('no value is current if as many filings state one sign as the opposite sign', () => {
  // Net income of MEMC for a quarter in which it lost money: a later report omits the sign, and no third report states
  // the amount.
  const quarterFields = { concept: 'NetIncomeLoss', start: '2013-01-01', end: '2013-03-31', form: '10-Q' };
  const memcFacts = [
    makeFact({ ...quarterFields, value: '-89400000', accession: '0000945436-13-000051', filed: '2013-05-09' }),
    makeFact({ ...quarterFields, value: '89400000', accession: '0000945436-14-000071', filed: '2014-05-09' }),
  ];
  const query = { keys: ['net_income'] };
  expect(listValues(memcFacts, query)).toEqual([]);
  expect(listValues(memcFacts, { ...query, asOf: '2014-05-08' })).toEqual(['2013-03-31 -89400000']);
});

test('an amount with zeros at the end has the opposite sign of the amount without them', () => {
  const quarterFields = { concept: 'NetIncomeLoss', start: '2013-01-01', end: '2013-03-31', form: '10-Q' };
  const facts = [
    makeFact({ ...quarterFields, value: '-894.50', accession: '0000945436-13-000051', filed: '2013-05-09' }),
    makeFact({ ...quarterFields, value: '894.5', accession: '0000945436-14-000071', filed: '2014-05-09' }),
  ];
  expect(listValues(facts, { keys: ['net_income'] })).toEqual([]);
});
