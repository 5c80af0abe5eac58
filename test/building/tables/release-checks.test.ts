import { expect, test } from 'vitest';
import { NO_FINDINGS } from '../../../src/building/companies/company-checks.ts';
import { type CheckInput, checkRelease } from '../../../src/building/tables/release-checks.ts';

const COMPANY_INPUT = { company: { coverageState: 'covered', rawFactCount: 5 }, conceptFacts: 5 };
const VALID_INPUT = {
  results: [COMPANY_INPUT],
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

const listFailedChecks = (overrides: object) =>
  checkRelease({ ...VALID_INPUT, ...overrides } as CheckInput)
    .filter(({ passed }) => !passed)
    .map(({ name, detail }) => `${name}: ${detail}`);
const makeFindings = (overrides: object) => ({ findings: { ...NO_FINDINGS, ...overrides } });
const ONE_FAILURE = { testedCount: 9, failedCount: 1, example: 'revenue of CIK 1' };

test('a release with consistent figures passes every check', () => {
  expect(listFailedChecks({})).toEqual([]);
  expect(checkRelease(VALID_INPUT).map(({ name }) => name)).toEqual([
    ...['coverage', 'balance', 'identities', 'standing', 'future', 'keys', 'counts', 'loss'],
  ]);
});

test.each([
  ['there are no companies', { results: [], counts: [] }, /^coverage: 0 of 0 companies/],
  [
    'the last value of a chain was not filed last',
    makeFindings({ revisionChains: ONE_FAILURE }),
    /^standing: in 1 of 9 .*such as revenue of CIK 1$/,
  ],
  [
    'a value was filed after the date of the release',
    makeFindings({ futureDates: ONE_FAILURE }),
    /^future: 1 of 9 .* after 2026-08-18/,
  ],
  [
    'the date of the release is after today',
    { date: '2026-08-20' },
    /^future: the release's date 2026-08-20 is after today, 2026-08-19$/,
  ],
  ['a filing has two values of one figure', makeFindings({ keys: ONE_FAILURE }), /^keys: 1 of 9/],
  [
    'two securities have the same ticker',
    { tables: { ...VALID_INPUT.tables, securities: [{ tickerNormalized: 'A' }, { tickerNormalized: 'A' }] } },
    /^keys: .*; 1 company or ticker occurs twice$/,
  ],
  [
    'a file has fewer rows than were written',
    { counts: [{ table: 'prices', writtenRows: 10, rowsReadBack: 9 }] },
    /^counts: the table prices should have 10 rows and has 9$/,
  ],
  [
    'the concepts have fewer facts than the companies',
    { results: [{ ...COMPANY_INPUT, conceptFacts: 4 }] },
    /^counts: 5 facts were counted by company and 4 by concept \(both numbers must be equal\);/,
  ],
])('the checks of a release fail if %s', (_, overrides, expectedFailure) => {
  expect(listFailedChecks(overrides)).toEqual([expect.stringMatching(expectedFailure)]);
});

test('the checks fail if three of a hundred balance sheets do not add up, or if all other identities fail', () => {
  const [balance, ...otherIdentities] = NO_FINDINGS.identities;
  const makeBalanceFindings = (count: number) =>
    makeFindings({ identities: [{ ...balance, checked: 100, broken: count }, ...otherIdentities] });
  expect(listFailedChecks(makeBalanceFindings(2))).toEqual([]);
  expect(listFailedChecks(makeBalanceFindings(3))).toEqual([expect.stringMatching(/^balance: in 3 of 100/)]);
  const brokenIdentities = otherIdentities.map((identity) => ({ ...identity, checked: 100, broken: 100 }));
  expect(listFailedChecks(makeFindings({ identities: [balance, ...brokenIdentities] }))).toEqual([
    expect.stringMatching(/^identities: /),
  ]);
});

test('a large loss of rows since the previous release fails the checks, unless losses are allowed', () => {
  const previousRelease = { stamp: '2026-08-17-0123456789ab', rows: { companies: 12, screen: 9, prices: 5 } };
  expect(listFailedChecks({ previousRelease })).toEqual([]);
  expect(listFailedChecks({ previousRelease: { ...previousRelease, rows: { companies: 13 } } })).toEqual([
    expect.stringMatching(
      /^loss: compared with the previous release, 2026-08-17-0123456789ab, rows are missing: only 10 of 13 companies\. .*--allow-loss$/,
    ),
  ]);
  expect(listFailedChecks({ previousRelease, omittedTables: ['prices'] })).toEqual([
    expect.stringContaining('no rows in prices'),
  ]);
  expect(listFailedChecks({ previousRelease, omittedTables: ['prices'], allowsLoss: true })).toEqual([]);
  // A table that was also missing in the previous release is not a lost table.
  expect(listFailedChecks({ previousRelease, omittedTables: ['segments'] })).toEqual([]);
});
