/** Filings and insider trades of the complete sample. Every response must conform exactly to its schema. */
import { expect, test } from 'vitest';
import { add } from '../../src/contract/decimal.ts';
import type { Filing, FilingsDay } from '../../src/contract/resources/filings.ts';
import type { InsiderActivityPage } from '../../src/contract/resources/insiders.ts';
import { FILING_DAYS } from '../../src/store/schema/filings.ts';
import { INSIDER_DAYS, INSIDER_FOOTNOTES } from '../../src/store/schema/insiders.ts';
import { countSome, selectSome } from '../select-some.ts';
import { openSample } from './sample.ts';

const { release, get } = openSample();

async function listPrimaryTickers(): Promise<string[]> {
  return (await release.securities())
    .filter(({ isPrimary }) => isPrimary)
    .map(({ ticker }) => encodeURIComponent(ticker));
}

test("a company's filings are listed latest first, and its latest filing is answered with its documents", async () => {
  let announcementCount = 0;
  for (const ticker of selectSome(await listPrimaryTickers(), 3)) {
    const { data: filings } = await get<Filing[]>('filings', `/v1/securities/${ticker}/filings?limit=200`);
    const [latestFiling] = filings;
    if (latestFiling !== undefined) await get('filing', `/v1/filings/${latestFiling.accession_number}`);
    const filedDays = filings.map((filing) => filing.filed_at ?? '');
    expect(filedDays, ticker).toEqual([...filedDays].sort().reverse());
    announcementCount += filings.filter((filing) => filing.announcement_timing !== null).length;
  }
  expect(announcementCount).toBeGreaterThan(countSome(150, 500));
}, 120_000);

test("the companies' insider trades add up to the totals of all companies", async () => {
  const { data: allCompaniesPage } = await get<InsiderActivityPage>(
    'insider-activity',
    '/v1/insider-activity?limit=100',
  );
  let transactionCount = 0;
  let saleValueTotal = '0';
  for (const ticker of await listPrimaryTickers()) {
    const { data: page } = await get<InsiderActivityPage>(
      'insiders',
      `/v1/securities/${ticker}/insider-activity?limit=100`,
    );
    transactionCount += page.total_transactions;
    saleValueTotal = add(saleValueTotal, page.reported_sale_value);
  }
  expect(transactionCount).toBe(allCompaniesPage.total_transactions);
  expect(saleValueTotal).toBe(allCompaniesPage.reported_sale_value);
  expect(transactionCount).toBeGreaterThan(0);
}, 120_000);

test('in every query, filings without a date come last, those with the latest trades first', async () => {
  const listInsiderFilings = async (query: string) => {
    const { data } = await get<InsiderActivityPage>('insider-activity', `/v1/insider-activity?${query}`);
    return data.filings.map(({ filed_at: filed, transactions, ticker, accession_number: accession }) => {
      const transactionDays = transactions.map(({ transaction_date: day }) => day ?? '').sort();
      return { filed, ticker, key: `${transactionDays.at(-1)} ${accession}` };
    });
  };
  const leadingInsiderFilings = [
    ...(await listInsiderFilings('limit=100')),
    ...(await listInsiderFilings('limit=100&offset=100')),
  ];
  const firstUndatedIndex = leadingInsiderFilings.findIndex(({ filed }) => filed === null);
  const undatedFilings = leadingInsiderFilings.slice(firstUndatedIndex);
  expect(undatedFilings.length).toBeGreaterThan(2);
  expect(undatedFilings.filter(({ filed }) => filed !== null)).toEqual([]);
  const sortKeys = undatedFilings.map(({ key }) => key);
  expect(sortKeys).toEqual([...sortKeys].sort().reverse());
  expect(await listInsiderFilings(`limit=2&offset=${firstUndatedIndex + 1}`)).toEqual(undatedFilings.slice(1, 3));
  const tickers = [...new Set(undatedFilings.map(({ ticker }) => ticker))].slice(0, 60);
  const undatedFilingsOfTickers = (await listInsiderFilings(`limit=100&tickers=${tickers.join(',')}`)).filter(
    ({ filed }) => filed === null,
  );
  expect(undatedFilingsOfTickers).toEqual(
    undatedFilings.filter(({ ticker }) => tickers.includes(ticker)).slice(0, undatedFilingsOfTickers.length),
  );
});

test('on the newest days, days with insider trades and every hundredth day, the counts by form add up', async () => {
  const filingDays = (await release.allOf(FILING_DAYS)).map(({ date }) => date);
  const tradeDays = (await release.allOf(INSIDER_DAYS)).map(({ date }) => date);
  const sampledDays = new Set([
    ...filingDays.filter((_, index) => index % 100 === 0),
    ...filingDays.slice(-5),
    ...tradeDays,
  ]);
  for (const date of sampledDays) {
    const { data: day } = await get<FilingsDay>('day', `/v1/filings/day?date=${date}`);
    expect(day.filings, date).toBe(day.forms.reduce((sum, form) => sum + form.filings, 0));
    expect(day.days.at(-1), date).toEqual({ date, filings: day.filings });
    expect(day.lines.length + day.reports.length, date).toBeLessThanOrEqual(day.filings);
  }
  expect(sampledDays.size).toBeGreaterThan(50);
}, 120_000);

test('every footnote in the sample is a link to its filing instead of the text', async () => {
  const footnoteTexts = (await release.allOf(INSIDER_FOOTNOTES)).map(({ text }) => text);
  expect(footnoteTexts.length).toBeGreaterThan(1000);
  const footnoteAddressPattern = /^The text of this footnote is in the filing: https:\/\/www\.sec\.gov\/\S+$/;
  expect(footnoteTexts.filter((text) => !footnoteAddressPattern.test(text))).toEqual([]);
});
