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

test('a deficit without its minus sign is not read if the sheet balances only with the sign', () => {
  // Worlds' deficit of December 2020: three later reports omit its sign, and are more than the first two.
  const balanceFields = { start: null, end: '2020-12-31' };
  const makeSheet = (retainedEarnings: string, accession: string, filed: string) =>
    Object.entries({
      StockholdersEquity: '-2669888',
      AdditionalPaidInCapital: '41240880',
      RetainedEarningsAccumulatedDeficit: retainedEarnings,
    }).map(([concept, value]) => makeFact({ ...balanceFields, concept, value, accession, filed }));
  const laterSheets = [
    ...makeSheet('45174496', '0001264931-21-000110', '2021-08-13'),
    ...makeSheet('45174496', '0001264931-21-000208', '2021-11-08'),
    ...makeSheet('45174496', '0001264931-22-000088', '2022-03-30'),
  ];
  const query = { keys: ['retained_earnings'] };
  expect(listValues(laterSheets, query)).toEqual([]);
  const earlierSheets = [
    ...makeSheet('-45174496', '0001264931-21-000033', '2021-03-16'),
    ...makeSheet('-45174496', '0001264931-21-000056', '2021-05-17'),
  ];
  expect(listValues([...earlierSheets, ...laterSheets], query)).toEqual(['2020-12-31 -45174496']);
  // BK Technologies' par value is about twice its deficit of 2010.
  const bkFacts = Object.entries({
    StockholdersEquity: '28390000',
    AdditionalPaidInCapital: '24404000',
    RetainedEarningsAccumulatedDeficit: '-4119000',
  }).map(([concept, value]) => makeFact({ ...balanceFields, concept, value }));
  expect(listValues(bkFacts, query)).toEqual(['2020-12-31 -4119000']);
});
