import { expect, test } from 'vitest';
import { collectMemberNames, makeBrandRows } from '../../../src/building/segments/brand-rows.ts';
import type { SegmentRow } from '../../../src/store/schema/segments.ts';

const createRow = (member: string, label: string, axis: SegmentRow['axis'] = 'product') =>
  ({ axis, member, label }) as SegmentRow;

const createCompany = (
  cik: number,
  entityName: string,
  rows: readonly SegmentRow[],
  concepts: readonly string[] = [],
) => ({
  cik,
  entityName,
  memberNames: collectMemberNames(
    rows,
    concepts.map((concept) => ({ taxonomy: 'us-gaap', concept })),
  ),
});

const listWordRows = (companies: Parameters<typeof makeBrandRows>[0]) =>
  makeBrandRows(companies).map(({ word, brand, cik }) => [word, brand, cik]);

test('the words of a segment or product are stored, and also its first two words joined', () => {
  expect(
    listWordRows([
      createCompany(1652044, 'Alphabet Inc.', [createRow('goog:YouTubeAdsMember', 'You Tube Ads')]),
      createCompany(320193, 'Apple Inc.', [
        createRow('aapl:IPhoneMember', 'iPhone'),
        createRow('aapl:IPhoneMember', 'iPhone'),
        createRow('aapl:IPhoneMember us-gaap:IntersegmentEliminationMember', 'iPhone: Intersegment eliminations'),
      ]),
    ]),
  ).toEqual([
    ['ads', 'You Tube Ads', 1652044],
    ['iphone', 'iPhone', 320193],
    ['tube', 'You Tube Ads', 1652044],
    ['you', 'You Tube Ads', 1652044],
    ['youtube', 'You Tube Ads', 1652044],
  ]);
});

test('words of regions, standard members and standard concepts, and words that are too short, are not stored', () => {
  const rows = [
    createRow('aapl:AmericasSegmentMember', 'Americas', 'segment'),
    createRow('x:ServiceMember', 'Service'),
    createRow('x:NetSalesMember', 'Net Sales'),
    createRow('x:V8Member', 'V8'),
  ];
  const otherRows = [
    createRow('srt:AmericasMember', 'Americas', 'geography'),
    createRow('us-gaap:ServiceMember', 'Service'),
    createRow('x:SalesMember', 'Sales'),
    createRow('x:NetMember', 'Net'),
  ];
  expect(
    listWordRows([createCompany(1, 'One', rows), createCompany(2, 'Two', otherRows, ['SalesRevenueNet'])]),
  ).toEqual([]);
});

test('a word that four companies have in their names or members is common and not stored', () => {
  const brandCompanies = [1, 2, 3].map((cik) =>
    createCompany(cik, `Company ${cik}`, [createRow('x:CloudMember', 'Cloud')]),
  );
  expect(listWordRows(brandCompanies)).toHaveLength(3);
  expect(listWordRows([...brandCompanies, createCompany(4, 'Cloud Inc', [])])).toEqual([]);
});

test('a common word that begins a stored word is stored without a brand', () => {
  const companies = [
    createCompany(1, 'One', [createRow('x:OTHERNEUROSCIENCEMember', 'OTHERNEUROSCIENCE')]),
    createCompany(2, 'Two', [createRow('us-gaap:OtherMember', 'Other')]),
  ];
  expect(listWordRows(companies)).toEqual([
    ['other', null, 0],
    ['otherneuroscience', 'OTHERNEUROSCIENCE', 1],
  ]);
});
