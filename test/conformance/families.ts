import { expect } from 'vitest';
import { compareDecimals } from '../../src/contract/decimal-text.ts';
import { aTicker, type Check, expectResource, NotHere, ok, refused } from './expectations.ts';

interface Filed {
  readonly transactions: readonly { readonly transaction_code: string; readonly transaction_date: string }[];
}

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
  'filings-items': async (ask) => {
    const path = `/v1/securities/${await aTicker(ask)}/filings?items=2.02,9.01&limit=50`;
    for (const row of (await ok(ask, path)).body.data)
      expect(row.items).toEqual(expect.arrayContaining(['2.02', '9.01']));
  },
  'day-counts': async (ask) => {
    const { data } = (await ok(ask, '/v1/filings/day')).body;
    const sum = data.forms.reduce((total: number, form: { filings: number }) => total + form.filings, 0);
    expect(sum).toBe(data.filings);
    expect(data.lines_total).toBeGreaterThanOrEqual(data.lines.length);
    expect(data.days.at(-1)).toEqual({ date: data.date, filings: data.filings });
  },
  'day-before': async (ask) => {
    await ok(ask, '/v1/filings/day');
    await refused(ask, '/v1/filings/day?date=1950-01-01', 404, 'not_found');
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
    if (row === undefined) throw new NotHere('the release has no filing of the company');
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
  'insiders-totals': async (ask) => {
    const totals = async (query: string) => {
      const { filings, ...rest } = (await ok(ask, `/v1/insider-activity?${query}`)).body.data;
      return rest;
    };
    expect(await totals('limit=1')).toEqual(await totals('limit=100'));
    expect(await totals('limit=1&offset=1')).toEqual(await totals('limit=100'));
  },
  'insiders-since': async (ask) => {
    const all = (await ok(ask, '/v1/insider-activity?limit=100')).body.data;
    const days: string[] = all.filings.flatMap((filing: Filed) =>
      filing.transactions.map((row) => row.transaction_date),
    );
    const since = days.sort()[Math.floor(days.length / 2)];
    const { data } = (await ok(ask, `/v1/insider-activity?since=${since}&kind=sale&limit=100`)).body;
    for (const { transactions } of data.filings as Filed[]) {
      for (const row of transactions)
        expect([row.transaction_code, row.transaction_date >= String(since)]).toEqual(['S', true]);
    }
    expect(data.purchase_transactions).toBe(0);
  },
  'managers-query': async (ask) => {
    const [first] = (await ok(ask, '/v1/holders?limit=1')).body.data;
    const [word] = first.name.split(/[^A-Za-z]+/);
    const { data } = (await ok(ask, `/v1/holders?limit=50&query=${encodeURIComponent(word)}`)).body;
    expect(data.map((hit: { cik: number }) => hit.cik)).toContain(first.cik);
  },
  manager: async (ask) => {
    const [first] = (await ok(ask, '/v1/holders?limit=1')).body.data;
    const { data, meta } = (await ok(ask, `/v1/holders/${first.cik}`)).body;
    expectResource('Holder', data);
    expect(meta.limit).toBe(100);
    const values: string[] = data.rows.map((row: { value: string }) => row.value);
    for (const [index, value] of values.slice(1).entries()) {
      expect(compareDecimals(value, values[index] ?? value)).toBeLessThanOrEqual(0);
    }
  },
  'prices-screened': async (ask) => {
    expect((await ok(ask, '/v1/screen?columns=revenue&limit=1')).body.meta.attribution).toBeUndefined();
    const { data, meta } = (await ok(ask, '/v1/screen?where=price:gt:0&columns=price&limit=1')).body;
    if (data.length === 0) throw new NotHere('no company has a price');
    expectResource('Attribution', meta.attribution);
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
