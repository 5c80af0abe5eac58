import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findLatestDayOfCompany } from '../../../src/building/sources/latest-filing-day.ts';
import { openPublicFiles } from '../../../src/edgar/files/public-files.ts';
import { readSubmissions } from '../../../src/edgar/filings/submissions.ts';
import { getPublicFilePath, testWithPublicFile } from '../../public-files.ts';
import { makeCikFileName, makeFactsJson, makeFolder, readSourceCompany } from '../../store/public-source.ts';

const APPLE = readSourceCompany('aapl');
const LAST_FACT_FILING_DAY =
  APPLE.facts
    .map(({ filed }) => filed)
    .sort()
    .at(-1) ?? '';

/** Returns the latest filing day of a company with these facts and submissions. */
async function findLatestDay(
  facts: string | null,
  submissions: unknown,
  page: unknown = null,
  readsEverything = true,
): Promise<string | null> {
  const folder = await makeFolder('days');
  if (facts !== null) writeFileSync(join(folder, makeCikFileName(APPLE.cik)), facts);
  mkdirSync(join(folder, 'submissions'));
  writeFileSync(join(folder, 'submissions', makeCikFileName(APPLE.cik)), JSON.stringify(submissions));
  if (page !== null) {
    writeFileSync(
      join(folder, 'submissions', makeCikFileName(APPLE.cik).replace('.json', '-submissions-001.json')),
      JSON.stringify(page),
    );
  }
  const files = await openPublicFiles(folder);
  const latestDay = await findLatestDayOfCompany(files, APPLE.cik, {
    readsEverything,
    since: null,
    today: '9999-12-31',
  });
  files.close();
  return latestDay;
}

const makeColumns = (...days: readonly string[]) => ({
  accessionNumber: days.map(() => '0000320193-26-000001'),
  filingDate: days,
  form: days.map(() => '8-K'),
});

test('the latest filing date is found in facts, in lists by column or by row, and in further pages of lists', async () => {
  expect(await findLatestDay(makeFactsJson(APPLE), {})).toBe(LAST_FACT_FILING_DAY);
  expect(await findLatestDay(makeFactsJson(APPLE), { filings: { recent: makeColumns('2001-01-02') } })).toBe(
    LAST_FACT_FILING_DAY,
  );
  expect(
    await findLatestDay(makeFactsJson(APPLE), {
      filings: { recent: makeColumns('2031-01-01', '2031-01-02', '2030-12-31') },
    }),
  ).toBe('2031-01-02');
  expect(await findLatestDay(null, { filings: { recent: makeColumns('2020-01-01') } }, makeColumns('2031-05-05'))).toBe(
    '2031-05-05',
  );
  expect(
    await findLatestDay(null, {
      filings: [{ accession_number: '0000320193-26-000001', filing_date: '2031-06-06T00:00:00', form: '4' }],
    }),
  ).toBe('2031-06-06');
});

test('a fact filed after the last listed filing sets the latest day, whatever the years of both; an earlier fact does not', async () => {
  for (const lastListedDay of ['1999-12-31', '2009-01-01', '2019-09-09', '2023-05-05', '2026-01-01']) {
    const filingList = { filings: { recent: makeColumns(lastListedDay) } };
    for (const filed of [
      '1998-02-03',
      '2000-02-03',
      '2010-02-03',
      '2020-02-03',
      '2024-02-03',
      '2029-11-30',
      '9999-01-01',
    ]) {
      const factsJson = JSON.stringify({ facts: { 'us-gaap': { Assets: { units: { USD: [{ filed }] } } } } });
      expect(await findLatestDay(factsJson, filingList)).toBe(filed > lastListedDay ? filed : lastListedDay);
    }
  }
});

test('if `readsEverything` is false, facts count only if the list of filings is empty', async () => {
  expect(
    await findLatestDay(makeFactsJson(APPLE), { filings: { recent: makeColumns('2001-01-02') } }, null, false),
  ).toBe('2001-01-02');
  expect(await findLatestDay(makeFactsJson(APPLE), { filings: { recent: makeColumns() } }, null, false)).toBe(
    LAST_FACT_FILING_DAY,
  );
});

test('invalid dates, and dates of other fields, do not count', async () => {
  expect(
    await findLatestDay(null, {
      filings: { recent: { ...makeColumns('2020-13-01', 'soon', ''), reportDate: ['2040-01-01'] } },
    }),
  ).toBeNull();
  expect(await findLatestDay('{"facts": "filed', {})).toBeNull();
});

testWithPublicFile(
  'submissions.zip',
  'for every filer without facts, the latest day is the date of the first filing in its list',
  async () => {
    const files = await openPublicFiles(getPublicFilePath(''));
    const ciksWithoutFacts = files.submissionCiks.filter((cik) => !files.factCiks.includes(cik));
    expect(ciksWithoutFacts.length).toBeGreaterThan(0);
    for (const cik of ciksWithoutFacts) {
      const { mainFile, pageFiles } = await files.readSubmissionFiles(cik);
      expect([
        cik,
        await findLatestDayOfCompany(files, cik, { readsEverything: true, since: null, today: '9999-12-31' }),
      ]).toEqual([cik, readSubmissions(mainFile, pageFiles).filings[0]?.filed ?? null]);
    }
    files.close();
  },
);
