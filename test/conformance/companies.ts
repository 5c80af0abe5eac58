import { expect } from 'vitest';
import { compareDecimals } from '../../src/contract/decimal-text.ts';
import {
  type Check,
  expectOk,
  expectRefused,
  expectResource,
  findTicker,
  UntestableRuleError,
} from './expectations.ts';

interface MetricRow {
  readonly metric_value_id: string;
  readonly metric_key: string;
  readonly unit: string;
  readonly period_kind: string;
  readonly end_date: string;
  readonly value: string;
  readonly value_kind: string;
  readonly read_from: { readonly filed_at: string; readonly kind: string } | null;
}

interface Revision {
  readonly metric_value_id: string;
  readonly revision_rank: number;
  readonly kind: string;
  readonly value: string;
  readonly previous_value: string | null;
  readonly delta: string | null;
  readonly standing: boolean;
  readonly filed_at: string;
  readonly fiscal_year: number | null;
  readonly fiscal_period: string | null;
}

const UNKNOWN_VALUE_ID = '00000000-0000-5000-8000-000000000000';

export const companyChecks: Readonly<Record<string, Check>> = {
  'search-query': async (client) => {
    await expectRefused(client, '/v1/securities', 400, 'bad_request', 'query');
    await expectRefused(client, '/v1/securities?query=', 400, 'bad_request', 'query');
  },
  'search-ticker': async (client) => {
    const ticker = decodeURIComponent(await findTicker(client));
    const { data } = (await expectOk(client, `/v1/securities?query=${ticker.charAt(0)}&limit=500`)).body;
    expect(data.map((hit: { ticker: string }) => hit.ticker)).toContain(ticker);
  },
  'search-exact-first': async (client) => {
    const ticker = await findTicker(client);
    const [first] = (await expectOk(client, `/v1/securities?query=${ticker.toLowerCase()}`)).body.data;
    expect(first.ticker).toBe(decodeURIComponent(ticker));
  },
  'search-name': async (client) => {
    const ticker = await findTicker(client);
    const { entity_name: name, cik } = (await expectOk(client, `/v1/securities/${ticker}/profile`)).body.data;
    const [word = ''] = name.split(/[^\p{L}\p{N}]+/u);
    const { data } = (await expectOk(client, `/v1/securities?query=${encodeURIComponent(word)}&limit=500`)).body;
    expect(data.map((hit: { cik: number }) => hit.cik)).toContain(cik);
  },
  'search-hits': async (client) => {
    const { data } = (await expectOk(client, '/v1/securities?query=a&limit=50')).body;
    for (const hit of data) expectResource('SecuritySearchHit', hit);
    expect(data.length).toBeLessThanOrEqual(50);
  },
  profile: async (client) => {
    const { body } = await expectOk(client, `/v1/securities/${await findTicker(client)}/profile`);
    expectResource('SecurityProfile', body.data);
  },
  'ticker-forms': async (client) => {
    const ticker = await findTicker(client);
    const { body } = await expectOk(client, `/v1/securities/${ticker.toLowerCase()}/profile`);
    expect([body.data.ticker, body.meta.ticker]).toEqual([decodeURIComponent(ticker), decodeURIComponent(ticker)]);
  },
  'price-attributed': async (client) => {
    const { body } = await expectOk(client, `/v1/securities/${await findTicker(client)}/profile`);
    if (body.data.price == null) throw new UntestableRuleError('the release has no price');
    expectResource('Attribution', body.meta.attribution);
  },
  'metric-values': async (client) => {
    const { data } = (await expectOk(client, `/v1/securities/${await findTicker(client)}/metrics?period=all&limit=500`))
      .body;
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) expectResource('MetricValue', row);
  },
  'metrics-default': async (client) => {
    const { body } = await expectOk(client, `/v1/securities/${await findTicker(client)}/metrics`);
    expect(body.meta).toMatchObject({ period: 'latest', limit: 25, collapse: false });
    expect(body.data.length).toBeLessThanOrEqual(25);
  },
  'metrics-annual': async (client) => {
    const { data } = (
      await expectOk(client, `/v1/securities/${await findTicker(client)}/metrics?period=annual&limit=500`)
    ).body;
    const periodKinds = new Set(data.map((row: MetricRow) => row.period_kind));
    expect([...periodKinds].filter((kind) => kind !== 'annual' && kind !== 'instant')).toEqual([]);
  },
  'metrics-keys': async (client) => {
    const path = `/v1/securities/${await findTicker(client)}/metrics?period=annual&keys=revenue,net_income`;
    const { data, meta } = (await expectOk(client, path)).body;
    expect(meta.keys).toEqual(['revenue', 'net_income']);
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) expect(['revenue', 'net_income']).toContain(row.metric_key);
  },
  'metrics-unknown-key': async (client) => {
    await expectRefused(
      client,
      `/v1/securities/${await findTicker(client)}/metrics?keys=revenu`,
      400,
      'bad_request',
      'revenu',
    );
  },
  'metrics-screen-only': async (client) => {
    for (const key of ['market_cap', 'revenue_prior', 'revenue_ttm', 'fiscal_year']) {
      await expectRefused(
        client,
        `/v1/securities/${await findTicker(client)}/metrics?keys=revenue,${key}`,
        400,
        'bad_request',
        key,
      );
    }
  },
  'metrics-limit-max': async (client) => {
    await expectRefused(
      client,
      `/v1/securities/${await findTicker(client)}/metrics?limit=5001`,
      400,
      'bad_request',
      'limit',
    );
  },
  'metrics-limit-effective': async (client) => {
    const basePath = `/v1/securities/${await findTicker(client)}/metrics?period=all&limit=5000`;
    const limits = [];
    for (const extraQuery of ['', '&keys=revenue', '&collapse=true', '&keys=revenue&collapse=true']) {
      const { data, meta } = (await expectOk(client, basePath + extraQuery)).body;
      expect(data.length).toBeLessThanOrEqual(meta.limit);
      limits.push(meta.limit);
    }
    expect(limits).toEqual([500, 500, 500, 5000]);
  },
  'metrics-order': async (client) => {
    const { data } = (
      await expectOk(client, `/v1/securities/${await findTicker(client)}/metrics?period=annual&limit=500`)
    ).body;
    const previousEndByKey = new Map<string, string>();
    for (const { metric_key: key, end_date: end } of data as MetricRow[]) {
      expect((previousEndByKey.get(key) ?? end) >= end, `${key} ${end}`).toBe(true);
      previousEndByKey.set(key, end);
    }
  },
  'metrics-collapse': async (client) => {
    const path = `/v1/securities/${await findTicker(client)}/metrics?period=all&collapse=true&limit=500`;
    const { data } = (await expectOk(client, path)).body;
    const valueIdentities = (data as MetricRow[]).map((row) =>
      [row.metric_key, row.unit, row.period_kind, row.end_date].join(' '),
    );
    expect(new Set(valueIdentities).size).toBe(valueIdentities.length);
  },
  'as-of-filed': async (client) => {
    const metricsPath = `/v1/securities/${await findTicker(client)}/metrics?period=annual&limit=500`;
    const allRows: MetricRow[] = (await expectOk(client, metricsPath)).body.data;
    const filedDays = allRows.flatMap((row) => row.read_from?.filed_at ?? []).sort();
    const day = filedDays[Math.floor(filedDays.length / 2)] ?? '2020-01-01';
    const { data, meta } = (await expectOk(client, `${metricsPath}&as_of=${day}`)).body;
    expect(meta.as_of).toBe(day);
    expect(data.length).toBeGreaterThan(0);
    for (const row of data as MetricRow[]) expect((row.read_from?.filed_at ?? '9999') <= day).toBe(true);
  },
  'as-of-today': async (client) => {
    const base = `/v1/securities/${await findTicker(client)}/metrics?period=all&limit=500`;
    const today = new Date().toISOString().slice(0, 10);
    expect((await expectOk(client, `${base}&as_of=${today}`)).body.data).toEqual(
      (await expectOk(client, base)).body.data,
    );
  },
  'as-of-before': async (client) => {
    expect(
      (await expectOk(client, `/v1/securities/${await findTicker(client)}/metrics?as_of=1950-01-01`)).body.data,
    ).toEqual([]);
  },
  'values-first': async (client) => {
    const base = `/v1/securities/${await findTicker(client)}/metrics?period=annual&limit=500`;
    const readRows = async (query: string): Promise<MetricRow[]> => (await expectOk(client, base + query)).body.data;
    const rowsOfFirstValues = (await readRows('&values=first')).filter(({ value_kind: kind }) => kind === 'reported');
    expect(rowsOfFirstValues.length).toBeGreaterThan(0);
    for (const row of rowsOfFirstValues) expect(row.read_from?.kind, row.metric_key).not.toBe('same');
    expect(await readRows('&values=latest')).toEqual(await readRows(''));
    await expectRefused(client, `${base}&values=oldest`, 400, 'bad_request', 'values');
  },
  'stable-ids': async (client) => {
    const path = `/v1/securities/${await findTicker(client)}/metrics`;
    const readIds = async (query: string) =>
      (await expectOk(client, path + query)).body.data.map((row: MetricRow) => row.metric_value_id) as string[];
    const [revenueIds, allIds] = [await readIds('?keys=revenue'), await readIds('?period=all&limit=500')];
    for (const id of revenueIds) expect(allIds).toContain(id);
  },
  catalog: async (client) => {
    const { data } = (await expectOk(client, '/v1/metrics')).body;
    for (const entry of data) expectResource('MetricCatalogEntry', entry);
    const keys = data.map((entry: { key: string }) => entry.key);
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of ['revenue', 'net_income', 'free_cash_flow']) expect(keys).toContain(key);
  },
  'catalog-named': async (client) => {
    const keys = (await expectOk(client, '/v1/metrics')).body.data.map((entry: { key: string }) => entry.key);
    const { data } = (await expectOk(client, `/v1/securities/${await findTicker(client)}/metrics?limit=500`)).body;
    for (const row of data as MetricRow[]) expect(keys).toContain(row.metric_key);
  },
  'lineage-rows': async (client) => {
    for (const key of ['revenue', 'free_cash_flow']) {
      const { data } = (await expectOk(client, `/v1/securities/${await findTicker(client)}/metrics/${key}/lineage`))
        .body;
      for (const row of data) expectResource('MetricLineage', row);
    }
  },
  'lineage-location': async (client) => {
    const { data } = (
      await expectOk(client, `/v1/securities/${await findTicker(client)}/metrics/revenue/lineage?limit=500`)
    ).body;
    for (const { location } of data) if (location !== undefined) expectResource('FactLocation', location);
  },
  'lineage-value': async (client) => {
    const base = `/v1/securities/${await findTicker(client)}/metrics`;
    const [value] = (await expectOk(client, `${base}?keys=revenue&period=annual`)).body.data as MetricRow[];
    const path = `${base}/revenue/lineage?metric_value_id=${value?.metric_value_id}`;
    const { data } = (await expectOk(client, path)).body;
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) {
      expect([row.metric_value_id, row.metric_value]).toEqual([value?.metric_value_id, value?.value]);
    }
  },
  'lineage-pages': async (client) => {
    const path = `/v1/securities/${await findTicker(client)}/metrics/free_cash_flow/lineage`;
    const fullPage = (await expectOk(client, `${path}?limit=500`)).body;
    const rowCountById = new Map<string, number>();
    for (const { metric_value_id: id } of fullPage.data) rowCountById.set(id, (rowCountById.get(id) ?? 0) + 1);
    if (fullPage.data.length < 9) throw new UntestableRuleError('the company has too few values of free cash flow');
    for (const limit of [1, 2, 3, 7]) {
      const { data, meta } = (await expectOk(client, `${path}?limit=${limit}`)).body;
      expect(data).toEqual(fullPage.data.slice(0, data.length));
      const ids = new Set<string>(data.map((row: MetricRow) => row.metric_value_id));
      expect(data).toHaveLength([...ids].reduce((sum, id) => sum + (rowCountById.get(id) ?? 0), 0));
      expect(ids.size === 1 || data.length <= limit).toBe(true);
      expect(meta.total).toBe(fullPage.meta.total);
    }
  },
  'lineage-unknown': async (client) => {
    const base = `/v1/securities/${await findTicker(client)}/metrics/revenu`;
    await expectRefused(client, `${base}/lineage`, 404, 'not_found', 'revenu');
    await expectRefused(client, `${base}/revisions`, 404, 'not_found', 'revenu');
  },
  'lineage-unknown-value': async (client) => {
    const base = `/v1/securities/${await findTicker(client)}/metrics/revenue`;
    for (const subpath of ['lineage', 'revisions']) {
      expect((await expectOk(client, `${base}/${subpath}?metric_value_id=${UNKNOWN_VALUE_ID}`)).body.data).toEqual([]);
    }
  },
  'revision-rows': async (client) => {
    const { data } = (await expectOk(client, `/v1/securities/${await findTicker(client)}/metrics/revenue/revisions`))
      .body;
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) expectResource('MetricRevision', row);
  },
  'revision-chain': async (client) => {
    for (const chain of await readChains(client, 'revenue')) {
      expect(chain.map((row) => row.revision_rank)).toEqual(chain.map((_, index) => index + 1));
      expect(chain.map((row) => row.kind === 'first')).toEqual(chain.map((_, index) => index === 0));
      const filingDays = chain.map((row) => row.filed_at);
      expect(filingDays).toEqual([...filingDays].sort());
      expect(chain.filter((row) => row.standing)).toHaveLength(1);
    }
  },
  'revision-delta': async (client) => {
    for (const chain of await readChains(client, 'net_income')) {
      for (const row of chain) {
        expect(row.delta !== null).toBe(row.kind === 'revised');
        if (row.delta === null || row.previous_value === null) continue;
        const valueOrder = compareDecimals(row.value, row.previous_value);
        expect(Math.sign(compareDecimals(row.delta, '0'))).toBe(Math.sign(valueOrder));
      }
    }
  },
  'revision-value': async (client) => {
    const [chain] = await readChains(client, 'revenue');
    const id = chain?.[0]?.metric_value_id;
    const path = `/v1/securities/${await findTicker(client)}/metrics/revenue/revisions?metric_value_id=${id}`;
    expect((await expectOk(client, path)).body.data).toEqual(chain);
  },
  'revision-period': async (client) => {
    const chain = (await readChains(client, 'revenue')).find(([row]) => /^(FY|Q\d)$/.test(row?.fiscal_period ?? ''));
    const [firstRow] = chain ?? [];
    if (firstRow === undefined) throw new UntestableRuleError('no revision chain of the company has a fiscal period');
    const base = `/v1/securities/${await findTicker(client)}/metrics/revenue/revisions`;
    const query = `?fiscal_year=${firstRow.fiscal_year}&fiscal_period=${firstRow.fiscal_period?.toLowerCase()}&limit=500`;
    const { data } = (await expectOk(client, base + query)).body;
    expect(data.length).toBeGreaterThan(0);
    for (const row of data as Revision[]) {
      expect([row.fiscal_year, row.fiscal_period]).toEqual([firstRow.fiscal_year, firstRow.fiscal_period]);
    }
  },
  'revision-period-carried': async (client) => {
    const rows = (await readChains(client, 'net_income')).flat();
    const rowByPeriod = new Map(rows.map((row) => [row.fiscal_period, row]));
    const base = `/v1/securities/${await findTicker(client)}/metrics/net_income/revisions`;
    for (const [period, row] of rowByPeriod) {
      if (period === null) continue;
      const { data } = (await expectOk(client, `${base}?fiscal_period=${period.toLowerCase()}&limit=500`)).body;
      const chainIds = data.map((otherRow: Revision) => otherRow.metric_value_id);
      expect(chainIds, period).toContain(row.metric_value_id);
    }
  },
  'revision-year': async (client) => {
    const base = `/v1/securities/${await findTicker(client)}/metrics/revenue/revisions`;
    for (const year of ['1', '-1', '0', '9999', '123456789012345']) {
      expect((await expectOk(client, `${base}?fiscal_year=${year}`)).body.data, year).toEqual([]);
    }
    await expectRefused(client, `${base}?fiscal_year=2024.5`, 400, 'bad_request', 'fiscal_year');
  },
  'revision-period-bad': async (client) => {
    const path = `/v1/securities/${await findTicker(client)}/metrics/revenue/revisions?fiscal_period=Q5`;
    await expectRefused(client, path, 400, 'bad_request', 'fiscal_period');
  },
  'raw-concepts': async (client) => {
    const { data } = (await expectOk(client, `/v1/securities/${await findTicker(client)}/raw-concepts`)).body;
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) expectResource('RawConcept', row);
  },
  'raw-concepts-search': async (client) => {
    const path = `/v1/securities/${await findTicker(client)}/raw-concepts`;
    const { data, meta } = (await expectOk(client, `${path}?search=net%20inc&limit=500`)).body;
    expect(data.length).toBeGreaterThan(0);
    for (const { concept } of data) expect(concept).toMatch(/Net.*Inc|Inc.*Net/);
    expect([meta.search, meta.total]).toEqual(['net inc', data.length]);
    expect((await expectOk(client, `${path}?search=net%20inc&limit=1`)).body.meta.total).toBe(data.length);
    expect((await expectOk(client, `${path}?search=xyzzy`)).body.data).toEqual([]);
  },
  'raw-concepts-facts': async (client) => {
    const path = await findPathWithFacts(client);
    const { data, meta } = (await expectOk(client, `${path}?concept=us-gaap:Assets`)).body;
    expect(meta.concept).toBe('us-gaap:Assets');
    const facts: Fact[] = data.flatMap((row: { facts: Fact[] }) => row.facts);
    expect(facts.length).toBeGreaterThan(0);
    const endDates = facts.map(({ end_date: end }) => end);
    expect(endDates).toEqual(endDates.toSorted().reverse());
    for (const { revision_rank: rank, kind } of facts) expect(kind === 'first').toBe(rank === 1);
    await expectRefused(client, `${path}?concept=NoSuchConcept`, 404, 'not_found', 'NoSuchConcept');
  },
  'raw-concepts-as-of': async (client) => {
    const path = await findPathWithFacts(client);
    const readFacts = async (query: string): Promise<Fact[]> =>
      (await expectOk(client, `${path}?concept=us-gaap:Assets${query}`)).body.data.flatMap(
        (row: { facts: Fact[] }) => row.facts,
      );
    const days = (await readFacts('')).map(({ filed_at: day }) => day).sort();
    const day = days[Math.floor(days.length / 2)] ?? '';
    const factDaysAsOf = (await readFacts(`&as_of=${day}`)).map(({ filed_at: filedAt }) => filedAt).sort();
    expect(factDaysAsOf).toEqual(days.filter((filedAt) => filedAt <= day));
    await expectRefused(client, `${path}?as_of=${day}`, 400, 'bad_request', 'as_of');
  },
};

interface Fact {
  readonly end_date: string;
  readonly filed_at: string;
  readonly kind: string;
  readonly revision_rank: number;
}

/**
 * Returns the path of the tagged facts of a large company. Throws UntestableRuleError if the service has no tagged
 * facts of any large company.
 */
async function findPathWithFacts(client: Parameters<Check>[0]): Promise<string> {
  const { data } = (await expectOk(client, '/v1/screen?sort=revenue&dir=desc&columns=revenue&limit=50')).body;
  for (const { ticker } of data) {
    const path = `/v1/securities/${encodeURIComponent(ticker)}/raw-concepts`;
    if ((await client.get(`${path}?concept=us-gaap:Assets`)).status === 200) return path;
  }
  throw new UntestableRuleError('the release has no tagged facts of a large company');
}

/** Returns complete revision chains. Omits the last chain of a full page, because the page may have cut this chain. */
async function readChains(client: Parameters<Check>[0], key: string): Promise<Revision[][]> {
  const path = `/v1/securities/${await findTicker(client)}/metrics/${key}/revisions?limit=500`;
  const rows: Revision[] = (await expectOk(client, path)).body.data;
  const chainById = new Map<string, Revision[]>();
  for (const row of rows) chainById.set(row.metric_value_id, [...(chainById.get(row.metric_value_id) ?? []), row]);
  const allChains = [...chainById.values()];
  return rows.length === 500 ? allChains.slice(0, -1) : allChains;
}
