import { expect, test } from 'vitest';
import type { InsiderActivityPage, InsiderFiling, InsiderTransaction } from '../../src/contract/resources/insiders.ts';
import { formatForTerminal } from '../../src/contract/text/text.ts';
import { groupIntoLines, makeTradesFilter } from '../../src/questions/insider-trades/insider-filters.ts';
import insiders from '../../src/questions/insiders.ts';
import { makeView } from '../../src/result/result.ts';
import { type QuestionSettings, runWithData } from './result-of.ts';

const makeTransaction = (
  shares: string,
  price: string,
  value: string | null,
  overrides: Partial<InsiderTransaction> = {},
) => ({
  ordinal: 1,
  security_title: 'Common Stock',
  transaction_code: 'P' as const,
  footnote_ids: [],
  value_status: 'counted' as const,
  transaction_date: '2026-03-02',
  shares,
  price_per_share: price,
  transaction_value: value,
  ...overrides,
});

const makeFiling = (
  accession: string,
  transactions: InsiderTransaction[],
  plan: boolean | null = null,
): InsiderFiling => ({
  accession_number: accession,
  cik: 1,
  entity_name: 'One',
  form: '4',
  is_amendment: false,
  source_url: 'https://www.sec.gov/',
  owners: [],
  transactions,
  footnotes: [],
  aff10b5_one: plan,
});

const FILING_WITH_LOTS = makeFiling('lots', [
  makeTransaction('100', '6000', '600000'),
  makeTransaction('200', '3000.50', '600100', { transaction_date: '2026-03-03' }),
]);
const PLAN_FILING = makeFiling('planned', [makeTransaction('1', '5000000', '5000000')], true);
const SMALL_FILING = makeFiling('small', [makeTransaction('1', '999999', '999999')], false);
const DOUBTFUL_FILING = makeFiling('doubtful', [
  makeTransaction('1', '90000000', '90000000', { value_status: 'suspect' }),
  makeTransaction('7', '1', null),
]);
const LARGE_FILING = makeFiling('large', [makeTransaction('2', '1000000.5', '2000001')]);

const ACTIVITY_PAGE: InsiderActivityPage = {
  total_transactions: 7,
  purchase_transactions: 7,
  sale_transactions: 0,
  uncounted_transactions: 1,
  reported_purchase_value: '9200100',
  reported_sale_value: '0',
  filings: [FILING_WITH_LOTS, PLAN_FILING, SMALL_FILING, DOUBTFUL_FILING, LARGE_FILING],
};

const applyFilter = (options: Readonly<Record<string, string>>) => {
  const filter = makeTradesFilter(new Map(Object.entries(options).map(([name, text]) => [name, [text]])));
  const filteredPage = filter?.apply(ACTIVITY_PAGE, {}) ?? ACTIVITY_PAGE;
  return {
    accessions: filteredPage.filings.map((filing) => filing.accession_number),
    notices: filter?.notices(ACTIVITY_PAGE, filteredPage, {}),
  };
};

test('lots of one side, security and status are one line with sums, last day and mean price', () => {
  const [line, ...otherLines] = groupIntoLines(FILING_WITH_LOTS, false);
  expect(otherLines).toEqual([]);
  expect(line).toMatchObject({ day: '2026-03-03', shares: '300', value: '1200100', price: '4000.3333333333' });
  expect(groupIntoLines(FILING_WITH_LOTS, true).map(({ value }) => value)).toEqual(['600000', '600100']);
  expect(groupIntoLines(DOUBTFUL_FILING, false).map(({ value }) => value)).toEqual(['90000000', null]);
  // The digits of a single lot are printed as filed.
  expect(groupIntoLines(makeFiling('one', [makeTransaction('1.50', '2.10', '3.1500')]), false)[0]).toMatchObject({
    shares: '1.50',
    value: '3.1500',
  });
});

test("--min-value compares the sum of a filing's lots, and removes doubtful and missing values", () => {
  const { accessions, notices } = applyFilter({ 'min-value': '1M' });
  expect(accessions).toEqual(['lots', 'planned', 'large']);
  const [text] = (notices ?? []).map((notice) => formatForTerminal(notice.text));
  expect(text).toContain('Filtered by --min-value 1M: kept 4 of 7 transactions.');
  expect(text).toContain(
    'The value of 2 transactions is missing or doubtful, so it cannot be compared with the minimum.',
  );
  expect(applyFilter({ 'min-value': '1M', lots: '' }).accessions).toEqual(['planned', 'large']);
});

test('--exclude-plans removes trades under a plan, and keeps trades without that information', () => {
  expect(applyFilter({ 'exclude-plans': '' }).accessions).toEqual(['lots', 'small', 'doubtful', 'large']);
});

test('--sort value puts the largest value first; without options nothing is filtered', () => {
  expect(applyFilter({ sort: 'value', 'min-value': '1' }).accessions).toEqual(['planned', 'large', 'lots', 'small']);
  expect(makeTradesFilter(new Map())).toBeNull();
});

test('the totals of all trades are not shown above filtered trades, and no notice explains them', async () => {
  const listBlockAndNoticeKinds = async (options: QuestionSettings['options'] = {}) => {
    const result = await runWithData(insiders, ACTIVITY_PAGE, { options });
    return [...makeView(result).map(({ kind }) => kind), ...result.notices.map(({ code }) => code)];
  };
  expect(await listBlockAndNoticeKinds()).toEqual(['title', 'fields', 'table', 'uncounted']);
  expect(await listBlockAndNoticeKinds({ 'min-value': '1M' })).toEqual(['title', 'table', 'narrowed']);
});

test.each([
  [{ 'min-value': '1x' }, '--min-value "1x" is not an amount'],
  [{ 'min-value': '-5' }, 'is not an amount'],
  [{ 'min-value': '5%' }, 'is not an amount'],
  [{ sort: 'day' }, '--sort must be "value", not "day"'],
])('%j is refused', (options, message) => {
  expect(() => applyFilter(options)).toThrow(message);
});
