import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { parseCurrency } from '../../../src/contract/identifiers.ts';
import { PRICED_COLUMNS } from '../../../src/contract/screen-columns.ts';
import type { ScreenRow } from '../../../src/contract/screen-row.ts';
import { toFigureValue } from '../../../src/figures/derived/figure.ts';
import { type ReportedValue, splitIntoChains } from '../../../src/figures/revisions/revision-chain.ts';
import { deriveScreenEvents } from '../../../src/figures/screen/screen-states.ts';
import { type Split, selectSplitsProvenBy } from '../../../src/figures/shares/splits.ts';
import { getOrInsert } from '../../../src/platform/collections.ts';
import { addDays, addMonths, countDaysBetween } from '../../../src/platform/dates.ts';
import { selectCompanyFigures } from '../../../src/service/handlers/metrics/company-figures.ts';
import { openRelease, type ReleaseReader } from '../../../src/store/reader.ts';
import { REPORTED_VALUES } from '../../../src/store/schema/reported-values.ts';
import { HISTORY_COLUMNS, SCREEN_HISTORY } from '../../../src/store/schema/screen.ts';
import { COMPARED_KEYS, listDisagreements } from '../../figures/screen-agreement.ts';
import { countSome, selectSome } from '../../select-some.ts';
import { buildReleaseFromSource } from '../../store/built-release.ts';
import { readSourceCompany, writeSource } from '../../store/public-source.ts';
import { askBody, expectRefusal, makeService } from '../ask.ts';
import { openSample } from '../sample.ts';

const COMPANIES = [
  readSourceCompany('aapl'),
  readSourceCompany('aph'),
  readSourceCompany('bkti-2011'),
  readSourceCompany('cop-2009'),
  readSourceCompany('de-2016'),
  readSourceCompany('dis-2016'),
  readSourceCompany('ge-2010'),
  readSourceCompany('jnj'),
  readSourceCompany('khc'),
  readSourceCompany('msft'),
  readSourceCompany('nvda'),
  readSourceCompany('pg-2007'),
  readSourceCompany('tsm'),
  readSourceCompany('wmt'),
];
/** A company that no longer files reports and is missing from all ticker lists. */
const GONE_COMPANY = readSourceCompany('uaa-2012');

const sample = openSample();

let release: ReleaseReader;
let service: ReturnType<typeof makeService>;

beforeAll(async () => {
  const sourceDirectory = await writeSource([
    ...COMPANIES,
    { ...GONE_COMPANY, facts: GONE_COMPANY.facts.filter(({ filed }) => filed < '2020-01-01') },
  ]);
  const failsToDeliverLines = [
    'SETTLEMENT DATE|CUSIP|SYMBOL|QUANTITY (FAILS)|DESCRIPTION|PRICE',
    '20121228|742718109|PG|1000|PROCTER & GAMBLE CO|67.97',
    '20130104|742718109|PG|1000|PROCTER & GAMBLE CO|69.52',
    '',
  ];
  writeFileSync(join(sourceDirectory, 'cnsfails201212b.txt'), failsToDeliverLines.join('\r\n'));
  release = openRelease((await buildReleaseFromSource(sourceDirectory)).directory);
  service = makeService({ release: async () => release });
});

async function askScreen(day: string, extraQuery = ''): Promise<{ data: ScreenRow[]; meta: Record<string, unknown> }> {
  return askBody(`/v1/screen?limit=500&as_of=${day}${extraQuery}`, { service });
}

/**
 * Lists the errors in a row of a past screen: figures that differ from the company's metrics as of that day, inputs
 * filed after that day, and periods that are too old.
 */
async function describeRowFaults(reader: ReleaseReader, row: ScreenRow, day: string): Promise<string[]> {
  const { currentFigures } = await selectCompanyFigures(reader, row.cik, { keys: COMPARED_KEYS, asOf: day });
  const metrics = currentFigures.map(toFigureValue).map(({ metricKey, ...value }) => ({ key: metricKey, ...value }));
  const getCellText = (column: string) => (row[column] == null ? null : String(row[column]));
  // The screener adds amounts in dollars; metrics of a company that also reports in another currency has no such sum.
  const hasOtherCurrency = metrics.some(({ unit }) => ![null, 'USD'].includes(parseCurrency(unit)));
  const differences = listDisagreements(getCellText, metrics).filter(
    (text) => !hasOtherCurrency || !text.startsWith('capital_returns'),
  );
  for (const { key, inputs } of metrics)
    for (const { reported } of inputs)
      if (reported.filed > day) differences.push(`${key} uses a filing of ${reported.filed}`);
  if (String(row.annual_end_date) < addMonths(day, -18)) differences.push(`fiscal year to ${row.annual_end_date}`);
  if (row.ttm_end_date !== null && countDaysBetween(String(row.ttm_end_date), day) > 185)
    differences.push(`twelve months to ${row.ttm_end_date}`);
  return differences.map((text) => `${row.ticker} on ${day}: ${text}`);
}

test('each row of a past screen has the figures of metrics as of its day', async () => {
  const differences: string[] = [];
  let rowCount = 0;
  // In steps of 97 days, the day of the month and the weekday vary.
  for (let day = '2011-01-05'; day < '2026-05-01'; day = addDays(day, 97)) {
    for (const row of (await askScreen(day, `&columns=${HISTORY_COLUMNS}`)).data) {
      differences.push(...(await describeRowFaults(release, row, day)));
      rowCount += 1;
    }
  }
  expect(differences).toEqual([]);
  expect(rowCount).toBeGreaterThan(70);
});

test('random rows of past screens of the sample have the figures of metrics as of the day', async () => {
  const sampleService = makeService({ release: async () => sample.release });
  const pickIntegerBelow = makeRandom(27);
  const dayCount = countDaysBetween('2010-03-01', sample.release.manifest.date);
  const comparedCiks = new Set<number>();
  const differences: string[] = [];
  const columns = HISTORY_COLUMNS.filter((name) => sample.release.includes(SCREEN_HISTORY, name));
  // Releases of an earlier layout have changes of other counts, without their dates.
  const hasShareChangeDates = sample.release.includes(SCREEN_HISTORY, 'shares_change_end_date');
  for (let rowCount = 0; rowCount < countSome(32, 200); ) {
    const day = addDays('2010-03-01', pickIntegerBelow(dayCount + 1));
    const target = `/v1/screen?limit=500&as_of=${day}&columns=${columns}`;
    const { data }: { data: ScreenRow[] } = await askBody(target, { service: sampleService });
    expect(data.length).toBeGreaterThan(5);
    for (const row of Array.from({ length: 4 }, () => data[pickIntegerBelow(data.length)] as ScreenRow)) {
      const faults = await describeRowFaults(sample.release, row, day);
      differences.push(...faults.filter((fault) => hasShareChangeDates || !fault.includes(': shares_change')));
      comparedCiks.add(row.cik);
      rowCount += 1;
    }
  }
  expect(differences).toEqual([]);
  expect(comparedCiks.size).toBeGreaterThan(countSome(15, 70));
});

/** Returns a generator of random integers from 0 to below its argument. The same seed gives the same integers. */
function makeRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

test('no state of a company of the sample depends on values filed after its day', async () => {
  const faults: string[] = [];
  let [stateCount, readCount] = [0, 0];
  for (const [cik, days] of selectSome(await readStateDays(sample.release), 18)) {
    const [values, splits] = await Promise.all([sample.release.reportedValues(cik), sample.release.splits(cik)]);
    let lastReadFilingDay = '';
    const onRead = (filed: string) => {
      readCount += 1;
      if (filed > lastReadFilingDay) lastReadFilingDay = filed;
    };
    const rowsSoFar: [day: string, row: string][] = [];
    for (const { day, row } of deriveScreenEvents(
      splitIntoChains(values.map((value) => observeReads(value, onRead))),
      splits,
    )) {
      rowsSoFar.push([day, JSON.stringify(row)]);
      // A later report may prove that a value is right, so rows of earlier days are derived from values of that report,
      // too. This is a fault only if a row changes.
      if (lastReadFilingDay > day && !isDeepStrictEqual(rowsSoFar, deriveRowsOfValuesFiledBy(day, values, splits)))
        faults.push(`CIK ${cik} on ${day}: depends on a value filed ${lastReadFilingDay}`);
      lastReadFilingDay = '';
      if (days.delete(day)) stateCount += 1;
    }
    for (const day of days) faults.push(`CIK ${cik}: no filing explains the state of ${day}`);
  }
  expect(faults).toEqual([]);
  expect(stateCount).toBeGreaterThan(countSome(150, 300));
  expect(readCount).toBeGreaterThan(stateCount);
}, 120_000);

/** Returns, for each CIK, the first day of each stored state. Days on which a state is only repeated are omitted. */
async function readStateDays(reader: ReleaseReader): Promise<ReadonlyMap<number, Set<string>>> {
  const daysByCik = new Map<number, Set<string>>();
  const rowGroups = await reader.groupsBetween(SCREEN_HISTORY, 0, 999912);
  for (const groupColumns of await reader.columnsIn(SCREEN_HISTORY, rowGroups, ['cik', 'day', 'repeated'])) {
    const [stateDays, repeatedFlags] = [groupColumns.cells('day'), groupColumns.cells('repeated')];
    for (const [index, cik] of groupColumns.cells('cik').entries())
      if (repeatedFlags[index] === false)
        getOrInsert(daysByCik, Number(cik), () => new Set<string>()).add(String(stateDays[index]));
  }
  return daysByCik;
}

/** Returns a copy of a reported value. Whenever the copy's `value` is read, it calls `onRead` with the filing day. */
function observeReads(reportedValue: ReportedValue, onRead: (filed: string) => void): ReportedValue {
  const copy = Object.fromEntries(
    REPORTED_VALUES.columns.map(({ field }) => [field, reportedValue[field as keyof ReportedValue]]),
  );
  const { filed, value } = reportedValue;
  const getAndReport = () => {
    onRead(filed);
    return value;
  };
  // The cast is safe, because the table has a column for every field.
  return Object.defineProperty(copy, 'value', { get: getAndReport }) as unknown as ReportedValue;
}

/** Returns the days and rows of the screen, derived only from the values filed up to `day`. */
function deriveRowsOfValuesFiledBy(day: string, values: readonly ReportedValue[], splits: readonly Split[]) {
  const filedValues = values
    .filter(({ filed }) => filed <= day)
    .map((value): ReportedValue => {
      const isContradictedLater = value.contradictedOn !== null && value.contradictedOn > day;
      return isContradictedLater ? Object.create(value, { contradictedOn: { value: null } }) : value;
    });
  const events = deriveScreenEvents(splitIntoChains(filedValues), selectSplitsProvenBy(day, splits));
  return [...events].map((event) => [event.day, JSON.stringify(event.row)]);
}

test("the screen as of the release's date equals the current screen, except prices and outdated companies", async () => {
  const { data: pastRows, meta } = await askScreen(release.manifest.date);
  const { data: currentRows } = await askBody('/v1/screen?limit=500', { service });
  const recentRows = (currentRows as ScreenRow[]).filter(
    ({ annual_end_date: end }) => String(end) >= addMonths(release.manifest.date, -18),
  );
  expect(recentRows.length).toBeGreaterThan(1);
  const omitPrices = (row: ScreenRow) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !PRICED_COLUMNS.has(name)));
  expect(pastRows.map(({ last_report: _, gone: __, ...row }) => row)).toEqual(recentRows.map(omitPrices));
  // A recent report proves that a company still reports, also if only its facts name the report.
  const proven = pastRows.filter(({ last_report: day }) => String(day) >= addMonths(release.manifest.date, -18));
  expect(proven.length).toBeGreaterThan(1);
  expect(proven.map(({ gone }) => gone)).toEqual(proven.map(() => false));
  expect(meta).toMatchObject({ as_of: release.manifest.date, universe: pastRows.length, no_longer_reporting: 0 });
});

test('a company that no longer reports is in the screens of earlier days, under its CIK', async () => {
  const { data, meta } = await askScreen('2014-06-30', '&columns=revenue,fiscal_year');
  expect(data).toEqual([
    {
      ...{ cik: 1336917, ticker: 'CIK0001336917', exchange: '', entity_name: 'Under Armour, Inc.' },
      ...{ revenue: '1834921000', fiscal_year: 2012, last_report: '2015-02-20', gone: null },
    },
  ]);
  expect(meta).toMatchObject({ no_longer_reporting: 0, as_of: '2014-06-30', universe: 1 });
  expect((await askScreen('2016-09-30')).data.map(({ cik }) => cik)).not.toContain(GONE_COMPANY.cik);
  const { data: metrics } = await askBody('/v1/securities/cik1336917/metrics?keys=revenue&as_of=2014-06-30', {
    service,
  });
  expect(metrics).toMatchObject([{ ticker: 'CIK0001336917', end_date: '2012-12-31', value: '1834921000' }]);
});

test('a row that is still valid when its month is no longer read is stored again, marked as repeated', async () => {
  const groups = await release.groupsBetween(SCREEN_HISTORY, 201404, 201404);
  const rows = (await release.columnsIn(SCREEN_HISTORY, groups, ['cik', 'day', 'repeated'])).flatMap((columns) =>
    columns.cells('cik').map((cik, row) => [cik, columns.cells('day')[row], columns.cells('repeated')[row]]),
  );
  expect(rows.filter(([cik, day]) => cik === GONE_COMPANY.cik && String(day) >= '2014-04')).toEqual([
    [GONE_COMPANY.cik, '2014-04-01', true],
  ]);
});

test.each(['1336917', 'CIK0001336917', 'under armour'])(
  'a search for %s finds the company that no longer reports, with its last report',
  async (query) => {
    const { data } = await askBody(`/v1/securities?query=${encodeURIComponent(query)}`, { service });
    expect(data).toMatchObject([{ ticker: 'CIK0001336917', exchange: '', cik: 1336917, last_report: '2015-02-20' }]);
    const { data: otherHits } = await askBody('/v1/securities?query=c', { service });
    expect(otherHits.map(({ ticker }: { ticker: string }) => ticker)).not.toContain('CIK0001336917');
  },
);

test('profile and filings of a company that no longer reports are answered under its CIK', async () => {
  const { data: profile } = await askBody('/v1/securities/CIK0001336917/profile', { service });
  expect(profile).toMatchObject({ is_active: false, last_report: '2015-02-20', gone: null, exchange: '' });
  const { data: filings, meta } = await askBody('/v1/securities/CIK1336917/filings', { service });
  expect(meta.ticker).toBe('CIK0001336917');
  expect(filings.length).toBeGreaterThan(2);
  // A company with a ticker is also found by its CIK.
  expect((await askBody('/v1/securities/CIK0000320193/profile', { service })).data).toMatchObject({ ticker: 'AAPL' });
});

test('the column "day" is read only from row groups that contain the requested month or later months', async () => {
  const columnReads: [last: number, names: readonly string[]][] = [];
  const recordingRelease: ReleaseReader = {
    ...sample.release,
    includes: (...args) => sample.release.includes(...args),
    groupsBetween: (...args) => sample.release.groupsBetween(...args),
    columnsOf: (...args) => sample.release.columnsOf(...args),
    columnsIn: (table, groups, names) => {
      for (const { lastKey } of groups) columnReads.push([lastKey, names]);
      return sample.release.columnsIn(table, groups, names);
    },
  };
  await askBody('/v1/screen?as_of=2019-06-28&columns=revenue', {
    service: makeService({ release: async () => recordingRelease }),
  });
  const dayColumnReads = columnReads.filter(([, names]) => names.includes('day'));
  expect(dayColumnReads.length).toBeGreaterThan(0);
  expect(dayColumnReads.every(([lastKey]) => lastKey >= 201906)).toBe(true);
  expect(columnReads.filter(([, names]) => names.includes('cik')).length).toBeGreaterThan(dayColumnReads.length);
});

test('filters, order and pages of a past screen use the figures of its day', async () => {
  const columnsQuery = '&columns=net_income,fiscal_year';
  const sortedScreen = await askScreen('2012-12-31', `${columnsQuery}&sort=net_income&dir=desc`);
  expect(sortedScreen.data.map(({ ticker, net_income: income }) => `${ticker} ${income}`)).toEqual([
    'PG 11797000000',
    'BKTI -493000',
  ]);
  const secondPage = await askBody(
    `/v1/screen?as_of=2012-12-31${columnsQuery}&sort=net_income&dir=desc&offset=1&limit=1`,
    {
      service,
    },
  );
  expect(secondPage.data).toEqual([sortedScreen.data[1]]);
  const filteredScreen = await askScreen('2012-12-31', `${columnsQuery}&where=revenue:gt:1`);
  expect(filteredScreen.data).toEqual([sortedScreen.data[0]]);
  expect(filteredScreen.meta).toMatchObject({ total: 1, set_aside: 1, universe: 2 });
  expect(sortedScreen.data.every(({ price }) => price === undefined)).toBe(true);
});

test('a past screen has the prices of its day, also for filters and order', async () => {
  const pricesQuery = '&columns=price,price_day,market_cap,pe';
  const askPriceRow = async (day: string) =>
    (await askScreen(day, pricesQuery)).data.find(({ ticker }) => ticker === 'PG');
  expect(await askPriceRow('2012-12-31')).toMatchObject({
    price: '67.97',
    price_day: '2012-12-27',
    market_cap: null,
    pe: null,
  });
  expect(await askPriceRow('2012-12-26')).toMatchObject({ price: null, price_day: null });
  const { data, meta } = await askScreen('2012-12-31', pricesQuery);
  expect(data.find(({ ticker }) => ticker === 'BKTI')).toMatchObject({ price: null, price_day: null });
  expect(meta.attribution).toMatchObject({ text: expect.stringContaining('fails-to-deliver') });
  // The price is the same if all figures are requested and if only prices are requested.
  expect(await askPriceRow('2012-12-31')).toMatchObject(
    (await askScreen('2012-12-31', '&columns=price,price_day')).data[1] ?? {},
  );
  const screenFilteredByPrice = await askScreen('2012-12-31', '&columns=revenue&where=price:gt:67');
  expect(screenFilteredByPrice.data.map(({ ticker }) => ticker)).toEqual(['PG']);
  expect(screenFilteredByPrice.meta).toMatchObject({ total: 1, universe: 2, set_aside: 1 });
  expect(screenFilteredByPrice.meta.attribution).toMatchObject({ text: expect.stringContaining('fails-to-deliver') });
  expect((await askScreen('2012-12-31', '&where=price:gt:68&columns=pe&sort=market_cap')).data).toEqual([]);
  expect((await askScreen('2012-12-31', '&where=pe:lt:15')).meta).toMatchObject({ total: 0, set_aside: 2 });
  const screenSortedByPrice = await askScreen('2012-12-31', '&columns=price&sort=price&dir=desc');
  expect(screenSortedByPrice.data.map(({ ticker, price }) => [ticker, price])).toEqual([
    ['PG', '67.97'],
    ['BKTI', null],
  ]);
});

test('before the first report the screen is empty, and an invalid date is refused', async () => {
  expect(await askScreen('1999-12-31')).toMatchObject({ data: [], meta: { universe: 0, total: 0 } });
  const problem = await expectRefusal('/v1/screen?as_of=2019-02-30', 400, { service });
  expect(problem.detail).toContain('as_of');
});

test('a past screen of a release without screens of past days is answered 404 with the reason', async () => {
  const problem = await expectRefusal('/v1/screen?as_of=2019-06-28', 404);
  expect(problem.detail).toMatch(/^Screener results for past days are not included in release/);
});

test('the currency of a row is that of its fiscal year, today and on past days', async () => {
  for (const query of ['', '&as_of=2024-06-28', '&as_of=2025-06-30']) {
    const { data }: { data: ScreenRow[] } = await askBody(`/v1/screen?limit=500&columns=currency${query}`, { service });
    const currencies = data.map(({ ticker, currency }) => [ticker, currency]);
    expect(currencies).toContainEqual(['TSM', 'TWD']);
    expect(currencies.filter(([, currency]) => currency !== 'USD')).toHaveLength(1);
    expect(currencies.length).toBeGreaterThan(1);
  }
  for (const query of ['where=currency:gt:1', 'sort=currency'])
    expect((await expectRefusal(`/v1/screen?${query}`, 400, { service })).detail).toContain('currency');
});
