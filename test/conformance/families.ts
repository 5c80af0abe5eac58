import { expect } from 'vitest';
import { aTicker, type Check, expectResource, NotHere, ok, refused } from './expectations.ts';

export const families: Readonly<Record<string, Check>> = {
  'filings-rows': async (ask) => {
    const { data } = (await ok(ask, `/v1/securities/${await aTicker(ask)}/filings?limit=50`)).body;
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) expectResource('Filing', row);
  },
  'filings-forms': async (ask) => {
    const { data, meta } = (await ok(ask, `/v1/securities/${await aTicker(ask)}/filings?forms=10-k&limit=50`)).body;
    expect(meta.forms).toBe('10-K');
    for (const row of data) expect(row.form).toBe('10-K');
  },
  day: async (ask) => {
    const { data, meta } = (await ok(ask, '/v1/filings/day')).body;
    expectResource('FilingsDay', data);
    expect([data.date, meta.date]).toEqual([data.latest, data.latest]);
    expect(data.lines.length).toBeLessThanOrEqual(1500);
  },
  'day-later': async (ask) => {
    await ok(ask, '/v1/filings/day');
    await refused(ask, '/v1/filings/day?date=2999-01-01', 404, 'not_found');
  },
  filing: async (ask) => {
    const [row] = (await ok(ask, `/v1/securities/${await aTicker(ask)}/filings?limit=1`)).body.data;
    if (row === undefined) throw new NotHere('the company has no filing on file');
    const { data } = (await ok(ask, `/v1/filings/${row.accession_number}`)).body;
    expectResource('FilingSource', data);
    expect(data.accession_number).toBe(row.accession_number);
    expect(data.folder).toMatch(/\/$/);
  },
  'filing-unknown': async (ask) => {
    await ok(ask, '/v1/filings/day');
    await refused(ask, '/v1/filings/9999999999-99-999999', 404, 'not_found');
  },
  insiders: async (ask) => {
    for (const path of ['/v1/insider-activity', `/v1/securities/${await aTicker(ask)}/insider-activity`]) {
      expectResource('InsiderActivityPage', (await ok(ask, path)).body.data);
    }
  },
  'insiders-limit': async (ask) => {
    await refused(ask, '/v1/insider-activity?limit=101', 400, 'bad_request', 'limit');
  },
  'insiders-kind': async (ask) => {
    expect((await ok(ask, '/v1/insider-activity?kind=all')).body.meta.kind).toBeUndefined();
    expect((await ok(ask, '/v1/insider-activity?kind=sale')).body.meta.kind).toBe('sale');
  },
  'tickers-max': async (ask) => {
    const tickers = Array.from({ length: 61 }, () => 'A').join(',');
    await refused(ask, `/v1/insider-activity?tickers=${tickers}`, 400, 'bad_request', 'tickers');
  },
  holders: async (ask) => {
    expectResource('SecurityHolders', (await ok(ask, `/v1/securities/${await aTicker(ask)}/holders`)).body.data);
  },
  managers: async (ask) => {
    const { data, meta } = (await ok(ask, '/v1/holders')).body;
    expect(meta.limit).toBe(10);
    expect(data.length).toBeLessThanOrEqual(10);
    for (const row of data) expectResource('HolderHit', row);
  },
  'managers-bounds': async (ask) => {
    await refused(ask, '/v1/holders?limit=51', 400, 'bad_request', 'limit');
    await refused(ask, `/v1/holders?query=${'a'.repeat(65)}`, 400, 'bad_request', 'query');
  },
  'manager-unknown': async (ask) => {
    await ok(ask, '/v1/holders');
    await refused(ask, '/v1/holders/9999999998', 404, 'not_found');
  },
  segments: async (ask) => {
    expectResource('Segments', (await ok(ask, `/v1/securities/${await aTicker(ask)}/segments`)).body.data);
  },
  prices: async (ask) => {
    const { data, meta } = (await ok(ask, `/v1/securities/${await aTicker(ask)}/prices`)).body;
    expectResource('Prices', data);
    const { days, price, adj_price, source, market_cap } = data;
    for (const column of [price, adj_price, source, market_cap]) expect(column).toHaveLength(days.length);
    expectResource('Attribution', meta.attribution);
  },
  'prices-range': async (ask) => {
    const path = `/v1/securities/${await aTicker(ask)}/prices?range=1y&from=2024-01-01`;
    await refused(ask, path, 400, 'bad_request', 'range');
  },
};
