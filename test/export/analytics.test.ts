/**
 * The typed tables of the sample, read by DuckDB: types, values, and an analyst's questions compared with the service's
 * answers.
 */
import { join, resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, expect, test } from 'vitest';
import { add, divide, multiply } from '../../src/contract/decimal.ts';
import { compareDecimals } from '../../src/contract/decimal-text.ts';
import { INTERNAL_FIGURE_DEFINITIONS } from '../../src/contract/figures.ts';
import type { Holder, HolderHit, SecurityHolders } from '../../src/contract/resources/holders.ts';
import type { InsiderActivityPage } from '../../src/contract/resources/insiders.ts';
import type { Prices } from '../../src/contract/resources/prices.ts';
import type { Segments } from '../../src/contract/resources/segments.ts';
import { type AnalyticsManifest, readAnalyticsManifest } from '../../src/export/analytics-manifest.ts';
import { renderReleaseSql } from '../../src/export/release-sql.ts';
import { TYPED_TABLES, type TypedTable } from '../../src/export/typed-tables.ts';
import { writeAnalytics } from '../../src/export/write-analytics.ts';
import { readCurrentStamp } from '../../src/store/releases/home.ts';
import { openSample } from '../service/sample.ts';
import { makeFolder } from '../store/public-source.ts';

const SAMPLE_HOME = resolve(import.meta.dirname, '../../src/store/sample');
const SAMPLE_RELEASE_DIRECTORY = join(SAMPLE_HOME, readCurrentStamp(SAMPLE_HOME) ?? '');
const { release, get } = openSample();

let duckdb: DuckDBConnection;
let tablesDirectory: string;
let manifest: AnalyticsManifest;

beforeAll(async () => {
  tablesDirectory = join(await makeFolder('analytics'), 'tables');
  await writeAnalytics({ release: SAMPLE_RELEASE_DIRECTORY, out: tablesDirectory });
  manifest = readAnalyticsManifest(tablesDirectory) as AnalyticsManifest;
  duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  await duckdb.run(renderReleaseSql(manifest.stamp, manifest.tables, tablesDirectory));
});

type Row = Record<string, string | number | boolean | null>;

async function queryRows(sql: string): Promise<Row[]> {
  return (await duckdb.runAndReadAll(sql)).getRowObjectsJson() as Row[];
}

const listIncludedTables = () => TYPED_TABLES.filter(({ name }) => manifest.tables[name] !== undefined);
const formatSourceTableSql = ({ source }: TypedTable) =>
  `read_parquet('${join(SAMPLE_RELEASE_DIRECTORY, `${source.name}.parquet`)}')`;
/** Keys of internal amounts, which no answer contains. */
const INTERNAL_KEYS_SQL = INTERNAL_FIGURE_DEFINITIONS.map(({ key }) => `'${key}'`).join(', ');
/** Removes trailing zeros, because SQL prints all decimals of a type. */
const trimZeros = (value: unknown) =>
  String(value)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');

test('every table has the types in the manifest, and a comment on every column', async () => {
  expect(listIncludedTables().length).toBeGreaterThanOrEqual(15);
  for (const { name } of listIncludedTables()) {
    const { columns } = manifest.tables[name] ?? { columns: [] };
    const describedColumns = await queryRows(`DESCRIBE ${name}`);
    expect(
      describedColumns.map((row) => [row.column_name, row.column_type]),
      name,
    ).toEqual(columns.map((column) => [column.name, column.type]));
    const commentRows = await queryRows(`SELECT comment FROM duckdb_columns() WHERE table_name = '${name}'`);
    expect(commentRows.map(({ comment }) => comment)).toEqual(columns.map(({ about }) => about));
  }
  const figureColumns = await queryRows('DESCRIBE figures');
  expect(figureColumns.find(({ column_name }) => column_name === 'value')?.column_type).toBe('DECIMAL(38,5)');
});

test('every typed table has the values of its source table, as DuckDB casts them', async () => {
  for (const table of listIncludedTables().filter(({ changes }) => changes === undefined)) {
    const columns = table.columns.filter(
      ({ sourceColumn: sourceName, name }) =>
        // Omits columns that the sample lacks; they are null in the typed table.
        sourceName !== null &&
        release.includes(table.source, sourceName) &&
        !(table.name === 'figures' && name === 'kind'),
    );
    const typeByColumn = new Map(manifest.tables[table.name]?.columns.map(({ name, type }) => [name, type]));
    const castList = columns
      .map(({ name, sourceColumn: sourceName }) => `CAST("${sourceName}" AS ${typeByColumn.get(name)})`)
      .join(', ');
    const nameList = columns.map(({ name }) => `"${name}"`).join(', ');
    const isFiguresTable = table.name === 'figures';
    // Compares only a tenth of the companies in the table `figures`, because DuckDB takes seconds to convert all its
    // text to decimals.
    const typedFilter = isFiguresTable ? "WHERE kind <> 'reinstated' AND cik % 10 = 0" : '';
    const sourceFilter = isFiguresTable ? `WHERE metric_key NOT IN (${INTERNAL_KEYS_SQL}) AND cik % 10 = 0` : '';
    // Compares rows as a multiset by their hashes: rows that differ in one value have different hashes.
    const formatDigestQuery = (valueList: string, tableSql: string) =>
      `SELECT count(*) AS count, sum(hash(${valueList})) AS hash FROM ${tableSql}`;
    const typedDigest = await queryRows(formatDigestQuery(nameList, `${table.name} ${typedFilter}`));
    expect(typedDigest, table.name).toEqual(
      await queryRows(formatDigestQuery(castList, `${formatSourceTableSql(table)} ${sourceFilter}`)),
    );
    // No manager of the sample has two reports.
    if (table.name !== 'earlier_holdings') expect(Number(typedDigest[0]?.count), table.name).toBeGreaterThan(0);
  }
  const figuresSourceSql = formatSourceTableSql(TYPED_TABLES.find(({ name }) => name === 'figures') as TypedTable);
  const [rowCounts] = await queryRows(`SELECT (SELECT count(*) FROM figures WHERE kind <> 'reinstated') AS typed,
    (SELECT count(*) FROM ${figuresSourceSql} WHERE metric_key NOT IN (${INTERNAL_KEYS_SQL})) AS source`);
  expect(Number(rowCounts?.typed)).toBeGreaterThan(100_000);
  expect(rowCounts?.typed).toBe(rowCounts?.source);
});

test('the table figures has few row groups, sorted by metric, with bounds that include its smallest value', async () => {
  const path = join(tablesDirectory, 'figures.parquet');
  const bounds = await queryRows(
    `SELECT stats_min_value AS low, stats_max_value AS high FROM parquet_metadata('${path}')
     WHERE path_in_schema = 'metric_key' ORDER BY row_group_id`,
  );
  expect(bounds.length).toBeLessThan(10);
  // The rows are sorted in spans of half a million rows; the sample has two.
  const spanStarts = bounds.slice(1).filter(({ low }, index) => String(low) < String(bounds[index]?.high));
  expect(spanStarts).toHaveLength(1);
  const [negativeFigures] = await queryRows(
    'SELECT count(*) AS count, min(value) AS least FROM figures WHERE value < 0',
  );
  const negativeValues = (
    await queryRows(`SELECT raw.value FROM ${formatSourceTableSql(TYPED_TABLES.find(({ name }) => name === 'figures') as TypedTable)} AS raw
    WHERE raw.value LIKE '-%' AND metric_key NOT IN (${INTERNAL_KEYS_SQL})`)
  ).map(({ value }) => String(value));
  const reinstatedCounts = await queryRows(
    "SELECT count(*) AS count FROM figures WHERE kind = 'reinstated' AND value < 0",
  );
  expect(Number(negativeFigures?.count)).toBe(negativeValues.length + Number(reinstatedCounts[0]?.count));
  const leastValue = negativeValues.reduce((a, b) => (compareDecimals(a, b) <= 0 ? a : b));
  expect(trimZeros(negativeFigures?.least)).toBe(leastValue);
  const [leastBound] = await queryRows(
    `SELECT min(stats_min_value::DECIMAL(38,6)) AS least FROM parquet_metadata('${path}') WHERE path_in_schema = 'value'`,
  );
  expect(trimZeros(leastBound?.least)).toBe(leastValue);
  const [releaseMetadata] = await queryRows(
    `SELECT decode(value) AS value FROM parquet_kv_metadata('${path}') WHERE decode(key) = 'fin.release'`,
  );
  expect(releaseMetadata?.value).toBe(manifest.stamp);
});

test('1. SQL and fin select the same companies by revenue growth above 20 % and net margin above 10 %', async () => {
  const sqlRows = await queryRows(
    'SELECT ticker, revenue_yoy, net_margin FROM screen WHERE revenue_yoy > 0.2 AND net_margin > 0.1 ORDER BY revenue_yoy DESC, ticker',
  );
  const { data } = await get<Row[]>(
    'screen',
    '/v1/screen?where=revenue_yoy:gt:0.2&where=net_margin:gt:0.1&sort=revenue_yoy&dir=desc&limit=500&columns=revenue_yoy,net_margin',
  );
  expect(data.length).toBeGreaterThan(3);
  expect(
    sqlRows.map(({ ticker, revenue_yoy, net_margin }) => [ticker, trimZeros(revenue_yoy), trimZeros(net_margin)]),
  ).toEqual(data.map(({ ticker, revenue_yoy, net_margin }) => [ticker, revenue_yoy, net_margin]));
});

test('2. SQL and fin find the same managers that hold both Apple and Microsoft', async () => {
  const tickers = ['AAPL', 'MSFT'];
  const responses = await Promise.all(
    tickers.map((ticker) => get<SecurityHolders>('holders', `/v1/securities/${ticker}/holders?limit=500`)),
  );
  const [apple, microsoft] = responses.map(({ data }) => data);
  const sqlRows = await queryRows(
    `SELECT a.holder_cik, a.value AS apple, m.value AS microsoft
     FROM security_holders AS a JOIN security_holders AS m ON a.holder_cik = m.holder_cik
     WHERE a.ticker_normalized = 'AAPL' AND a.period = '${apple?.period}'
       AND m.ticker_normalized = 'MSFT' AND m.period = '${microsoft?.period}' ORDER BY 1`,
  );
  const microsoftValueByHolder = new Map(microsoft?.rows.map((row) => [row.holder_cik, row.value]));
  const expectedRows = (apple?.rows ?? [])
    .flatMap((row) =>
      microsoftValueByHolder.has(row.holder_cik)
        ? [[String(row.holder_cik), row.value, microsoftValueByHolder.get(row.holder_cik)]]
        : [],
    )
    .sort((a, b) => Number(a[0]) - Number(b[0]));
  expect(expectedRows.length).toBeGreaterThan(0);
  expect(sqlRows.map((row) => [row.holder_cik, trimZeros(row.apple), trimZeros(row.microsoft)])).toEqual(expectedRows);
});

test('3. SQL and fin find the same companies whose shares at least two insiders bought, and the same totals', async () => {
  const filings: InsiderActivityPage['filings'][number][] = [];
  let firstPage: InsiderActivityPage | undefined;
  for (let offset = 0; ; offset += 100) {
    const { data } = await get<InsiderActivityPage>(
      'insider-activity',
      `/v1/insider-activity?kind=purchase&limit=100&offset=${offset}`,
    );
    firstPage ??= data;
    filings.push(...data.filings);
    if (data.filings.length < 100) break;
  }
  const buyersByCompany = new Map<number, Set<number>>();
  for (const { cik, owners } of filings) {
    const companyBuyers = buyersByCompany.get(cik) ?? new Set();
    buyersByCompany.set(cik, companyBuyers);
    for (const owner of owners) companyBuyers.add(owner.cik);
  }
  const companiesWithSeveralBuyers = [...buyersByCompany]
    .filter(([, owners]) => owners.size > 1)
    .map(([cik, owners]) => [String(cik), String(owners.size)]);
  const sqlRows = await queryRows(
    `SELECT cik, count(DISTINCT owner_cik) AS buyers FROM insider_trades JOIN insider_owners USING (cik, accession_number)
     WHERE transaction_code = 'P' GROUP BY cik HAVING buyers > 1 ORDER BY cik`,
  );
  expect(companiesWithSeveralBuyers.length).toBeGreaterThan(0);
  expect(sqlRows.map(({ cik, buyers: count }) => [cik, count])).toEqual(
    companiesWithSeveralBuyers.sort((a, b) => Number(a[0]) - Number(b[0])),
  );
  const [sqlTotals] = await queryRows(
    "SELECT sum(transaction_value) AS value, count(*) AS trades FROM counted_trades WHERE transaction_code = 'P'",
  );
  expect(trimZeros(sqlTotals?.value)).toBe(firstPage?.reported_purchase_value);
  expect(Number(sqlTotals?.trades)).toBe(
    (firstPage?.purchase_transactions ?? 0) - (firstPage?.uncounted_transactions ?? 0),
  );
});

test('4. SQL and fin have the same revisions of a figure, and the same number of restatements per filing year', async () => {
  const tickers = ['KO', 'PFE', 'MSFT'];
  let restatedCount = 0;
  for (const ticker of tickers) {
    const { data } = await get<Row[]>('revisions', `/v1/securities/${ticker}/metrics/net_income/revisions?limit=500`);
    const cik = data[0]?.cik;
    const rows = await queryRows(
      `SELECT end_date, start_date, unit, revision_rank, kind, value, stands_from IS NOT NULL AND stands_until IS NULL AS standing, filed_at
       FROM figures WHERE cik = ${cik} AND metric_key = 'net_income' AND kind <> 'reinstated' ORDER BY ALL LIMIT 5000`,
    );
    const describeRow = (row: Row, endDate: unknown, unit: unknown) =>
      [
        endDate,
        row.start_date,
        unit,
        Number(row.revision_rank),
        row.kind,
        trimZeros(row.value),
        row.standing,
        row.filed_at,
      ].join(' ');
    const responseLines = data.map((row) => describeRow(row, row.end_date, row.metric_unit));
    const tableLines = new Set(rows.map((row) => describeRow(row, row.end_date, row.unit)));
    expect(responseLines.length).toBeGreaterThan(0);
    expect(
      responseLines.filter((answerLine) => !tableLines.has(answerLine)),
      ticker,
    ).toEqual([]);
    if (responseLines.length < 500) expect(rows).toHaveLength(responseLines.length);
  }
  const sqlCounts = await queryRows(
    "SELECT year(filed_at) AS year, count(*) AS count FROM figures WHERE kind = 'revised' GROUP BY year ORDER BY year",
  );
  const countByYear = new Map<string, number>();
  for (const { cik } of await release.companies()) {
    for (const { kind, filed, metricKey } of await release.reportedValues(cik)) {
      if (kind !== 'revised' || INTERNAL_FIGURE_DEFINITIONS.some(({ key }) => key === metricKey)) continue;
      countByYear.set(filed.slice(0, 4), (countByYear.get(filed.slice(0, 4)) ?? 0) + 1);
      restatedCount += 1;
    }
  }
  expect(restatedCount).toBeGreaterThan(1000);
  expect(sqlCounts.map(({ year, count }) => [String(year), Number(count)])).toEqual([...countByYear].sort());
});

test('5. SQL and fin have the same revenue and net income of all companies of an exchange', async () => {
  const { data } = await get<Row[]>('screen', '/v1/screen?limit=500&columns=revenue,net_income');
  const sumsByExchange = new Map<string, { revenue: string; income: string }>();
  for (const { exchange, revenue, net_income: income } of data) {
    if (revenue === null || income === null) continue;
    const sum = sumsByExchange.get(String(exchange)) ?? { revenue: '0', income: '0' };
    sumsByExchange.set(String(exchange), {
      revenue: add(sum.revenue, String(revenue)),
      income: add(sum.income, String(income)),
    });
  }
  const sqlRows = await queryRows(
    `SELECT exchange, sum(revenue) AS revenue, sum(net_income) AS income FROM screen
     WHERE revenue IS NOT NULL AND net_income IS NOT NULL GROUP BY exchange`,
  );
  expect(sqlRows.length).toBeGreaterThan(1);
  expect(
    new Map(sqlRows.map((row) => [row.exchange, { revenue: trimZeros(row.revenue), income: trimZeros(row.income) }])),
  ).toEqual(sumsByExchange);
  for (const { revenue, income } of sumsByExchange.values())
    expect(compareDecimals(divide(income, revenue) ?? '0', '0')).toBeGreaterThan(0);
});

test("6. SQL and fin have the same shares of Boeing's segments in its revenue", async () => {
  const { data } = await get<Segments>('segments', '/v1/securities/BA/segments?period=annual');
  const measure = data.axes
    .find(({ axis }) => axis === 'segment')
    ?.measures.find((measure) => measure.measure === 'revenue');
  const [endDate, total] = [measure?.periods[0]?.end_date, measure?.totals[0]];
  const sqlRows = await queryRows(
    `SELECT part.label, part.value, whole.value AS total FROM segments AS part
     JOIN segments AS whole USING (cik, period, axis, measure, concept, unit, end_date)
     WHERE cik = ${data.cik} AND period = 'annual' AND axis = 'segment' AND measure = 'revenue' AND end_date = '${endDate}'
       AND concept = '${measure?.concept}' AND part.member IS NOT NULL AND whole.member IS NULL`,
  );
  const segmentShares = (measure?.members ?? []).flatMap(({ label, values }) =>
    values[0] == null ? [] : [[label, values[0], divide(values[0], total ?? '1')]],
  );
  expect(segmentShares.length).toBeGreaterThan(2);
  expect(
    sqlRows.map((row) => [row.label, trimZeros(row.value), divide(trimZeros(row.value), trimZeros(row.total))]).sort(),
  ).toEqual(segmentShares.sort());
});

test('7. SQL and fin count the same filings of a company per form and month', async () => {
  const { data } = await get<Row[]>('filings', '/v1/securities/AAPL/filings?limit=500');
  const oldestDay = String(data.at(-1)?.filed_at);
  const countByFormAndMonth = new Map<string, number>();
  for (const { form, filed_at } of data) {
    if (String(filed_at) <= oldestDay) continue;
    const key = `${form} ${String(filed_at).slice(0, 7)}`;
    countByFormAndMonth.set(key, (countByFormAndMonth.get(key) ?? 0) + 1);
  }
  const sqlRows = await queryRows(
    `SELECT form || ' ' || strftime(filed_at, '%Y-%m') AS key, count(*) AS count FROM filings
     WHERE cik = 320193 AND filed_at > '${oldestDay}' GROUP BY key`,
  );
  expect(countByFormAndMonth.size).toBeGreaterThan(20);
  expect(new Map(sqlRows.map(({ key, count }) => [key, Number(count)]))).toEqual(countByFormAndMonth);
  const [latestFiling] = await queryRows(
    `SELECT strftime(accepted_at AT TIME ZONE 'America/New_York', '%Y-%m-%dT%H:%M:%S') AS moment, accession_number
     FROM filings WHERE cik = 320193 AND accepted_at IS NOT NULL ORDER BY accepted_at DESC, accession_number LIMIT 1`,
  );
  const responseFiling = data.find(({ accession_number }) => accession_number === latestFiling?.accession_number);
  expect(String(responseFiling?.accepted_at).slice(0, 19)).toBe(latestFiling?.moment);
});

test('8. SQL and fin have the same daily prices of a security, and the same return over all days', async () => {
  const { data } = await get<Prices>('prices', '/v1/securities/AAPL/prices?range=max');
  const sqlRows = await queryRows(
    `SELECT day, price, source FROM daily_prices WHERE ticker_normalized = 'AAPL'
       AND day BETWEEN '${data.days[0]}' AND '${data.days.at(-1)}' ORDER BY day`,
  );
  expect(data.days.length).toBeGreaterThan(20);
  expect(sqlRows.map(({ day, price, source }) => [day, trimZeros(price), source])).toEqual(
    data.days.map((day, index) => [day, trimZeros(data.price[index]), data.source[index]]),
  );
  const [endPrices] = await queryRows(
    `SELECT last(price ORDER BY day) AS last, first(price ORDER BY day) AS first FROM daily_prices
     WHERE ticker_normalized = 'AAPL'`,
  );
  expect(divide(trimZeros(endPrices?.last), trimZeros(endPrices?.first))).toBe(
    divide(data.price.at(-1) ?? '', data.price[0] ?? ''),
  );
});

test('9. SQL and fin have the same values as of a day, none of them filed later', async () => {
  const keys = ['net_income', 'assets', 'eps_diluted'];
  let comparedCount = 0;
  for (const day of ['2012-03-31', '2018-08-03', '2023-02-15', '2026-08-18']) {
    const [laterFilings] = await queryRows(
      `SELECT count(*) AS count FROM figures_as_of(DATE '${day}') WHERE filed_at > '${day}'`,
    );
    expect(laterFilings?.count).toBe('0');
    for (const ticker of ['AAPL', 'KO', 'BA']) {
      const { data } = await get<(Row & { read_from: Row })[]>(
        'metrics',
        `/v1/securities/${ticker}/metrics?period=all&as_of=${day}&limit=500&keys=${keys.join()}`,
      );
      const reportedRows = data.filter(({ value_kind }) => value_kind === 'reported');
      const sqlRows = await queryRows(
        `SELECT metric_key, unit, start_date, end_date, value, accession_number, revision_rank
         FROM figures_as_of(DATE '${day}') JOIN securities USING (cik)
         WHERE ticker = '${ticker}' AND metric_key IN (${keys.map((key) => `'${key}'`).join(', ')})`,
      );
      const describeRow = (row: Row, source: Row) =>
        [
          row.metric_key,
          row.unit,
          row.start_date,
          row.end_date,
          trimZeros(row.value),
          source.accession_number,
          source.revision_rank,
        ].join(' ');
      expect(data.length).toBeLessThan(500);
      expect(sqlRows.map((row) => describeRow(row, row)).sort(), `${ticker} ${day}`).toEqual(
        reportedRows.map((row) => describeRow(row, row.read_from)).sort(),
      );
      comparedCount += reportedRows.length;
    }
  }
  expect(comparedCount).toBeGreaterThan(1000);
});

test('10. SQL and fin list the same largest positions of each manager, with the same weights', async () => {
  const { data: managers } = await get<HolderHit[]>('managers', '/v1/holders?limit=50');
  expect(managers.length).toBeGreaterThan(0);
  for (const { cik } of managers) {
    const { data } = await get<Holder>('manager', `/v1/holders/${cik}?limit=10`);
    const sqlRows = await queryRows(
      `SELECT cusip, value, amount, weight, value_total FROM holdings JOIN manager_reports USING (holder_cik)
       WHERE holder_cik = ${cik} AND period = '${data.period}' ORDER BY value DESC, cusip LIMIT 10`,
    );
    const describePosition = (row: Row) =>
      `${trimZeros(row.value)} ${row.cusip} ${trimZeros(row.amount)} ${trimZeros(row.weight)}`;
    expect(sqlRows.map((row) => trimZeros(row.value))).toEqual(data.rows.map(({ value }) => value));
    expect(sqlRows.map(describePosition).sort()).toEqual(
      data.rows.map((row) => describePosition(row as unknown as Row)).sort(),
    );
    expect(trimZeros(sqlRows[0]?.value_total)).toBe(data.value_total);
    expect(multiply('1', trimZeros(sqlRows[0]?.weight))).toBe(divide(data.rows[0]?.value ?? '0', data.value_total));
  }
});
