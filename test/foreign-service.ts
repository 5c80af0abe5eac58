/**
 * An independent service, written only from the text of the HTTP API, without this project's contract. Where the HTTP
 * API leaves a choice, the service chooses differently from `fin serve`. Its answers are small and invented.
 */
import { createServer, type ServerResponse } from 'node:http';
import { sendPlainly, type Transfer } from './foreign-transfers.ts';
import { listenUntilDone } from './listen.ts';

const RELEASE = {
  date: '2026-05-29',
  checks: 'passed',
  published_at: '2026-05-29T10:00:00Z',
  stamp: '2026-05-29-f0re1gn',
};
const ID = '7b1f0a52-93f4-4bb6-8d1a-0d3f5a1c2e44';
const COMPANY = { cik: 42, entity_name: 'Fjord Dairy ASA' };
const LISTED_COMPANY = { ...COMPANY, ticker: 'FJO', exchange: 'Oslo' };
const ACCESSION = 'NO-2026-000017';
const FILING_URL = 'https://filings.example/NO-2026-000017/';
const PERIOD = { end_date: '2025-12-31', start_date: '2025-01-01', fiscal_year: 2025, fiscal_period: 'FY' };
const METRIC = { metric_key: 'revenue', metric_label: 'Revenue', metric_value_id: ID, period_kind: 'annual' };
const OWNER_ROLES = { is_director: true, is_officer: false, is_ten_percent_owner: false };
const PRICE = {
  ...{ symbol: 'FJO', day: '2026-05-28', price: '12.50', source: 'venue', updated_at: '2026-05-28T20:00:00Z' },
  ...{ last_sale_at: null, market_cap: null, shares: '1000000', shares_as_of: '2026-03-31' },
};
const ATTRIBUTION = { text: 'Prices by courtesy of the Oslo venue.', url: 'https://venue.example/terms' };

const INSIDER_PAGE = {
  ...{ total_transactions: 1, purchase_transactions: 1, sale_transactions: 0, uncounted_transactions: 0 },
  ...{ reported_purchase_value: '1250.00', reported_sale_value: '0' },
  filings: [
    {
      ...{
        accession_number: ACCESSION,
        form: '4',
        is_amendment: false,
        source_url: FILING_URL,
        filed_at: '2026-05-20',
      },
      ...{ ...COMPANY, ticker: 'FJO', aff10b5_one: null, period_of_report: '2026-05-19' },
      owners: [
        { cik: 77, name: 'Nansen, Kari', ...OWNER_ROLES, is_other: false, officer_title: null, other_text: null },
      ],
      transactions: [
        {
          ...{ ordinal: 1, security_title: 'Common Stock', transaction_code: 'P', footnote_ids: ['F1'] },
          ...{ value_status: 'counted', shares: '100', price_per_share: '12.50', transaction_value: '1250.00' },
          ...{ transaction_date: '2026-05-19', acquired_disposed_code: 'A', direct_indirect_ownership: 'D' },
        },
      ],
      footnotes: [{ id: 'F1', text: 'Bought at the market.' }],
    },
  ],
};

const FILING = {
  ...{
    ...LISTED_COMPANY,
    form: '8-K',
    accession_number: ACCESSION,
    accepted_at: '2026-05-20T06:05:00Z',
    filed_at: '2026-05-20',
  },
  ...{ announcement_timing: 'before_open', items: ['2.02'], source_url: FILING_URL, report_date: '2026-03-31' },
};

/** `data` and `meta` by a pattern of the path; the first matching entry is the answer. */
const ANSWERS: readonly (readonly [path: RegExp, data: unknown, meta?: object])[] = [
  [/^\/v1\/release$/, RELEASE],
  [
    /^\/v1\/securities$/,
    [{ ...LISTED_COMPANY, ticker_normalized: 'FJO', security_coverage_state: 'full', company_coverage_state: 'full' }],
  ],
  [
    /\/profile$/,
    {
      ...{
        security_id: ID,
        ...LISTED_COMPANY,
        ticker_normalized: 'FJO',
        is_primary: true,
        is_active: true,
        price: PRICE,
      },
      ...{ security_coverage_state: 'full', company_coverage_state: 'full', filing_count: 3, raw_fact_count: 9 },
      ...{ metric_value_count: 5, latest_filing_at: '2026-05-20' },
    },
    { attribution: ATTRIBUTION },
  ],
  [
    /\/metrics\/[^/]+\/lineage$/,
    [
      {
        ...{
          ...METRIC,
          ...LISTED_COMPANY,
          ...PERIOD,
          metric_value: '1000.0',
          metric_unit: 'NOK',
          raw_fact_id: ID,
          raw_value: '1000.0',
        },
        ...{ taxonomy: 'ifrs-full', concept: 'Revenue', raw_unit: 'NOK', role: 'value', accession_number: ACCESSION },
        ...{
          filed_at: '2026-02-10',
          form: '20-F',
          location: { match_quality: 'unique', document: 'a.htm', line_id: 'f1' },
        },
      },
    ],
  ],
  [
    /\/metrics\/[^/]+\/revisions$/,
    [
      {
        ...{
          ...METRIC,
          ...LISTED_COMPANY,
          ...PERIOD,
          metric_unit: 'NOK',
          revision_rank: 1,
          kind: 'first',
          value: '990.0',
        },
        ...{ raw_fact_id: ID, accession_number: ACCESSION, standing: false, filed_at: '2026-02-10', form: '20-F' },
      },
      {
        ...{
          ...METRIC,
          ...LISTED_COMPANY,
          ...PERIOD,
          metric_unit: 'NOK',
          revision_rank: 2,
          kind: 'revised',
          value: '1000.0',
        },
        ...{ raw_fact_id: ID, accession_number: ACCESSION, standing: true, delta: '10.0', previous_value: '990.0' },
      },
    ],
  ],
  [
    /securities\/[^/]+\/metrics$/,
    [
      {
        ...{
          ...METRIC,
          ...LISTED_COMPANY,
          ...PERIOD,
          value: '1000.0',
          unit: 'NOK',
          value_kind: 'reported',
          confidence: '1',
        },
        ...{ statement: 'income', revised: true, revision_count: 1 },
        read_from: {
          accession_number: ACCESSION,
          revision_rank: 2,
          kind: 'revised',
          filed_at: '2026-03-01',
          form: '20-F',
        },
      },
    ],
  ],
  [
    /\/raw-concepts$/,
    [
      {
        ...LISTED_COMPANY,
        taxonomy: 'ifrs-full',
        concept: 'Revenue',
        unit: 'NOK',
        fact_count: 4,
        latest_end_date: '2025-12-31',
      },
    ],
  ],
  [/\/securities\/[^/]+\/filings$/, [FILING]],
  [
    /^\/v1\/filings\/day$/,
    {
      ...{
        date: '2026-05-28',
        latest: '2026-05-28',
        filings: 4,
        companies: 3,
        lines: [FILING],
        lines_total: 1,
        live: true,
      },
      reports: [
        { ...LISTED_COMPANY, form: '20-F', accession_number: ACCESSION, revenue: '1000.0', prior_revenue: '900.0' },
      ],
      insiders: {
        ...{ purchases: 1, purchase_value: '1250.00', sales: 0, sale_value: '0' },
        largest: [
          {
            ...{
              accession_number: ACCESSION,
              ...COMPANY,
              kind: 'purchase',
              ...OWNER_ROLES,
              shares: '100',
              value: '1250.00',
            },
            ...{ source_url: FILING_URL, owner_name: 'Nansen, Kari', ticker: 'FJO' },
          },
        ],
      },
      forms: [{ form: '20-F', filings: 1 }],
      days: [{ date: '2026-05-28', filings: 4 }],
      updated_at: '2026-05-28T21:30:00Z',
    },
  ],
  [
    /^\/v1\/filings\/[^/]+$/,
    {
      ...{
        accession_number: ACCESSION,
        ...COMPANY,
        ticker: 'FJO',
        form: '20-F',
        folder: FILING_URL,
        filed_at: '2026-03-01',
      },
      documents: [{ document: 'a.htm', kind: '20-F', url: `${FILING_URL}a.htm`, read: true }],
    },
  ],
  [/insider-activity$/, INSIDER_PAGE],
  [
    /securities\/[^/]+\/holders$/,
    {
      ...{ ...COMPANY, ticker: 'FJO', period: '2026-03-31', holders: 1, amount_held: '500', value_held: '6250' },
      ...{ opened: null, closed: null, rows_total: 1, updated_at: '2026-05-15T00:00:00Z' },
      rows: [
        {
          ...{ holder_cik: 99, holder_name: 'Skagerrak Fund', accession_number: ACCESSION, filed_at: '2026-05-10' },
          ...{ amount: '500', amount_type: 'SH', value: '6250', prior_known: false, weight: '0.12' },
        },
      ],
    },
  ],
  [
    /^\/v1\/holders\/\d+$/,
    {
      ...{ cik: 99, name: 'Skagerrak Fund', period: '2026-03-31', accession_number: ACCESSION, filed_at: '2026-05-10' },
      ...{ positions: 1, value_total: '6250', other_managers: 0, opened: null, closed: null, rows_total: 1 },
      rows: [
        {
          ...{
            cusip: 'R12345678',
            issuer: 'FJORD DAIRY',
            class: 'COM',
            put_call: '',
            amount: '500',
            amount_type: 'SH',
          },
          ...{ value: '6250', cik: 42, entity_name: 'Fjord Dairy ASA', ticker: 'FJO', prior_amount: null, weight: '1' },
        },
      ],
      quarters: [
        ...[
          {
            period: '2026-03-31',
            filed_at: '2026-05-10',
            accession_number: ACCESSION,
            positions: 1,
            value_total: '6250',
          },
        ],
      ],
    },
  ],
  [
    /^\/v1\/holders$/,
    [{ cik: 99, name: 'Skagerrak Fund', latest_period: '2026-03-31', latest_positions: 1, latest_value: '6250' }],
  ],
  [
    /\/segments$/,
    {
      ...{ ...COMPANY, ticker: 'FJO', period: 'annual', documents: 1, updated_at: null },
      axes: [
        {
          axis: 'geography',
          measures: [
            {
              ...{ measure: 'revenue', concept: 'ifrs-full:Revenue', unit: 'NOK', totals: ['1000.0'] },
              periods: [
                {
                  fiscal_year: 2025,
                  fiscal_period: 'FY',
                  end_date: '2025-12-31',
                  accession_number: ACCESSION,
                  form: '20-F',
                },
              ],
              members: [{ member: 'fjo:NorwayMember', label: 'Norway', values: ['1000.0'] }],
            },
          ],
        },
      ],
    },
  ],
  [
    /\/prices$/,
    {
      ...{ ...COMPANY, ticker: 'FJO', from: '2026-05-27', to: '2026-05-28', days: ['2026-05-27', '2026-05-28'] },
      ...{
        price: ['12.40', '12.50'],
        adj_price: ['12.40', '12.50'],
        source: ['venue', 'fails'],
        market_cap: [null, '12500000'],
      },
      marks: [{ day: '2026-03-31', close: '12.00', source: 'thirteen_f', sample: 4, agreement: '1' }],
      actions: [{ ex_date: '2025-06-02', kind: 'split', source: 'filings', ratio: '2' }],
      latest: PRICE,
    },
    { attribution: ATTRIBUTION },
  ],
  [
    /^\/v1\/screen$/,
    [{ ...LISTED_COMPANY, revenue: '1000.0', revenue_yoy: '0.11', operating_margin: null, net_income: '90.5' }],
    { universe: 9, set_aside: 1, total: 1 },
  ],
  [
    /^\/v1\/metrics$/,
    [
      {
        ...{
          key: 'revenue',
          label: 'Revenue',
          description: 'Sales.',
          value_kind: 'reported',
          covered_company_count: 9,
        },
        ...{
          mappings: [{ taxonomy: 'ifrs-full', concept: 'Revenue', priority: 1, sign_multiplier: 1 }],
          statement: 'income',
        },
      },
      {
        ...{ key: 'catch', label: 'Catch', description: 'Fish landed.', value_kind: 'reported' },
        ...{ covered_company_count: 1, mappings: [], statement: 'income' },
      },
    ],
  ],
];

export type Variant = (typeof VARIANTS)[number];
/** Variations of the service that the HTTP API allows, or almost allows. */
export const VARIANTS = ['plain', 'extras', 'nulls', 'enums', 'headers', 'rows'] as const;

/** Fields with enumerated values, to which a newer service may add values. */
const ENUM_FIELDS = new Set([
  ...['kind', 'value_kind', 'match_quality', 'value_status', 'axis', 'measure', 'source', 'role'],
  ...[
    'announcement_timing',
    'amount_type',
    'transaction_code',
    'checks',
    'acquired_disposed_code',
    'security_coverage_state',
  ],
]);
const NUMBER_OR_DATE_PATTERN = /^(-?\d+(\.\d+)?|\d{4}-\d\d-\d\d(T.*)?)$/;

/** Number of rows of each list in the variant `rows`, which a client gets at once although it asked for fewer. */
export const MANY_ROWS = 6000;

const repeatRows = ([row]: readonly unknown[]): unknown[] =>
  Array.from({ length: MANY_ROWS }, (_, index) =>
    Object.assign({}, row, { cik: 42 + index, ticker: index === 0 ? 'FJO' : `FJ${index}` }),
  );

function vary(value: unknown, variant: Variant, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => vary(item, variant, name));
  if (typeof value === 'string') {
    // Keeps one of the catalog's two keys; if both were null, no metric could be requested.
    if (variant === 'nulls' && !NUMBER_OR_DATE_PATTERN.test(value) && !(name === 'key' && value === 'revenue'))
      return null;
    return variant === 'enums' && ENUM_FIELDS.has(name) ? 'of_a_newer_kind' : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const variedEntries = Object.entries(value).map(([key, item]) => [key, vary(item, variant, key)]);
  const extras = variant === 'extras' ? [['newer', { list: [1, { deep: null }], text: 'constructor' }]] : [];
  return Object.fromEntries([...variedEntries, ...extras]);
}

export interface ForeignService {
  readonly baseUrl: string;
  /** The variant of all following answers. */
  variant: Variant;
  /** The targets of all received requests. */
  readonly targets: string[];
  /** The body of the last response. */
  body: string;
  /** How answers are sent. */
  transfer: Transfer;
}

/**
 * Starts the service, which listens until the tests of the file are done. Columns whose names contain `fiscal`, `date`
 * or `state` are refused, because they are not figures.
 */
export async function startForeignService(): Promise<ForeignService> {
  const service: ForeignService = { baseUrl: '', variant: 'plain', targets: [], body: '', transfer: sendPlainly };
  const server = createServer((request, response) => {
    const target = request.url ?? '';
    service.targets.push(target);
    // A transfer may redirect to a path with this prefix.
    const { pathname, searchParams } = new URL(target.replace(/^(\/moved)+/, ''), 'http://foreign');
    const answer = ANSWERS.find(([path]) => path.test(pathname));
    if (answer === undefined) return sendProblem(response, 404, { title: 'Not Found' });
    const columns = searchParams.get('columns')?.split(',') ?? [];
    const refusedColumn = columns.find((column) => /fiscal|date|state/.test(column));
    if (refusedColumn !== undefined)
      return sendProblem(response, 400, { detail: `columns: ${refusedColumn} is not a figure.` });
    const hasOddHeaders = service.variant === 'headers';
    if (hasOddHeaders && request.headers['if-none-match'] !== undefined) {
      return response.writeHead(304, { 'content-length': '999', etag: 'W/"f"' }).end();
    }
    service.body = makeBody(answer, pathname, searchParams.get('limit'), service.variant);
    const headers = {
      'content-type': hasOddHeaders ? 'Application/JSON;charset="UTF-8"' : 'application/json',
      ...(hasOddHeaders ? { ETag: 'W/"f"' } : { etag: '"f"' }),
      // The variant `headers` states that the month's quota is used up, although the service still answers.
      ratelimit: hasOddHeaders ? '"minute";r=59;t=42,"month";r=0;t=604800, "newer";r=1' : '"minute";r=59;t=42',
      'ratelimit-policy': hasOddHeaders ? '"month";q=5, "minute";q=600;w=60;newer=?1' : '"minute";q=600;w=60',
    };
    const count = service.targets.filter((received) => received === target).length;
    return service.transfer({ request, response, headers, body: service.body, count });
  });
  return Object.assign(service, { baseUrl: `http://127.0.0.1:${await listenUntilDone(server)}` });
}

function makeBody(
  [, plainData, fields]: (typeof ANSWERS)[number],
  route: string,
  limit: string | null,
  variant: Variant,
): string {
  const isRepeated = variant === 'rows' && route === '/v1/screen';
  const data = vary(isRepeated ? repeatRows(plainData as unknown[]) : plainData, variant);
  const meta = {
    ...{ schema: 'svc.data.v1', route, release: RELEASE, request_id: 'f-1', ...fields },
    ...(limit === null ? {} : { limit: Number(limit) }),
    ...(isRepeated ? { universe: MANY_ROWS, total: MANY_ROWS, set_aside: 0 } : {}),
    ...(variant === 'extras' ? { newer: [1] } : {}),
  };
  return JSON.stringify({ data, meta }, null, variant === 'headers' ? 1 : undefined);
}

/** Sends a problem with only these members, because all members are optional (RFC 9457). */
function sendProblem(response: ServerResponse, status: number, members: object): void {
  response.writeHead(status, { 'content-type': 'application/problem+json' });
  response.end(JSON.stringify(members));
}
