import { expect } from 'vitest';
import { compareDecimals } from '../../src/contract/decimal-text.ts';
import { PLAIN_COLUMNS, SCREEN_DATES } from '../../src/contract/screen-columns.ts';
import type { Asker } from './asker.ts';
import { type Check, expectResource, ok, refused } from './expectations.ts';

type Row = Readonly<Record<string, string | number | null>>;

const screen = async (ask: Asker, query: string): Promise<{ data: Row[]; meta: Record<string, number> }> =>
  (await ok(ask, `/v1/screen?${query}`)).body;

const figures = (rows: readonly Row[], column: string) => rows.map((row) => row[column] ?? null);

export const screener: Readonly<Record<string, Check>> = {
  'screen-rows': async (ask) => {
    const { data } = await screen(ask, 'limit=20');
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) {
      expectResource('ScreenRow', row);
      for (const column of PLAIN_COLUMNS) expect(Object.keys(row)).toContain(column);
    }
  },
  'screen-columns': async (ask) => {
    const { data } = await screen(ask, 'columns=revenue,net_margin&limit=5');
    for (const row of data) {
      expect(Object.keys(row).sort()).toEqual(['cik', 'entity_name', 'exchange', 'net_margin', 'revenue', 'ticker']);
    }
  },
  'screen-where': async (ask) => {
    const { data } = await screen(ask, 'where=revenue:gte:1000000000&where=net_margin:lt:0.25&limit=500');
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) {
      expect(compareDecimals(String(row.revenue), '1000000000')).toBeGreaterThanOrEqual(0);
      expect(compareDecimals(String(row.net_margin), '0.25')).toBeLessThan(0);
    }
    const [row] = data;
    const has = async (clause: string) =>
      (await screen(ask, `where=revenue:${clause}&limit=500`)).data.some((other) => other.cik === row?.cik);
    expect([await has(`gte:${row?.revenue}`), await has(`gt:${row?.revenue}`)]).toEqual([true, false]);
  },
  'screen-arithmetic': async (ask) => {
    const over = (await screen(ask, 'where=gross_margin:gte:0.4')).meta;
    const under = (await screen(ask, 'where=gross_margin:lt:0.4')).meta;
    expect(over.universe).toBe(under.universe);
    expect(over.set_aside).toBe(under.set_aside);
    expect(Number(over.total) + Number(under.total) + Number(over.set_aside)).toBe(over.universe);
  },
  'screen-set-aside': async (ask) => {
    const { data, meta } = await screen(ask, 'columns=gross_margin&limit=500');
    if (meta.total !== data.length) return;
    const missing = figures(data, 'gross_margin').filter((value) => value === null).length;
    expect((await screen(ask, 'where=gross_margin:gt:-1000000')).meta.set_aside).toBe(missing);
  },
  'screen-missing-last': async (ask) => {
    for (const dir of ['asc', 'desc']) {
      const { data } = await screen(ask, `sort=gross_margin&dir=${dir}&columns=gross_margin&limit=500`);
      const values = figures(data, 'gross_margin');
      const known = values.filter((value) => value !== null);
      expect(values.slice(0, known.length)).toEqual(known);
      const sign = dir === 'asc' ? 1 : -1;
      for (const [index, value] of known.slice(1).entries()) {
        expect(sign * compareDecimals(String(value), String(known[index]))).toBeGreaterThanOrEqual(0);
      }
    }
  },
  'screen-ties': async (ask) => {
    for (const dir of ['asc', 'desc']) {
      const { data } = await screen(ask, `sort=fiscal_year&dir=${dir}&columns=fiscal_year&limit=500`);
      for (const [index, row] of data.slice(1).entries()) {
        const before = data[index];
        if (before?.fiscal_year === row.fiscal_year) expect(String(before?.ticker) <= String(row.ticker)).toBe(true);
      }
    }
  },
  'screen-pages': async (ask) => {
    const whole = await screen(ask, 'limit=6&columns=revenue');
    const pages = [await screen(ask, 'limit=3&columns=revenue'), await screen(ask, 'limit=3&offset=3&columns=revenue')];
    expect(pages.flatMap((page) => page.data)).toEqual(whole.data);
    expect(pages.map((page) => page.meta.total)).toEqual([whole.meta.total, whole.meta.total]);
  },
  'screen-bad-column': async (ask) => {
    for (const query of ['where=revenu:gt:1', 'sort=revenu', 'columns=revenu']) {
      await refused(ask, `/v1/screen?${query}`, 400, 'bad_request', 'revenu');
    }
  },
  'screen-bad-clause': async (ask) => {
    for (const clause of [
      'revenue:eq:1',
      'revenue:gt:1e6',
      `revenue:gt:${'1'.repeat(33)}`,
      'revenue:gt',
      'revenue:gt:',
    ]) {
      await refused(ask, `/v1/screen?where=${clause}`, 400, 'bad_request', 'where');
    }
  },
  'screen-clauses-max': async (ask) => {
    const clauses = (count: number) => Array.from({ length: count }, () => 'where=revenue:gt:1').join('&');
    await screen(ask, clauses(64));
    await refused(ask, `/v1/screen?${clauses(65)}`, 400, 'bad_request', 'where');
  },
  'screen-offset-max': async (ask) => {
    await screen(ask, 'offset=1000000');
    await refused(ask, '/v1/screen?offset=1000001', 400, 'bad_request', 'offset');
  },
  'screen-dates': async (ask) => {
    const columns = [...SCREEN_DATES, 'coverage_state'];
    const [row] = (await screen(ask, `columns=${columns.join(',')}&limit=1`)).data;
    for (const column of columns) expect(Object.keys(row ?? {})).toContain(column);
    await refused(ask, '/v1/screen?sort=annual_end_date', 400, 'bad_request', 'sort');
    await refused(ask, '/v1/screen?where=coverage_state:gt:1', 400, 'bad_request', 'where');
  },
};
