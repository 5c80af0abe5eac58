import { expect, test } from 'vitest';
import search from '../../src/questions/search.ts';
import { formatNotices, runWithData } from './result-of.ts';

const SEARCH_HITS = [
  { ticker: 'META', cik: 1326801, entity_name: 'Meta Platforms, Inc.' },
  { ticker: 'BRK-B', cik: 1067983, entity_name: 'BERKSHIRE HATHAWAY INC' },
];

test.each([
  ['facebook', ['META', 'BRK-B']],
  ['meta', ['BRK-B']],
  ['plat met', ['BRK-B']],
  ['CIK0001326801', ['BRK-B']],
  ['brk.b', ['META']],
  ['berk', ['META']],
])('a search for %j has a notice for hits that match only a former name', async (query, renamedTickers) => {
  expect(formatNotices(await runWithData(search, SEARCH_HITS, { meta: { query } }))).toEqual([
    `Companies found by a former name or ticker: ${renamedTickers.join(', ')}`,
  ]);
});

test('no notice is given for a hit whose name or ticker matches the search', async () => {
  expect(formatNotices(await runWithData(search, SEARCH_HITS.slice(0, 1), { meta: { query: 'Meta' } }))).toEqual([]);
});

test('a notice names the segment or product by which a company was found', async () => {
  const brandHits = [{ ticker: 'GOOGL', cik: 1652044, entity_name: 'Alphabet Inc.', brand: 'Google Services' }];
  expect(formatNotices(await runWithData(search, [...SEARCH_HITS, ...brandHits], { meta: { query: 'berk' } }))).toEqual(
    [
      'Companies found by a former name or ticker: META',
      'Companies found by a segment or product in their reports: GOOGL (Google Services)',
    ],
  );
});
