import { expect, test } from 'vitest';
import { makeRefreshRequest } from '../../../src/edgar/fetch/fetch-files.ts';
import type { FileRecord } from '../../../src/edgar/fetch/file-records.ts';
import { FILE_FAMILIES, findCiks, listSubmissionsPages } from '../../../src/edgar/fetch/remote-files.ts';
import { mayContainIndexes } from '../../../src/edgar/filings/listing-files.ts';
import { isThirteenFFile } from '../../../src/edgar/holdings/thirteen-f-files.ts';
import { isOwnershipFile } from '../../../src/edgar/insiders/ownership-files.ts';
import { parseContact, SEC_SITE } from '../../../src/http/sec/site.ts';

const listFileNames = (familyName: string, day: string, count: number): string[] => {
  const family = FILE_FAMILIES.find((candidate) => candidate.name === familyName);
  return Array.from({ length: count }, (_, index) => index + (family?.firstPeriodBack ?? 0)).flatMap((periodsBack) => {
    const file = family?.makeFile(SEC_SITE, new Date(`${day}T12:00:00Z`), periodsBack);
    return file === null || file === undefined ? [] : [file.url.slice(file.url.lastIndexOf('/') + 1)];
  });
};

test.each<[string, string, string[]]>([
  ['insiders', '2026-02-10', ['2025q4_form345.zip', '2025q3_form345.zip', '2025q2_form345.zip']],
  ['insiders', '2006-05-01', ['2006q1_form345.zip']],
  ['fails', '2023-01-20', ['cnsfails202301a.zip', 'cnsfails202212b.zip', 'cnsfails202212a.zip']],
  ['fails', '2023-03-03', ['cnsfails202302b.zip', 'cnsfails202302a.zip', 'cnsfails202301b.zip']],
  ['funds', '2020-05-01', ['2020q1_nport.zip', '2019q4_nport.zip']],
  ['indexes', '2026-01-01', ['master.idx', 'master.idx', 'master.idx']],
  // Form 13F data sets since 2024 cover three months, except the first, which covers January and February 2024.
  [
    'holders',
    '2025-03-02',
    ['01dec2024-28feb2025_form13f.zip', '01sep2024-30nov2024_form13f.zip', '01jun2024-31aug2024_form13f.zip'],
  ],
  [
    'holders',
    '2024-07-01',
    ['01mar2024-31may2024_form13f.zip', '01jan2024-29feb2024_form13f.zip', '2023q4_form13f.zip'],
  ],
])('the latest files of %s on %s are %j', (familyName, day, expected) => {
  expect(listFileNames(familyName, day, 3)).toEqual(expected);
});

test('a family of files ends at its first period, has no file twice, and stays in its folder', () => {
  for (const family of FILE_FAMILIES) {
    const periodFiles = Array.from({ length: 800 }, (_, periodsBack) =>
      family.makeFile(SEC_SITE, new Date('2026-11-21'), periodsBack),
    );
    const filePaths = periodFiles.flatMap((file) => file?.file ?? []);
    expect(periodFiles.at(-1)).toBeNull();
    expect(new Set(filePaths).size).toBe(filePaths.length);
    for (const file of filePaths) expect(file.startsWith(`${family.folder}/`)).toBe(true);
  }
});

test('files of a family are stored under names that the readers recognize', () => {
  const makeListedFile = (name: string) => {
    const file =
      FILE_FAMILIES.find((family) => family.name === name)?.makeFile(SEC_SITE, new Date('2026-11-21'), 1)?.file ?? '';
    return { name: file, path: file, bytes: 1 };
  };
  expect(isOwnershipFile(makeListedFile('insiders').name)).toBe(true);
  expect(isThirteenFFile(makeListedFile('holders'))).toBe(true);
  expect(mayContainIndexes(makeListedFile('indexes').name)).toBe(true);
});

test('companies are found by ticker in any spelling or by CIK, each once', () => {
  const tickerRows = [
    { ticker: 'BRK-B', cik: 1067983, exchange: 'NYSE', title: null },
    { ticker: 'BRK-A', cik: 1067983, exchange: 'NYSE', title: null },
    { ticker: 'AAPL', cik: 320193, exchange: 'Nasdaq', title: null },
  ];
  expect(findCiks(['brk.b', 'BRK-A', '0000320193', 'CIK0000320193', 'NOPE', '../x'], tickerRows)).toEqual({
    ciks: [1067983, 320193],
    unknownInputs: ['NOPE', '../x'],
  });
});

test('only continuation files of the filer are requested, and no name leads out of the folder', () => {
  const pageNames = [
    'CIK0000019617-submissions-001.json',
    '../../x.json',
    'CIK0000000001-submissions-001.json',
    7,
    null,
  ];
  const submissions = { filings: { files: pageNames.map((name) => ({ name })) } };
  expect(listSubmissionsPages(SEC_SITE, 19617, submissions).map(({ url, file }) => [url, file])).toEqual([
    [
      'https://data.sec.gov/submissions/CIK0000019617-submissions-001.json',
      'submissions/CIK0000019617-submissions-001.json',
    ],
  ]);
  for (const invalidSubmissions of [null, [], {}, { filings: null }, { filings: { files: {} } }])
    expect(listSubmissionsPages(SEC_SITE, 1, invalidSubmissions)).toEqual([]);
});

test('a refresh requests the files that were fetched before', () => {
  const files = [
    'companyfacts/CIK0000320193.json',
    'submissions/CIK0000320193.json',
    'submissions/CIK0000320193-submissions-001.json',
    'fails/cnsfails202301a.zip',
    'reports/0000320193-25-000057-xbrl.zip',
    'files/company_tickers.json',
  ];
  const request = makeRefreshRequest(
    files.map((file) => ({ file }) as FileRecord),
    FILE_FAMILIES,
  );
  expect(request).toMatchObject({
    companies: ['0000320193'],
    includesBulkFiles: false,
    reportDays: 7,
    families: [{ family: { name: 'fails' }, count: 1 }],
  });
});

test.each(['Jane Doe jane@doe.org', 'Doe & Co <filings@doe.co.uk>', 'jane.doe+sec@doe.org'])(
  '%j is accepted as a contact',
  (text) => {
    expect(parseContact(` ${text} `)).toBe(text);
  },
);

test.each([
  '',
  'Jane Doe',
  'jane@localhost',
  'a@doe.org b@doe.org',
  'noreply@doe.org',
  'Jane jane@example.com',
  'Jané jane@doe.org',
  'Jane\r\nX: y jane@doe.org',
  `${'x'.repeat(200)} jane@doe.org`,
])('%j is not accepted as a contact', (text) => {
  expect(() => parseContact(text)).toThrow(
    expect.objectContaining({ kind: 'usage', hint: expect.stringContaining('A contact is your name or company') }),
  );
});
