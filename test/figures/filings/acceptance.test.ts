import { expect, test } from 'vitest';
import { openPublicFiles } from '../../../src/edgar/files/public-files.ts';
import { readSubmissions } from '../../../src/edgar/filings/submissions.ts';
import { classifyAnnouncement, readAcceptanceTimes } from '../../../src/figures/filings/acceptance.ts';
import { appendOffset, findNewYorkOffset, isDateTime, toNewYorkTime } from '../../../src/figures/periods/new-york.ts';
import { expectOfFiles, getPublicFilePath, testWithPublicFile } from '../../public-files.ts';

/** NVIDIA's list of filings is in UTC: the page of its first filing here (0001045810-26-000024) states 16:11:25. */
const NVIDIA_FILINGS = [
  { form: '8-K', filed: '2026-03-06', accepted: '2026-03-06T21:11:25.000Z' },
  { form: '8-K', filed: '2026-02-25', accepted: '2026-02-25T21:31:25.000Z' },
  { form: '8-K', filed: '2025-11-19', accepted: '2025-11-19T21:20:44.000Z' },
  { form: '8-K', filed: '2025-08-27', accepted: '2025-08-27T20:22:14.000Z' },
];

/** Exxon's list of filings is in New York time, although its times end in Z: Exxon filed at 6:31, not at 2:31. */
const EXXON_FILINGS = [
  { form: '8-K', filed: '2025-10-31', accepted: '2025-10-31T06:31:49.000Z' },
  { form: '8-K', filed: '2025-08-01', accepted: '2025-08-01T06:32:05.000Z' },
  { form: '8-K', filed: '2025-05-02', accepted: '2025-05-02T06:31:37.000Z' },
];

test('New York time is converted in summer and winter, by the rules of each year', () => {
  expect(findNewYorkOffset('2026-01-15')).toBe('-05:00');
  expect(findNewYorkOffset('2026-07-15')).toBe('-04:00');
  // Until 2006 daylight saving time began on the first Sunday of April, since 2007 on the second Sunday of March.
  expect(findNewYorkOffset('2006-03-20')).toBe('-05:00');
  expect(findNewYorkOffset('2007-03-20')).toBe('-04:00');
  expect(appendOffset('2026-03-06T16:11:25')).toBe('2026-03-06T16:11:25-05:00');
  expect(toNewYorkTime('2026-03-06T21:11:25')).toBe('2026-03-06T16:11:25');
  expect(toNewYorkTime('2025-08-02T01:30:00')).toBe('2025-08-01T21:30:00');
  expect(isDateTime('no time')).toBe(false);
});

test('the offset changes on the day of the clock change, independent of earlier calls', () => {
  const days = [
    '2026-03-07',
    '2026-03-08',
    '2026-10-31',
    '2026-11-01',
    '2006-04-01',
    '2006-04-02',
    '1975-02-22',
    '1975-02-23',
  ];
  const offsets = ['-05:00', '-04:00', '-04:00', '-05:00', '-05:00', '-04:00', '-05:00', '-04:00'];
  expect(days.map(findNewYorkOffset)).toEqual(offsets);
  expect([...days].reverse().map(findNewYorkOffset)).toEqual([...offsets].reverse());
});

test('an invalid time is read as null and causes no error', () => {
  expect(isDateTime('2026-02-30T16:00:00')).toBe(false);
  expect(toNewYorkTime('2024-02-29T16:00:00')).toBe('2024-02-29T11:00:00');
  const invalidFiling = { form: '8-K', filed: '2025-10-31', accepted: '2025-13-31T06:31:49.000Z' };
  expect(readAcceptanceTimes([...EXXON_FILINGS, invalidFiling])).toEqual([
    ...EXXON_FILINGS.map(({ accepted }) => accepted.slice(0, 19)),
    null,
  ]);
});

test('each list is read in the time zone that fits its filings', () => {
  expect(readAcceptanceTimes(NVIDIA_FILINGS)[0]).toBe('2026-03-06T16:11:25');
  expect(readAcceptanceTimes(EXXON_FILINGS)[0]).toBe('2025-10-31T06:31:49');
  expect(readAcceptanceTimes([])).toEqual([]);
});

test('each page of a list is read in its own time zone, or in that of the list if the page fits both', () => {
  const exxonPage = EXXON_FILINGS.map((filing) => ({ ...filing, page: 1 }));
  const neutralFiling = { form: '8-K', filed: '2012-07-24', accepted: '2012-07-24T16:31:04.000Z' };
  expect(readAcceptanceTimes([...NVIDIA_FILINGS, ...exxonPage, { ...neutralFiling, page: 1 }])).toEqual([
    ...readAcceptanceTimes(NVIDIA_FILINGS),
    ...readAcceptanceTimes(EXXON_FILINGS),
    '2012-07-24T16:31:04',
  ]);
  const neutralPage = [{ ...neutralFiling, page: 2 }];
  expect(readAcceptanceTimes([...NVIDIA_FILINGS, ...neutralPage]).at(-1)).toBe('2012-07-24T12:31:04');
  expect(readAcceptanceTimes([...EXXON_FILINGS, ...neutralPage]).at(-1)).toBe('2012-07-24T16:31:04');
});

test('a time zone is recognized because filings after 17:30 have the date of the next business day, except insider reports', () => {
  const afterHoursFiling = { filed: '2025-09-08', accepted: '2025-09-05T21:13:00.000Z' };
  expect(readAcceptanceTimes([{ ...afterHoursFiling, form: '8-K' }])).toEqual(['2025-09-05T21:13:00']);
  expect(readAcceptanceTimes([{ form: '4', filed: '2025-09-05', accepted: '2025-09-05T21:13:00.000Z' }])).toEqual([
    '2025-09-05T17:13:00',
  ]);
});

test('filings of the nineties, which have only dates, get no acceptance time', () => {
  const filingsOf1996 = [
    { form: '10-K', filed: '1996-03-29', accepted: '1996-03-29T05:00:00.000Z' },
    { form: '10-Q', filed: '1996-08-14', accepted: '1996-08-14T04:00:00.000Z' },
  ];
  expect(readAcceptanceTimes(filingsOf1996)).toEqual([null, null]);
  const filingsWithoutTime = [null, 'yesterday'].map((accepted) => ({ form: '8-K', filed: '2026-03-06', accepted }));
  expect(readAcceptanceTimes(filingsWithoutTime)).toEqual([null, null]);
});

test('Exxon announces earnings before the open, NVIDIA after the close', () => {
  const exxonTime = readAcceptanceTimes(EXXON_FILINGS)[0] ?? null;
  const nvidiaTime = readAcceptanceTimes(NVIDIA_FILINGS)[1] ?? null;
  expect(classifyAnnouncement('8-K', ['2.02', '7.01'], exxonTime)).toBe('before_open');
  expect(classifyAnnouncement('8-K', ['2.02', '9.01'], nvidiaTime)).toBe('after_close');
});

test('the trading day is from 09:30 to 16:00, and an announcement on a day without trading is before the next open', () => {
  const classifyEarningsAt = (wallTime: string) => classifyAnnouncement('8-K', ['2.02'], wallTime);
  expect(classifyEarningsAt('2025-10-30T09:29:59')).toBe('before_open');
  expect(classifyEarningsAt('2025-10-30T09:30:00')).toBe('during_market');
  expect(classifyEarningsAt('2025-10-30T15:59:59')).toBe('during_market');
  expect(classifyEarningsAt('2025-10-30T16:00:00')).toBe('after_close');
  expect(classifyEarningsAt('2025-11-27T16:30:00')).toBe('before_open');
  expect(classifyAnnouncement('8-K', ['9.01'], '2025-10-30T16:00:00')).toBeNull();
  expect(classifyAnnouncement('8-K/A', ['2.02'], '2025-10-30T16:00:00')).toBe('after_close');
  expect(classifyAnnouncement('10-Q', ['2.02'], '2025-10-30T16:00:00')).toBeNull();
  expect(classifyAnnouncement('8-K', ['2.02'], null)).toBeNull();
});

testWithPublicFile(
  'submissions.zip',
  "real lists are in both time zones, and less than 3 % of times are outside the SEC's hours",
  async () => {
    const publicFiles = await openPublicFiles(getPublicFilePath(''));
    const filingLists = await Promise.all(
      publicFiles.submissionCiks.map(async (cik) => {
        const { mainFile, pageFiles } = await publicFiles.readSubmissionFiles(cik);
        return readSubmissions(mainFile, pageFiles).filings;
      }),
    );
    publicFiles.close();
    const listCountByTimeZone = { utc: 0, newYork: 0 };
    let timeCount = 0;
    let outsideHoursCount = 0;
    for (const filings of filingLists.filter((list) => list.length > 50)) {
      const wallTimes = readAcceptanceTimes(filings);
      listCountByTimeZone[wallTimes[0] === filings[0]?.accepted?.slice(0, 19) ? 'newYork' : 'utc'] += 1;
      for (const wallTime of wallTimes) {
        if (wallTime === null) continue;
        timeCount += 1;
        if (wallTime.slice(11) < '06:00:00' || wallTime.slice(11) > '22:10:00') outsideHoursCount += 1;
      }
    }
    expect(listCountByTimeZone.utc).toBeGreaterThan(expectOfFiles(20, 2));
    expect(listCountByTimeZone.newYork).toBeGreaterThan(expectOfFiles(20, 1));
    // Some filings of the early 2000s have a time that is not their acceptance time.
    expect(outsideHoursCount / timeCount).toBeLessThan(0.03);
  },
);

testWithPublicFile(
  'submissions.zip',
  "Apple's results of 2012 came after the close, in a page in New York time of a list in UTC",
  async () => {
    const publicFiles = await openPublicFiles(getPublicFilePath(''));
    const { mainFile, pageFiles } = await publicFiles.readSubmissionFiles(320193);
    publicFiles.close();
    const { filings } = readSubmissions(mainFile, pageFiles);
    const wallTimes = readAcceptanceTimes(filings);
    const findTime = (accession: string) => wallTimes[filings.findIndex((filing) => filing.accession === accession)];
    expect(findTime('0001193125-12-312355')).toBe('2012-07-24T16:31:04');
    expect(findTime('0000320193-22-000061')).toBe('2022-05-06T18:30:57');
  },
);
