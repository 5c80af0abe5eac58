/**
 * The operations of the HTTP API, each defined once. Commands, help, validation, the service's router, the OpenAPI
 * document and the reference are derived from this table. README.md explains how to add an operation.
 */
import type { Parameter, ValuesOf } from './parameters.ts';
import * as p from './parameters.ts';
import type { ResourceName, Resources } from './resource-schemas.ts';

interface OperationEntry {
  readonly id: string;
  /** Path template, which is also the value of `meta.route`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  /** Type of `data`; if `rows.field` is null, `data` is a list of this resource. */
  readonly resource: ResourceName;
  /** Description of an answer's rows; null for an operation that returns a single object. */
  readonly rows: RowsDescription | null;
  /** Each entry has a parameter, and the parameters that cannot be combined with it. */
  readonly exclusive?: readonly (readonly [string, readonly string[]])[];
  /**
   * Whether an answer shows market prices; default: never. `by_figure`: only if it contains a figure that depends on a
   * price.
   */
  readonly priced?: 'always' | 'by_figure';
  /**
   * Whether an answer remains the same until the release changes; default: no. `unpriced`: only if it contains no figure
   * that depends on a price.
   */
  readonly covered?: 'release' | 'unpriced';
}

interface RowsDescription {
  /** Field of `data` that contains the rows; null if `data` itself is the list. */
  readonly field: string | null;
  /** Fields that together identify a row; null if rows have no identity. */
  readonly identity: readonly string[] | null;
  /** Field of `data` with the total number of rows on all pages; if absent, `meta.total` may have the total. */
  readonly total?: string;
  /**
   * Plural noun for rows in messages, such as `filings`. Present only if a row takes several lines in the command's
   * table, because a count of "rows" would then be ambiguous.
   */
  readonly noun?: string;
  /** Whether `data` has content other than rows, so that an answer without rows is not empty. */
  readonly hasOtherContent?: true;
}

const COMPANY_PATH = '/v1/securities/{ticker}';

const OPERATION_TABLE = [
  {
    id: 'search',
    path: '/v1/securities',
    tag: 'Companies',
    summary: 'Find securities by ticker prefix or entity name',
    parameters: [p.searchQuery, p.limit('ours')],
    resource: 'SecuritySearchHit',
    rows: { field: null, identity: ['ticker'] },
    covered: 'release',
  },
  {
    id: 'profile',
    path: `${COMPANY_PATH}/profile`,
    tag: 'Companies',
    summary: 'Show the profile of a company and its security',
    parameters: [p.ticker],
    resource: 'SecurityProfile',
    rows: null,
    priced: 'always',
  },
  {
    id: 'metrics',
    path: `${COMPANY_PATH}/metrics`,
    tag: 'Metrics',
    summary: 'Show reported and derived figures of a company',
    parameters: [
      p.ticker,
      p.metricsPeriod,
      p.metricKeys,
      p.collapseParameter,
      p.limit('stated', { max: 5000 }),
      p.asOf,
      p.valueVersion,
      p.splitAdjusted,
    ],
    resource: 'MetricValue',
    rows: { field: null, identity: ['metric_value_id'] },
    covered: 'release',
  },
  {
    id: 'catalog',
    path: '/v1/metrics',
    tag: 'Metrics',
    summary: 'List all metrics, with the formulas of derived metrics',
    parameters: [],
    resource: 'MetricCatalogEntry',
    rows: { field: null, identity: ['key'] },
    covered: 'release',
  },
  {
    id: 'lineage',
    path: `${COMPANY_PATH}/metrics/{metric_key}/lineage`,
    tag: 'Metrics',
    summary: 'Show the XBRL facts that each value of a metric comes from',
    parameters: [p.ticker, p.metricKey, p.valueId, p.limit('ours'), p.asOf, p.valueVersion, p.splitAdjusted],
    resource: 'MetricLineage',
    rows: { field: null, identity: ['metric_value_id', 'raw_fact_id', 'role'] },
    covered: 'release',
  },
  {
    id: 'revisions',
    path: `${COMPANY_PATH}/metrics/{metric_key}/revisions`,
    tag: 'Metrics',
    summary: 'Show the value of a metric in each filing, and what changed',
    parameters: [p.ticker, p.metricKey, p.valueId, p.fiscalYear, p.fiscalPeriod, p.limit('ours'), p.splitAdjusted],
    resource: 'MetricRevision',
    rows: { field: null, identity: ['metric_value_id', 'revision_rank'] },
    covered: 'release',
  },
  {
    id: 'raw-concepts',
    path: `${COMPANY_PATH}/raw-concepts`,
    tag: 'Metrics',
    summary: 'List the XBRL concepts that a company used',
    parameters: [p.ticker, p.limit('ours'), p.factConcept, p.conceptWords, p.factsAsOf],
    resource: 'RawConcept',
    rows: { field: null, identity: ['taxonomy', 'concept', 'unit'], noun: 'concepts' },
    covered: 'release',
  },
  {
    id: 'filings',
    path: `${COMPANY_PATH}/filings`,
    tag: 'Filings',
    summary: "Show a company's filings, newest first",
    parameters: [p.ticker, p.forms, p.itemNumbers, p.limit('ours'), p.filedSince, p.filedUntil, p.offset],
    resource: 'Filing',
    rows: { field: null, identity: ['accession_number'] },
  },
  {
    id: 'day',
    path: '/v1/filings/day',
    tag: 'Filings',
    summary: "Show a day's filings across all companies",
    parameters: [p.filingsDay, p.formsOfDay],
    resource: 'FilingsDay',
    rows: { field: 'lines', identity: ['cik', 'accession_number'], total: 'lines_total', hasOtherContent: true },
  },
  {
    id: 'filing',
    path: '/v1/filings/{accession}',
    tag: 'Filings',
    summary: 'Show one filing and its documents',
    parameters: [p.accession],
    resource: 'FilingSource',
    rows: { field: 'documents', identity: ['document'], hasOtherContent: true },
  },
  {
    id: 'insider-activity',
    path: '/v1/insider-activity',
    tag: 'Insider trades',
    summary: 'Show insider purchases and sales across companies',
    parameters: [p.tickers, p.tradedSince, p.tradeKind, p.limit('stated', { max: 100 }), p.offset],
    resource: 'InsiderActivityPage',
    rows: { field: 'filings', identity: ['accession_number'], noun: 'filings' },
  },
  {
    id: 'insiders',
    path: `${COMPANY_PATH}/insider-activity`,
    tag: 'Insider trades',
    summary: "Show insider purchases and sales of one company's shares",
    parameters: [p.ticker, p.tradedSince, p.tradeKind, p.limit('stated', { max: 100 }), p.offset],
    resource: 'InsiderActivityPage',
    rows: { field: 'filings', identity: ['accession_number'], noun: 'filings' },
  },
  {
    id: 'holders',
    path: `${COMPANY_PATH}/holders`,
    tag: 'Holders',
    summary: 'Show the institutional managers that hold a security',
    parameters: [p.ticker, p.limit('ours'), p.offset, p.quarter],
    resource: 'SecurityHolders',
    rows: { field: 'rows', identity: ['holder_cik', 'accession_number', 'amount_type'], total: 'rows_total' },
  },
  {
    id: 'managers',
    path: '/v1/holders',
    tag: 'Holders',
    summary: 'Find institutional managers by name, or list the largest managers',
    parameters: [p.managerName, p.limit('stated', { default: 10, max: 50 })],
    resource: 'HolderHit',
    rows: { field: null, identity: ['cik'] },
  },
  {
    id: 'manager',
    path: '/v1/holders/{cik}',
    tag: 'Holders',
    summary: "Show one institutional manager's latest holdings",
    parameters: [p.cik, p.limit('stated', { default: 100 }), p.offset, p.quarter],
    resource: 'Holder',
    // Rows have no identity, because two positions of a report may be equal in all fields.
    rows: { field: 'rows', identity: null, total: 'rows_total' },
  },
  {
    id: 'segments',
    path: `${COMPANY_PATH}/segments`,
    tag: 'Segments',
    summary: 'Show figures by business segment, geography and product',
    parameters: [p.ticker, p.segmentsPeriod],
    resource: 'Segments',
    rows: { field: 'axes', identity: ['axis'] },
  },
  {
    id: 'prices',
    path: `${COMPANY_PATH}/prices`,
    tag: 'Prices',
    summary: 'Show daily prices, market cap and splits',
    parameters: [p.ticker, p.priceRange, p.pricesFrom, p.pricesTo],
    resource: 'Prices',
    exclusive: [['range', ['from', 'to']]],
    rows: { field: 'days', identity: null },
    priced: 'always',
  },
  {
    id: 'screen',
    path: '/v1/screen',
    tag: 'Screener',
    summary: 'Filter and sort companies by their figures',
    parameters: [
      p.whereClauses,
      p.sortColumn,
      p.sortDirection,
      p.limit('stated'),
      p.offset,
      p.columns,
      p.screenDay,
      p.industry,
      p.sic,
      p.peersOf,
      p.splitAdjusted,
      p.countsByFigure,
      p.countsOfMissing,
    ],
    resource: 'ScreenRow',
    rows: { field: null, identity: ['cik', 'ticker'] },
    priced: 'by_figure',
    covered: 'unpriced',
  },
  {
    id: 'release',
    path: '/v1/release',
    tag: 'Release',
    summary: 'Show the data release that answers are read from',
    parameters: [],
    resource: 'Release',
    rows: null,
  },
] as const satisfies readonly OperationEntry[];

export type OperationId = (typeof OPERATION_TABLE)[number]['id'];

export interface Operation extends OperationEntry {
  readonly id: OperationId;
}

type EntryOf<Id extends OperationId> = Extract<(typeof OPERATION_TABLE)[number], { readonly id: Id }>;

export type ParameterListOf<Id extends OperationId> = EntryOf<Id>['parameters'];

/** Parsed parameter values of an operation by name, as its handler receives them. */
export type ParametersOf<Id extends OperationId> = ValuesOf<ParameterListOf<Id>>;

export type ResourceOf<Id extends OperationId> = Resources[EntryOf<Id>['resource']];

/** Field of `data` that contains the rows; null if `data` is the list, or if the operation has no rows. */
export type RowsFieldOf<Id extends OperationId> = EntryOf<Id>['rows'] extends {
  readonly field: infer Field extends string;
}
  ? Field
  : null;

/** Type of `data` in an operation's answer. */
export type DataOf<Id extends OperationId> = EntryOf<Id>['rows'] extends { readonly field: null }
  ? readonly ResourceOf<Id>[]
  : ResourceOf<Id>;

export const OPERATIONS: readonly Operation[] = OPERATION_TABLE;

/** Whether `data` is a list. */
export const returnsList = ({ rows }: Operation): boolean => rows?.field === null;

export const hasPages = ({ parameters }: Operation): boolean => parameters.some(({ name }) => name === 'offset');

/** Returns the maximum of an integer parameter; null if the operation has no such parameter. */
export const findParameterMaximum = ({ parameters }: Operation, name: string): number | null =>
  parameters.find((parameter) => parameter.name === name)?.max ?? null;

/** Returns the rows of an answer; null for an operation that returns a single object, and for a malformed answer. */
export function findRows({ rows }: Operation, data: unknown): readonly unknown[] | null {
  if (rows === null) return null;
  const list = rows.field === null ? data : Reflect.get(Object(data), rows.field);
  return Array.isArray(list) ? list : null;
}

/** Returns the data of an answer with other rows. */
export const replaceRows = ({ rows: place }: Operation, data: unknown, rows: readonly unknown[]): unknown =>
  place === null || place.field === null ? rows : { ...Object(data), [place.field]: rows };

/** Returns the total number of rows on all pages; null if the answer does not state it. */
export function readTotal({ rows }: Operation, { data, meta }: AnswerWithTotal): number | null {
  const total = rows?.total === undefined ? meta.total : Reflect.get(Object(data), rows.total);
  return typeof total === 'number' ? total : null;
}

interface AnswerWithTotal {
  readonly data: unknown;
  readonly meta: { readonly total?: unknown };
}

const OPERATION_BY_ID = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

export function getOperation(id: OperationId): Operation {
  const operation = OPERATION_BY_ID.get(id);
  if (operation === undefined) throw new Error(`unknown operation ${id}`);
  return operation;
}

const PATH_TEMPLATES = OPERATIONS.map((operation) => ({ operation, template: operation.path.split('/') }));
// Paths without parameters come first: `/v1/filings/day` is the operation `day`, not a filing.
PATH_TEMPLATES.sort((a, b) => Number(a.operation.path.includes('{')) - Number(b.operation.path.includes('{')));

/** Returns the operation of a path, and its path parameters, still percent-encoded; null if no operation matches. */
export function matchPath(path: string) {
  const segments = path.split('/');
  for (const { operation, template } of PATH_TEMPLATES) {
    const path = matchTemplate(template, segments);
    if (path !== null) return { operation, path };
  }
  return null;
}

function matchTemplate(template: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (template.length !== segments.length) return null;
  const path: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const segment = segments[index];
    if (part.startsWith('{')) {
      if (segment === undefined || segment === '') return null;
      path[part.slice(1, -1)] = segment;
    } else if (part !== segment) {
      return null;
    }
  }
  return path;
}
