/** Prices and holders of the complete sample. Every response must conform exactly to its schema. */
import { expect, test } from 'vitest';
import { add, divide, multiply } from '../../src/contract/decimal.ts';
import { compareDecimals } from '../../src/contract/decimal-text.ts';
import type { Holder, HolderHit, SecurityHolders } from '../../src/contract/resources/holders.ts';
import type { Prices } from '../../src/contract/resources/prices.ts';
import type { SecurityProfile } from '../../src/contract/resources/securities.ts';
import { isTradingDay } from '../../src/platform/trading-calendar.ts';
import { countSome, selectSome } from '../select-some.ts';
import { expectRefusal, makeService } from './ask.ts';
import { openSample } from './sample.ts';

const { release, get } = openSample();

async function listTickers(): Promise<string[]> {
  return (await release.securities()).map(({ ticker }) => encodeURIComponent(ticker));
}

test('the prices of a security are lists with one item per trading day, with an attribution', async () => {
  let comparedDayCount = 0;
  for (const ticker of selectSome(await listTickers(), 3)) {
    const { data, meta } = await get<Prices>('prices', `/v1/securities/${ticker}/prices?range=max`);
    const lengths = [data.price, data.adj_price, data.source, data.market_cap].map(({ length }) => length);
    expect(lengths, ticker).toEqual(lengths.map(() => data.days.length));
    expect(data.days).toEqual([...new Set(data.days)].sort());
    expect(data.days.filter((day) => !isTradingDay(day) || day > release.manifest.date)).toEqual([]);
    expect(data.latest?.day).toBe(data.days.at(-1));
    expect(meta.attribution !== undefined).toBe(data.days.length > 0);
    // Without a later split the last price needs no adjustment, so it equals the adjusted price.
    const hasLaterSplit = data.actions.some(({ ex_date }) => ex_date > (data.days.at(-1) ?? ''));
    if (data.days.length > 0 && !hasLaterSplit && data.price.at(-1) === data.adj_price.at(-1))
      comparedDayCount += data.days.length;
    const { data: profile, meta: profileMeta } = await get<SecurityProfile>(
      'profile',
      `/v1/securities/${ticker}/profile`,
    );
    expect(profile.price ?? null).toEqual(data.latest ?? null);
    expect(profileMeta.attribution !== undefined).toBe(profile.price !== null);
  }
  expect(comparedDayCount).toBeGreaterThan(countSome(1500, 5000));
}, 120_000);

test('a range whose first day is after its last day is refused with an error that names only parameters of the request', async () => {
  const { date } = release.manifest;
  const service = makeService({ release: async () => release });
  for (const [dayParameters, detail] of [
    ['from=2027-01-01', `"from" (2027-01-01) is after the date of the release (${date}).`],
    [
      'from=2024-02-01&to=2024-01-01',
      '"from" (2024-02-01) is after "to" (2024-01-01); the earlier day must come first.',
    ],
  ] as const) {
    expect((await expectRefusal(`/v1/securities/AAPL/prices?${dayParameters}`, 400, { service })).detail).toBe(detail);
  }
});

test('price ratios of the screen are the market cap divided by a figure, and no price is older than 180 days', async () => {
  const joinedColumns = 'price,price_day,market_cap,ps,pb,revenue,stockholders_equity';
  const { data } = await get<Record<string, string | null>[]>(
    'screen',
    `/v1/screen?limit=500&columns=${joinedColumns}`,
  );
  const pricedRows = data.filter(({ price }) => price !== null);
  expect(pricedRows.filter(({ ps, pb }) => ps != null && pb != null).length).toBeGreaterThan(0);
  const { date } = release.manifest;
  for (const row of pricedRows) {
    expect(Date.parse(date) - Date.parse(row.price_day ?? '')).toBeLessThanOrEqual(180 * 86_400_000);
    if (row.ps != null) expect(row.ps).toBe(divide(row.market_cap ?? '0', row.revenue ?? '1'));
    if (row.pb != null) expect(row.pb).toBe(divide(row.market_cap ?? '0', row.stockholders_equity ?? '1'));
  }
});

test("every listed manager's positions add up to the report's total, and the weights to one", async () => {
  const { data: managers, meta } = await get<HolderHit[]>('managers', '/v1/holders?limit=50');
  expect(managers.length).toBe(Math.min(50, meta.total ?? 0));
  expect(managers.length).toBeGreaterThan(0);
  for (const { cik, latest_value } of managers) {
    const positionRows: Holder['rows'] = [];
    let reportPage: Holder | undefined;
    while (reportPage === undefined || positionRows.length < reportPage.rows_total) {
      reportPage = (await get<Holder>('manager', `/v1/holders/${cik}?limit=500&offset=${positionRows.length}`)).data;
      positionRows.push(...reportPage.rows);
    }
    expect(positionRows.reduce((sum, { value }) => add(sum, value), '0')).toBe(reportPage.value_total);
    expect(reportPage.value_total).toBe(latest_value);
    expect(reportPage.positions).toBe(positionRows.length);
    const weightSum = positionRows.reduce((sum, { weight }) => add(sum, weight ?? '0'), '0');
    expect(compareDecimals(weightSum, '0.9999999') > 0 && compareDecimals(weightSum, '1.0000001') < 0).toBe(true);
    expect(
      positionRows.every(
        (row, index) => index === 0 || compareDecimals(positionRows[index - 1]?.value ?? '0', row.value) >= 0,
      ),
    ).toBe(true);
  }
});

test("every company's holders add up to the totals, and a page is a part of the full list", async () => {
  let comparedRowCount = 0;
  for (const ticker of await listTickers()) {
    const { data } = await get<SecurityHolders>('holders', `/v1/securities/${ticker}/holders?limit=500`);
    const path = `/v1/securities/${ticker}/holders?limit=2&offset=1`;
    expect((await get<SecurityHolders>('holders', path)).data).toEqual({ ...data, rows: data.rows.slice(1, 3) });
    const shareRows = data.rows.filter(({ amount_type }) => amount_type === 'SH');
    expect(shareRows.reduce((sum, { amount }) => add(sum, amount), '0')).toBe(data.amount_held);
    expect(shareRows.reduce((sum, { value }) => add(sum, value), '0')).toBe(data.value_held);
    expect(new Set(shareRows.map(({ holder_cik }) => holder_cik)).size).toBe(data.holders);
    if (data.prior_period === null) expect([data.opened, data.closed, data.prior_holders]).toEqual([null, null, null]);
    for (const row of shareRows) {
      if (!row.prior_known) expect([row.prior_amount, row.prior_value]).toEqual([null, null]);
      // No share costs a million dollars, so no value was multiplied by a thousand twice.
      expect(compareDecimals(row.value, multiply(row.amount, '1000000'))).toBeLessThan(0);
    }
    comparedRowCount += shareRows.length;
  }
  expect(comparedRowCount).toBeGreaterThan(0);
});

test('the quarter shown of a company without holders is the latest quarter with reports', async () => {
  const { data: managers } = await get<HolderHit[]>('managers', '/v1/holders?limit=50');
  const latestQuarterEnd = managers
    .map(({ latest_period }) => latest_period ?? '')
    .sort()
    .at(-1);
  const { data } = await get<SecurityHolders>('holders', '/v1/securities/ARM/holders');
  expect([data.holders, data.period]).toEqual([0, latestQuarterEnd]);
});
