import { beforeAll, expect, test } from 'vitest';
import { normalizeTicker, splitNameIntoWords, toCikTicker } from '../../../src/contract/identifiers.ts';
import { getOrInsert, groupBy } from '../../../src/platform/collections.ts';
import { handleSearch } from '../../../src/service/handlers/companies/search.ts';
import { openTable } from '../../../src/store/local-table.ts';
import type { ReleaseReader } from '../../../src/store/reader.ts';
import { FORMER_NAMES, type FormerNameRow } from '../../../src/store/schema/companies.ts';
import { requireKey, type Table } from '../../../src/store/schema/declare-table.ts';
import {
  joinListings,
  LISTINGS_BY_COMPANY,
  LISTINGS_BY_NAME,
  LISTINGS_BY_TICKER,
  type Listing,
  toListingRows,
} from '../../../src/store/schema/listings.ts';
import type { TableReader } from '../../../src/store/table-reader.ts';
import { TableSink } from '../../../src/store/table-writer.ts';
import { selectSome } from '../../select-some.ts';
import { makeFolder } from '../../store/public-source.ts';
import { openSample } from '../sample.ts';

const sample = openSample();
let listings: readonly Listing[];
let formerNames: readonly FormerNameRow[];
let formerNamesByCik: ReadonlyMap<number, readonly FormerNameRow[]>;
let indexedRelease: ReleaseReader;
let unindexedRelease: ReleaseReader;

beforeAll(async () => {
  listings = joinListings(await sample.release.companies(), await sample.release.securities());
  // Every eighth company gets two former names: another company's name, and a name with words of its own.
  const entityNames = listings.map(({ entityName }) => entityName);
  formerNames = listings
    .filter(({ isPrimary }, index) => isPrimary && index % 8 === 0)
    .flatMap(({ cik }, index) => [
      { cik, name: `${entityNames[(index * 5 + 1) % entityNames.length]}`, from: null, to: null },
      {
        cik,
        name: `Elder ${entityNames[(index * 3) % entityNames.length]} of Yore`,
        from: '1994-01-26',
        to: '2007-01-04',
      },
    ])
    .sort((a, b) => a.cik - b.cik);
  formerNamesByCik = groupBy(formerNames, ({ cik }) => cik);
  const folder = await makeFolder('listings');
  const rows = toListingRows(listings, formerNames);
  const readerByTable = new Map([
    [LISTINGS_BY_TICKER.name, writeAndOpenTable(folder, LISTINGS_BY_TICKER, rows.byTicker)],
    [LISTINGS_BY_COMPANY.name, writeAndOpenTable(folder, LISTINGS_BY_COMPANY, rows.byCompany)],
    [LISTINGS_BY_NAME.name, writeAndOpenTable(folder, LISTINGS_BY_NAME, rows.byName)],
  ]);
  const rowsByTable = new Map<string, readonly unknown[]>([
    [FORMER_NAMES.name, formerNames],
    [LISTINGS_BY_COMPANY.name, rows.byCompany],
  ]);
  const failIfRead = async (): Promise<never> => {
    throw new Error('every security was read');
  };
  indexedRelease = {
    ...sample.release,
    manifest: sample.release.manifest,
    allOf: async <Row>({ name }: Table<Row>) => (rowsByTable.get(name) ?? []) as readonly Row[],
    companies: failIfRead,
    securities: failIfRead,
    includes: ({ name }) => readerByTable.has(name),
    rowsOfEach: async <Row>(table: Table<Row>, keys: Iterable<number>) => {
      const writtenReader = readerByTable.get(table.name);
      return writtenReader === undefined
        ? sample.release.rowsOfEach(table, keys)
        : ((await writtenReader.rowsOfEach(keys)) as Row[]);
    },
    rowsBetween: async <Row>({ name }: Table<Row>, firstKey: number, lastKey: number) =>
      (await readerByTable.get(name)?.rowsBetween(firstKey, lastKey)) as Row[],
  };
  // A release of a version without tables of listings.
  unindexedRelease = {
    ...sample.release,
    manifest: sample.release.manifest,
    companies: () => sample.release.companies(),
    rowsOfEach: (table, keys) => sample.release.rowsOfEach(table, keys),
    securities: () => sample.release.securities(),
    includes: () => false,
    allOf: async <Row>({ name }: Table<Row>) => (name === FORMER_NAMES.name ? formerNames : []) as readonly Row[],
  };
});

function writeAndOpenTable<Row>(folder: string, table: Table<Row>, rows: readonly Row[]): TableReader<unknown> {
  const sink = new TableSink(folder, table);
  for (const key of new Set(rows.map((row) => requireKey(table, row)))) {
    sink.add(
      key,
      rows.filter((row) => requireKey(table, row) === key),
    );
  }
  return openTable(folder, table as Table, sink.finish().file);
}

const wordsByName = new Map<string, readonly string[]>();
const getWords = (name: string) => getOrInsert(wordsByName, name, () => splitNameIntoWords(name));

/** Ranks every security by the documented rule, without any index. */
function searchByScan(query: string, limit: number): string[] {
  const queryAsTicker = normalizeTicker(query);
  const words = splitNameIntoWords(query);
  const computeRank = ({ ticker, tickerNormalized, cik, entityName }: Listing) => {
    if (tickerNormalized === queryAsTicker || /^(CIK)?0*([1-9]\d*)$/i.exec(query)?.[2] === String(cik)) return 0;
    // A ticker that is made of a CIK does not match by its beginning.
    const isOfCik = ticker === toCikTicker(cik);
    if (!isOfCik && queryAsTicker !== '' && tickerNormalized.startsWith(queryAsTicker)) return 1;
    const nameMatchesQuery = (name: string) =>
      words.length > 0 && words.every((word) => getWords(name).some((nameWord) => nameWord.startsWith(word)));
    if (nameMatchesQuery(entityName)) return 2;
    return (formerNamesByCik.get(cik) ?? []).some((row) => nameMatchesQuery(row.name)) ? 3 : 4;
  };
  const rankedListings = listings.map((listing) => ({ listing, rank: computeRank(listing) }));
  const selectMatchesByRank = (candidates: readonly (typeof rankedListings)[number][]) =>
    [0, 1, 2, 3].flatMap((wantedRank) => {
      const listingsOfRank = candidates.filter(({ rank }) => rank === wantedRank);
      if (wantedRank < 2) return listingsOfRank;
      return [
        ...listingsOfRank.filter(({ listing }) => listing.isPrimary),
        ...listingsOfRank.filter(({ listing }) => !listing.isPrimary),
      ];
    });
  const activeListings = rankedListings.filter(({ listing }) => listing.isActive);
  // A company without a current ticker has its last proven ticker or its CIK as ticker, and comes after all others.
  const activeCiks = new Set(listings.filter(({ isActive }) => isActive).map(({ cik }) => cik));
  const tickerlessListings = rankedListings.filter(({ listing }) => !activeCiks.has(listing.cik));
  return [...selectMatchesByRank(activeListings), ...selectMatchesByRank(tickerlessListings)]
    .slice(0, limit)
    .map(({ listing }) => listing.ticker);
}

async function searchTickers(release: ReleaseReader, query: string, limit: number): Promise<string[]> {
  const { data } = await handleSearch({ release, parameters: { query, limit }, signal: new AbortController().signal });
  return data.map(({ ticker }) => ticker);
}

test('prefixes of all tickers, names and words find the hits of a full scan, in the same order', async () => {
  const texts = listings.flatMap(({ ticker, entityName }) => [ticker, entityName, ...splitNameIntoWords(entityName)]);
  const queries = new Set(texts.flatMap((text) => Array.from(text, (_, end) => text.slice(0, end + 1))));
  expect(queries.size).toBeGreaterThan(2000);
  // Prefixes of one letter find most companies.
  for (const query of [...[...queries].filter((text) => text.length === 1), ...selectSome(queries, 24)])
    expect([query, await searchTickers(indexedRelease, query, 20)]).toEqual([query, searchByScan(query, 20)]);
});

test('words in any order and CIKs find the hits of a full scan, in releases with and without listings', async () => {
  const sampledListings = listings.filter((_, index) => index % 10 === 0);
  const cikTexts = sampledListings.flatMap(({ cik }) => [String(cik), `CIK${String(cik).padStart(10, '0')}`]);
  const reversedNames = sampledListings.map(({ entityName }) => splitNameIntoWords(entityName).reverse().join(' '));
  for (const query of [...cikTexts, ...reversedNames, ' ', '-', '.', 'zzzz', 'é', '中', 'brk.b', 'inc corp', 'İ']) {
    const expectedTickers = searchByScan(query, 500);
    expect([query, await searchTickers(indexedRelease, query, 500)]).toEqual([query, expectedTickers]);
    expect([query, await searchTickers(unindexedRelease, query, 500)]).toEqual([query, expectedTickers]);
  }
});

test('a misspelt name, or a name with different spaces, finds the company with the most similar name', async () => {
  const cases = [
    ['microsft', 'MSFT'],
    ['mircosoft', 'MSFT'],
    ['microsof corp', 'MSFT'],
    ['jp morgan', 'JPM'],
    ['jpmorgn', 'JPM'],
    ['cocacola', 'KO'],
    ['nvidea', 'NVDA'],
    ['procter and gamble', 'PG'],
    ['home depto', 'HD'],
    ['The Home Depot', 'HD'],
    ['Coca-Cola Company', 'KO'],
    ['Nvidia Corporation', 'NVDA'],
    ['berkshre hathaway', 'BRK-B'],
  ] as const;
  for (const [query, ticker] of cases) {
    const { data } = await searchRelease(sample.release, query);
    expect([query, data[0]?.ticker]).toEqual([query, ticker]);
    // A former bottler has the name, too.
    const companyCount = ticker === 'KO' ? 2 : 1;
    expect([query, new Set(data.map(({ cik }) => cik)).size]).toEqual([query, companyCount]);
    if (query !== 'microsof corp') expect(data.every(({ approximate }) => approximate === true)).toBe(true);
  }
});

test('no company is found for a word that resembles no name, or for a short word', async () => {
  for (const query of ['xyzzy', 'qpple', 'zz', 'appple pie', 'abx', 'The Company']) {
    expect([query, await searchRelease(sample.release, query)]).toEqual([query, { data: [] }]);
  }
});

test('a release without the table of brands finds no company by a brand', async () => {
  expect(await searchRelease(unindexedRelease, 'iphone')).toEqual({ data: [] });
});

test('the primary security of a company found by name comes before its other securities', async () => {
  const { data } = await searchRelease(sample.release, 'jpmorgan');
  expect(data.map(({ ticker }) => ticker).slice(0, 2)).toEqual(['JPM', 'AMJB']);
});

const searchRelease = (release: ReleaseReader, query: string) =>
  handleSearch({ release, parameters: { query, limit: 25 }, signal: new AbortController().signal });
