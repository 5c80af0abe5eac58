import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { checkCompanyIdentities, isWithinTolerance, mergeResults } from '../../../src/figures/checks/identities.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { makeFact, readFiledFacts } from '../filed-facts.ts';

const DERIVE_OPTIONS = { releaseDate: '2026-08-20' };

function makeIdentityResultReader(facts: readonly Fact[], screen: Readonly<Record<string, string>> | null = null) {
  const { figures } = deriveCompanyFigures(facts, [], DERIVE_OPTIONS);
  const filingAccessions = new Set(facts.map(({ accession }) => accession));
  const results = checkCompanyIdentities({ figures, screen, filings: filingAccessions });
  return (name: string) => {
    const result = results.find((result) => result.name === name);
    if (result === undefined) throw new Error(`no identity ${name}`);
    return [result.checked, result.broken];
  };
}

const makeBalanceFact = (concept: string, value: string) => makeFact({ concept, value, start: null });

test('the lines of a statement are compared with its totals', () => {
  const facts = [
    makeBalanceFact('Assets', '1000'),
    makeBalanceFact('Liabilities', '700'),
    makeBalanceFact('StockholdersEquity', '290'),
  ];
  // Total equity may exceed stockholders' equity, so a difference of 10 is not an error.
  expect(makeIdentityResultReader(facts)('assets = liabilities + equity')).toEqual([1, 0]);
  expect(
    makeIdentityResultReader([...facts, makeBalanceFact('LiabilitiesCurrent', '720')])(
      'current liabilities <= liabilities',
    ),
  ).toEqual([1, 1]);
  const balanceFacts = [
    makeBalanceFact('Assets', '1000'),
    makeBalanceFact('Liabilities', '700'),
    makeBalanceFact('StockholdersEquity', '320'),
  ];
  expect(makeIdentityResultReader(balanceFacts)('assets = liabilities + equity')).toEqual([1, 1]);
  const profitFacts = [makeFact({ value: '1000' }), makeFact({ concept: 'GrossProfit', value: '1001' })];
  expect(makeIdentityResultReader(profitFacts)('gross profit <= revenue')[1]).toBe(0);
});

test('quarters are compared with their year, and duplicate periods are found', () => {
  const makeQuarterFact = (start: string, end: string, value: string) =>
    makeFact({ concept: 'NetIncomeLoss', start, end, value });
  const quarterFacts = [
    makeQuarterFact('2024-01-01', '2024-03-31', '100'),
    makeQuarterFact('2024-04-01', '2024-06-30', '100'),
    makeQuarterFact('2024-07-01', '2024-09-30', '100'),
    makeQuarterFact('2024-10-01', '2024-12-31', '100'),
  ];
  const makeYearFact = (value: string) => makeFact({ concept: 'NetIncomeLoss', value });
  expect(makeIdentityResultReader([...quarterFacts, makeYearFact('410')])('four quarters = fiscal year')).toEqual([
    1, 0,
  ]);
  expect(makeIdentityResultReader([...quarterFacts, makeYearFact('500')])('four quarters = fiscal year')).toEqual([
    1, 1,
  ]);
  const factsWithSecondYear = [
    ...quarterFacts,
    makeFact({ concept: 'NetIncomeLoss', start: '2024-01-23', value: '390' }),
    makeYearFact('400'),
  ];
  expect(makeIdentityResultReader(factsWithSecondYear)('one value for each period')[1]).toBe(1);
});

test('a row of the screener is compared with its formulas', () => {
  const row = { revenue: '1000', gross_profit: '400', gross_margin: '0.4', revenue_prior: '800', revenue_yoy: '0.25' };
  expect(makeIdentityResultReader([], row)('ratio = its formula')).toEqual([2, 0]);
  expect(
    makeIdentityResultReader([], { ...row, gross_margin: '0.5', revenue_yoy: '-0.25' })('ratio = its formula'),
  ).toEqual([2, 2]);
  expect(makeIdentityResultReader([], { ...row, gross_margin: '1.2' })('margin <= 1')).toEqual([1, 1]);
});

test('a ratio is checked within the filing of both its inputs, even if a later filing recast only revenue', () => {
  const makeOriginalFact = (concept: string, value: string) => makeFact({ concept, value });
  const recastRevenue = makeFact({ value: '600', accession: '0000000001-26-000001', filed: '2026-02-20' });
  const facts = [makeOriginalFact('Revenues', '1000'), makeOriginalFact('NetIncomeLoss', '200'), recastRevenue];
  const row = { revenue: '600', net_income: '200' };
  expect(makeIdentityResultReader(facts, { ...row, net_margin: '0.2' })('ratio = its formula')).toEqual([1, 0]);
  expect(makeIdentityResultReader(facts, { ...row, net_margin: '0.25' })('ratio = its formula')).toEqual([1, 1]);
});

test('a ratio is not compared with a dollar amount of one digit that translates an amount in another currency', () => {
  // TSMC's year 2021: share-based compensation was 7.8 million of revenue of 1,587,415 million New Taiwan dollars,
  // printed as 0.3 of 57,224.8 million US dollars.
  const facts = [makeFact({ unit: 'TWD', value: '1587415000000' })];
  const row = { share_based_compensation: '300000', revenue: '57224800000', sbc_intensity: '0.0000049136' };
  expect(makeIdentityResultReader(facts, row)('ratio = its formula')).toEqual([0, 0]);
  expect(makeIdentityResultReader([], row)('ratio = its formula')).toEqual([1, 1]);
  expect(
    makeIdentityResultReader(facts, { ...row, share_based_compensation: '312000' })('ratio = its formula'),
  ).toEqual([1, 1]);
});

test('merged check results add up the counts of companies and keep the three worst cases of all companies', () => {
  const { figures } = deriveCompanyFigures(readFiledFacts('aapl'), [], DERIVE_OPTIONS);
  const companyResults = checkCompanyIdentities({ figures, screen: null, filings: new Set() });
  const mergedResults = mergeResults([companyResults, companyResults]);
  const filingResult = mergedResults.find(({ name }) => name === 'the release has the filing of each figure');
  expect(filingResult?.checked).toBeGreaterThan(0);
  expect(filingResult?.broken).toBe(filingResult?.checked);
  expect(filingResult?.worst).toHaveLength(3);
  expect(mergedResults.filter((result) => !isWithinTolerance(result)).map(({ name }) => name)).toEqual([
    'the release has the filing of each figure',
  ]);
});
