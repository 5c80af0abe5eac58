import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import type { FiledReport, TaggedFact } from '../../../src/edgar/reports/xbrl-report.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import { findCoverShares, toCoverFacts } from '../../../src/figures/shares/cover-shares.ts';
import { makeRawFactId } from '../../../src/service/handlers/coverage/identity.ts';
import { makeFact, makeReport } from '../segments/filed-report.ts';

const makeClassShareCountFact = (
  end: string,
  value: string,
  member?: string,
  axis = 'us-gaap:StatementClassOfStockAxis',
): TaggedFact => ({
  ...makeFact('dei:EntityCommonStockSharesOutstanding', [null, end], '0'),
  value,
  unit: 'shares',
  dimensions: member === undefined ? [] : [{ axis, member }],
});
const findShares = (...facts: TaggedFact[]) =>
  findCoverShares(makeReport(['0001652044-25-000014', '10-K', '2025-02-05'], facts));

test("Alphabet's count is the sum of its three classes", () => {
  expect(
    findShares(
      makeClassShareCountFact('2025-01-28', '5833000000', 'us-gaap:CommonClassAMember'),
      makeClassShareCountFact('2025-01-28', '860000000', 'us-gaap:CommonClassBMember'),
      makeClassShareCountFact('2025-01-28', '5497000000', 'goog:CapitalClassCMember'),
    ),
  ).toMatchObject({
    asOf: '2025-01-28',
    total: '12190000000',
    accession: '0001652044-25-000014',
    classes: { length: 3 },
  });
});

test('a count of all classes takes precedence over their sum, and the latest day over earlier ones', () => {
  expect(
    findShares(
      makeClassShareCountFact('2025-01-28', '100', 'x:AMember'),
      makeClassShareCountFact('2025-01-28', '150'),
      makeClassShareCountFact('2025-01-20', '140'),
    ),
  ).toMatchObject({
    total: '150',
    classes: [{ member: null, shares: '150' }],
  });
  expect(
    findShares(
      makeClassShareCountFact('2025-01-28', '100', 'x:AMember'),
      makeClassShareCountFact('2024-01-28', '90', 'x:BMember'),
    ),
  ).toMatchObject({
    total: '100',
  });
});

test('totals, treasury shares and receipts are not counted as classes unless the cover has no other counts', () => {
  expect(
    findShares(
      makeClassShareCountFact('2025-01-28', '100', 'us-gaap:CommonClassAMember'),
      makeClassShareCountFact('2025-01-28', '120', 'us-gaap:CommonStockMember'),
      makeClassShareCountFact('2025-01-28', '7', 'us-gaap:TreasuryStockCommonMember'),
      makeClassShareCountFact('2025-01-28', '50', 'x:AmericanDepositarySharesMember'),
    ),
  ).toMatchObject({ total: '100' });
  expect(findShares(makeClassShareCountFact('2025-01-28', '120', 'us-gaap:CommonStockMember'))).toMatchObject({
    total: '120',
  });
  expect(findShares()).toBeNull();
});

test('counts by class on the axes of IFRS filers are read, with the names of taxonomies and of data sets', () => {
  const findOnAxis = (axis: string, ...members: readonly (readonly [member: string, count: string])[]) =>
    findShares(...members.map(([member, count]) => makeClassShareCountFact('2024-12-31', count, member, axis)));
  for (const axis of [
    'ifrs-full:ClassesOfShareCapitalAxis',
    'ifrs-full:ClassesOfOrdinarySharesAxis',
    'ClassesOfShareCapital',
    'ClassesOfOrdinaryShares',
    'x:ClassesOfSharesAxis',
  ])
    expect(findOnAxis(axis, ['ifrs-full:OrdinarySharesMember', '30'], ['x:ClassBSharesMember', '4'])).toMatchObject({
      total: '34',
      classes: { length: 2 },
    });
  // Preference shares are not common shares, and all ordinary shares are the sum of their classes.
  const shareCapital = 'ifrs-full:ClassesOfShareCapitalAxis';
  expect(
    findOnAxis(
      shareCapital,
      ['ifrs-full:OrdinarySharesMember', '34'],
      ['x:ClassASharesMember', '30'],
      ['x:ClassBSharesMember', '4'],
      ['ifrs-full:PreferenceSharesMember', '12'],
    ),
  ).toMatchObject({ total: '34', classes: [{ member: 'x:ClassASharesMember' }, { member: 'x:ClassBSharesMember' }] });
  const classOfOrdinary = (count: string, member: string): TaggedFact => ({
    ...makeClassShareCountFact('2024-12-31', count, member, 'ifrs-full:ClassesOfOrdinarySharesAxis'),
    dimensions: [
      { axis: 'ifrs-full:ClassesOfOrdinarySharesAxis', member },
      { axis: shareCapital, member: 'ifrs-full:OrdinarySharesMember' },
    ],
  });
  expect(findShares(classOfOrdinary('30', 'x:ClassAMember'), classOfOrdinary('4', 'x:ClassBMember'))?.total).toBe('34');
  expect(findOnAxis('ifrs-full:ComponentsOfEquityAxis', ['ifrs-full:IssuedCapitalMember', '30'])).toBeNull();
});

const META_REPORT: FiledReport = {
  ...makeReport(
    ['0001326801-25-000017', '10-K', '2025-01-30'],
    [
      makeClassShareCountFact('2025-01-24', '2189898148', 'us-gaap:CommonClassAMember'),
      makeClassShareCountFact('2025-01-24', '343761117', 'us-gaap:CommonClassBMember'),
    ],
  ),
  ...{ focusYear: 2024, focusPeriod: 'FY' },
};

test("Meta's cover gives one share count if company facts have none of that filing", () => {
  const facts = toCoverFacts([META_REPORT, META_REPORT], []);
  expect(facts).toEqual([
    {
      taxonomy: 'dei',
      concept: 'EntityCommonStockSharesOutstanding',
      unit: 'shares',
      start: null,
      end: '2025-01-24',
      value: '2533659265',
      accession: '0001326801-25-000017',
      form: '10-K',
      filed: '2025-01-30',
      frame: null,
      focusYear: 2024,
      focusPeriod: 'FY',
      source: 'inline',
      classCounts: 'us-gaap:CommonClassAMember=2189898148 us-gaap:CommonClassBMember=343761117',
    } satisfies Fact,
  ]);
  expect(toCoverFacts([META_REPORT], facts)).toEqual([]);
});

test('a sum over classes is a derived figure, whose inputs are the count of each class', () => {
  const { reportedValues } = deriveCompanyFigures(toCoverFacts([META_REPORT], []), [], { releaseDate: '2026-01-01' });
  const [shares] = listFigureValues(reportedValues).filter(
    ({ metricKey }) => metricKey === 'common_shares_outstanding',
  );
  expect(shares).toMatchObject({ value: '2533659265', valueKind: 'derived' });
  expect(shares?.inputs.map(({ role, reported }) => [role, reported.rawValue])).toEqual([
    ['addend', '2189898148'],
    ['addend', '343761117'],
  ]);
  const factIds = shares?.inputs.map(({ reported }) => makeRawFactId(1326801, reported));
  expect(new Set(factIds).size).toBe(2);
});

test('a count dated after its filing is ignored', () => {
  const misdatedReport = {
    ...META_REPORT,
    facts: [makeClassShareCountFact('2052-01-24', '5', 'us-gaap:CommonClassAMember')],
  };
  expect(toCoverFacts([misdatedReport], [])).toEqual([]);
});
