import { expect } from 'vitest';
import { compareDecimals } from '../../src/contract/decimal-text.ts';
import { DATE_COLUMNS, DEFAULT_COLUMNS } from '../../src/contract/screen-columns.ts';
import type { ConformanceClient } from './asker.ts';
import { type Check, expectOk, expectRefused, expectResource, UntestableRuleError } from './expectations.ts';

type ScreenRow = Readonly<Record<string, string | number | null>>;

const requestScreen = async (
  client: ConformanceClient,
  query: string,
): Promise<{ data: ScreenRow[]; meta: Record<string, unknown> }> =>
  (await expectOk(client, `/v1/screen?${query}`)).body;

const listCells = (rows: readonly ScreenRow[], column: string) => rows.map((row) => row[column] ?? null);

export const screenerChecks: Readonly<Record<string, Check>> = {
  'screen-rows': async (client) => {
    const { data } = await requestScreen(client, 'limit=20');
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) {
      expectResource('ScreenRow', row);
      for (const column of DEFAULT_COLUMNS) expect(Object.keys(row)).toContain(column);
    }
  },
  'screen-columns': async (client) => {
    const { data } = await requestScreen(client, 'columns=revenue,net_margin&limit=5');
    for (const row of data) {
      expect(Object.keys(row).sort()).toEqual(['cik', 'entity_name', 'exchange', 'net_margin', 'revenue', 'ticker']);
    }
  },
  'screen-where': async (client) => {
    const { data } = await requestScreen(client, 'where=revenue:gte:1000000000&where=net_margin:lt:0.25&limit=500');
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) {
      expect(compareDecimals(String(row.revenue), '1000000000')).toBeGreaterThanOrEqual(0);
      expect(compareDecimals(String(row.net_margin), '0.25')).toBeLessThan(0);
    }
    const [row] = data;
    const includesRow = async (clause: string) =>
      (await requestScreen(client, `where=revenue:${clause}&limit=500`)).data.some((other) => other.cik === row?.cik);
    expect([await includesRow(`gte:${row?.revenue}`), await includesRow(`gt:${row?.revenue}`)]).toEqual([true, false]);
  },
  'screen-arithmetic': async (client) => {
    const filteredMeta = (await requestScreen(client, 'where=gross_margin:gte:0.4')).meta;
    const complementMeta = (await requestScreen(client, 'where=gross_margin:lt:0.4')).meta;
    expect(filteredMeta.universe).toBe(complementMeta.universe);
    expect(filteredMeta.set_aside).toBe(complementMeta.set_aside);
    expect(Number(filteredMeta.total) + Number(complementMeta.total) + Number(filteredMeta.set_aside)).toBe(
      filteredMeta.universe,
    );
  },
  'screen-set-aside': async (client) => {
    const { data, meta } = await requestScreen(client, 'columns=gross_margin&limit=500');
    if (meta.total !== data.length) return;
    const missingCount = listCells(data, 'gross_margin').filter((value) => value === null).length;
    expect((await requestScreen(client, 'where=gross_margin:gt:-1000000')).meta.set_aside).toBe(missingCount);
  },
  'screen-missing-last': async (client) => {
    for (const dir of ['asc', 'desc']) {
      const { data } = await requestScreen(client, `sort=gross_margin&dir=${dir}&columns=gross_margin&limit=500`);
      const values = listCells(data, 'gross_margin');
      const presentValues = values.filter((value) => value !== null);
      expect(values.slice(0, presentValues.length)).toEqual(presentValues);
      const sign = dir === 'asc' ? 1 : -1;
      for (const [index, value] of presentValues.slice(1).entries()) {
        expect(sign * compareDecimals(String(value), String(presentValues[index]))).toBeGreaterThanOrEqual(0);
      }
    }
  },
  'screen-ties': async (client) => {
    for (const dir of ['asc', 'desc']) {
      const { data } = await requestScreen(client, `sort=fiscal_year&dir=${dir}&columns=fiscal_year&limit=500`);
      for (const [index, row] of data.slice(1).entries()) {
        const previousRow = data[index];
        if (previousRow?.fiscal_year === row.fiscal_year)
          expect(String(previousRow?.ticker) <= String(row.ticker)).toBe(true);
      }
    }
  },
  'screen-pages': async (client) => {
    const fullPage = await requestScreen(client, 'limit=6&columns=revenue');
    const pages = [
      await requestScreen(client, 'limit=3&columns=revenue'),
      await requestScreen(client, 'limit=3&offset=3&columns=revenue'),
    ];
    expect(pages.flatMap((page) => page.data)).toEqual(fullPage.data);
    expect(pages.map((page) => page.meta.total)).toEqual([fullPage.meta.total, fullPage.meta.total]);
  },
  'screen-bad-column': async (client) => {
    for (const query of ['where=revenu:gt:1', 'sort=revenu', 'columns=revenu']) {
      await expectRefused(client, `/v1/screen?${query}`, 400, 'bad_request', 'revenu');
    }
  },
  'screen-bad-clause': async (client) => {
    for (const invalidClause of [
      'revenue:eq:1',
      'revenue:gt:1e6',
      `revenue:gt:${'1'.repeat(33)}`,
      'revenue:gt',
      'revenue:gt:',
    ]) {
      await expectRefused(client, `/v1/screen?where=${invalidClause}`, 400, 'bad_request', 'where');
    }
  },
  'screen-clauses-max': async (client) => {
    const makeClauseQuery = (count: number) => Array.from({ length: count }, () => 'where=revenue:gt:1').join('&');
    await requestScreen(client, makeClauseQuery(64));
    await expectRefused(client, `/v1/screen?${makeClauseQuery(65)}`, 400, 'bad_request', 'where');
  },
  'screen-offset-max': async (client) => {
    await requestScreen(client, 'offset=1000000');
    await expectRefused(client, '/v1/screen?offset=1000001', 400, 'bad_request', 'offset');
  },
  'screen-dates': async (client) => {
    const columns = [...DATE_COLUMNS, 'coverage_state'];
    const [row] = (await requestScreen(client, `columns=${columns.join(',')}&limit=1`)).data;
    for (const column of columns) expect(Object.keys(row ?? {})).toContain(column);
    await expectRefused(client, '/v1/screen?sort=annual_end_date', 400, 'bad_request', 'sort');
    await expectRefused(client, '/v1/screen?where=coverage_state:gt:1', 400, 'bad_request', 'where');
  },
  'screen-set-aside-by': async (client) => {
    const query = 'where=gross_margin:gt:-1000000&where=dividends_paid:gt:-1000000';
    const { meta } = await requestScreen(client, `${query}&set_aside_by=true`);
    const lackingCompanyCounts = await Promise.all(
      ['gross_margin', 'dividends_paid'].map(async (column) => ({
        column,
        companies: (await requestScreen(client, `where=${column}:gt:-1000000`)).meta.set_aside,
      })),
    );
    expect(meta.set_aside_by).toEqual(lackingCompanyCounts);
    expect((await requestScreen(client, query)).meta).not.toHaveProperty('set_aside_by');
  },
  'screen-as-of': async (client) => {
    const { data, meta } = await requestScreen(client, 'as_of=2024-06-28&columns=annual_end_date&limit=20');
    expect(meta.as_of).toBe('2024-06-28');
    for (const row of data) {
      expect(String(row.annual_end_date) < '2024-06-28').toBe(true);
      for (const name of ['last_report', 'gone']) expect(Object.keys(row)).toContain(name);
    }
  },
  'screen-sic': async (client) => {
    const { sic } = await findCompanyWithIndustry(client);
    const { data } = await requestScreen(client, `columns=sic&limit=500&sic=${sic.slice(0, 2)}`);
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) expect(String(row.sic).slice(0, 2)).toBe(sic.slice(0, 2));
    await expectRefused(client, '/v1/screen?sic=35x', 400, 'bad_request', 'sic');
  },
  'screen-industry': async (client) => {
    const { sic, industry } = await findCompanyWithIndustry(client);
    const [word = ''] = /[a-z]{4,}/i.exec(industry) ?? [];
    const { data } = await requestScreen(client, `columns=sic,industry&limit=500&industry=${word}`);
    expect(data.map((row) => row.sic)).toContain(sic);
    for (const row of data)
      if (row.industry !== null) expect(String(row.industry).toLowerCase()).toContain(word.toLowerCase());
  },
  'screen-industry-counts': async (client) => {
    await findCompanyWithIndustry(client);
    const unfilteredMeta = (await requestScreen(client, 'limit=1')).meta;
    const { universe, left_out, industry_unknown } = (await requestScreen(client, 'limit=1&sic=0,1,2,3,4,5,6,7,8,9'))
      .meta;
    expect(Number(universe) + Number(left_out) + Number(industry_unknown)).toBe(unfilteredMeta.universe);
  },
  'screen-peers': async (client) => {
    const { ticker, sic } = await findCompanyWithIndustry(client);
    const { data, meta } = await requestScreen(client, `columns=sic&limit=500&peers_of=${encodeURIComponent(ticker)}`);
    expect(meta.ticker).toBe(ticker);
    expect(data.map((row) => row.ticker)).toContain(ticker);
    for (const row of data) expect(row.sic).toBe(sic);
    await expectRefused(client, '/v1/screen?peers_of=ZZZZZ', 404, 'not_found', 'ZZZZZ');
  },
};

/**
 * Returns a company whose industry has a description. Throws UntestableRuleError if the service has no such company.
 */
async function findCompanyWithIndustry(
  client: ConformanceClient,
): Promise<{ ticker: string; sic: string; industry: string }> {
  const { data } = await requestScreen(client, 'columns=sic,industry,revenue&sort=revenue&dir=desc&limit=500');
  const row = data.find(({ sic, industry }) => typeof sic === 'string' && typeof industry === 'string');
  if (row === undefined) throw new UntestableRuleError('no company has a described industry');
  return { ticker: String(row.ticker), sic: String(row.sic), industry: String(row.industry) };
}
