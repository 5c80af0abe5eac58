import { expect, test } from 'vitest';
import type { OwnershipFiling, Trade } from '../../../src/edgar/insiders/ownership-document.ts';
import { judgeFilings, sumTrades } from '../../../src/ownership/insiders/judge.ts';
import { findRepeatedTrades } from '../../../src/ownership/insiders/repeated-trades.ts';
import { makeFiling, makeOwner, makeTrade } from './filing.ts';

const FUND = makeOwner(11, 'HARBOR FUND II LP');
const PARTNER = makeOwner(12, 'HARBOR PARTNER LLC');
const PARENT = makeOwner(13, 'QUAY HOLDINGS INC');
const PERSON = makeOwner(14, 'MOSS ROBERT J');

interface ReportFields extends Partial<Pick<OwnershipFiling, 'owners'>> {
  readonly trades: readonly Partial<Trade>[];
  readonly footnote?: string;
}

const makeReports = (...reports: readonly ReportFields[]): OwnershipFiling[] =>
  reports.map(({ owners = [FUND], trades, footnote }, index) =>
    makeFiling(`0000000001-24-00000${index + 1}`, {
      owners,
      trades: trades.map((fields, position) => makeTrade({ ordinal: position + 1, ...fields })),
      footnotes: footnote === undefined ? [] : [{ id: 'F1', text: footnote }],
    }),
  );

const listEvidence = (...reports: readonly ReportFields[]) =>
  [...findRepeatedTrades(makeReports(...reports)).values()].map(({ evidence }) => evidence);

const computeSaleValue = (...reports: readonly ReportFields[]) =>
  sumTrades(judgeFilings(makeReports(...reports)).filings.flatMap(({ trades }) => trades)).saleValue;

const INDIRECT = { directIndirect: 'I', natureOfOwnership: 'See footnote' };
const BY_FUND = { directIndirect: 'I', natureOfOwnership: 'By Harbor Fund II, L.P.' };

test('a block that a fund reports as direct and its partner as indirect counts once, and both rows are listed', () => {
  const { filings } = judgeFilings(
    makeReports({ trades: [{}] }, { owners: [PARTNER], trades: [{ ...BY_FUND, ownedFollowing: '4000' }] }),
  );
  expect(filings.map(({ trades }) => trades.map(({ repeated }) => repeated))).toEqual([[false], [true]]);
});

test('a third report that names nobody is of the block if it is indirect and states the same shares owned afterwards', () => {
  const reports = [
    { trades: [{}] },
    { owners: [PARENT], trades: [INDIRECT] },
    { owners: [PARTNER], trades: [BY_FUND] },
  ];
  expect(computeSaleValue(...reports)).toBe('1000');
  expect(computeSaleValue(...reports.toReversed())).toBe('1000');
  expect(listEvidence(...reports).sort()).toEqual(['nature', 'shares_owned']);
});

test.each<[string, ReportFields, ReportFields, string]>([
  [
    'a footnote of the indirect report names the direct owner',
    { trades: [{}] },
    {
      owners: [PARTNER],
      trades: [{ ...INDIRECT, ownedFollowing: '1' }],
      footnote: 'The shares are held by Harbor Fund II, L.P.',
    },
    'footnote',
  ],
  [
    'a footnote of the direct report names the indirect owner',
    { trades: [{}], footnote: 'Robert Moss is the managing member of the general partner.' },
    { owners: [PERSON], trades: [INDIRECT] },
    'footnote',
  ],
  [
    'both filings have a common owner',
    { owners: [FUND, PARTNER], trades: [{}] },
    { owners: [PARTNER, PERSON], trades: [{ ...INDIRECT, ownedFollowing: '1' }] },
    'common_owner',
  ],
  [
    'both name a fund that files no report',
    { owners: [PARTNER], trades: [{ ...BY_FUND, ownedFollowing: '7' }] },
    { owners: [PERSON], trades: [BY_FUND] },
    'nature',
  ],
])('two reports are of one block if %s', (_, direct, indirect, evidence) => {
  expect(listEvidence(direct, indirect)).toEqual([evidence]);
  expect(listEvidence(indirect, direct)).toEqual([evidence]);
});

test('two reports are of one block if another filing of the issuer reports both owners jointly', () => {
  const reports = [{ trades: [{}] }, { owners: [PARENT], trades: [{ ...INDIRECT, ownedFollowing: '1' }] }];
  expect(listEvidence(...reports)).toEqual([]);
  const joint = { owners: [FUND, PARENT], trades: [{ day: '2026-01-05', shares: '7' }] };
  expect(listEvidence(...reports, joint)).toEqual(['joint_owners']);
});

test.each<[string, ReportFields, ReportFields]>([
  [
    'both are direct, and a footnote names the other owner',
    { trades: [{}] },
    { owners: [PARTNER], trades: [{}], footnote: 'Affiliate of Harbor Fund II LP.' },
  ],
  ['both are direct, and one is joint', { trades: [{}] }, { owners: [PARTNER, PERSON], trades: [{}] }],
  ['one is indirect without evidence', { trades: [{}] }, { owners: [PERSON], trades: [INDIRECT] }],
  [
    'the nature names another fund',
    { trades: [{}] },
    { owners: [PARTNER], trades: [{ ...BY_FUND, natureOfOwnership: 'By Harbor Fund III, L.P.' }] },
  ],
  [
    'both are indirect and bought a first position',
    { trades: [{ ...INDIRECT, ownedFollowing: '100' }] },
    { owners: [PERSON], trades: [{ ...INDIRECT, ownedFollowing: '100' }] },
  ],
  [
    'their classes differ',
    { trades: [{ securityTitle: 'Class A Common Stock' }] },
    { owners: [PARTNER], trades: [{ ...BY_FUND, securityTitle: 'Class B Common Stock' }] },
  ],
  ['the same owner continues in another filing', { trades: [{}] }, { trades: [{ ownedFollowing: '800' }] }],
  ['their prices differ', { trades: [{}] }, { owners: [PARTNER], trades: [{ ...BY_FUND, price: '10.01' }] }],
])('two reports count separately if %s', (_, first, second) => {
  expect(listEvidence(first, second)).toEqual([]);
  expect(listEvidence(second, first)).toEqual([]);
});

test('lots are matched one to one, whatever the shares owned afterwards', () => {
  const lots = [{ ownedFollowing: '900' }, { ownedFollowing: '800' }, { shares: '50', ownedFollowing: '750' }];
  const indirectLots = lots.map((lot, index) => ({ ...lot, ...BY_FUND, ownedFollowing: String(9000 - index) }));
  expect(computeSaleValue({ trades: lots }, { owners: [PARTNER], trades: indirectLots })).toBe('2500');
  const moreLots = [...indirectLots, { ...BY_FUND, ownedFollowing: '1' }];
  expect(computeSaleValue({ trades: lots }, { owners: [PARTNER], trades: moreLots })).toBe('3500');
});

test('an indirect report of two equal blocks never joins the direct owners of the blocks', () => {
  const other = { owners: [PARENT], trades: [{}] };
  const byParent = { directIndirect: 'I', natureOfOwnership: 'By Quay Holdings Inc.' };
  const footnote = 'Shares of Harbor Fund II LP and Quay Holdings Inc.';
  for (const trades of [[BY_FUND], [BY_FUND, byParent], [INDIRECT]]) {
    const indirect = { owners: [PERSON], trades, footnote };
    for (const reports of [
      [{ trades: [{}] }, other, indirect],
      [indirect, other, { trades: [{}] }],
      [other, indirect, { trades: [{}] }],
    ])
      expect(computeSaleValue(...reports), JSON.stringify(trades)).toBe('2000');
  }
});
