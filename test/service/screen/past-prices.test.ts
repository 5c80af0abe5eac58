/** Compares price figures of past screens with figures derived from the values and prices known on that day. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildRelease } from '../../../src/building/build.ts';
import { PRICED_COLUMNS } from '../../../src/contract/screen-columns.ts';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveFigures } from '../../../src/figures/derived/derive-figures.ts';
import { SHARE_COUNT_KEY } from '../../../src/figures/derived/share-counts.ts';
import { deriveMarketData, type MarketData, type Quotes } from '../../../src/figures/prices/market-price.ts';
import { dateSplits, selectDailyPrices } from '../../../src/figures/prices/price-observations.ts';
import { deriveScreenFigures } from '../../../src/figures/screen/derive-screen-row.ts';
import { selectSplitsProvenBy } from '../../../src/figures/shares/splits.ts';
import { addDays, countDaysBetween } from '../../../src/platform/dates.ts';
import { openPastScreen } from '../../../src/service/handlers/screen/past-screen.ts';
import { openRelease, type ReleaseReader } from '../../../src/store/reader.ts';
import { PRICES, SECURITIES_WITH_PRICES } from '../../../src/store/schema/prices.ts';
import { makeFact } from '../../figures/filed-facts.ts';
import { makeFolder, readSourceCompany, type SourceCompany, writeSource } from '../../store/public-source.ts';

/** Securities with invented prices: CUSIP, base price in cents, and splits as day and new shares per old share. */
const PRICED_SECURITIES = [
  {
    cusip: '037833100',
    ticker: 'AAPL',
    cents: 3500,
    splits: [
      ['2014-06-09', 7],
      ['2020-08-31', 4],
    ],
  },
  {
    cusip: '67066G104',
    ticker: 'NVDA',
    cents: 1600,
    splits: [
      ['2021-07-20', 4],
      ['2024-06-10', 10],
    ],
  },
  { cusip: '369604103', ticker: 'GE', cents: 1800, splits: [['2021-08-02', 0.125]] },
  { cusip: '742718109', ticker: 'PG', cents: 6400, splits: [] },
  { cusip: '20825C104', ticker: 'COP', cents: 5100, splits: [] },
  { cusip: '478160104', ticker: 'JNJ', cents: 6200, splits: [] },
  { cusip: '874039100', ticker: 'TSM', cents: 1200, splits: [] },
  { cusip: '500754106', ticker: 'KHC', cents: 7000, splits: [] },
] as const;

const SOURCE_COMPANIES = [
  readSourceCompany('aapl'),
  readSourceCompany('cop-2009'),
  readSourceCompany('ge-2010'),
  readSourceCompany('jnj'),
  readSourceCompany('khc'),
  readSourceCompany('nvda'),
  readSourceCompany('pg-2007'),
  readSourceCompany('tsm'),
];

const BALANCES = [
  ['StockholdersEquity', '5000000000'],
  ['MinorityInterest', '70000000'],
  ['CashAndCashEquivalentsAtCarryingValue', '600000000'],
  ['LongTermDebtNoncurrent', '1800000000'],
  ['LongTermDebtCurrent', '200000000'],
  ['ShortTermBorrowings', '100000000'],
] as const;

/**
 * Returns the company with invented facts in each report: flows, balances, dividends, and a cover page. The share count
 * is a hundred million, multiplied by the ratios of all splits up to the date of the cover page.
 */
function addInventedFacts(company: SourceCompany): SourceCompany {
  const factByAccession = new Map(company.facts.map((stated) => [stated.accession, stated]));
  const splits = PRICED_SECURITIES.find(({ ticker }) => ticker === company.ticker)?.splits ?? [];
  const inventedFacts = [...factByAccession.values()].flatMap(({ accession, filed, form }): Fact[] => {
    const coverDate = addDays(filed, -12);
    const flowFacts = company.facts.filter((stated) => stated.accession === accession && stated.start !== null);
    const lastPeriodEnd =
      flowFacts
        .map((stated) => stated.end)
        .sort()
        .at(-1) ?? coverDate;
    const splitFactor = splits
      .filter(([splitDay]) => splitDay <= coverDate)
      .reduce((product, [, ratio]) => product * ratio, 1);
    const inventedFlowFacts = flowFacts.flatMap(({ start, end: until }) => {
      const computeFlow = (dailyMillions: number) =>
        String(dailyMillions * countDaysBetween(start ?? until, until) * 1_000_000);
      const flowContext = { filed, form, accession, start, end: until };
      return [
        makeFact({ ...flowContext, concept: 'NetCashProvidedByUsedInOperatingActivities', value: computeFlow(3) }),
        makeFact({ ...flowContext, concept: 'PaymentsToAcquirePropertyPlantAndEquipment', value: computeFlow(1) }),
        makeFact({ ...flowContext, concept: 'OperatingIncomeLoss', value: computeFlow(4) }),
        makeFact({ ...flowContext, concept: 'DepreciationDepletionAndAmortization', value: computeFlow(1) }),
        makeFact({ ...flowContext, concept: 'CommonStockDividendsPerShareDeclared', unit: 'USD/shares', value: '1.5' }),
      ];
    });
    const instantContext = { filed, form, accession, start: null };
    const shareCountConcept = { taxonomy: 'dei', concept: 'EntityCommonStockSharesOutstanding', unit: 'shares' };
    return [
      makeFact({ ...instantContext, ...shareCountConcept, end: coverDate, value: String(100_000_000 * splitFactor) }),
      ...BALANCES.map(([concept, value]) => makeFact({ ...instantContext, concept, end: lastPeriodEnd, value })),
      ...inventedFlowFacts,
    ];
  });
  return { ...company, facts: [...company.facts, ...inventedFacts] };
}

let release: ReleaseReader;

beforeAll(async () => {
  const sourceDirectory = await writeSource(SOURCE_COMPANIES.map(addInventedFacts));
  const nameByTicker = new Map(SOURCE_COMPANIES.map(({ ticker, name }) => [ticker, name]));
  for (let year = 2009; year <= 2025; year += 1) {
    const rows = ['SETTLEMENT DATE|CUSIP|SYMBOL|QUANTITY (FAILS)|DESCRIPTION|PRICE'];
    // The files have prices of every eleventh day, and of every day of the months with splits.
    for (let day = `${year}-01-02`; day < `${year}-12-31`; day = addDays(day, /-(06|07|08)-/.test(day) ? 1 : 11)) {
      for (const { cusip, ticker, cents, splits } of PRICED_SECURITIES) {
        const splitFactor = splits
          .filter(([splitDay]) => splitDay <= day)
          .reduce((product, [, ratio]) => product * ratio, 1);
        const growthFactor = 1 + (Number(day.slice(0, 4)) - 2009) / 8 + Number(day.slice(8)) / 400;
        const price = ((cents * growthFactor) / splitFactor / 100).toFixed(2);
        rows.push(`${day.replaceAll('-', '')}|${cusip}|${ticker}|1000|${nameByTicker.get(ticker)}|${price}`);
      }
    }
    writeFileSync(join(sourceDirectory, `cnsfails${year}12b.txt`), `${rows.join('\r\n')}\r\n`);
  }
  const buildResult = await buildRelease({
    sourceDirectory: sourceDirectory,
    home: await makeFolder('home'),
    workerScript: null,
  });
  release = openRelease(buildResult.directory ?? '');
});

/** Returns the market figures as of that day, derived from the prices and splits known by then. */
function deriveMarketOn(
  day: string,
  { daily, shareCountApplies }: Quotes,
  values: ReportedValues,
  splits: Splits,
): MarketData {
  const pricesUntilDay = daily.filter((price) => price.day <= day);
  const shareCounts = values.filter(({ metricKey }) => metricKey === SHARE_COUNT_KEY);
  const market = deriveMarketData(
    { daily: pricesUntilDay, shareCountApplies },
    shareCounts,
    selectSplitsProvenBy(day, splits),
    day,
  );
  const { price } = market;
  const unprovenSplits = splits.filter(({ proven }) => proven !== null && proven > day);
  if (price === null || !dateSplits(unprovenSplits, pricesUntilDay).some(({ after }) => price.day > after))
    return market;
  return { price: { ...price, marketCap: null }, ratioBetween: () => null };
}
type ReportedValues = Awaited<ReturnType<ReleaseReader['reportedValues']>>;
type Splits = Awaited<ReturnType<ReleaseReader['splits']>>;

test('price figures of past screens equal those derived from prices and filings of the day', async () => {
  const columns = [...PRICED_COLUMNS];
  const valueCountByColumn = new Map<string, number>();
  const wrongCells: string[] = [];
  const companyEntries = await Promise.all(
    SOURCE_COMPANIES.map(async ({ cik }) => {
      const dailyPrices = selectDailyPrices(await release.rowsOf(PRICES, cik));
      const [line] = await release.rowsOf(SECURITIES_WITH_PRICES, cik);
      const quotes = { daily: dailyPrices, shareCountApplies: line?.countApplies === true };
      return [cik, { quotes, values: await release.reportedValues(cik), splits: await release.splits(cik) }] as const;
    }),
  );
  const companyByCik = new Map(companyEntries);
  for (let day = '2010-03-01'; day < '2025-12-01'; day = addDays(day, /-(07|08)-/.test(day) ? 13 : 41)) {
    const screen = await (await openPastScreen(release, day)).screen(['cik', ...columns]);
    for (let rowIndex = 0; rowIndex < screen.length; rowIndex += 1) {
      const getCell = (name: string) => screen.columns[name]?.[rowIndex] ?? null;
      const { quotes, values, splits } = companyByCik.get(Number(getCell('cik'))) as NonNullable<
        ReturnType<typeof companyByCik.get>
      >;
      const context = {
        releaseDate: day,
        splits: selectSplitsProvenBy(day, splits),
        market: deriveMarketOn(day, quotes, values, splits),
      };
      const derivedRow = deriveScreenFigures(deriveFigures(values, day), context);
      for (const name of columns) {
        const expectedCell = (name === 'price_day' ? derivedRow?.dates.price_day : derivedRow?.figures[name]) ?? null;
        if (getCell(name) !== expectedCell)
          wrongCells.push(`${getCell('cik')} on ${day}: ${name} ${getCell(name)}, not ${expectedCell}`);
        if (expectedCell !== null) valueCountByColumn.set(name, (valueCountByColumn.get(name) ?? 0) + 1);
      }
    }
  }
  expect(wrongCells).toEqual([]);
  for (const name of columns) expect(`${name} ${(valueCountByColumn.get(name) ?? 0) > 10}`).toBe(`${name} true`);
});
