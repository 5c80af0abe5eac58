import { expect, test } from 'vitest';
import { NO_FINDINGS } from '../../../src/building/companies/company-checks.ts';
import { type CheckInput, checkRelease } from '../../../src/building/tables/release-checks.ts';

const COUNTS = {
  ...{ shown: 100, unconfirmed: 0, stated: 100, withheld: 0, repeated: 100, revised: 0 },
  ...{ labelled: 100, misplaced: 0, flows: 100, duplicates: 0 },
};
const COMPANY_INPUT = {
  company: { cik: 1, coverageState: 'covered', rawFactCount: 5 },
  conceptFacts: 5,
  evidence: COUNTS,
};
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
    ...['coverage', 'sources', 'figures', 'relations', 'evidence', 'standing', 'future', 'keys', 'counts', 'loss'],
  ]);
});

test.each([
  ['there are no companies', { results: [], counts: [] }, /^coverage: 0 of 0 companies/],
  [
    'the last value of a chain was not filed last',
    makeFindings({ revisionChains: ONE_FAILURE }),
    /^standing: for 1 of 9 figures, .*such as revenue of CIK 1$/,
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

test('a broken relation between stated amounts fails the checks only without a mark, any other at once', () => {
  const breakAll = (kind: string, marked: number) =>
    makeFindings({
      identities: NO_FINDINGS.identities.map((identity) =>
        identity.kind === kind ? { ...identity, checked: 100, broken: 3, marked } : identity,
      ),
    });
  expect(listFailedChecks(breakAll('stated', 3))).toEqual([]);
  expect(listFailedChecks(breakAll('stated', 2))).toEqual([
    expect.stringMatching(
      /^relations: \d+ of \d+ comparisons of stated amounts fail, of which \d+ are not marked, most often/,
    ),
  ]);
  expect(listFailedChecks(breakAll('own', 0))).toEqual([
    expect.stringMatching(/^figures: \d+ of \d+ figures do not follow from their inputs, most often/),
  ]);
});

const MANY_COUNTS = {
  ...{ shown: 100_000, unconfirmed: 500, stated: 100_000, withheld: 500, repeated: 100_000, revised: 5_000 },
  ...{ labelled: 100_000, misplaced: 500, flows: 100_000, duplicates: 0 },
};

test.each([
  ['unconfirmed', 1_300, 'shown figures are unconfirmed (at most 12)'],
  ['withheld', 3_100, 'figures that filings state are not shown (at most 30)'],
  ['revised', 13_100, 'values that are stated again differ from the earlier value (at most 130)'],
  ['misplaced', 2_100, 'quarters labelled Q1 to Q4 end far from their usual date (at most 20)'],
  ['duplicates', 60, 'amounts of a period occur twice, dated a few days apart (at most 0.5)'],
] as const)('a far too large share of figures fails the check: %s', (name, count, text) => {
  const makeResults = (counts: object) => ({
    results: [{ ...COMPANY_INPUT, evidence: { ...MANY_COUNTS, ...counts } }],
  });
  expect(listFailedChecks(makeResults({}))).toEqual([]);
  expect(listFailedChecks(makeResults({ [name]: count }))).toEqual([expect.stringContaining(text)]);
  // A few companies may have any share.
  const fewFigures = Object.fromEntries(Object.entries(MANY_COUNTS).map(([key, value]) => [key, value / 10]));
  expect(listFailedChecks(makeResults({ ...fewFigures, [name]: count / 10 }))).toEqual([]);
});

test('a share of figures that grew since the previous release fails the check, for companies in both releases', () => {
  const previous = { ...MANY_COUNTS, cik: 1 };
  const previousRelease = { stamp: '2026-08-17-0123456789ab', rows: {}, evidence: [previous] };
  const makeInput = (counts: object, cik = 1) => ({
    previousRelease,
    results: [
      { ...COMPANY_INPUT, company: { ...COMPANY_INPUT.company, cik }, evidence: { ...MANY_COUNTS, ...counts } },
    ],
  });
  expect(listFailedChecks(makeInput({ unconfirmed: 800 }))).toEqual([]);
  expect(listFailedChecks(makeInput({ unconfirmed: 900 }))).toEqual([
    'evidence: of 1 company in both releases, 9.0 of 1,000 shown figures are unconfirmed (at most 8.3, from 5.0)',
  ]);
  expect(listFailedChecks(makeInput({ unconfirmed: 900 }, 2))).toEqual([]);
});

test('a large loss of rows since the previous release fails the checks, unless losses are allowed', () => {
  const rows = { companies: 12, screen: 9, prices: 5 };
  const previousRelease = { stamp: '2026-08-17-0123456789ab', rows, evidence: null };
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
