import { expect, test } from 'vitest';
import { makeBrandRows, memberNamesOf } from '../../../src/building/segments/brand-rows.ts';
import type { SegmentRow } from '../../../src/store/schema/segments.ts';

const row = (member: string, label: string, axis: SegmentRow['axis'] = 'product') =>
  ({ axis, member, label }) as SegmentRow;

const company = (cik: number, entityName: string, rows: readonly SegmentRow[], concepts: readonly string[] = []) => ({
  cik,
  entityName,
  memberNames: memberNamesOf(
    rows,
    concepts.map((concept) => ({ taxonomy: 'us-gaap', concept })),
  ),
});

const wordsOf = (companies: Parameters<typeof makeBrandRows>[0]) =>
  makeBrandRows(companies).map(({ word, brand, cik }) => [word, brand, cik]);

test('the words of a segment or product are stored, and also its first two words joined', () => {
  expect(
    wordsOf([
      company(1652044, 'Alphabet Inc.', [row('goog:YouTubeAdsMember', 'You Tube Ads')]),
      company(320193, 'Apple Inc.', [row('aapl:IPhoneMember', 'iPhone'), row('aapl:IPhoneMember', 'iPhone')]),
    ]),
  ).toEqual([
    ['ads', 'You Tube Ads', 1652044],
    ['iphone', 'iPhone', 320193],
    ['tube', 'You Tube Ads', 1652044],
    ['you', 'You Tube Ads', 1652044],
    ['youtube', 'You Tube Ads', 1652044],
  ]);
});

test('words of regions, standard members and standard concepts are not stored, wherever they occur', () => {
  const rows = [
    row('aapl:AmericasSegmentMember', 'Americas', 'segment'),
    row('x:ServiceMember', 'Service'),
    row('x:NetSalesMember', 'Net Sales'),
    row('x:V8Member', 'V8'),
  ];
  const otherRows = [
    row('srt:AmericasMember', 'Americas', 'geography'),
    row('us-gaap:ServiceMember', 'Service'),
    row('x:SalesMember', 'Sales'),
    row('x:NetMember', 'Net'),
  ];
  expect(wordsOf([company(1, 'One', rows), company(2, 'Two', otherRows, ['SalesRevenueNet'])])).toEqual([]);
});

test('a word that four companies have in their names or members is common', () => {
  const brands = [1, 2, 3].map((cik) => company(cik, `Company ${cik}`, [row('x:CloudMember', 'Cloud')]));
  expect(wordsOf(brands)).toHaveLength(3);
  expect(wordsOf([...brands, company(4, 'Cloud Inc', [])])).toEqual([]);
});

test('a common word that begins a stored word is stored without a brand', () => {
  const companies = [
    company(1, 'One', [row('x:OTHERNEUROSCIENCEMember', 'OTHERNEUROSCIENCE')]),
    company(2, 'Two', [row('us-gaap:OtherMember', 'Other')]),
  ];
  expect(wordsOf(companies)).toEqual([
    ['other', null, 0],
    ['otherneuroscience', 'OTHERNEUROSCIENCE', 1],
  ]);
});
