/** Tests `--group` of `fin insiders` and `fin insider-activity`, with invented trades. */
import { expect, test } from 'vitest';
import type { Question } from '../../src/contract/question.ts';
import type { InsiderFiling, InsiderTransaction } from '../../src/contract/resources/insiders.ts';

import insiders, { insiderActivity } from '../../src/questions/insiders.ts';
import { formatNotices, makeRecords, planCommand, renderText, runWithAnswers } from './result-of.ts';

const makeTrade = (day: string, shares: string, value: string, overrides: Partial<InsiderTransaction> = {}) => ({
  ...{ ordinal: 1, security_title: 'Common Stock', transaction_code: 'P' as const, footnote_ids: [] },
  ...{ value_status: 'counted' as const, transaction_date: day, shares, transaction_value: value, ...overrides },
});

const makeFiling = (
  accession: string,
  cik: number,
  owners: readonly number[],
  transactions: InsiderTransaction[],
): InsiderFiling => ({
  ...{ accession_number: accession, cik, entity_name: `Company ${cik}`, ticker: `T${cik}`, form: '4' },
  ...{ is_amendment: false, source_url: 'https://www.sec.gov/', footnotes: [], transactions },
  owners: owners.map((owner) => ({
    ...{ cik: owner, name: `Owner ${owner}`, is_director: true, is_officer: false },
    ...{ is_ten_percent_owner: false, is_other: false },
  })),
});

const FILINGS = [
  makeFiling('a', 1, [10], [makeTrade('2025-03-03', '100', '1000'), makeTrade('2025-03-05', '50', '600')]),
  // A fund and its adviser file together, and the adviser reports the same block again.
  makeFiling('b', 1, [20, 21], [makeTrade('2025-03-04', '300', '3000')]),
  makeFiling('c', 1, [21], [makeTrade('2025-03-04', '300', '3000', { repeated: true })]),
  makeFiling('d', 1, [30], [makeTrade('2025-03-06', '9', '900000', { value_status: 'suspect' })]),
  makeFiling('e', 2, [10], [makeTrade('2025-02-01', '10', '9000')]),
];

const makeAnswer =
  (total: string) =>
  ({ parameters }: Question) => {
    const { ticker, offset = 0, limit = 25 } = parameters as Record<string, string>;
    const all = FILINGS.filter((filing) => ticker === undefined || ticker === filing.ticker || ticker === 'ONE');
    const filings = all.slice(Number(offset), Number(offset) + Number(limit));
    const data = {
      ...{ total_transactions: 6, purchase_transactions: 6, sale_transactions: 0, uncounted_transactions: 1 },
      ...{ reported_purchase_value: total, reported_sale_value: '0', filings },
    };
    return { data, meta: { total: all.length, limit: Number(limit), offset: Number(offset) } };
  };

test('purchases of a company count each trade once, and owners that file together as one buyer', async () => {
  const result = await runWithAnswers(insiderActivity, makeAnswer('13600'), { options: { group: 'company' } });
  expect(result.title).toBe('Insider purchases by company');
  expect(makeRecords(result)).toEqual([
    {
      ...{ ticker: 'T2', cik: 2, entity_name: 'Company 2', buyers: 1, buyer_names: 'Owner 10', transactions: 1 },
      ...{ shares: '10', value: '9000', first_day: '2025-02-01', last_day: '2025-02-01' },
    },
    {
      ...{ ticker: 'T1', cik: 1, entity_name: 'Company 1', buyers: 2, buyer_names: 'Owner 20; Owner 10' },
      ...{ transactions: 3, shares: '450', value: '4600', first_day: '2025-03-03', last_day: '2025-03-05' },
    },
  ]);
  expect(formatNotices(result)).toEqual([expect.stringMatching(/^1 purchase is left out, because the price/)]);
  expect(renderText(result)).toMatch(/T1\s+Company 1\s+2\s+3\s+450\s+4\.60K\s+2025-03-03\s+2025-03-05/);
});

test('purchases by buyer are separate for each company, and a limit counts buyers', async () => {
  const settings = { options: { group: 'owner', limit: '2' } };
  const result = await runWithAnswers(insiderActivity, makeAnswer('13600'), settings);
  expect(makeRecords(result).map(({ buyer_names, ticker, value }) => [buyer_names, ticker, value])).toEqual([
    ['Owner 10', 'T2', '9000'],
    ['Owner 20', 'T1', '3000'],
  ]);
  expect(formatNotices(result)).toContain('Showing 2 of 3 buyers.');
});

test('several tickers make one table, in which tickers of one company count once', async () => {
  const settings = { args: ['T1', 'T2', 'T2'], options: { group: 'company' } };
  const result = await runWithAnswers(insiders, makeAnswer('0'), settings);
  expect(makeRecords(result).map(({ ticker, value }) => [ticker, value])).toEqual([
    ['T2', '9000'],
    ['T1', '4600'],
  ]);
});

test('filters apply before purchases are summed up', async () => {
  const settings = { options: { group: 'company', 'min-value': '2K' } };
  const result = await runWithAnswers(insiderActivity, makeAnswer('13600'), settings);
  expect(makeRecords(result).map(({ ticker, value }) => [ticker, value])).toEqual([
    ['T2', '9000'],
    ['T1', '3000'],
  ]);
});

test('a notice states the total of a service that does not mark repeated trades', async () => {
  const result = await runWithAnswers(insiderActivity, makeAnswer('13000'), { options: { group: 'company' } });
  expect(formatNotices(result)).toContainEqual(expect.stringMatching(/add up to 13600, but the service counts 13000/));
});

test.each([
  [{ group: 'day' }, /must be company or owner, not "day"/],
  [{ group: 'owner', kind: 'sale' }, /sums up purchases: remove --kind sale/],
  [{ group: 'owner', rows: 'summary' }, /remove --rows/],
])('%j is refused', async (options, message) => {
  await expect(planCommand(insiderActivity, { options })).rejects.toThrow(message);
});

test('only purchases are requested, in the largest pages', async () => {
  const { question, extent } = await planCommand(insiderActivity, { options: { group: 'owner', limit: '2' } });
  expect(question.rawParameters).toEqual([
    ['kind', 'purchase'],
    ['limit', '100'],
  ]);
  expect(extent).toEqual({ kind: 'pages' });
});
