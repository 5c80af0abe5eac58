import { expect } from 'vitest';
import { compareDecimals } from '../../src/contract/decimal-text.ts';
import { DEFAULT_COLUMNS, SCREEN_DATES } from '../../src/contract/screen-columns.ts';
import type { Asker } from './asker.ts';
import { type Check, expectOk, expectRefused, expectResource, UntestableRule } from './expectations.ts';

type Row = Readonly<Record<string, string | number | null>>;

const requestScreen = async (ask: Asker, query: string): Promise<{ data: Row[]; meta: Record<string, unknown> }> =>
  (await expectOk(ask, `/v1/screen?${query}`)).body;

const cellsOf = (rows: readonly Row[], column: string) => rows.map((row) => row[column] ?? null);

export const screener: Readonly<Record<string, Check>> = {
  'screen-rows': async (ask) => {
    const { data } = await requestScreen(ask, 'limit=20');
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) {
      expectResource('ScreenRow', row);
      for (const column of DEFAULT_COLUMNS) expect(Object.keys(row)).toContain(column);
    }
  },
  'screen-columns': async (ask) => {
    const { data } = await requestScreen(ask, 'columns=revenue,net_margin&limit=5');
    for (const row of data) {
      expect(Object.keys(row).sort()).toEqual(['cik', 'entity_name', 'exchange', 'net_margin', 'revenue', 'ticker']);
    }
  },
  'screen-where': async (ask) => {
    const { data } = await requestScreen(ask, 'where=revenue:gte:1000000000&where=net_margin:lt:0.25&limit=500');
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) {
      expect(compareDecimals(String(row.revenue), '1000000000')).toBeGreaterThanOrEqual(0);
      expect(compareDecimals(String(row.net_margin), '0.25')).toBeLessThan(0);
    }
    const [row] = data;
    const includesRow = async (clause: string) =>
      (await requestScreen(ask, `where=revenue:${clause}&limit=500`)).data.some((other) => other.cik === row?.cik);
    expect([await includesRow(`gte:${row?.revenue}`), await includesRow(`gt:${row?.revenue}`)]).toEqual([true, false]);
  },
  'screen-arithmetic': async (ask) => {
    const filteredMeta = (await requestScreen(ask, 'where=gross_margin:gte:0.4')).meta;
    const metaBelow = (await requestScreen(ask, 'where=gross_margin:lt:0.4')).meta;
    expect(filteredMeta.universe).toBe(metaBelow.universe);
    expect(filteredMeta.set_aside).toBe(metaBelow.set_aside);
    expect(Number(filteredMeta.total) + Number(metaBelow.total) + Number(filteredMeta.set_aside)).toBe(
      filteredMeta.universe,
    );
  },
  'screen-set-aside': async (ask) => {
    const { data, meta } = await requestScreen(ask, 'columns=gross_margin&limit=500');
    if (meta.total !== data.length) return;
    const missingCount = cellsOf(data, 'gross_margin').filter((value) => value === null).length;
    expect((await requestScreen(ask, 'where=gross_margin:gt:-1000000')).meta.set_aside).toBe(missingCount);
  },
  'screen-missing-last': async (ask) => {
    for (const dir of ['asc', 'desc']) {
      const { data } = await requestScreen(ask, `sort=gross_margin&dir=${dir}&columns=gross_margin&limit=500`);
      const values = cellsOf(data, 'gross_margin');
      const presentValues = values.filter((value) => value !== null);
      expect(values.slice(0, presentValues.length)).toEqual(presentValues);
      const sign = dir === 'asc' ? 1 : -1;
      for (const [index, value] of presentValues.slice(1).entries()) {
        expect(sign * compareDecimals(String(value), String(presentValues[index]))).toBeGreaterThanOrEqual(0);
      }
    }
  },
  'screen-ties': async (ask) => {
    for (const dir of ['asc', 'desc']) {
      const { data } = await requestScreen(ask, `sort=fiscal_year&dir=${dir}&columns=fiscal_year&limit=500`);
      for (const [index, row] of data.slice(1).entries()) {
        const previousRow = data[index];
        if (previousRow?.fiscal_year === row.fiscal_year)
          expect(String(previousRow?.ticker) <= String(row.ticker)).toBe(true);
      }
    }
  },
  'screen-pages': async (ask) => {
    const fullPage = await requestScreen(ask, 'limit=6&columns=revenue');
    const pages = [
      await requestScreen(ask, 'limit=3&columns=revenue'),
      await requestScreen(ask, 'limit=3&offset=3&columns=revenue'),
    ];
    expect(pages.flatMap((page) => page.data)).toEqual(fullPage.data);
    expect(pages.map((page) => page.meta.total)).toEqual([fullPage.meta.total, fullPage.meta.total]);
  },
  'screen-bad-column': async (ask) => {
    for (const query of ['where=revenu:gt:1', 'sort=revenu', 'columns=revenu']) {
      await expectRefused(ask, `/v1/screen?${query}`, 400, 'bad_request', 'revenu');
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
      await expectRefused(ask, `/v1/screen?where=${clause}`, 400, 'bad_request', 'where');
    }
  },
  'screen-clauses-max': async (ask) => {
    const makeClauses = (count: number) => Array.from({ length: count }, () => 'where=revenue:gt:1').join('&');
    await requestScreen(ask, makeClauses(64));
    await expectRefused(ask, `/v1/screen?${makeClauses(65)}`, 400, 'bad_request', 'where');
  },
  'screen-offset-max': async (ask) => {
    await requestScreen(ask, 'offset=1000000');
    await expectRefused(ask, '/v1/screen?offset=1000001', 400, 'bad_request', 'offset');
  },
  'screen-dates': async (ask) => {
    const columns = [...SCREEN_DATES, 'coverage_state'];
    const [row] = (await requestScreen(ask, `columns=${columns.join(',')}&limit=1`)).data;
    for (const column of columns) expect(Object.keys(row ?? {})).toContain(column);
    await expectRefused(ask, '/v1/screen?sort=annual_end_date', 400, 'bad_request', 'sort');
    await expectRefused(ask, '/v1/screen?where=coverage_state:gt:1', 400, 'bad_request', 'where');
  },
  'screen-set-aside-by': async (ask) => {
    const query = 'where=gross_margin:gt:-1000000&where=dividends_paid:gt:-1000000';
    const { meta } = await requestScreen(ask, query);
    const countByColumn = await Promise.all(
      ['gross_margin', 'dividends_paid'].map(async (column) => ({
        column,
        companies: (await requestScreen(ask, `where=${column}:gt:-1000000`)).meta.set_aside,
      })),
    );
    expect(meta.set_aside_by).toEqual(countByColumn);
    expect((await requestScreen(ask, 'where=gross_margin:gt:0')).meta).not.toHaveProperty('set_aside_by');
  },
  'screen-as-of': async (ask) => {
    const { data, meta } = await requestScreen(ask, 'as_of=2024-06-28&columns=annual_end_date&limit=20');
    expect(meta.as_of).toBe('2024-06-28');
    for (const row of data) {
      expect(String(row.annual_end_date) < '2024-06-28').toBe(true);
      for (const name of ['last_report', 'gone']) expect(Object.keys(row)).toContain(name);
    }
  },
  'screen-sic': async (ask) => {
    const { sic } = await withIndustry(ask);
    const { data } = await requestScreen(ask, `columns=sic&limit=500&sic=${sic.slice(0, 2)}`);
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) expect(String(row.sic).slice(0, 2)).toBe(sic.slice(0, 2));
    await expectRefused(ask, '/v1/screen?sic=35x', 400, 'bad_request', 'sic');
  },
  'screen-industry': async (ask) => {
    const { sic, industry } = await withIndustry(ask);
    const [word = ''] = /[a-z]{4,}/i.exec(industry) ?? [];
    const { data } = await requestScreen(ask, `columns=sic,industry&limit=500&industry=${word}`);
    expect(data.map((row) => row.sic)).toContain(sic);
    for (const row of data)
      if (row.industry !== null) expect(String(row.industry).toLowerCase()).toContain(word.toLowerCase());
  },
  'screen-industry-counts': async (ask) => {
    await withIndustry(ask);
    const metaOfAll = (await requestScreen(ask, 'limit=1')).meta;
    const { universe, left_out, industry_unknown } = (await requestScreen(ask, 'limit=1&sic=0,1,2,3,4,5,6,7,8,9')).meta;
    expect(Number(universe) + Number(left_out) + Number(industry_unknown)).toBe(metaOfAll.universe);
  },
  'screen-peers': async (ask) => {
    const { ticker, sic } = await withIndustry(ask);
    const { data, meta } = await requestScreen(ask, `columns=sic&limit=500&peers_of=${encodeURIComponent(ticker)}`);
    expect(meta.ticker).toBe(ticker);
    expect(data.map((row) => row.ticker)).toContain(ticker);
    for (const row of data) expect(row.sic).toBe(sic);
    await expectRefused(ask, '/v1/screen?peers_of=ZZZZZ', 404, 'not_found', 'ZZZZZ');
  },
};

/** Returns a company whose industry has a description. Throws UntestableRule if the service has no such company. */
async function withIndustry(ask: Asker): Promise<{ ticker: string; sic: string; industry: string }> {
  const { data } = await requestScreen(ask, 'columns=sic,industry,revenue&sort=revenue&dir=desc&limit=500');
  const row = data.find(({ sic, industry }) => typeof sic === 'string' && typeof industry === 'string');
  if (row === undefined) throw new UntestableRule('no company has a described industry');
  return { ticker: String(row.ticker), sic: String(row.sic), industry: String(row.industry) };
}
