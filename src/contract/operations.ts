/**
 * The nineteen operations (interface, "Endpoints"), said once. Commands, help, validation, the
 * service's router, the OpenAPI document and the reference are derived from this table.
 */

import type { Parameter } from './question/parameters.ts';
import * as p from './question/parameters.ts';

export type OperationId =
  | 'search'
  | 'profile'
  | 'metrics'
  | 'catalog'
  | 'lineage'
  | 'revisions'
  | 'raw-concepts'
  | 'filings'
  | 'day'
  | 'filing'
  | 'insider-activity'
  | 'insiders'
  | 'holders'
  | 'managers'
  | 'manager'
  | 'segments'
  | 'prices'
  | 'screen'
  | 'release';

export interface Operation {
  readonly id: OperationId;
  /** The path template, which is also `meta.route`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  /** Name of the resource in `data`, and whether `data` is an array of it. */
  readonly resource: string;
  readonly list: boolean;
  /** Parameters of which at most one side may be given. */
  readonly exclusive?: readonly (readonly [string, readonly string[]])[];
  /** Whether an answer stands as long as the release does (choices.md, "What a release covers"). */
  readonly covered: 'release' | 'unpriced' | 'never';
}

const companyPath = '/v1/securities/{ticker}';

export const OPERATIONS: readonly Operation[] = [
  {
    id: 'search',
    path: '/v1/securities',
    tag: 'Companies',
    summary: 'Find securities by ticker prefix or entity name',
    parameters: [p.search, p.limit('ours')],
    resource: 'SecuritySearchHit',
    list: true,
    covered: 'release',
  },
  {
    id: 'profile',
    path: `${companyPath}/profile`,
    tag: 'Companies',
    summary: 'Show one security and its company',
    parameters: [p.ticker],
    resource: 'SecurityProfile',
    list: false,
    covered: 'never',
  },
  {
    id: 'metrics',
    path: `${companyPath}/metrics`,
    tag: 'Metrics',
    summary: 'Show what a company reported',
    parameters: [p.ticker, p.metricsPeriod, p.keys, p.collapse, p.limit('stated', { max: 5000 }), p.asOf],
    resource: 'MetricValue',
    list: true,
    covered: 'release',
  },
  {
    id: 'catalog',
    path: '/v1/metrics',
    tag: 'Metrics',
    summary: 'List the metrics and how each is read or reckoned',
    parameters: [],
    resource: 'MetricCatalogEntry',
    list: true,
    covered: 'release',
  },
  {
    id: 'lineage',
    path: `${companyPath}/metrics/{metric_key}/lineage`,
    tag: 'Metrics',
    summary: 'Show the tagged fact behind each value',
    parameters: [p.ticker, p.metricKey, p.metricValueId, p.limit('ours'), p.asOf],
    resource: 'MetricLineage',
    list: true,
    covered: 'release',
  },
  {
    id: 'revisions',
    path: `${companyPath}/metrics/{metric_key}/revisions`,
    tag: 'Metrics',
    summary: 'Show what each filing said of a value and what changed',
    parameters: [p.ticker, p.metricKey, p.metricValueId, p.fiscalYear, p.fiscalPeriod, p.limit('ours')],
    resource: 'MetricRevision',
    list: true,
    covered: 'release',
  },
  {
    id: 'raw-concepts',
    path: `${companyPath}/raw-concepts`,
    tag: 'Metrics',
    summary: 'List the tagged concepts a company used',
    parameters: [p.ticker, p.limit('ours')],
    resource: 'RawConcept',
    list: true,
    covered: 'release',
  },
  {
    id: 'filings',
    path: `${companyPath}/filings`,
    tag: 'Filings',
    summary: "Show a company's filings, newest first",
    parameters: [p.ticker, p.forms, p.items, p.limit('ours')],
    resource: 'Filing',
    list: true,
    covered: 'never',
  },
  {
    id: 'day',
    path: '/v1/filings/day',
    tag: 'Filings',
    summary: "Show a day's filings across all covered companies",
    parameters: [p.date],
    resource: 'FilingsDay',
    list: false,
    covered: 'never',
  },
  {
    id: 'filing',
    path: '/v1/filings/{accession}',
    tag: 'Filings',
    summary: 'Show one filing and its documents',
    parameters: [p.accession],
    resource: 'FilingSource',
    list: false,
    covered: 'never',
  },
  {
    id: 'insider-activity',
    path: '/v1/insider-activity',
    tag: 'Insider trades',
    summary: 'Show insider purchases and sales across companies',
    parameters: [p.tickers, p.since, p.tradeKind, p.limit('stated', { max: 100 }), p.offset],
    resource: 'InsiderActivityPage',
    list: false,
    covered: 'never',
  },
  {
    id: 'insiders',
    path: `${companyPath}/insider-activity`,
    tag: 'Insider trades',
    summary: "Show insider purchases and sales of one company's shares",
    parameters: [p.ticker, p.since, p.tradeKind, p.limit('stated', { max: 100 }), p.offset],
    resource: 'InsiderActivityPage',
    list: false,
    covered: 'never',
  },
  {
    id: 'holders',
    path: `${companyPath}/holders`,
    tag: 'Holders',
    summary: 'Show which institutional managers hold a company',
    parameters: [p.ticker, p.limit('ours'), p.offset],
    resource: 'SecurityHolders',
    list: false,
    covered: 'never',
  },
  {
    id: 'managers',
    path: '/v1/holders',
    tag: 'Holders',
    summary: 'Find institutional managers by name, or list the largest',
    parameters: [p.managerName, p.limit('stated', { default: 10, max: 50 })],
    resource: 'HolderHit',
    list: true,
    covered: 'never',
  },
  {
    id: 'manager',
    path: '/v1/holders/{cik}',
    tag: 'Holders',
    summary: "Show one manager's latest report",
    parameters: [p.cik, p.limit('stated', { default: 100 }), p.offset],
    resource: 'Holder',
    list: false,
    covered: 'never',
  },
  {
    id: 'segments',
    path: `${companyPath}/segments`,
    tag: 'Segments',
    summary: 'Show figures by business segment, geography and product',
    parameters: [p.ticker, p.segmentsPeriod],
    resource: 'Segments',
    list: false,
    covered: 'never',
  },
  {
    id: 'prices',
    path: `${companyPath}/prices`,
    tag: 'Prices',
    summary: 'Show prices by day, market cap and splits',
    parameters: [p.ticker, p.range, p.from, p.to],
    resource: 'Prices',
    list: false,
    exclusive: [['range', ['from', 'to']]],
    covered: 'never',
  },
  {
    id: 'screen',
    path: '/v1/screen',
    tag: 'Screener',
    summary: 'Filter and sort every covered company by its figures',
    parameters: [p.where, p.sort, p.direction, p.limit('stated'), p.offset, p.columns],
    resource: 'ScreenRow',
    list: true,
    covered: 'unpriced',
  },
  {
    id: 'release',
    path: '/v1/release',
    tag: 'Release',
    summary: 'Show the data release being served',
    parameters: [],
    resource: 'Release',
    list: false,
    covered: 'never',
  },
];

const BY_ID = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

export function operationOf(id: OperationId): Operation {
  const operation = BY_ID.get(id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return operation;
}

/**
 * The operation a path asks for, with its path parameters as they stand between the slashes (still
 * percent-encoded), or null. A literal segment wins over a parameter: `/v1/filings/day` is a day.
 */
export function matchPath(path: string): { operation: Operation; path: Record<string, string> } | null {
  const segments = path.split('/');
  let found: { operation: Operation; path: Record<string, string> } | null = null;
  for (const operation of OPERATIONS) {
    const taken = matchTemplate(operation.path.split('/'), segments);
    if (taken === null) continue;
    if (Object.keys(taken).length === 0) return { operation, path: taken };
    found ??= { operation, path: taken };
  }
  return found;
}

function matchTemplate(template: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (template.length !== segments.length) return null;
  const taken: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith('{')) {
      if (segment === '') return null;
      taken[part.slice(1, -1)] = segment;
    } else if (part !== segment) {
      return null;
    }
  }
  return taken;
}
