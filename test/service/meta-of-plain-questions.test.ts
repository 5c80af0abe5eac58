import { expect, test } from 'vitest';
import { isAddedParameter } from '../../src/contract/additions.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { ask, makeService } from './ask.ts';
import { openSample } from './sample.ts';

/** The fields of `meta` in the specification of the HTTP API, which has no others; this list is written by hand. */
const META_FIELDS = [
  ...[
    'schema',
    'route',
    'release',
    'request_id',
    'as_of',
    'attribution',
    'collapse',
    'columns',
    'date',
    'dir',
    'forms',
  ],
  ...['keys', 'kind', 'limit', 'metric_key', 'offset', 'period', 'query', 'set_aside', 'since', 'sort', 'ticker'],
  ...['total', 'universe', 'where'],
];

/** Queries by operation, with parameters of the HTTP API only, that select many or unusual rows. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  search: ['query=apple', 'query=nvidea', 'query=iphone', 'query=xyzzy'],
  metrics: ['period=all&limit=500', 'as_of=2024-01-31', 'keys=revenue&collapse=true'],
  lineage: ['as_of=2024-01-31'],
  filings: ['forms=10-K&limit=3'],
  insiders: ['kind=purchase&since=2024-01-01'],
  screen: [
    'where=gross_margin:gt:0&where=dividends_paid:gt:0',
    'where=gross_margin:gt:0&sort=pe&dir=desc',
    'columns=revenue,price&limit=3',
  ],
  managers: ['query=capital'],
};

const PATH_VALUES: Readonly<Record<string, string>> = {
  ticker: 'AAPL',
  metric_key: 'revenue',
  accession: '0000320193-25-000079',
  cik: '1067983',
};

const service = makeService({ release: async () => openSample().release });

test.each(OPERATIONS)('meta of $id has no field of fin unless a parameter of fin asks for it', async (operation) => {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => PATH_VALUES[name] ?? '');
  const required = operation.parameters.some((row) => row.in === 'query' && row.required);
  const queries = [...(required ? [] : ['']), ...(QUERIES[operation.id] ?? [])];
  for (const query of queries) {
    for (const [name = ''] of new URLSearchParams(query)) expect(isAddedParameter(operation.id, name)).toBe(false);
    const answer = await ask(query === '' ? path : `${path}?${query}`, { service });
    expect([path, query, answer.status]).toEqual([path, query, 200]);
    const names = Object.keys(JSON.parse(answer.body).meta);
    expect([path, query, names.filter((name) => !META_FIELDS.includes(name))]).toEqual([path, query, []]);
  }
});
