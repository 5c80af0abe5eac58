import { expect, test } from 'vitest';
import { NO_FINDINGS } from '../../../src/building/companies/company-checks.ts';
import { type CheckInput, checkRelease } from '../../../src/building/tables/release-checks.ts';

const COMPANY = { company: { coverageState: 'covered', rawFactCount: 5 }, conceptFacts: 5 };
const SOUND = {
  results: [COMPANY],
  findings: NO_FINDINGS,
  tables: { companies: [{ cik: 1 }], securities: [{ tickerNormalized: 'A' }], screen: [{}] },
  counts: [
    { table: 'companies', writtenRows: 10, rowsReadBack: 10 },
    { table: 'screen', writtenRows: 8, rowsReadBack: 8 },
  ],
  date: '2026-08-18',
  today: '2026-08-19',
  omittedTables: [],
  previousRelease: null,
  allowsLoss: false,
} as unknown as CheckInput;

const failedOf = (overrides: object) =>
  checkRelease({ ...SOUND, ...overrides } as CheckInput)
    .filter(({ passed }) => !passed)
    .map(({ name, detail }) => `${name}: ${detail}`);
const findings = (overrides: object) => ({ findings: { ...NO_FINDINGS, ...overrides } });
const FAILED = { testedCount: 9, failedCount: 1, example: 'revenue of CIK 1' };

test('a release with consistent figures passes every check', () => {
  expect(failedOf({})).toEqual([]);
  expect(checkRelease(SOUND).map(({ name }) => name)).toEqual([
    ...['coverage', 'balance', 'identities', 'standing', 'future', 'keys', 'counts', 'loss'],
  ]);
});

test.each([
  ['no company has core metrics', { results: [], counts: [] }, /^coverage: 0 of 0 companies/],
  [
    'the last value is not the last filed',
    findings({ revisionChains: FAILED }),
    /^standing: in 1 of 9 .*such as revenue of CIK 1$/,
  ],
  ['a value was filed later', findings({ futureDates: FAILED }), /^future: 1 of 9 .* after 2026-08-18/],
  ['the date is not yet', { date: '2026-08-20' }, /^future: the release's date 2026-08-20 is after today, 2026-08-19$/],
  ['one filing states a figure twice', findings({ keys: FAILED }), /^keys: 1 of 9/],
  [
    'a ticker is there twice',
    { tables: { ...SOUND.tables, securities: [{ tickerNormalized: 'A' }, { tickerNormalized: 'A' }] } },
    /^keys: .*; 1 companies or tickers occur twice$/,
  ],
  [
    'rows are lost in the file',
    { counts: [{ table: 'prices', writtenRows: 10, rowsReadBack: 9 }] },
    /^counts: the table prices should have 10 rows and has 9$/,
  ],
  [
    'facts are lost between concepts',
    { results: [{ ...COMPANY, conceptFacts: 4 }] },
    /^counts: 5 facts were counted by company and 4 by concept \(both numbers must be equal\);/,
  ],
])('a release fails where %s', (_, overrides, fault) => {
  expect(failedOf(overrides)).toEqual([expect.stringMatching(fault)]);
});

test('three of a hundred failed balance sheets fail the checks, and so do many failures of other identities', () => {
  const [balance, ...others] = NO_FINDINGS.identities;
  const findingsWithFailures = (count: number) =>
    findings({ identities: [{ ...balance, checked: 100, broken: count }, ...others] });
  expect(failedOf(findingsWithFailures(2))).toEqual([]);
  expect(failedOf(findingsWithFailures(3))).toEqual([expect.stringMatching(/^balance: in 3 of 100/)]);
  const all = others.map((identity) => ({ ...identity, checked: 100, broken: 100 }));
  expect(failedOf(findings({ identities: [balance, ...all] }))).toEqual([expect.stringMatching(/^identities: /)]);
});

test('a large loss of rows since the previous release fails the checks, unless losses are allowed', () => {
  const previousRelease = { stamp: '2026-08-17-0123456789ab', rows: { companies: 12, screen: 9, prices: 5 } };
  expect(failedOf({ previousRelease })).toEqual([]);
  expect(failedOf({ previousRelease: { ...previousRelease, rows: { companies: 13 } } })).toEqual([
    expect.stringMatching(
      /^loss: compared with the previous release, 2026-08-17-0123456789ab, rows are missing: only 10 of 13 companies\. .*--allow-loss$/,
    ),
  ]);
  expect(failedOf({ previousRelease, omittedTables: ['prices'] })).toEqual([
    expect.stringContaining('no rows in prices'),
  ]);
  expect(failedOf({ previousRelease, omittedTables: ['prices'], allowsLoss: true })).toEqual([]);
  // A table that the previous release lacked too is not a lost table.
  expect(failedOf({ previousRelease, omittedTables: ['segments'] })).toEqual([]);
});
