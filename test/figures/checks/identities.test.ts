import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { checkCompanyIdentities, hasOnlyMarkedFailures, mergeResults } from '../../../src/figures/checks/identities.ts';
import { createStatedFactCheck } from '../../../src/figures/checks/stated-facts.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import type { Figure } from '../../../src/figures/derived/figure.ts';
import { evaluateRelations } from '../../../src/figures/relations/relations.ts';
import type { ReportedValue } from '../../../src/figures/revisions/revision-chain.ts';
import { makeFact, readFiledFacts } from '../filed-facts.ts';

const DERIVE_OPTIONS = { releaseDate: '2026-08-20' };

/** Returns a function that returns how many comparisons of an identity were made, were broken, and are marked. */
function makeIdentityResultReader(facts: readonly Fact[], screen: Readonly<Record<string, string>> | null = null) {
  const { figures, reportedValues } = deriveCompanyFigures(facts, [], DERIVE_OPTIONS);
  return readResults(figures, reportedValues, facts, screen);
}

function readResults(
  figures: readonly Figure[],
  values: readonly ReportedValue[],
  facts: readonly Fact[],
  screen: Readonly<Record<string, string>> | null = null,
) {
  const filings = new Set(facts.map(({ accession }) => accession));
  const results = checkCompanyIdentities({
    cik: 1,
    relations: evaluateRelations(values, figures),
    figures,
    screen,
    filings,
  });
  return (name: string) => {
    const result = results.find((result) => result.name === name);
    if (result === undefined) throw new Error(`no identity ${name}`);
    return [result.checked, result.broken, result.marked];
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
  expect(makeIdentityResultReader(facts)('assets = liabilities + equity')).toEqual([1, 0, 0]);
  const balanceFacts = [
    makeBalanceFact('Assets', '1000'),
    makeBalanceFact('Liabilities', '700'),
    makeBalanceFact('StockholdersEquity', '320'),
  ];
  expect(makeIdentityResultReader(balanceFacts)('assets = liabilities + equity')).toEqual([1, 1, 1]);
  const profitFacts = [makeFact({ value: '1000' }), makeFact({ concept: 'GrossProfit', value: '1020' })];
  expect(makeIdentityResultReader(profitFacts)('gross profit <= revenue')[1]).toBe(0);
});

test('quarters are compared with their year', () => {
  const makeQuarterFact = (start: string, end: string, value: string) =>
    makeFact({ concept: 'OperatingIncomeLoss', start, end, value });
  const quarterFacts = [
    makeQuarterFact('2024-01-01', '2024-03-31', '100'),
    makeQuarterFact('2024-04-01', '2024-06-30', '100'),
    makeQuarterFact('2024-07-01', '2024-09-30', '100'),
    makeQuarterFact('2024-10-01', '2024-12-31', '100'),
  ];
  const makeYearFact = (value: string) => makeFact({ concept: 'OperatingIncomeLoss', value });
  expect(makeIdentityResultReader([...quarterFacts, makeYearFact('410')])('four quarters = fiscal year')).toEqual([
    1, 0, 0,
  ]);
  expect(makeIdentityResultReader([...quarterFacts, makeYearFact('500')])('four quarters = fiscal year')).toEqual([
    1, 1, 1,
  ]);
});

test('a row of the screener is compared with its formulas', () => {
  const row = { revenue: '1000', gross_profit: '400', gross_margin: '0.4', revenue_prior: '800', revenue_yoy: '0.25' };
  expect(makeIdentityResultReader([], row)('ratio = its formula')).toEqual([2, 0, 0]);
  expect(
    makeIdentityResultReader([], { ...row, gross_margin: '0.5', revenue_yoy: '-0.25' })('ratio = its formula'),
  ).toEqual([2, 2, 0]);
  expect(makeIdentityResultReader([], { ...row, gross_margin: '1.2' })('margin <= 1')).toEqual([1, 1, 0]);
});

test('a ratio is checked within the filing of both its inputs, even if a later filing recast only revenue', () => {
  const makeOriginalFact = (concept: string, value: string) => makeFact({ concept, value });
  const recastRevenue = makeFact({ value: '600', accession: '0000000001-26-000001', filed: '2026-02-20' });
  const facts = [makeOriginalFact('Revenues', '1000'), makeOriginalFact('NetIncomeLoss', '200'), recastRevenue];
  const row = { revenue: '600', net_income: '200' };
  expect(makeIdentityResultReader(facts, { ...row, net_margin: '0.2' })('ratio = its formula')).toEqual([1, 0, 0]);
  expect(makeIdentityResultReader(facts, { ...row, net_margin: '0.25' })('ratio = its formula')).toEqual([1, 1, 0]);
});

test('a ratio is not compared with a dollar amount of one digit that translates an amount in another currency', () => {
  // TSMC's year 2021: share-based compensation was 7.8 million of revenue of 1,587,415 million New Taiwan dollars,
  // printed as 0.3 of 57,224.8 million US dollars.
  const facts = [makeFact({ unit: 'TWD', value: '1587415000000' })];
  const row = { share_based_compensation: '300000', revenue: '57224800000', sbc_intensity: '0.0000049136' };
  expect(makeIdentityResultReader(facts, row)('ratio = its formula')).toEqual([0, 0, 0]);
  expect(makeIdentityResultReader([], row)('ratio = its formula')).toEqual([1, 1, 0]);
  expect(
    makeIdentityResultReader(facts, { ...row, share_based_compensation: '312000' })('ratio = its formula'),
  ).toEqual([1, 1, 0]);
});

test('merged check results add up the counts of companies and keep the three worst cases of all companies', () => {
  const { figures, relations } = deriveCompanyFigures(readFiledFacts('aapl'), [], DERIVE_OPTIONS);
  const company = { cik: 320193, relations, figures, screen: null, filings: new Set<string>() };
  const companyResults = checkCompanyIdentities(company);
  const mergedResults = mergeResults([companyResults, companyResults]);
  const filingResult = mergedResults.find(({ name }) => name === 'the release has the filing of each figure');
  expect(filingResult?.checked).toBeGreaterThan(0);
  expect(filingResult?.broken).toBe(filingResult?.checked);
  expect(filingResult?.worst).toHaveLength(3);
  expect(mergedResults.filter((result) => !hasOnlyMarkedFailures(result)).map(({ name }) => name)).toEqual([
    'the release has the filing of each figure',
  ]);
});

const BALANCE = 'assets = liabilities + equity';

test('amounts of one filing that disagree are marked from its filing day, and so is every ratio of them', () => {
  const facts = [
    makeBalanceFact('Assets', '1000'),
    makeBalanceFact('Liabilities', '700'),
    makeBalanceFact('StockholdersEquity', '320'),
    makeFact({ concept: 'NetIncomeLoss', value: '100' }),
    makeFact({ value: '900' }),
  ];
  const { reportedValues, screen, latestFigures } = deriveCompanyFigures(facts, [], DERIVE_OPTIONS);
  const marks = reportedValues.map(({ metricKey, unconfirmed, unconfirmedOn }) => [
    metricKey,
    unconfirmed,
    unconfirmedOn,
  ]);
  const filed = facts[0]?.filed;
  expect(marks).toEqual([
    ['assets', BALANCE, filed],
    ['consolidated_net_income', null, null],
    ['liabilities', BALANCE, filed],
    ['net_income', null, null],
    ['revenue', null, null],
    ['stockholders_equity', BALANCE, filed],
  ]);
  expect(latestFigures.filter(({ unconfirmed }) => unconfirmed !== null).map(({ metricKey }) => metricKey)).toEqual([
    'assets',
    'liabilities',
    'stockholders_equity',
  ]);
  expect(screen?.unconfirmed?.split(' ')).toEqual([
    ...['assets', 'liabilities', 'stockholders_equity', 'roe', 'roa', 'liabilities_to_equity'],
  ]);
});

test('values of several filings that disagree are marked from the day on which all of them were filed', () => {
  const restatedAssets = {
    ...makeBalanceFact('Assets', '1500'),
    accession: '0000000001-26-000009',
    filed: '2026-03-01',
  };
  const facts = [
    makeBalanceFact('Assets', '1000'),
    makeBalanceFact('Liabilities', '700'),
    makeBalanceFact('StockholdersEquity', '300'),
    makeBalanceFact('StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest', '300'),
    restatedAssets,
  ];
  const { reportedValues } = deriveCompanyFigures(facts, [], DERIVE_OPTIONS);
  const marks = reportedValues.flatMap(({ metricKey, value, unconfirmedOn }) =>
    unconfirmedOn === null ? [] : [`${metricKey} ${value} ${unconfirmedOn}`],
  );
  expect(marks).toContain('assets 1500 2026-03-01');
  expect(marks).toContain('liabilities 700 2026-03-01');
  expect(marks.some((text) => text.startsWith('assets 1000'))).toBe(false);
});

test('a figure that does not follow from its inputs is a failure without a mark', () => {
  const cashFlowFacts = [
    makeFact({ concept: 'NetCashProvidedByUsedInOperatingActivities', value: '500' }),
    makeFact({ concept: 'PaymentsToAcquirePropertyPlantAndEquipment', value: '200' }),
  ];
  const facts = [...readFiledFacts('aapl'), ...cashFlowFacts];
  const { figures, reportedValues } = deriveCompanyFigures(facts, [], DERIVE_OPTIONS);
  const readName = (changed: readonly Figure[], name: string) => readResults(changed, reportedValues, facts)(name);
  const change = (isChanged: (figure: Figure) => boolean, fields: (figure: Figure) => Partial<Figure>) =>
    figures.map((figure): Figure => {
      const { metricKey, unit, start, end, periodKind, fiscalYear, fiscalPeriod, derived, value } = figure;
      const { confidence, terms, denominator } = figure;
      const copy = { metricKey, unit, start, end, periodKind, fiscalYear, fiscalPeriod, derived, value };
      return isChanged(figure) ? { ...copy, confidence, terms, denominator, ...fields(figure) } : figure;
    });
  const isReportedRevenue = ({ metricKey, derived }: Figure) => metricKey === 'revenue' && !derived;
  const [changedCount] = [figures.filter(isReportedRevenue).length];
  const scaled = change(isReportedRevenue, ({ value }) => ({ value: `${value}000` }));
  expect(readName(scaled, 'figure = sum of its inputs').slice(1)).toEqual([changedCount, 0]);
  const shifted = change(isReportedRevenue, () => ({ end: '2001-12-31' }));
  expect(readName(shifted, 'figure = sum of its inputs').slice(1)).toEqual([changedCount, 0]);
  const isDerivedFromMetrics = ({ metricKey, derived, terms }: Figure) =>
    derived && terms.some(({ source }) => source.reported.metricKey !== metricKey);
  const turned = change(isDerivedFromMetrics, ({ value }) => ({
    value: value.startsWith('-') ? value.slice(1) : `-${value}`,
  }));
  expect(readName(turned, 'derived figure = its formula')[1]).toBeGreaterThan(0);
  const isDerivedQuarter = ({ derived, periodKind, metricKey }: Figure) =>
    derived && periodKind === 'quarter' && metricKey === 'revenue';
  const late = change(isDerivedQuarter, ({ terms }) => ({ terms: terms.slice(0, 1) }));
  expect(readName(late, 'derived quarter has the days of its inputs')[1]).toBe(figures.filter(isDerivedQuarter).length);
});

test('a value is compared with the fact of its filing, digit for digit and day for day', () => {
  const facts = readFiledFacts('aapl');
  const { reportedValues } = deriveCompanyFigures(facts, [], DERIVE_OPTIONS);
  const isStated = createStatedFactCheck(facts);
  expect(reportedValues.filter((value) => !isStated(value))).toEqual([]);
  const [value] = reportedValues;
  if (value === undefined) throw new Error('no values');
  const { rawValue, end } = value;
  const wrongValues: readonly ReportedValue[] = [
    { ...value, value: `${rawValue}000`, rawValue: `${rawValue}000` },
    { ...value, value: `-${rawValue}` },
    { ...value, end: `${Number(end.slice(0, 4)) + 1}${end.slice(4)}` },
    { ...value, end: `${Number(end.slice(0, 4)) + 1}${end.slice(4)}`, filedEnd: end },
    { ...value, accession: '0000000001-26-000001' },
  ];
  expect(wrongValues.filter(isStated)).toEqual([]);
});
