import { expect } from 'vitest';
import { multiply } from '../../src/contract/decimal.ts';
import { compareDecimals } from '../../src/contract/decimal-text.ts';
import {
  type Check,
  expectOk,
  expectRefused,
  expectResource,
  findTicker,
  UntestableRuleError,
} from './expectations.ts';

interface InsiderFiling {
  readonly transactions: readonly { readonly transaction_code: string; readonly transaction_date: string }[];
}

interface FilingRow {
  readonly accession_number: string;
  readonly form: string;
  readonly items: readonly string[];
  readonly accepted_at: string | null;
  readonly announcement_timing: string | null;
}

interface ShareCountRow {
  readonly filed_at: string;
  readonly value: string;
}

interface HolderRow {
  readonly holder_cik: number;
  readonly amount_type: string;
}

interface PositionRow extends Omit<HolderRow, 'holder_cik'> {
  readonly cik: number | null;
  readonly entity_name: string | null;
  readonly ticker: string | null;
  readonly put_call: string;
}

/** Returns three paths for each of twelve companies: to its filings of all forms, of 8-K/A alone, and of six forms. */
async function listFilingListPaths(client: Parameters<Check>[0]): Promise<string[]> {
  const { data } = (await expectOk(client, '/v1/screen?limit=12&columns=revenue&sort=revenue&dir=desc')).body;
  return data.flatMap(({ ticker }: { ticker: string }) => {
    const path = `/v1/securities/${encodeURIComponent(ticker)}/filings?limit=500`;
    return [path, `${path}&forms=8-K/A`, `${path}&forms=D,8-K/A,8-K12B,SC%2013D,424B2,NT%2010-K`];
  });
}

export const filingHolderAndPriceChecks: Readonly<Record<string, Check>> = {
  'filings-rows': async (client) => {
    const { data } = (await expectOk(client, `/v1/securities/${await findTicker(client)}/filings?limit=50`)).body;
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) expectResource('Filing', row);
  },
  'filings-forms': async (client) => {
    const { data, meta } = (
      await expectOk(client, `/v1/securities/${await findTicker(client)}/filings?forms=10-k&limit=50`)
    ).body;
    expect(meta.forms).toBe('10-K');
    for (const row of data) expect(row.form).toBe('10-K');
  },
  'filings-items': async (client) => {
    const path = `/v1/securities/${await findTicker(client)}/filings?items=2.02,9.01&limit=50`;
    for (const row of (await expectOk(client, path)).body.data)
      expect(row.items).toEqual(expect.arrayContaining(['2.02', '9.01']));
  },
  'filings-no-items': async (client) => {
    for (const path of await listFilingListPaths(client)) {
      for (const { form, items } of (await expectOk(client, path)).body.data) {
        if (!form.startsWith('8-K')) expect([form, items]).toEqual([form, []]);
      }
    }
  },
  'filings-timing': async (client) => {
    let announcementCount = 0;
    for (const path of await listFilingListPaths(client)) {
      for (const row of (await expectOk(client, path)).body.data as FilingRow[]) {
        const isAnnouncement = row.form.startsWith('8-K') && row.items.includes('2.02') && row.accepted_at !== null;
        expect([row.accession_number, row.announcement_timing !== null]).toEqual([
          row.accession_number,
          isAnnouncement,
        ]);
        if (isAnnouncement) announcementCount += 1;
      }
    }
    if (announcementCount === 0) throw new UntestableRuleError('no earnings announcement was found');
  },
  'day-updated': async (client) => {
    const { days } = (await expectOk(client, '/v1/filings/day')).body.data;
    const listedDays = new Set(days.map(({ date }: { date: string }) => date));
    const [firstDay] = [...listedDays] as string[];
    const endMs = Date.parse(String(firstDay)) + 14 * 86_400_000;
    for (let timeMs = Date.parse(String(firstDay)); timeMs < endMs; timeMs += 86_400_000) {
      const day = new Date(timeMs).toISOString().slice(0, 10);
      const reply = await client.get(`/v1/filings/day?date=${day}`);
      if (reply.status === 404) continue;
      const { updated_at: updatedAt, filings } = reply.body.data;
      if (updatedAt !== undefined) expect(updatedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
      if (filings === 0) expect(Object.keys(reply.body.data)).not.toContain('updated_at');
    }
  },
  'day-counts': async (client) => {
    const { data } = (await expectOk(client, '/v1/filings/day')).body;
    const filingCountSum = data.forms.reduce((total: number, form: { filings: number }) => total + form.filings, 0);
    expect(filingCountSum).toBe(data.filings);
    expect(data.lines_total).toBeGreaterThanOrEqual(data.lines.length);
    expect(data.days.at(-1)).toEqual({ date: data.date, filings: data.filings });
  },
  'day-forms': async (client) => {
    const { data } = (await expectOk(client, '/v1/filings/day')).body;
    const named = data.forms.slice(0, 2).map(({ form }: { form: string }) => form);
    const { data: listed, meta } = (
      await expectOk(client, `/v1/filings/day?forms=${encodeURIComponent(named.join(',').toLowerCase())}`)
    ).body;
    expectResource('FilingsDay', listed);
    for (const { form } of [...listed.lines, ...listed.reports]) expect(named).toContain(form);
    expect([listed.forms, listed.filings, meta.forms]).toEqual([data.forms, data.filings, named.join(',')]);
  },
  'day-before': async (client) => {
    await expectOk(client, '/v1/filings/day');
    await expectRefused(client, '/v1/filings/day?date=1950-01-01', 404, 'not_found');
  },
  day: async (client) => {
    const { data, meta } = (await expectOk(client, '/v1/filings/day')).body;
    expectResource('FilingsDay', data);
    expect([data.date, meta.date]).toEqual([data.latest, data.latest]);
    expect(data.lines.length).toBeLessThanOrEqual(1500);
  },
  'day-later': async (client) => {
    await expectOk(client, '/v1/filings/day');
    await expectRefused(client, '/v1/filings/day?date=2999-01-01', 404, 'not_found');
  },
  filing: async (client) => {
    const [row] = (await expectOk(client, `/v1/securities/${await findTicker(client)}/filings?limit=1`)).body.data;
    if (row === undefined) throw new UntestableRuleError('the release has no filing of the company');
    const { data } = (await expectOk(client, `/v1/filings/${row.accession_number}`)).body;
    expectResource('FilingSource', data);
    expect(data.accession_number).toBe(row.accession_number);
    expect(data.folder).toMatch(/\/$/);
  },
  'filing-unknown': async (client) => {
    await expectOk(client, '/v1/filings/day');
    await expectRefused(client, '/v1/filings/9999999999-99-999999', 404, 'not_found');
  },
  insiders: async (client) => {
    for (const path of ['/v1/insider-activity', `/v1/securities/${await findTicker(client)}/insider-activity`]) {
      expectResource('InsiderActivityPage', (await expectOk(client, path)).body.data);
    }
  },
  'insiders-totals': async (client) => {
    const readTotals = async (query: string) => {
      const { filings, ...rest } = (await expectOk(client, `/v1/insider-activity?${query}`)).body.data;
      return rest;
    };
    expect(await readTotals('limit=1')).toEqual(await readTotals('limit=100'));
    expect(await readTotals('limit=1&offset=1')).toEqual(await readTotals('limit=100'));
  },
  'insiders-since': async (client) => {
    const unfilteredActivity = (await expectOk(client, '/v1/insider-activity?limit=100')).body.data;
    const transactionDays: string[] = unfilteredActivity.filings.flatMap((filing: InsiderFiling) =>
      filing.transactions.map((row) => row.transaction_date),
    );
    const since = transactionDays.sort()[Math.floor(transactionDays.length / 2)];
    const { data } = (await expectOk(client, `/v1/insider-activity?since=${since}&kind=sale&limit=100`)).body;
    for (const { transactions } of data.filings as InsiderFiling[]) {
      for (const row of transactions)
        expect([row.transaction_code, row.transaction_date >= String(since)]).toEqual(['S', true]);
    }
    expect(data.purchase_transactions).toBe(0);
  },
  'managers-query': async (client) => {
    const [first] = (await expectOk(client, '/v1/holders?limit=1')).body.data;
    const [word] = first.name.split(/[^A-Za-z]+/);
    const { data } = (await expectOk(client, `/v1/holders?limit=50&query=${encodeURIComponent(word)}`)).body;
    expect(data.map((hit: { cik: number }) => hit.cik)).toContain(first.cik);
  },
  manager: async (client) => {
    const [first] = (await expectOk(client, '/v1/holders?limit=1')).body.data;
    const { data, meta } = (await expectOk(client, `/v1/holders/${first.cik}`)).body;
    expectResource('Holder', data);
    expect(meta.limit).toBe(100);
    const holdingValues: string[] = data.rows.map((row: { value: string }) => row.value);
    for (const [index, value] of holdingValues.slice(1).entries()) {
      expect(compareDecimals(value, holdingValues[index] ?? value)).toBeLessThanOrEqual(0);
    }
  },
  'managers-empty-query': async (client) => {
    const [withEmptyQuery, withoutQuery] = [
      (await expectOk(client, '/v1/holders?query=')).body,
      (await expectOk(client, '/v1/holders')).body,
    ];
    expect(withEmptyQuery.data).toEqual(withoutQuery.data);
    expect(withEmptyQuery.meta.query).toBeUndefined();
  },
  'manager-names': async (client) => {
    const ticker = await findTicker(client);
    const holdersData = (await expectOk(client, `/v1/securities/${ticker}/holders?limit=500`)).body.data;
    const comparedHolders = [];
    for (const holder of holdersData.rows.slice(0, 10) as HolderRow[]) {
      const { data } = (await expectOk(client, `/v1/holders/${holder.holder_cik}?limit=500`)).body;
      // A later report of the manager may have other positions.
      if (data.period !== holdersData.period || data.rows_total > 500) continue;
      const matchingPositions = (data.rows as PositionRow[]).filter(
        (row) => row.cik === holdersData.cik && row.put_call === '' && row.amount_type === holder.amount_type,
      );
      expect(matchingPositions.map((row) => row.entity_name)).toContain(holdersData.entity_name);
      expect(matchingPositions.map((row) => row.ticker)).toContain(holdersData.ticker);
      comparedHolders.push(holder);
    }
    if (comparedHolders.length === 0)
      throw new UntestableRuleError("no holder's latest report is of the shown quarter");
  },
  'prices-market-cap': async (client) => {
    const pricedCompanies = (await expectOk(client, '/v1/screen?where=market_cap:gt:0&limit=20&columns=market_cap'))
      .body.data;
    let comparedCount = 0;
    for (const { ticker } of pricedCompanies as { ticker: string }[]) {
      const basePath = `/v1/securities/${encodeURIComponent(ticker)}`;
      const { data } = (await expectOk(client, `${basePath}/prices?range=max`)).body;
      if (data.actions.length > 0) continue;
      const shareCountsPath = `${basePath}/metrics/common_shares_outstanding/revisions?limit=500`;
      const revisions: ShareCountRow[] = (await expectOk(client, shareCountsPath)).body.data;
      if (revisions.length === 500) continue;
      for (const [index, day] of (data.days as string[]).entries()) {
        const [price, marketCap] = [data.price[index], data.market_cap[index]];
        if (marketCap === null) continue;
        const possibleMarketCaps = revisions
          .filter(({ filed_at }) => filed_at <= day)
          .map(({ value }) => multiply(price, value));
        expect(possibleMarketCaps, `${ticker} ${day}`).toContain(marketCap);
        comparedCount += 1;
      }
    }
    if (comparedCount === 0) throw new UntestableRuleError('no company without splits has prices with a market cap');
  },
  'prices-screened': async (client) => {
    expect((await expectOk(client, '/v1/screen?columns=revenue&limit=1')).body.meta.attribution).toBeUndefined();
    const { data, meta } = (await expectOk(client, '/v1/screen?where=price:gt:0&columns=price&limit=1')).body;
    if (data.length === 0) throw new UntestableRuleError('no company has a price');
    expectResource('Attribution', meta.attribution);
  },
  'insiders-limit': async (client) => {
    await expectRefused(client, '/v1/insider-activity?limit=101', 400, 'bad_request', 'limit');
  },
  'insiders-kind': async (client) => {
    expect((await expectOk(client, '/v1/insider-activity?kind=all')).body.meta.kind).toBeUndefined();
    expect((await expectOk(client, '/v1/insider-activity?kind=sale')).body.meta.kind).toBe('sale');
  },
  'tickers-max': async (client) => {
    const tickerList = Array.from({ length: 61 }, () => 'A').join(',');
    await expectRefused(client, `/v1/insider-activity?tickers=${tickerList}`, 400, 'bad_request', 'tickers');
  },
  holders: async (client) => {
    expectResource(
      'SecurityHolders',
      (await expectOk(client, `/v1/securities/${await findTicker(client)}/holders`)).body.data,
    );
  },
  managers: async (client) => {
    const { data, meta } = (await expectOk(client, '/v1/holders')).body;
    expect(meta.limit).toBe(10);
    expect(data.length).toBeLessThanOrEqual(10);
    for (const row of data) expectResource('HolderHit', row);
  },
  'managers-bounds': async (client) => {
    await expectRefused(client, '/v1/holders?limit=51', 400, 'bad_request', 'limit');
    await expectRefused(client, `/v1/holders?query=${'a'.repeat(65)}`, 400, 'bad_request', 'query');
  },
  'manager-unknown': async (client) => {
    await expectOk(client, '/v1/holders');
    await expectRefused(client, '/v1/holders/9999999998', 404, 'not_found');
  },
  'manager-quarter': async (client) => {
    const [{ cik }] = (await expectOk(client, '/v1/holders')).body.data;
    const latest = (await expectOk(client, `/v1/holders/${cik}`)).body;
    const { data, meta } = (await expectOk(client, `/v1/holders/${cik}?quarter=${latest.data.period}`)).body;
    expect(data).toEqual(latest.data);
    expect([meta.quarter, latest.meta.quarter]).toEqual([latest.data.period, undefined]);
    await expectRefused(client, `/v1/holders/${cik}?quarter=2024-06-15`, 400, 'bad_request', 'quarter');
  },
  segments: async (client) => {
    expectResource(
      'Segments',
      (await expectOk(client, `/v1/securities/${await findTicker(client)}/segments`)).body.data,
    );
  },
  prices: async (client) => {
    const { data, meta } = (await expectOk(client, `/v1/securities/${await findTicker(client)}/prices`)).body;
    expectResource('Prices', data);
    const { days, price, adj_price, source, market_cap } = data;
    for (const column of [price, adj_price, source, market_cap]) expect(column).toHaveLength(days.length);
    expectResource('Attribution', meta.attribution);
  },
  'prices-range': async (client) => {
    const path = `/v1/securities/${await findTicker(client)}/prices?range=1y&from=2024-01-01`;
    await expectRefused(client, path, 400, 'bad_request', 'range');
  },
};
